"""The overhead of storing, listing, searching and opening facts compared with the bare database, as ratios."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from statistics import median

from sqlalchemy import text

from bench.database import bench_memory
from bench.report import Figure, report
from db.ids import short_id, timed_id
from db.queries.events.conversations import start_conversation
from db.queries.facts.snapshots import pinned_facts
from db.queries.people.people import welcome
from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.context.snapshot import pin_snapshot
from memory.facts import facts, history
from memory.facts.facts import FactDraft
from memory.facts.search import search
from memory.unit import Memory, Unit

FACTS, ROUNDS = 300, 15
ADA = Viewer.in_private("bench", "bench:ada")
FLOOR_WRITE = """
WITH fact AS (INSERT INTO facts (tenant_id, id, space_id, user_id, category)
              VALUES (:t, :id, :s, :u, 'other') RETURNING id)
INSERT INTO topics (tenant_id, user_id, name, last_seen) SELECT :t, :u, lower(id), now() FROM fact
"""
FLOOR_READ = """
SELECT f.*, v.* FROM facts AS f JOIN fact_versions AS v ON v.tenant_id = f.tenant_id AND v.fact_id = f.id
WHERE f.tenant_id = :t AND f.user_id = :u
"""


def main() -> None:
    report("facts", asyncio.run(measure()))


async def measure() -> list[Figure]:
    async with bench_memory() as (memory, _):
        return await measure_in(memory)


async def measure_in(memory: Memory) -> list[Figure]:
    async with memory.unit(ADA) as unit:
        await welcome(unit.session, ADA, name="Ada", timezone="UTC", now=unit.now)
    number = iter(range(10**6))

    async def store(unit: Unit) -> None:
        content = f"fact number {next(number)} of this run is that the colour of the door is green"
        await facts.remember(unit, FactDraft(content, Category.OTHER), Approval.COMMAND)

    async def store_sealed(unit: Unit) -> None:
        content = f"I have diabetes, says note {next(number)}"
        await facts.remember(unit, FactDraft(content, Category.OTHER), Approval.COMMAND)

    async def write_floor(unit: Unit) -> None:
        values = {"t": ADA.tenant, "u": ADA.user, "s": ADA.space, "id": short_id()}
        await unit.session.execute(text(FLOOR_WRITE), values)

    async def read_floor(unit: Unit) -> None:
        (await unit.session.execute(text(FLOOR_READ), {"t": ADA.tenant, "u": ADA.user})).all()

    empty = await timed(memory, store)
    async with memory.unit(ADA) as unit:
        for _ in range(FACTS):
            await store(unit)
    conversation_id = timed_id("cnv", datetime.now(UTC))
    async with memory.unit(ADA) as unit:
        await start_conversation(unit.session, ADA, conversation_id=conversation_id, agent_id="x", now=unit.now)
        await pin_snapshot(unit, conversation_id)
    read = await timed(memory, read_floor)
    listed = await timed(memory, facts.all_facts)
    searched = await timed(memory, lambda unit: search(unit, "which door has which colour?", limit=5))
    pinned = await timed(memory, lambda unit: pinned_facts(unit.session, ADA, conversation_id))
    past = await timed(memory, lambda unit: history.as_of(unit, unit.now))
    full, sealed = await timed(memory, store), await timed(memory, store_sealed)
    write = await timed(memory, write_floor)
    return [
        Figure("floor: two bare INSERTs", write, "ms", "median, one transaction each"),
        Figure("store the first facts", empty, "ms", f"{empty / write:.1f} x the floor"),
        Figure(
            f"store one more after {FACTS}", full, "ms", f"{full / write:.1f} x the floor; looks for the same words"
        ),
        Figure("the same, encrypted", sealed, "ms", f"{sealed / full:.1f} x in plain"),
        Figure(f"floor: SELECT all {FACTS}", read, "ms"),
        Figure("list all of them", listed, "ms", f"{listed / read:.1f} x the floor"),
        Figure("search them by words", searched, "ms", f"{searched / read:.1f} x the floor"),
        Figure("the pinned snapshot", pinned, "ms", f"{pinned / read:.1f} x the floor"),
        Figure("all as of a moment", past, "ms", f"{past / read:.1f} x the floor"),
    ]


async def timed(memory: Memory, work: Callable[[Unit], Awaitable[object]]) -> float:
    """Median milliseconds of a round, including its transaction."""
    spent = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        async with memory.unit(ADA) as unit:
            await work(unit)
        spent.append(time.perf_counter() - started)
    return median(spent) * 1000


if __name__ == "__main__":
    main()
