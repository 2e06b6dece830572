"""Packs items into the token budget: sections by priority, each within its cap, with omissions reported. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.context.items import Item
from memory.context.sections import CAPS, DEFAULT_TOKENS, RESERVE, SECTIONS, Cap, SectionName, Truncation

LEAST_CUT = 60  # tokens; a shorter remainder is useless


@dataclass(frozen=True, slots=True)
class BudgetSection:
    name: SectionName
    items: tuple[Item, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Omission:
    """Items that were left out, the reason, and the artifact with the full content."""

    reason: str
    candidates: tuple[str, ...]
    artifact_id: str | None = None


@dataclass(frozen=True, slots=True)
class PackedSections:
    sections: tuple[BudgetSection, ...]
    omissions: tuple[Omission, ...]

    @property
    def tokens(self) -> int:
        return sum(section.tokens for section in self.sections)


def pack_sections(
    items_by_section: Mapping[SectionName, Sequence[Item]],
    *,
    max_tokens: int = DEFAULT_TOKENS,
    caps: Mapping[SectionName, Cap] = CAPS,
    fixed_tokens: int = 0,
) -> PackedSections:
    """Fill the sections in order of priority. Below the default budget, all caps shrink in proportion."""
    share = min(max_tokens / DEFAULT_TOKENS, 1.0)
    room = max_tokens - fixed_tokens - int(RESERVE * share)
    sections, omissions = [], []
    for name in sorted(items_by_section, key=lambda name: (-caps[name].priority, list(SectionName).index(name))):
        cap = min(int(caps[name].tokens * share), room)
        heading = SECTIONS[name].heading_tokens
        items, left = _fill(items_by_section[name], cap - heading, name)
        tokens = heading + sum(item.tokens for item in items) if items else 0
        sections.append(BudgetSection(name, tuple(items), tokens))
        room -= tokens
        if left:
            omissions.append(Omission(f"no_room_in_{name}", tuple(item.refs[0] for item in left)))
        if cut := tuple(item.refs[0] for item in items if item.is_cut):
            omissions.append(Omission(f"shortened_in_{name}", cut))
    return PackedSections(
        tuple(sorted(sections, key=lambda section: list(SectionName).index(section.name))), tuple(omissions)
    )


def _fill(items: Sequence[Item], room: int, name: SectionName) -> tuple[list[Item], list[Item]]:
    """Return the items that fit and those that do not. Items are truncated where the section allows it."""
    if name == SectionName.RECENT_WINDOW:
        return _fill_window(items, room)
    truncation, kept, left = SECTIONS[name].truncation, list[Item](), list[Item]()
    for item in items:
        may_be_cut = truncation == Truncation.ALWAYS or (truncation == Truncation.FIRST and not kept)
        if item.tokens > room >= LEAST_CUT and may_be_cut:
            item = item.cut_to(room)
        if item.tokens <= room:
            room -= item.tokens
            kept.append(item)
        else:
            left.append(item)
    return kept, left


def _fill_window(items: Sequence[Item], room: int) -> tuple[list[Item], list[Item]]:
    """Keep the end of a conversation without gaps. It starts with a person's message, except in a transcript."""
    first, spent = len(items), 0
    while first > 0 and spent + items[first - 1].tokens <= room:
        first -= 1
        spent += items[first].tokens
    while first < len(items) and not (items[first].row.get("by_human", True) or items[first].row.get("named")):
        first += 1
    return list(items[first:]), list(items[:first])


def window_start(tokens: Sequence[int], starts: Sequence[bool], cap: int) -> int:
    """Return the index at which the window starts. Above the cap, the start moves by half a cap at a time, so that the
    prompt's prefix stays cached for many turns. A window always starts with an exchange."""
    total, half = sum(tokens), max(cap // 2, 1)
    if total <= cap:
        return 0
    gone, dropped = 0, -(-(total - cap) // half) * half
    for place, (cost, is_start) in enumerate(zip(tokens, starts, strict=True)):
        if gone >= dropped and is_start:
            return place
        gone += cost
    return len(tokens)
