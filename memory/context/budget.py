"""Decides what fits, purely: sections by priority, each within its cap, and what did not fit is told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.context.items import Item
from memory.context.sections import CAPS, DEFAULT_TOKENS, RESERVE, Cap, SectionName

HEADING = 24  # tokens for the words that the program puts around a section
HEADINGS = {SectionName.MEMORY: 160}  # with one for each category


@dataclass(frozen=True, slots=True)
class Section:
    name: SectionName
    items: tuple[Item, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Omission:
    """What was left out, and why; where the whole of it can be read."""

    reason: str
    candidates: tuple[str, ...]
    artifact_id: str | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    sections: tuple[Section, ...]
    omissions: tuple[Omission, ...]

    @property
    def tokens(self) -> int:
        return sum(section.tokens for section in self.sections)


def pack(
    wanted: Mapping[SectionName, Sequence[Item]],
    *,
    max_tokens: int = DEFAULT_TOKENS,
    caps: Mapping[SectionName, Cap] = CAPS,
    spent: int = 0,
) -> Packed:
    """Fill sections in the order of their priority. With fewer tokens than the default every cap shrinks alike."""
    share = min(max_tokens / DEFAULT_TOKENS, 1.0)
    room = max_tokens - spent - int(RESERVE * share)
    sections, omissions = [], []
    for name in sorted(wanted, key=lambda name: (-caps[name].priority, list(SectionName).index(name))):
        cap = min(int(caps[name].tokens * share), room)
        heading = HEADINGS.get(name, HEADING)
        items, left = _fill(wanted[name], cap - heading, newest_last=name == SectionName.RECENT_WINDOW)
        tokens = heading + sum(item.tokens for item in items) if items else 0
        sections.append(Section(name, tuple(items), tokens))
        room -= tokens
        if left:
            omissions.append(Omission(f"no_room_in_{name}", tuple(item.refs[0] for item in left)))
    return Packed(tuple(sorted(sections, key=lambda section: list(SectionName).index(section.name))), tuple(omissions))


def _fill(items: Sequence[Item], room: int, *, newest_last: bool) -> tuple[list[Item], list[Item]]:
    """The items that fit, in their order, and those that do not. Of a conversation the end is kept without a gap."""
    kept, left = list[Item](), list[Item]()
    for item in reversed(items) if newest_last else items:
        if item.tokens <= room and not (newest_last and left):
            room -= item.tokens
            kept.append(item)
        else:
            left.append(item)
    if not newest_last:
        return kept, left
    while kept and not kept[-1].row.get("by_human", True):  # an exchange begins with a person
        left.insert(0, kept.pop())
    return kept[::-1], left[::-1]


def window_start(tokens: Sequence[int], starts: Sequence[bool], cap: int) -> int:
    """Where a window begins that outgrew its cap. It moves by half a cap at a time, so that the beginning of the prompt
    stays the same for many turns, and only to where an exchange starts."""
    total, half = sum(tokens), max(cap // 2, 1)
    if total <= cap:
        return 0
    gone, dropped = 0, -(-(total - cap) // half) * half
    for place, (cost, is_start) in enumerate(zip(tokens, starts, strict=True)):
        if gone >= dropped and is_start:
            return place
        gone += cost
    return len(tokens)
