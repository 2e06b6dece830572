"""The daemon beside the bot, or alone. The one place where a front end knows the other: the program starts both."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from socket import socket

from bot.language import spoken, texts
from bot.terminal.stdio import Wire
from memory import Progress
from memory.errors import PortTaken
from memory.people.keys import Bearer
from memory.settings import Settings
from memory.wiring import Runtime


async def run_daemon(runtime: Runtime, progress: Progress, listening: socket | None = None) -> None:
    """Until it is cancelled."""
    from api.serving import listen, serve

    listening = listening or listen(runtime.settings)
    progress(texts.SERVING.format(url=runtime.web_url))
    await serve(runtime, listening)


@asynccontextmanager
async def daemon_beside(runtime: Runtime, progress: Progress) -> AsyncIterator[None]:
    """The daemon in the same process, where it is wanted; should it break, so does what it stands beside. Where it
    cannot listen, nothing else starts."""
    if runtime.settings.serve == "0":
        yield
        return
    from api.serving import listen

    listening = listen(runtime.settings)
    try:
        async with asyncio.TaskGroup() as group:
            daemon = group.create_task(run_daemon(runtime, progress, listening))
            yield
            daemon.cancel()
    except BaseExceptionGroup as broken:
        raise broken.exceptions[0] from None


def why_not_listening(settings: Settings) -> str | None:
    """Why the daemon could not listen where it should; nothing, where it could."""
    from api.serving import listen

    try:
        listen(settings).close()
    except PortTaken as taken:
        return spoken(taken)
    return None


async def speak_mcp(runtime: Runtime, bearer: Bearer, wire: Wire, *, plain_names: bool) -> None:
    """Until the wire is cut."""
    from api.mcp.stdio import speak

    await speak(runtime, bearer, wire.lines, wire.sink.write, plain_names=plain_names)
