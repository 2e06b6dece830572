"""What the index of a crowded space is worth: recall in a large shared space, compared one by one and by the index.

python -m bench.crowd [--size 200000] [--members 50] [--rounds N]
"""

import asyncio
import time
from collections.abc import Sequence
from statistics import mean

import psycopg

from bench.arguments import whole_numbers
from bench.history import History, halved, nearest_of
from bench.runtime import bench_memory
from bench.latency import BEST, COMPARED, RECALL, LatencyQuestion, cut, nearest
from bench.report import Figure, report
from db.embedded.own_database import DATABASE, OWNER
from db.nearest import index_crowded_spaces
from db.viewer import Viewer
from memory.unit import Memory

SIZE, MEMBERS, ROUNDS, TOPICS = 200_000, 50, 40, 2_000


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = whole_numbers("bench.crowd", arguments, size=SIZE, members=MEMBERS, rounds=ROUNDS)
    asyncio.run(measure(**chosen))


async def measure(size: int, members: int, rounds: int) -> None:
    async with bench_memory() as (memory, server):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as superuser:
            history = History(superuser, topics=TOPICS)
            viewer, chunks, vectors = await asyncio.to_thread(history.crowd, size, members)
            asked = [halved(vector) for vector in history.vectors(COMPARED)]
            exact = [nearest_of(chunks, vectors, vector, BEST) for vector in asked]

            async def agreeing() -> float:
                found = [await nearest(memory, viewer, vector) for vector in asked]
                return mean(len(found[at] & exact[at]) / BEST for at in range(COMPARED))

            figures = await told("one by one", memory, history, viewer, rounds)
            figures.append(Figure(f"one by one: {BEST} nearest agree with exact", await agreeing(), ""))
            began = time.perf_counter()
            await index_crowded_spaces(server.url(OWNER, DATABASE), print, crowded=size)
            figures.append(Figure("making the index", time.perf_counter() - began, "s"))
            figures += await told("by index", memory, history, viewer, rounds)
            figures.append(Figure(f"by index: {BEST} nearest agree with exact", await agreeing(), ""))
    report(f"crowd {size}", figures)


async def told(how: str, memory: Memory, history: History, viewer: Viewer, rounds: int) -> list[Figure]:
    spent = cut((await LatencyQuestion(memory, history, viewer).recalls(rounds))[RECALL])
    return [Figure(f"{how}: {RECALL}, p{place}", spent[place - 1], "ms") for place in (50, 95)]


if __name__ == "__main__":
    main()
