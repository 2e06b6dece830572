"""The lock that lets one writer at a time change a person's facts."""

from db.queries.facts.facts import lock_facts_of
from memory.unit import Unit


async def lock_facts(unit: Unit) -> None:
    """Lock the viewer's facts until the unit ends. To avoid deadlocks, take this lock before any other."""
    await lock_facts_of(unit.session, unit.viewer)
