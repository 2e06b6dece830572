"""How much disk space a message takes: bytes by table after long chats through the real code.

    python -m bench.sizes [--data FILE.jsonl] [--people 2] [--turns 150]

The chats are those of bench.cache: small talk, questions, orders, cards, tools and summaries. The vectors are random
and as long as the bundled embedder's. The size of the empty schema is subtracted. Messages are those of the person and
of the assistant; tool results and bundles are counted as part of them.
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

from bench.background_model import background_model, open_passes, settings_for
from bench.cache import PACE, begin, consolidate, talk
from bench.conversations import FORMAT_HELP, Conversation, default_file, read
from bench.database import bench_memory
from bench.history import DIMENSIONS
from bench.recall import record_history
from bench.report import Figure, report
from bench.scripted_chat import ScriptedTurn, history_before, scripted_chat
from db.embedded import EmbeddedServer
from db.embedded import keeper as server_keeper
from db.embedded.own_database import APPLICATION, DATABASE
from db.viewer import Viewer
from memory.retrieval.embedders.base import Vector
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.unit import Memory
from tests.caching_model import CachingModel, PrefixCache
from tests.e2e.daemon import freshly_started
from tests.scripted_model import serving

ROOT = Path(__file__).resolve().parent.parent
PEOPLE, TURNS = 2, 150
MIN_SHARE = 0.01  # of the total; smaller tables are summed up
MESSAGES = "SELECT count(*) FROM events WHERE kind = 'message'"
TABLE_SIZES = """SELECT relname, pg_table_size(relid), pg_indexes_size(relid) FROM pg_stat_user_tables
    WHERE schemaname = 'public'"""
STORED = "SELECT avg(octet_length(content::text)) FROM events WHERE kind = 'message'"
SEALED = "SELECT avg((sensitivity = 'high')::int) FROM events WHERE kind = 'message'"
CHUNKS = "SELECT count(*) FROM chunks"
OF_CHUNKS = ("chunks", "postings", "embeddings")


@dataclass
class RandomEmbedder:
    """An embedder with random vectors of the right size."""

    model: str = "made-up"
    random: Any = field(default_factory=lambda: np.random.default_rng(5))

    async def warm(self) -> None:
        return

    async def query(self, text: str) -> Vector:
        made = self.random.standard_normal(DIMENSIONS)
        return [float(each) for each in made / np.linalg.norm(made)]

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return [await self.query(text) for text in texts]

    async def close(self) -> None:
        return


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.sizes")
    parser.add_argument("--data", type=Path, help=FORMAT_HELP)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--turns", type=int, default=TURNS, help="per person")
    args = parser.parse_args(arguments)
    path = args.data or default_file()
    asyncio.run(measure(list(read(path)), args.people, args.turns))


async def measure(conversations: Sequence[Conversation], people: int, turns: int) -> None:
    model = CachingModel([], cache=PrefixCache(), keeps=background_model(finds_facts=False))
    async with bench_memory() as (memory, server), serving(model):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as admin:
            empty = table_sizes(admin)
            # The long recall deadline keeps a busy machine from changing what is stored.
            settings = settings_for(model, KEEPSAKE_RECALL_MS="10000")
            for number in range(people):
                viewer = Viewer.in_private(settings.tenant, f"bench:{number}")
                await record_history(memory, viewer, history_before(conversations))
                await live(memory, model, settings, viewer, scripted_chat(conversations, turns, PACE, number))
            backends = memory_of_backends(server) + await asyncio.to_thread(memory_of_daemon, server)
            admin.execute("CHECKPOINT")
            figures = figures_of(admin, empty) + backends
    report("sizes", figures)


async def live(
    memory: Memory, model: CachingModel, settings: Settings, viewer: Viewer, turns: Sequence[ScriptedTurn]
) -> None:
    """Run one person's chat with all background jobs."""
    vectors = VectorIndex(memory, viewer.tenant, RandomEmbedder(), progress=lambda _: None)
    async with open_passes(memory, settings) as passes:
        await consolidate(passes, datetime.now(UTC))
        chat = await begin(memory, viewer, settings, vectors)
        try:
            measured = await talk(chat, model, passes, turns)
            assert not measured.failed
            await vectors.backfill(viewer)
        finally:
            await vectors.close()
            await chat.runtime.brain.close()


def table_sizes(admin: psycopg.Connection) -> dict[str, tuple[int, int]]:
    return {name: (table, indexes) for name, table, indexes in admin.execute(TABLE_SIZES)}


def figures_of(admin: psycopg.Connection, empty: dict[str, tuple[int, int]]) -> list[Figure]:
    count, stored, sealed, chunks = (float(one(admin, query)) for query in (MESSAGES, STORED, SEALED, CHUNKS))
    grown = {
        name: ((table - empty[name][0]) / count, (indexes - empty[name][1]) / count)
        for name, (table, indexes) in table_sizes(admin).items()
    }
    whole = sum(map(sum, grown.values()))
    figures = [
        Figure("messages", count, "", f"of {stored:.0f} bytes on average, as JSON"),
        Figure("of them sealed", sealed, "", "these have no chunk, index entry or vector"),
        Figure("chunks", chunks, ""),
    ]
    rest = 0.0
    for name, (table, indexes) in sorted(grown.items(), key=lambda each: -sum(each[1])):
        if table + indexes < MIN_SHARE * whole:
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
    """Memory of each connection on the server, without the shared memory."""
    pid = server_keeper.server_pid(server.cluster.data)
    assert pid
    own = [
        each.memory_full_info().uss / 1e6
        for each in psutil.Process(pid).children()
        if "keepsake_app" in " ".join(each.cmdline())
    ]
    return [
        Figure("memory of a connection on the server", mean(own), "MB", f"mean of {len(own)}, without shared memory")
    ]


def memory_of_daemon(server: EmbeddedServer) -> list[Figure]:
    """Memory of an idle `keepsake serve` process."""
    with tempfile.TemporaryDirectory() as place:
        environment = {
            "PATH": os.environ["PATH"],
            "KEEPSAKE_DATA_DIR": place,
            "DATABASE_URL": server.url(APPLICATION, DATABASE),
        }
        with freshly_started({**environment, "PYTHONPATH": str(ROOT)}, Path(place)) as (_, process):
            own = float(psutil.Process(process.pid).memory_info().rss) / 1e6
    return [Figure("memory of an idle keepsake serve", own, "MB", "without its embedder, a child process")]


if __name__ == "__main__":
    main()
