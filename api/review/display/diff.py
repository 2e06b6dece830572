"""Diffs two versions of a text by words, or by characters in scripts without spaces."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from memory.language.terms import UNSPACED

Kind = Literal["same", "removed", "added"]

APOSTROPHES = "'’"
JOINERS = "\u200c\u200d"
SKIN = range(0x1F3FB, 0x1F400)
FLAGS = range(0x1F1E6, 0x1F200)
MAX_PAIRS = 15_000


@dataclass(frozen=True, slots=True)
class DiffPart:
    kind: Kind
    text: str


def diff(before: str, after: str) -> list[DiffPart]:
    """Return the parts of both texts in reading order, removed text before its replacement."""
    old, new = list(pieces(before)), list(pieces(after))
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    inner_old, inner_new = old[start : len(old) - end], new[start : len(new) - end]
    parts = [DiffPart("same", "".join(old[:start]))]
    for first, last, from_, to in _steps(inner_old, inner_new):
        removed, added = "".join(inner_old[first:last]), "".join(inner_new[from_:to])
        parts += [DiffPart("same", added)] if removed == added else _replacement(removed, added)
    parts.append(DiffPart("same", "".join(old[len(old) - end :])))
    return _smooth([part for part in parts if part.text])


def pieces(text: str) -> Iterator[str]:
    """Split a text into words, runs of white space, and other single characters with their combining marks."""
    piece = ""
    for char in text:
        if piece and not _continues(piece, char):
            yield piece
            piece = ""
        piece += char
    if piece:
        yield piece


def _continues(piece: str, char: str) -> bool:
    last = piece[-1]
    if char in JOINERS or unicodedata.category(char) in {"Mn", "Mc", "Me"} or ord(char) in SKIN:
        return True
    if last == "\u200d":  # zero-width joiner
        return True
    if ord(char) in FLAGS and ord(last) in FLAGS:
        return len(piece) % 2 == 1
    if char.isspace() or last.isspace():
        return char.isspace() and last.isspace()
    return _is_in_word(piece[0]) and (_is_in_word(char) or char in APOSTROPHES)


def _is_in_word(char: str) -> bool:
    return char.isalnum() and not UNSPACED.match(char)


def _steps(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Match the ranges of both texts. Highly repetitive texts, which take too long to compare, are replaced whole."""
    counts = Counter(new)
    if sum(count * counts[piece] for piece, count in Counter(old).items()) > MAX_PAIRS:
        return [(0, len(old), 0, len(new))]
    return [step[1:] for step in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the common prefix."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        count += 1
    return count


def _replacement(removed: str, added: str) -> list[DiffPart]:
    return [DiffPart("removed", removed), DiffPart("added", added)]


def _smooth(parts: Sequence[DiffPart]) -> list[DiffPart]:
    """Absorb white space between two changes into the change, and merge adjacent parts of one kind."""
    smooth: list[DiffPart] = []
    for index, part in enumerate(parts):
        is_gap = 0 < index < len(parts) - 1 and part.kind == "same" and part.text.isspace()
        smooth += _replacement(part.text, part.text) if is_gap else [part]
    merged: list[DiffPart] = []
    changes: list[DiffPart] = []
    for part in [*smooth, DiffPart("same", "")]:
        if part.kind != "same":
            changes.append(part)
            continue
        for kind in ("removed", "added"):
            if text := "".join(each.text for each in changes if each.kind == kind):
                merged.append(DiffPart(kind, text))
        changes = []
        if part.text:
            merged.append(part)
    return merged
