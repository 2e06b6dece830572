"""What a message weighs: bytes on disk by table after long chats through the real turn, SDK, HTTP, passes and vectors.

    python -m bench.sizes [--data FILE.jsonl] [--people 2] [--turns 150]

The chats are those of bench.cache: talk, questions, orders, cards, tools, summaries. Vectors are made up, of the size
that the bundled embedder makes. What the empty schema weighs is taken off. A message is one of the person or of the
assistant; what tools said and what a call was made of (bundles) weighs on it too.
"""

import argparse
import asyncio
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import psutil
import psycopg

from bench.cache import PACE, begin, consolidate, talk
from bench.chatter import ScriptedTurn, chat, earlier
from bench.conversations import Conversation, default_files, read
from bench.history import DIMENSIONS
from bench.runtime import bench_memory
from bench.keeper import keeper
from bench.recall import write_down
from bench.report import Figure, report
from db.embedded import EmbeddedServer
from db.embedded import keeper as server_keeper
from db.embedded.own_database import APPLICATION, DATABASE
from db.viewer import Viewer
from memory.consolidation.extraction.likeness import Likeness
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.metrics import Metrics
from memory.model.choice import structured_llm_from
from memory.retrieval.embedders.base import Vector
from memory.retrieval.vectors import Vectors
from memory.settings import Settings
from memory.settings.environment import load_settings
from memory.unit import Memory
from tests.caching_model import CachingModel, PrefixCache
from tests.e2e.daemon import freshly_started
from tests.scripted_model import serving

HOUSE = Path(__file__).resolve().parent.parent
PEOPLE, TURNS = 2, 150
SHOWN = 0.01  # of the whole; smaller tables are told together
MESSAGES = "SELECT count(*) FROM events WHERE kind = 'message'"
WEIGHTS = """SELECT relname, pg_table_size(relid), pg_indexes_size(relid) FROM pg_stat_user_tables
    WHERE schemaname = 'public'"""
STORED = "SELECT avg(octet_length(content::text)) FROM events WHERE kind = 'message'"
SEALED = "SELECT avg((sensitivity = 'high')::int) FROM events WHERE kind = 'message'"
CHUNKS = "SELECT count(*) FROM chunks"
OF_CHUNKS = ("chunks", "postings", "embeddings")


@dataclass
class MadeUp:
    """An embedder whose vectors mean nothing and weigh what they should."""

    model: str = "made-up"
    random: Any = field(default_factory=lambda: np.random.default_rng(5))

    async def warm(self) -> None:
        """Nothing to pay."""

    async def query(self, text: str) -> Vector:
        made = self.random.standard_normal(DIMENSIONS)
        return [float(each) for each in made / np.linalg.norm(made)]

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return [await self.query(text) for text in texts]

    async def close(self) -> None:
        """Nothing to close."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.sizes")
    parser.add_argument("--data", type=Path, help="a file in the format of bench/data/conversations.jsonl")
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--turns", type=int, default=TURNS, help="of each")
    chosen = parser.parse_args(arguments)
    path = chosen.data or next(iter(sorted(default_files(), key=lambda path: "locomo" not in path.name)))
    asyncio.run(measure(list(read(path)), chosen.people, chosen.turns))


async def measure(conversations: Sequence[Conversation], people: int, turns: int) -> None:
    model = CachingModel([], cache=PrefixCache(), keeps=keeper(finds=False))
    async with bench_memory() as (memory, server), serving(model):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as admin:
            empty = weights(admin)
            settings = load_settings(
                {
                    **os.environ,
                    "ANTHROPIC_API_KEY": "bench",
                    "ANTHROPIC_BASE_URL": model.url,
                    "KEEPSAKE_RECALL_MS": "10000",  # a busy machine must not change what is kept
                },
                Path(os.devnull),
            )
            for number in range(people):
                viewer = Viewer.in_private(settings.tenant, f"bench:{number}")
                await write_down(memory, viewer, earlier(conversations))
                await live(memory, model, settings, viewer, chat(conversations, turns, PACE, number))
            backends = memory_of_backends(server) + await asyncio.to_thread(memory_of_daemon, server)
            admin.execute("CHECKPOINT")
            figures = told(admin, empty) + backends
    report("sizes", figures)


async def live(
    memory: Memory, model: CachingModel, settings: Settings, viewer: Viewer, turns: Sequence[ScriptedTurn]
) -> None:
    """One person's chat, and all that is made after the replies."""
    vectors = Vectors(memory, viewer.tenant, MadeUp(), progress=lambda _: None)
    llm = structured_llm_from(settings)
    passes = Passes(Jobs(memory, settings, llm, Likeness(None), Metrics()))
    await consolidate(passes, datetime.now(UTC))
    chatting = await begin(memory, viewer, settings, vectors)
    try:
        measured = await talk(chatting, model, passes, turns)
        assert not measured.failed
        await vectors.fill(viewer)
    finally:
        await vectors.close()
        await chatting.runtime.brain.close()
        if llm is not None:
            await llm.close()


