"""Renders what a model reads from rows; a pure function, so that the same rows always give the same bytes."""

from collections.abc import Sequence
from itertools import groupby

from db.queries.events import MessageRow
from db.queries.facts import FactRow
from db.vocabulary import ActorType, Visibility
from memory.brain import Message, Text


def memory_text(facts: Sequence[FactRow]) -> str:
    """The facts under their categories, each with the id by which the model may name it."""
    lines = ["## Your memory"]
    for category, group in groupby(facts, key=lambda fact: fact.category):
        lines += ["", f"### {category.capitalize()}", *map(_fact_line, group)]
    return "\n".join(lines) if facts else ""


def _fact_line(fact: FactRow) -> str:
    about = f"[{fact.subject}] " if fact.subject else ""
    shared = " (shared)" if fact.visibility == Visibility.SHARED else ""
    return f"- [id:{fact.id}] {about}{one_line(fact.content)}{shared}"


def one_line(text: str) -> str:
    """A fact may not begin a line of its own, or it could pass for a heading or an instruction."""
    return " ".join(text.split())


def conversation(messages: Sequence[MessageRow]) -> tuple[Message, ...]:
    """The messages as turns, beginning with a user's; neighbours of one role are one turn, as models want it."""
    roles = [("user" if row.actor_type == ActorType.HUMAN else "assistant", row.text) for row in messages]
    while roles and roles[0][0] == "assistant":
        roles.pop(0)
    turns = []
    for role, group in groupby(roles, key=lambda pair: pair[0]):
        blocks = tuple(Text(words) for _, words in group)
        turns.append(Message("user" if role == "user" else "assistant", blocks))
    return tuple(turns)
