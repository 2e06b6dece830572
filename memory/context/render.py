"""Renders the request for a model. Pure: the same rows always give the same bytes.

Stable parts come first, so that they can be cached: instructions and tools, then the memory, then the conversation so
far. This turn's tail comes last, because the next turn does not repeat it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from memory.context.items import Item
from memory.context.sections import SECTIONS, PromptPart, SectionName, sections_in
from memory.model.brain import Message, Request, Text, ToolSpec

Sections = Mapping[SectionName, Sequence[Item]]


def request(
    instructions: str,
    tools: tuple[ToolSpec, ...],
    sections: Sections,
    *,
    notes: Sequence[str],
    now: datetime,
    timezone: str,
    message: Item,
) -> Request:
    history = conversation(sections.get(SectionName.SUMMARY, ()), sections.get(SectionName.RECENT_WINDOW, ()))
    newest = (Text(tail_text(sections, notes, now, timezone)), Text(message.text))
    return Request(
        instructions,
        memory_text(sections),
        (*history, Message("user", newest)),
        tools,
        stable_messages=len(history),
    )


def memory_text(sections: Sections) -> str:
    """Render the stable sections: identity, rules, earlier conversations, and the facts by category."""
    return "\n\n".join(
        _memory(items)
        if name == SectionName.MEMORY
        else "\n".join([SECTIONS[name].heading, "", *(i.text for i in items)])
        for name in sections_in(PromptPart.STABLE)
        if (items := sections.get(name, ()))
    )


def _memory(items: Sequence[Item]) -> str:
    lines = [SECTIONS[SectionName.MEMORY].heading]
    for category, group in groupby(items, key=lambda item: item.row["category"]):
        lines += ["", f"### {str(category).capitalize()}", *(item.text for item in group)]
    return "\n".join(lines)


def tail_text(sections: Sections, notes: Sequence[str], now: datetime, timezone: str) -> str:
    """Render the context of this turn only. The next turn does not repeat it."""
    lines = [f"Now: {now.astimezone(ZoneInfo(timezone)):%A, %Y-%m-%d %H:%M} ({timezone})", *notes]
    for name in sections_in(PromptPart.TAIL):
        if items := sections.get(name, ()):
            lines += [SECTIONS[name].heading, *(item.text for item in items)]
    return "\n".join(["<keepsake>", *lines, "</keepsake>"])


def conversation(summary: Sequence[Item], window: Sequence[Item]) -> tuple[Message, ...]:
    """Return the exchanges so far as alternating turns, which models require. A summary precedes the first message. It
    is fenced like all of the program's own words."""
    turns = []
    for by_human, group in groupby(window, key=lambda item: bool(item.row["by_human"])):
        turns.append(Message("user" if by_human else "assistant", tuple(Text(item.text) for item in group)))
    if summary:
        text = Text("\n".join(["<keepsake>", SECTIONS[SectionName.SUMMARY].heading, summary[0].text, "</keepsake>"]))
        if turns and turns[0].role == "user":
            turns[0] = Message("user", (text, *turns[0].blocks))
        else:
            turns.insert(0, Message("user", (text,)))
    return tuple(turns)
