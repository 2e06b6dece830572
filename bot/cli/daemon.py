"""Starts the daemon, alone or together with the bot. Only this module knows both front ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from socket import socket

from bot.language import texts, translate_error
from bot.terminal.stdio import StdioPipe
from memory import Progress
from memory.errors import PortTaken
from memory.people.keys import KeyHolder
from memory.settings import Settings
from memory.wiring import Runtime


async def run_daemon(runtime: Runtime, progress: Progress, listening: socket | None = None) -> None:
    """Serve until cancelled."""
    from api.serving import listen, serve

    listening = listening or listen(runtime.settings)
    progress(texts.SERVING.format(url=runtime.web_url))
    await serve(runtime, listening)


@asynccontextmanager
async def with_daemon(runtime: Runtime, progress: Progress) -> AsyncIterator[None]:
    """Run the daemon in the background if the settings ask for it. An error in it ends the body too; if its port is
    taken, the body does not start."""
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
    """Return why the daemon cannot listen on its address, or None."""
    from api.serving import listen

    try:
        listen(settings).close()
    except PortTaken as taken:
        return translate_error(taken)
    return None


async def speak_mcp(runtime: Runtime, bearer: KeyHolder, pipe: StdioPipe, *, plain_names: bool) -> None:
    """Speak MCP until the input ends."""
    from api.mcp.stdio import serve_stdio

    await serve_stdio(runtime, bearer, pipe.lines, pipe.sink.write, plain_names=plain_names)
