"""Retries model calls, in chat and in the background, until they succeed or their deadline passes.

retries = RetryLoop(client)
while True:
    async with retries.attempt():
        return await client.sdk.messages.create(...)
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count

from memory.model.claude.client import ClaudeClient
from memory.model.claude.failures import backoff, call_errors, classify_failure, rejects_extras

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Attempt:
    is_last: bool = False
    """Set once text of the answer has been shown: it cannot be taken back."""


class RetryLoop:
    """The attempts of one call. All of them and the waits between them share one deadline."""

    def __init__(self, client: ClaudeClient, deadline: float | None = None) -> None:
        """Pass a `deadline`, by the event loop's clock, to share it among several calls for one answer."""
        self._client = client
        self._numbers = count()
        self.deadline = deadline_of(client) if deadline is None else deadline

    @asynccontextmanager
    async def attempt(self) -> AsyncIterator[Attempt]:
        """Suppress a failure and wait, if another attempt makes sense. Otherwise raise `ModelAway`. If the server
        rejects Claude-specific fields, the next attempt omits them and starts at once."""
        number, attempt = next(self._numbers), Attempt()
        try:
            yield attempt
        except call_errors() as error:
            if not self._client.omits_extras and rejects_extras(error):
                self._client.omits_extras = True
                return
            failure = classify_failure(error, self._client.seconds)
            wait = backoff(number) if failure.retry_after is None else failure.retry_after
            out_of_time = asyncio.get_running_loop().time() + wait >= self.deadline
            if attempt.is_last or not failure.is_transient or out_of_time:
                raise failure.away from error
        else:
            return
        log.info("the model is asked again in %.1f seconds: %s", wait, failure.away)
        await asyncio.sleep(wait)


def deadline_of(client: ClaudeClient) -> float:
    """The deadline of a call that starts now, by the event loop's clock."""
    return asyncio.get_running_loop().time() + client.seconds
