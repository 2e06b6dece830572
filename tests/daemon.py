"""The daemon in the event loop of a test: the real application on a real socket, over a real database."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx

import api.middleware.body_limit
import api.serving
from api.middleware.header_timeout import HeaderTimeout
from api.serving import serve
from bot.language import OFFLINE_LOCALE
from db.engine import Database
from db.vocabulary import Scope
from memory.concurrency.deadline import finish_late_work
from memory.model.offline import OfflineBrain
from memory.people.keys import make_key
from memory.privacy.encryption import Keyring
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import Runtime, cannot_revive
from tests.waiting import STUCK, UNHURRIED, eventually_async

KEYRING = Keyring((b"a key for tests, of 32 bytes ...",))
ALL = tuple(Scope)


@dataclass(frozen=True, slots=True)
class Daemon:
    """A daemon that runs, and what a test asks of it."""

    runtime: Runtime
    url: str
    loop: asyncio.AbstractEventLoop | None = None
    """Where it runs, if not here."""

    def of(self, tenant: str, memory: Memory) -> "Daemon":
        """The same daemon, for a test with a tenant and a loop of its own."""
        settings = self.runtime.settings.model_copy(update={"tenant": tenant})
        return Daemon(replace(self.runtime, settings=settings, memory=memory), self.url)

    @property
    def tenant(self) -> str:
        return self.runtime.settings.tenant

    @property
    def memory(self) -> Memory:
        return self.runtime.memory

    async def key(self, *, tenant: str | None = None, **whose: Any) -> str:
        """A new key, with every scope unless a test says otherwise."""
        _, secret = await make_key(self.memory, tenant or self.tenant, **{"scopes": ALL, **whose})
        return secret

    async def client(self, *, tenant: str | None = None, **whose: Any) -> httpx.AsyncClient:
        """Somebody who calls with a key of their own."""
        return self.client_with(await self.key(tenant=tenant, **whose))

    def client_with(self, key: str | None) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.AsyncClient(base_url=f"{self.url}/api/v1/", headers=headers, timeout=STUCK)


def listening(host: str) -> socket.socket:
    """On a port that nobody else has, from the first moment on. asyncio sends small answers at once only where the
    protocol is named; otherwise a client waits 40 ms for each."""
    bound = socket.socket(proto=socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((host, 0))
    bound.listen()
    bound.setblocking(False)
    return bound


class Unhurried(HeaderTimeout):
    """Waits for whoever is slow to ask because the machine is busy."""

    seconds = STUCK


@asynccontextmanager
async def running(app_url: str, tenant: str, folder: Path, **wishes: str) -> AsyncIterator[Daemon]:
    """From its start to its end; `wishes` are settings by their variables."""
    api.serving.HeaderTimeout = Unhurried  # type: ignore[attr-defined]
    api.middleware.body_limit.DRAIN_SECONDS = STUCK
    door = listening(wishes.get("KEEPSAKE_HOST", "127.0.0.1"))
    port = door.getsockname()[1]
    settings = Settings.model_validate(
        {
            "KEEPSAKE_TENANT": tenant,
            "KEEPSAKE_DATA_DIR": str(folder),
            "KEEPSAKE_PORT": port,
            "KEEPSAKE_CALLS_PER_MINUTE": "0",
            **wishes,
        }
    )
    if "KEEPSAKE_RECALL_MS" not in wishes:
        settings = settings.model_copy(update=UNHURRIED)
    database = Database(app_url)
    memory, brain = Memory(database, KEYRING), OfflineBrain(OFFLINE_LOCALE)
    runtime = Runtime(settings, memory, VectorIndex(memory, tenant, None), brain, cannot_revive)
    daemon = Daemon(runtime, f"http://127.0.0.1:{port}")
    serving = asyncio.create_task(serve(runtime, door))
    try:
        await _until_it_answers(daemon, serving)
        yield daemon
    finally:
        serving.cancel()
        ended = await asyncio.gather(serving, return_exceptions=True)
        await brain.close()
        await finish_late_work()
        await database.close()
    assert isinstance(ended[0], asyncio.CancelledError), f"the daemon ended by itself: {ended[0]!r}"


@contextmanager
def beside(app_url: str, tenant: str, folder: Path, **wishes: str) -> Iterator[Daemon]:
    """A daemon in a loop and a thread of its own, for many tests one after the other: a key tells its tenant."""
    begun: Future[Daemon] = Future()
    stop = asyncio.Event()

    async def run() -> asyncio.AbstractEventLoop:
        async with running(app_url, tenant, folder, **wishes) as daemon:
            loop = asyncio.get_running_loop()
            begun.set_result(replace(daemon, loop=loop))
            await stop.wait()
        return loop

    with ThreadPoolExecutor(1) as thread:
        ended = thread.submit(asyncio.run, run())
        ended.add_done_callback(lambda end: None if begun.done() else begun.set_exception(end.exception() or OSError()))
        daemon = begun.result(timeout=STUCK)
        try:
            yield daemon
        finally:
            assert daemon.loop
            daemon.loop.call_soon_threadsafe(stop.set)
            ended.result(timeout=STUCK)


async def _until_it_answers(daemon: Daemon, serving: "asyncio.Task[None]") -> None:
    async with daemon.client_with(None) as client:

        async def answers() -> bool:
            if serving.done():
                serving.result()
            try:
                return (await client.get("healthz")).is_success
            except httpx.TransportError:
                return False

        await eventually_async(answers)
