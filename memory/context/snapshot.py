"""The pinned snapshot: which facts a conversation begins with, chosen once, so that the prompt can be cached."""

from collections.abc import Sequence

from db.queries import facts as queries
from db.queries import snapshots
from db.queries.facts import FactRow
from memory.context.budget import HEADINGS
from memory.context.items import fact_item
from memory.context.sections import CAPS, SectionName
from memory.facts import opened
from memory.unit import Unit

MOST_TOKENS = CAPS[SectionName.MEMORY].tokens - HEADINGS[SectionName.MEMORY]


async def pin_snapshot(unit: Unit, conversation_id: str) -> None:
    rows = await opened(unit, await queries.present_facts(unit.session, unit.viewer))
    shown = frozenset(row.id for row in choose(rows))
    await snapshots.pin(unit.session, unit.viewer, conversation_id, rows, shown=shown)


def choose(rows: Sequence[FactRow], most_tokens: int = MOST_TOKENS) -> list[FactRow]:
    """All facts while they fit, in the order they came; then the most important and newest, the rest is searched."""
    kept, room = set(), most_tokens
    for row in sorted(rows, key=lambda row: (-row.importance, -row.updated_at.timestamp(), row.id)):
        size = fact_item(row).tokens
        if row.content is not None and size <= room:
            kept.add(row.id)
            room -= size
    return [row for row in rows if row.id in kept]
