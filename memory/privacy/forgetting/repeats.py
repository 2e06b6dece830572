"""Finds where a text repeats what is to be forgotten: word for word, or in a sentence with its telling words."""

from collections.abc import Sequence

from db.queries.facts.facts import FactRow
from memory.events.contents import texts_at
from memory.language.spans import Span, in_other_words, word_for_word
from memory.language.terms import UNSPACED, fold, pointers, saying_nothing

PUNCTUATION = ".,;:!?\"'“”„«»()[]"


def places(text: str, row: FactRow, *, said_by_human: bool, is_source: bool = False) -> list[Span]:
    """Where a text repeats a fact. A person's other sentences are theirs, only the same words are taken out of them;
    what an assistant or a summary made of it goes by the sentence."""
    if row.content is None:
        return []
    spans = word_for_word(text, row.content)
    if not said_by_human:
        spans += in_other_words(text, row.content)
    if is_source and row.span and row.span[1] <= len(text):
        spans.append(row.span)
    elif is_source and not spans and text:
        spans.append((0, len(text)))  # it came from here, one cannot tell from which words
    return spans


def repeats_any(text: str, rows: Sequence[FactRow]) -> bool:
    """Whether what a summary made of a person's words tells one of these facts."""
    return any(places(text, row, said_by_human=False) for row in rows)


def holds(content: object, row: FactRow) -> bool:
    """Whether any text in a content, or the name of a field, repeats the fact."""
    return any(row.id in text or places(text, row, said_by_human=False) for _, text in texts_at(content))


def needles(words: str) -> list[str]:
    """Beginnings of the longest words, by which a database finds the texts worth a closer look."""
    spoken = [word.strip(PUNCTUATION) for word in words.lower().split() if not UNSPACED.search(word)]
    spaced = sorted([word for word in spoken if fold(word) not in saying_nothing()] or spoken, key=len)
    runs = sorted(UNSPACED.findall(words.lower()), key=len)
    found = [*(word[: max(3, len(word) - 3)] for word in spaced[-1:] if word), *map(_telling_pair, runs[-1:])]
    return list(dict.fromkeys([*found, *map(fold, found)]))


def _telling_pair(run: str) -> str:
    """Two signs next to each other that stay the same whoever speaks."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return next((pair for pair in pairs if not pointers() & set(pair)), run[:2])
