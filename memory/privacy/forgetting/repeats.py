"""Finds where a text repeats a fact: word for word, or in a sentence with its key terms."""

from collections.abc import Sequence

from db.queries.facts.facts import FactRow
from memory.events.contents import texts_with_paths
from memory.language.spans import Span, paraphrase_spans, verbatim_spans
from memory.language.terms import UNSPACED, fold, pronouns, uninformative_words

PUNCTUATION = ".,;:!?\"'“”„«»()[]"


def find_repeats(text: str, row: FactRow, *, said_by_human: bool, is_source: bool = False) -> list[Span]:
    """Return the spans of a text that repeat a fact.

    In a person's words only the same words count; in what an assistant or a summary says, whole paraphrasing sentences.
    """
    if row.content is None:
        return []
    spans = verbatim_spans(text, row.content)
    if not said_by_human:
        spans += paraphrase_spans(text, row.content)
    if is_source and row.span and row.span[1] <= len(text):
        spans.append(row.span)
    elif is_source and not spans and text:
        spans.append((0, len(text)))  # the source, but which words of it is unknown
    return spans


def repeats_any_fact(text: str, rows: Sequence[FactRow]) -> bool:
    """Whether a text that is not a person's own, such as a summary, repeats any of these facts."""
    return any(find_repeats(text, row, said_by_human=False) for row in rows)


def contains_repeat(content: object, row: FactRow) -> bool:
    """Whether any text or field name in the content repeats the fact or names its id."""
    return any(row.id in text or find_repeats(text, row, said_by_human=False) for _, text in texts_with_paths(content))


def needles(words: str) -> list[str]:
    """Return substrings that every repetition contains, for a database search that narrows the candidates."""
    tokens = [word.strip(PUNCTUATION) for word in words.lower().split() if not UNSPACED.search(word)]
    spaced = sorted([word for word in tokens if fold(word) not in uninformative_words()] or tokens, key=len)
    runs = sorted(UNSPACED.findall(words.lower()), key=len)
    found = [*(word[: max(3, len(word) - 3)] for word in spaced[-1:] if word), *map(_stable_pair, runs[-1:])]
    return list(dict.fromkeys([*found, *map(fold, found)]))


def _stable_pair(run: str) -> str:
    """The first two adjacent characters without a pronoun, which would change with the speaker."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return next((pair for pair in pairs if not pronouns() & set(pair)), run[:2])
