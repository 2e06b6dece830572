"""What the vector index of a large shared space gains: recall there by exact search and by the index.

python -m bench.vector_index [--size 200000] [--members 50] [--rounds N]
"""

import asyncio
import time
from collections.abc import Sequence
from statistics import mean

import psycopg

from bench.arguments import parse_integers
from bench.database import bench_memory
from bench.history import History, as_halfvec, nearest_of
from bench.latency import BEST, COMPARED, RECALL, RecallTimer, nearest
from bench.report import Figure, percentile, report
from db.embedded.own_database import DATABASE, OWNER
from db.vector_indexes import index_crowded_spaces
from db.viewer import Viewer
from memory.unit import Memory

SIZE, MEMBERS, ROUNDS, TOPICS = 200_000, 50, 40, 2_000


def main(arguments: Sequence[str] | None = None) -> None:
    args = parse_integers("bench.vector_index", arguments, size=SIZE, members=MEMBERS, rounds=ROUNDS)
    asyncio.run(measure(**args))


async def measure(size: int, members: int, rounds: int) -> None:
    async with bench_memory() as (memory, server):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as superuser:
            history = History(superuser, topics=TOPICS)
            viewer, chunks, vectors = await asyncio.to_thread(history.grow_shared_space, size, members)
            questions = [as_halfvec(vector) for vector in history.vectors(COMPARED)]
            exact = [nearest_of(chunks, vectors, vector, BEST) for vector in questions]

            async def agreement() -> float:
                found = [await nearest(memory, viewer, vector) for vector in questions]
                return mean(len(found[at] & exact[at]) / BEST for at in range(COMPARED))

            figures = await recall_times("exact search", memory, history, viewer, rounds)
            figures.append(Figure(f"exact search: {BEST} nearest that exact search finds", await agreement(), ""))
            started = time.perf_counter()
            await index_crowded_spaces(server.url(OWNER, DATABASE), print, crowded=size)
            figures.append(Figure("making the index", time.perf_counter() - started, "s"))
            figures += await recall_times("index", memory, history, viewer, rounds)
            figures.append(Figure(f"index: {BEST} nearest that exact search finds", await agreement(), ""))
    report(f"vector_index {size}", figures)


async def recall_times(how: str, memory: Memory, history: History, viewer: Viewer, rounds: int) -> list[Figure]:
    spent = (await RecallTimer(memory, history, viewer).recalls(rounds))[RECALL]
    return [Figure(f"{how}: {RECALL}, p{rank}", percentile(spent, rank), "ms") for rank in (50, 95)]


if __name__ == "__main__":
    main()
