"""One writer at a time changes a person's facts."""

from db.queries.facts.facts import lock_facts_of
from memory.unit import Unit


async def lock_facts(unit: Unit) -> None:
    """Nobody else changes a fact of the viewer's until the unit ends. This comes before any other lock of a unit."""
    await lock_facts_of(unit.session, unit.viewer)
