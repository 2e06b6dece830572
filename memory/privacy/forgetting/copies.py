"""Copies of what is forgotten: answers that were kept for a repetition, and the last words in the RAM of a process."""

import time
from datetime import timedelta

from db.queries.people.people import note_forgetting, who_forgot
from db.queries.people.requests import forget_answers
from db.viewer import Viewer
from memory.outage.recent import Recent
from memory.unit import Memory, Unit


async def drop_copies(unit: Unit) -> None:
    """With whatever else of the viewer's goes in this transaction. Other processes hear of it when they look."""
    await forget_answers(unit.session, unit.viewer)
    await note_forgetting(unit.session, unit.viewer)


async def let_go(memory: Memory, tenant: str, recent: Recent, within: timedelta) -> None:
    """Take out of this process's RAM what was said by or to people who had something forgotten, wherever they did."""
    if people := recent.people:
        async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
            forgetful = await who_forgot(session, sorted(people), within=within)
            seen = time.monotonic()
        for person, ago in forgetful.items():
            recent.forget_person(person, until=None if ago is None else seen - ago.total_seconds())
