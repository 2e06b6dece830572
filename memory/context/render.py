"""Renders what a model reads from rows; a pure function, so that the same rows always give the same bytes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from db.queries.facts import FactRow
from db.vocabulary import Visibility
from memory.brain import Message, Text

FENCE = re.compile(r"<(?=/?keepsake)", re.IGNORECASE)  # only the program speaks inside it
CHANGED = "Memory that was stored or changed since this conversation began (it replaces what stands above):"


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a conversation, as a model may see it."""

    event_id: str
    by_human: bool
    text: str


def memory_text(facts: Sequence[FactRow]) -> str:
    """The facts under their categories, each with the id by which the model may name it."""
    lines = ["## Your memory"]
    for category, group in groupby(facts, key=lambda fact: fact.category):
        lines += ["", f"### {category.capitalize()}", *map(fact_line, group)]
    return "\n".join(lines) if facts else ""


def tail_text(changed: Sequence[FactRow], notes: Sequence[str]) -> str:
    """What this turn needs besides the message, and the next one will not see again."""
    lines = [*notes, *([CHANGED, *map(fact_line, changed)] if changed else [])]
    return "\n".join(["<keepsake>", *lines, "</keepsake>"]) if lines else ""


def fact_line(fact: FactRow) -> str:
    about = f"[{one_line(fact.subject)}] " if fact.subject else ""
    shared = " (shared)" if fact.visibility == Visibility.SHARED else ""
    return f"- [id:{fact.id}] {about}{one_line(fact.words)}{shared}"


def one_line(text: str) -> str:
    """A fact may not begin a line of its own, or it could pass for a heading or an instruction."""
    return " ".join(text.split()).replace("<", "‹").replace(">", "›")


def conversation(lines: Sequence[Line], tail: str = "") -> tuple[Message, ...]:
    """The messages as turns, beginning with a user's; neighbours of one role are one turn, as models want it. The tail
    stands before the newest message, and is not kept."""
    said = [line for line in lines if line.text.strip()]
    while said and not said[0].by_human:
        said.pop(0)
    turns = []
    for by_human, group in groupby(said, key=lambda line: line.by_human):
        blocks = [Text(FENCE.sub("‹", line.text)) for line in group]
        turns.append(Message("user" if by_human else "assistant", tuple(blocks)))
    if turns and tail:
        *before, newest = turns[-1].blocks
        turns[-1] = Message("user", (*before, Text(tail), newest))
    return tuple(turns)
