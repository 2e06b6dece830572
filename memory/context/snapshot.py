"""The pinned snapshot: the facts a conversation starts with, selected once so that the prompt can be cached."""

from collections.abc import Sequence
from datetime import datetime

from db.queries.facts import facts as queries
from db.queries.facts import snapshots
from db.queries.facts.facts import FactRow
from memory.context.items import fact_item
from memory.context.sections import SECTIONS, SectionName
from memory.facts.strength import strength
from memory.unit import Unit

MAX_TOKENS = SECTIONS[SectionName.MEMORY].cap.tokens - SECTIONS[SectionName.MEMORY].heading_tokens


async def pin_snapshot(unit: Unit, conversation_id: str) -> None:
    rows = await unit.vault.open_rows(await queries.present_facts(unit.session, unit.viewer))
    shown = frozenset(row.id for row in select_facts(rows, unit.now))
    await snapshots.pin(unit.session, unit.viewer, conversation_id, rows, shown=shown)


def advance_snapshot(
    pinned: Sequence[FactRow], facts_at_window_start: Sequence[FactRow], changed: Sequence[FactRow], most_tokens: int
) -> tuple[list[FactRow], list[FactRow]]:
    """Return the snapshot as of the start of the window, and the changes since. When the window moves, the cached
    prefix breaks anyway, so changed facts move from each turn's tail into the snapshot, as far as they fit."""
    shown = {row.id: row for row in pinned}
    room = most_tokens - sum(fact_item(row).tokens for row in pinned)
    for row in facts_at_window_start:
        size = fact_item(row).tokens - (fact_item(shown[row.id]).tokens if row.id in shown else 0)
        if row.content is not None and size <= room:
            shown[row.id] = row
            room -= size
    snapshot = sorted(shown.values(), key=lambda row: (row.category, row.created_at, row.id))
    return snapshot, [row for row in changed if row.id not in shown or shown[row.id].version != row.version]


def select_facts(rows: Sequence[FactRow], now: datetime, most_tokens: int = MAX_TOKENS) -> list[FactRow]:
    """Return all facts if they fit, otherwise the strongest and newest. The order stays. Search finds the rest."""

    def rank(row: FactRow) -> tuple[float, float, str]:
        value = strength(row.importance, row.recall_count, row.recalled_at, row.updated_at, now)
        return -value, -row.updated_at.timestamp(), row.id

    kept, room = set(), most_tokens
    for row in sorted(rows, key=rank):
        size = fact_item(row).tokens
        if row.content is not None and size <= room:
            kept.add(row.id)
            room -= size
    return [row for row in rows if row.id in kept]
