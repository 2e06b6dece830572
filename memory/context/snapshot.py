"""The pinned snapshot: which facts a conversation begins with, chosen once, so that the prompt can be cached."""

from collections.abc import Sequence
from datetime import datetime

from db.queries.facts import facts as queries
from db.queries.facts import snapshots
from db.queries.facts.facts import FactRow
from memory.context.items import fact_item
from memory.context.sections import SECTIONS, SectionName
from memory.facts.strength import strength
from memory.unit import Unit

MOST_TOKENS = SECTIONS[SectionName.MEMORY].cap.tokens - SECTIONS[SectionName.MEMORY].heading_tokens


async def pin_snapshot(unit: Unit, conversation_id: str) -> None:
    rows = await unit.vault.opened(await queries.present_facts(unit.session, unit.viewer))
    shown = frozenset(row.id for row in choose(rows, unit.now))
    await snapshots.pin(unit.session, unit.viewer, conversation_id, rows, shown=shown)


def moved_on(
    pinned: Sequence[FactRow], stood: Sequence[FactRow], changed: Sequence[FactRow], most_tokens: int
) -> tuple[list[FactRow], list[FactRow]]:
    """The snapshot as it stood when the window began, and what changed after that. Where the window moves, the prefix
    breaks anyway: so the snapshot moves on there, and what changed need not be told anew in every turn's tail. What
    there is no room for stays in the tail."""
    shown = {row.id: row for row in pinned}
    room = most_tokens - sum(fact_item(row).tokens for row in pinned)
    for row in stood:
        size = fact_item(row).tokens - (fact_item(shown[row.id]).tokens if row.id in shown else 0)
        if row.content is not None and size <= room:
            shown[row.id] = row
            room -= size
    snapshot = sorted(shown.values(), key=lambda row: (row.category, row.created_at, row.id))
    return snapshot, [row for row in changed if row.id not in shown or shown[row.id].version != row.version]


def choose(rows: Sequence[FactRow], now: datetime, most_tokens: int = MOST_TOKENS) -> list[FactRow]:
    """All facts while they fit, in the order they came; then the strongest and newest, the rest is searched."""

    def rank(row: FactRow) -> tuple[float, float, str]:
        held = strength(row.importance, row.recall_count, row.recalled_at, row.updated_at, now)
        return -held, -row.updated_at.timestamp(), row.id

    kept, room = set(), most_tokens
    for row in sorted(rows, key=rank):
        size = fact_item(row).tokens
        if row.content is not None and size <= room:
            kept.add(row.id)
            room -= size
    return [row for row in rows if row.id in kept]
