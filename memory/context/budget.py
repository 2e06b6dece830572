"""Decides what fits, purely: sections by priority, each within its cap, and what did not fit is told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.context.items import Item
from memory.context.sections import CAPS, DEFAULT_TOKENS, RESERVE, SECTIONS, Cap, SectionName, Shortened

LEAST_CUT = 60  # tokens; less than that says nothing


@dataclass(frozen=True, slots=True)
class BudgetSection:
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
    sections: tuple[BudgetSection, ...]
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
        heading = SECTIONS[name].heading_tokens
        items, left = _fill(wanted[name], cap - heading, name)
        tokens = heading + sum(item.tokens for item in items) if items else 0
        sections.append(BudgetSection(name, tuple(items), tokens))
        room -= tokens
        if left:
            omissions.append(Omission(f"no_room_in_{name}", tuple(item.refs[0] for item in left)))
        if cut := tuple(item.refs[0] for item in items if item.is_cut):
            omissions.append(Omission(f"shortened_in_{name}", cut))
    return Packed(tuple(sorted(sections, key=lambda section: list(SectionName).index(section.name))), tuple(omissions))


def _fill(items: Sequence[Item], room: int, name: SectionName) -> tuple[list[Item], list[Item]]:
    """The items that fit, in their order, and those that do not; what is too long is cut where the section allows."""
    if name == SectionName.RECENT_WINDOW:
        return _fill_window(items, room)
    shortened, kept, left = SECTIONS[name].shortened, list[Item](), list[Item]()
    for item in items:
        may_be_cut = shortened == Shortened.ALWAYS or (shortened == Shortened.FIRST and not kept)
        if item.tokens > room >= LEAST_CUT and may_be_cut:
            item = item.cut_to(room)
        if item.tokens <= room:
            room -= item.tokens
            kept.append(item)
        else:
            left.append(item)
    return kept, left


def _fill_window(items: Sequence[Item], room: int) -> tuple[list[Item], list[Item]]:
    """Of a conversation the end is kept, without a gap, from where a person begins; of a transcript from anywhere."""
    first, spent = len(items), 0
    while first > 0 and spent + items[first - 1].tokens <= room:
        first -= 1
        spent += items[first].tokens
    while first < len(items) and not (items[first].row.get("by_human", True) or items[first].row.get("named")):
        first += 1
    return list(items[first:]), list(items[:first])


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
