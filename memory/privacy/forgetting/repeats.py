"""Finds where a text repeats what is to be forgotten: word for word, or in a sentence with its telling words."""

import re
from collections.abc import Sequence

from db.queries.facts.facts import FactRow
from memory.events.contents import texts_at
from memory.language.terms import UNSPACED, fold, pointers, saying_nothing, telling

Span = tuple[int, int]

SENTENCE = re.compile(r"[^.!?…\n。！？؟।]*+[.!?…\n。！？؟।]*+")
PART = re.compile(r"[^.!?…\n。！？؟।,;:()–—，；、،؛]++")
LEAST_TERMS = 2
# Of a script that parts its words: "green" does not stand in "evergreens".
LETTER = UNSPACED.pattern.replace("[", r"[^\W").rstrip("+")
PUNCTUATION = ".,;:!?\"'“”„«»()[]"


def word_for_word(text: str, words: str) -> list[Span]:
    """Every place where these words stand, whatever their case and the white space between them."""
    parts = words.split()
    if not parts:
        return []
    spelled = r"\s+".join(map(re.escape, parts))
    before = rf"(?<!{LETTER})" if re.match(LETTER, parts[0]) else ""
    after = rf"(?!{LETTER})" if re.search(f"{LETTER}$", parts[-1]) else ""
    return [found.span() for found in re.finditer(before + spelled + after, text, re.IGNORECASE)]


def in_other_words(text: str, words: str) -> list[Span]:
    """Sentences that hold every telling word ("Alec is your boss" for "Alec is my boss")."""
    told = telling(words)
    if len(told) < LEAST_TERMS:
        return []
    return [span for span in sentence_spans(text) if told <= telling(text[slice(*span)])]


def source_span(message: str, words: str) -> Span | None:
    """Where in the owner's message a fact comes from: the sentence, or the shortest run of them, with its words."""
    if exact := word_for_word(message, words):
        return exact[0]
    told = telling(words) & telling(message)
    holding = [span for span in sentence_spans(message) if told & telling(message[slice(*span)])]
    whole = [span for span in holding if told <= telling(message[slice(*span)])]
    if whole:
        return whole[0]
    return (holding[0][0], holding[-1][1]) if holding else None


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


def blanked(text: str, spans: list[Span], mark: str = "█") -> str:
    parts, done = [], 0
    for start, end in sorted(spans):
        if end > done:
            start = max(start, done)
            parts += [text[done:start], mark * (end - start)]
            done = end
    return "".join(parts) + text[done:]


def sentence_spans(text: str) -> list[Span]:
    """Without the white space around them."""
    return _spans(SENTENCE, text)


def part_spans(text: str) -> list[Span]:
    """What stands between two marks, of a sentence or within one."""
    return _spans(PART, text)


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    found = []
    for match in pattern.finditer(text):
        inner = match[0].strip()
        if inner:
            start = match.start() + match[0].index(inner)
            found.append((start, start + len(inner)))
    return found
