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
from memory.wiring import House


async def run_daemon(house: House, progress: Progress, listening: socket | None = None) -> None:
    """Until it is cancelled."""
    from api.serving import listen, serve

    listening = listening or listen(house.settings)
    progress(texts.SERVING.format(url=house.web_url))
    await serve(house, listening)


@asynccontextmanager
async def daemon_beside(house: House, progress: Progress) -> AsyncIterator[None]:
    """The daemon in the same process, where it is wanted; should it break, so does what it stands beside. Where it
    cannot listen, nothing else starts."""
    if house.settings.serve == "0":
        yield
        return
    from api.serving import listen

    listening = listen(house.settings)
    try:
        async with asyncio.TaskGroup() as group:
            daemon = group.create_task(run_daemon(house, progress, listening))
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


async def speak_mcp(house: House, bearer: Bearer, wire: Wire, *, plain_names: bool) -> None:
    """Until the wire is cut."""
    from api.mcp.stdio import speak

    await speak(house, bearer, wire.lines, wire.sink.write, plain_names=plain_names)
