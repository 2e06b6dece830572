"""Renders what a model reads; a pure function of items, so that the same rows always give the same bytes.

Stable first, changing last: instructions and tools, then what is remembered, then the conversation so far, and at the
end this turn's tail, which the next turn will not see again.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from zoneinfo import ZoneInfo

from memory.context.items import Item
from memory.context.sections import SECTIONS, Place, SectionName, standing
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
    said = conversation(sections.get(SectionName.SUMMARY, ()), sections.get(SectionName.RECENT_WINDOW, ()))
    newest = (Text(tail_text(sections, notes, now, timezone)), Text(message.text))
    return Request(
        instructions,
        memory_text(sections),
        (*said, Message("user", newest)),
        tools,
        settled=len(said),
    )


def memory_text(sections: Sections) -> str:
    """Who the agent is here, its rules, what was spoken of before, and the facts under their categories."""
    return "\n\n".join(
        _memory(items)
        if name == SectionName.MEMORY
        else "\n".join([SECTIONS[name].heading, "", *(i.text for i in items)])
        for name in standing(Place.STABLE)
        if (items := sections.get(name, ()))
    )


def _memory(items: Sequence[Item]) -> str:
    lines = [SECTIONS[SectionName.MEMORY].heading]
    for category, group in groupby(items, key=lambda item: item.row["category"]):
        lines += ["", f"### {str(category).capitalize()}", *(item.text for item in group)]
    return "\n".join(lines)


def tail_text(sections: Sections, notes: Sequence[str], now: datetime, timezone: str) -> str:
    """What this turn needs besides the message, and the next one will not see again."""
    lines = [f"Now: {now.astimezone(ZoneInfo(timezone)):%A, %Y-%m-%d %H:%M} ({timezone})", *notes]
    for name in standing(Place.TAIL):
        if items := sections.get(name, ()):
            lines += [SECTIONS[name].heading, *(item.text for item in items)]
    return "\n".join(["<keepsake>", *lines, "</keepsake>"])


def conversation(summary: Sequence[Item], window: Sequence[Item]) -> tuple[Message, ...]:
    """The exchanges so far as turns; neighbours of one role are one turn, as models want it. A summary stands before
    the first words of the window, fenced like everything that the program says."""
    turns = []
    for by_human, group in groupby(window, key=lambda item: bool(item.row["by_human"])):
        turns.append(Message("user" if by_human else "assistant", tuple(Text(item.text) for item in group)))
    if summary:
        told = Text("\n".join(["<keepsake>", SECTIONS[SectionName.SUMMARY].heading, summary[0].text, "</keepsake>"]))
        if turns and turns[0].role == "user":
            turns[0] = Message("user", (told, *turns[0].blocks))
        else:
            turns.insert(0, Message("user", (told,)))
    return tuple(turns)
