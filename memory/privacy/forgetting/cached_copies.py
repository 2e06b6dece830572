"""Drops cached copies of forgotten words: answers kept for idempotency keys, and recent messages in a process's RAM."""

import time
from datetime import timedelta

from db.queries.people.people import note_forgetting, who_forgot
from db.queries.people.requests import forget_answers
from db.viewer import Viewer
from memory.outage.recent import RecentMessages
from memory.unit import Memory, Unit


async def drop_cached_copies(unit: Unit) -> None:
    """Delete the viewer's kept answers and mark, for other processes, that the viewer had something forgotten."""
    await forget_answers(unit.session, unit.viewer)
    await note_forgetting(unit.session, unit.viewer)


async def evict_forgotten(memory: Memory, tenant: str, recent: RecentMessages, within: timedelta) -> None:
    """Evict from this process's RAM the messages of people who had something forgotten in any process."""
    if people := recent.people:
        async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
            forgetful = await who_forgot(session, sorted(people), within=within)
            seen = time.monotonic()
        for person, ago in forgetful.items():
            recent.forget_person(person, until=None if ago is None else seen - ago.total_seconds())
