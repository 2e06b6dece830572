"""The one loop of tries, for chat and for background work: a call is repeated until it succeeds or its time is over.

tries = Tries(client)
while True:
    async with tries.attempt():
        return await client.sdk.messages.create(...)
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

from memory.model.claude.client import ClaudeClient
from memory.model.claude.trouble import backoff, failures, knows_no_extras, told

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Attempt:
    is_last: bool = False
    """Set when words of the answer have been shown: they cannot be taken back."""


class Tries:
    """The tries of one call. All that is waited for, also between two tries, stands within one deadline."""

    def __init__(self, client: ClaudeClient, deadline: float | None = None) -> None:
        """`deadline`, by the clock of the event loop, is given where several calls make one answer."""
        self._client = client
        self._numbers = count()
        self.deadline = deadline_of(client) if deadline is None else deadline

    @asynccontextmanager
    async def attempt(self) -> AsyncIterator[Attempt]:
        """A failure within it is swallowed, after the pause it needs, when another try makes sense; else it is told as
        `ModelAway`. A server that refuses what only Claude's own knows is at once asked again without that."""
        number, attempt = next(self._numbers), Attempt()
        try:
            yield attempt
        except failures() as error:
            if not self._client.is_plain and knows_no_extras(error):
                self._client.is_plain = True
                return
            trouble = told(error, self._client.seconds)
            wait = backoff(number) if trouble.wait is None else trouble.wait
            out_of_time = asyncio.get_running_loop().time() + wait >= self.deadline
            if attempt.is_last or not trouble.passes or out_of_time:
                raise trouble.away from error
        else:
            return
        log.info("the model is asked again in %.1f seconds: %s", wait, trouble.away)
        await asyncio.sleep(wait)


def deadline_of(client: ClaudeClient) -> float:
    """For a call that begins now, by the clock of the event loop."""
    return asyncio.get_running_loop().time() + client.seconds
