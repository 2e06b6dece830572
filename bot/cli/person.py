"""Opens the memory of one person, for the subcommands that work on one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.language import texts
from bot.terminal.user import terminal_user
from memory import Progress, Viewer
from memory.errors import Refused
from memory.people.people import is_known
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_memory, ready_database


@asynccontextmanager
async def open_person(
    settings: Settings, user: str | None, progress: Progress, *, must_exist: bool = True
) -> AsyncIterator[tuple[Memory, Viewer]]:
    """Open the memory of a user, by default the one at this terminal."""
    viewer = Viewer.in_private(settings.tenant, user or terminal_user())
    async with ready_database(settings, progress) as ready:
        memory = await open_memory(settings, ready.url)
        try:
            async with memory.unit(viewer, read_only=True) as unit:
                if must_exist and not await is_known(unit):
                    raise Refused(texts.NO_SUCH_USER.format(user=viewer.person))
            yield memory, viewer
        finally:
            await memory.database.close()
