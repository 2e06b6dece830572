"""What changed between two versions of a text, word by word; sign by sign where words have no spaces between them."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from memory.language.terms import UNSPACED

Kind = Literal["same", "gone", "come"]

APOSTROPHES = "'’"
JOINERS = "\u200c\u200d"
SKIN = range(0x1F3FB, 0x1F400)
FLAGS = range(0x1F1E6, 0x1F200)
MOST_PAIRS = 15_000


@dataclass(frozen=True, slots=True)
class DiffPart:
    kind: Kind
    text: str


def diff(before: str, after: str) -> list[DiffPart]:
    """The parts of both texts in reading order: what went stands before what came in its place."""
    old, new = list(pieces(before)), list(pieces(after))
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    inner_old, inner_new = old[start : len(old) - end], new[start : len(new) - end]
    parts = [DiffPart("same", "".join(old[:start]))]
    for first, last, from_, to in _steps(inner_old, inner_new):
        gone, come = "".join(inner_old[first:last]), "".join(inner_new[from_:to])
        parts += [DiffPart("same", gone)] if gone == come else [DiffPart("gone", gone), DiffPart("come", come)]
    parts.append(DiffPart("same", "".join(old[len(old) - end :])))
    return _smooth([part for part in parts if part.text])


def pieces(text: str) -> Iterator[str]:
    """Words, the white space between them, and every other sign, with whatever belongs to it."""
    held = ""
    for sign in text:
        if held and not _goes_on(held, sign):
            yield held
            held = ""
        held += sign
    if held:
        yield held


def _goes_on(held: str, sign: str) -> bool:
    """Whether this sign belongs to the piece before it."""
    last = held[-1]
    if sign in JOINERS or unicodedata.category(sign) in {"Mn", "Mc", "Me"} or ord(sign) in SKIN:
        return True
    if last == "\u200d":  # what a joiner joins
        return True
    if ord(sign) in FLAGS and ord(last) in FLAGS:
        return len(held) % 2 == 1
    if sign.isspace() or last.isspace():
        return sign.isspace() and last.isspace()
    return _is_in_word(held[0]) and (_is_in_word(sign) or sign in APOSTROPHES)


def _is_in_word(sign: str) -> bool:
    return sign.isalnum() and not UNSPACED.match(sign)


def _steps(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Which part of one stands for which part of the other. Where nearly everything looks alike, comparing takes long
    and tells nothing: all of one stands for all of the other."""
    counted = Counter(new)
    if sum(count * counted[piece] for piece, count in Counter(old).items()) > MOST_PAIRS:
        return [(0, len(old), 0, len(new))]
    return [step[1:] for step in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many pieces both begin with."""
    count = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        count += 1
    return count


def _smooth(parts: Sequence[DiffPart]) -> list[DiffPart]:
    """White space alone between two changes is a part of the change, and parts of one kind are one."""
    smooth: list[DiffPart] = []
    for at, part in enumerate(parts):
        between = 0 < at < len(parts) - 1 and part.kind == "same" and part.text.isspace()
        smooth += [DiffPart("gone", part.text), DiffPart("come", part.text)] if between else [part]
    merged: list[DiffPart] = []
    run: list[DiffPart] = []
    for part in [*smooth, DiffPart("same", "")]:
        if part.kind != "same":
            run.append(part)
            continue
        for kind in ("gone", "come"):
            if text := "".join(each.text for each in run if each.kind == kind):
                merged.append(DiffPart(kind, text))
        run = []
        if part.text:
            merged.append(part)
    return merged