def weights(admin: psycopg.Connection) -> dict[str, tuple[int, int]]:
    return {name: (table, indexes) for name, table, indexes in admin.execute(WEIGHTS)}


def told(admin: psycopg.Connection, empty: dict[str, tuple[int, int]]) -> list[Figure]:
    count, stored, sealed, chunks = (float(one(admin, query)) for query in (MESSAGES, STORED, SEALED, CHUNKS))
    grown = {
        name: ((table - empty[name][0]) / count, (indexes - empty[name][1]) / count)
        for name, (table, indexes) in weights(admin).items()
    }
    whole = sum(map(sum, grown.values()))
    figures = [
        Figure("messages", count, "", f"of {stored:.0f} bytes on average, as JSON"),
        Figure("of them sealed", sealed, "", "those have no chunk, no words in an index and no vector"),
        Figure("chunks", chunks, ""),
    ]
    rest = 0.0
    for name, (table, indexes) in sorted(grown.items(), key=lambda each: -sum(each[1])):
        if table + indexes < SHOWN * whole:
            rest += table + indexes
            continue
        figures.append(Figure(f"{name} a message", table + indexes, "B", f"{table:.0f} rows, {indexes:.0f} indexes"))
    figures.append(Figure("all other tables a message", rest, "B"))
    figures.append(Figure("everything a message", whole, "B"))
    by_chunk = sum(sum(grown[name]) for name in OF_CHUNKS) * count / chunks
    figures.append(Figure("chunks, postings and embeddings a chunk", by_chunk, "B"))
    figures.append(Figure("a million messages", whole * 1e6 / 1e9, "GB"))
    return figures


def one(admin: psycopg.Connection, query: str) -> Any:
    found = admin.execute(query.encode()).fetchone()
    assert found
    return found[0]


def memory_of_backends(server: EmbeddedServer) -> list[Figure]:
    """What each connection costs the server by itself, beside what all of them share."""
    pid = server_keeper.server_pid(server.cluster.data)
    assert pid
    own = [
        each.memory_full_info().uss / 1e6
        for each in psutil.Process(pid).children()
        if "keepsake_app" in " ".join(each.cmdline())
    ]
    return [Figure("memory of a connection on the server", mean(own), "MB", f"mean of {len(own)}, without the shared")]


def memory_of_daemon(server: EmbeddedServer) -> list[Figure]:
    """`keepsake serve` as a process of its own, at rest."""
    with tempfile.TemporaryDirectory() as place:
        environment = {
            "PATH": os.environ["PATH"],
            "KEEPSAKE_DATA_DIR": place,
            "DATABASE_URL": server.url(APPLICATION, DATABASE),
        }
        with freshly_started({**environment, "PYTHONPATH": str(HOUSE)}, Path(place)) as (_, process):
            own = float(psutil.Process(process.pid).memory_info().rss) / 1e6
    return [Figure("memory of keepsake serve at rest", own, "MB", "without its embedder, a child")]


if __name__ == "__main__":
    main()
