"""Claude as a `Brain`: streams an answer, and continues it after a pause."""

import asyncio
import time
from asyncio import timeout_at
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any

from memory.model.brain import AnswerStarted, Delta, Finished, Message, Request, Text, TextDelta
from memory.model.claude.client import MODEL, ClaudeClient, client_from
from memory.model.claude.retry import RetryLoop, deadline_of
from memory.model.claude.stream import AnswerStream, StreamBroke
from memory.model.claude.wire import wire, without_extras
from memory.settings import Settings

SILENCE = 30.0  # seconds without an event, after the first one; a live server sends pings more often
MAX_PAUSES = 8


class ClaudeBrain:
    def __init__(
        self, client: ClaudeClient, *, reply_tokens: int, effort: str | None = None, silence: float = SILENCE
    ) -> None:
        self._client = client
        self._reply_tokens = reply_tokens
        self._extras: dict[str, Any] = {"output_config": {"effort": effort}} if effort else {}
        self._silence = silence

    @property
    def name(self) -> str:
        return self._client.model

    async def answer(self, request: Request) -> AsyncGenerator[Delta]:
        """Stream one answer. All attempts and the waits between them share one deadline."""
        deadline = deadline_of(self._client)
        total_usage = Counter[str]()
        for _ in range(MAX_PAUSES):
            words = ""
            async with aclosing(self._answer_with_retries(request, deadline)) as deltas:
                async for delta in deltas:
                    match delta:
                        case Finished(usage=usage):
                            total_usage.update(usage)
                            finished = replace(delta, usage=dict(total_usage))
                        case AnswerStarted() if total_usage:
                            pass  # continued after a pause: still the same answer
                        case _:
                            words += getattr(delta, "text", "")
                            yield delta
            if finished.reason != "pause_turn":
                break
            if words.strip():
                request = request.followed_by(Message("assistant", (Text(words.rstrip()),)))
        yield finished

    async def close(self) -> None:
        await self._client.close()

    async def _answer_with_retries(self, request: Request, deadline: float) -> AsyncGenerator[Delta]:
        """Stream one answer, retried within the deadline until its first text has been shown."""
        retries, sent = RetryLoop(self._client, deadline), {**wire(request), **self._extras}
        while True:
            answer = AnswerStream(self._client.model, time.monotonic())
            async with retries.attempt() as attempt:
                async with self._events(sent, deadline) as events:
                    async for data in events:
                        for delta in answer.take(data):
                            attempt.is_last |= isinstance(delta, TextDelta)
                            yield delta
                for delta in answer.end():
                    yield delta
                return

    @asynccontextmanager
    async def _events(self, sent: dict[str, Any], deadline: float) -> AsyncIterator[AsyncIterator[str]]:
        """Open one stream of events. The first event may take until the deadline: a small machine reads a prompt for
        minutes. After that, silence is a failure. The timeouts do not cover the consumer's code."""
        from anthropic import AsyncStream

        loop = asyncio.get_running_loop()
        if self._client.omits_extras:
            sent = without_extras(sent)
        async with timeout_at(deadline):
            stream = await self._client.sdk.messages.create(
                model=self._client.model, max_tokens=self._reply_tokens, stream=True, **sent
            )

        async def read() -> AsyncGenerator[str]:
            events, until = aiter(AsyncStream.raw_events(stream.response)), deadline
            while True:
                try:
                    async with timeout_at(until):
                        event = await anext(events, None)
                except TimeoutError:
                    if until < deadline:
                        raise StreamBroke("silence") from None
                    raise
                if event is None:
                    return
                yield event.data
                until = min(deadline, loop.time() + self._silence)

        try:
            async with aclosing(read()) as events:
                yield events
        finally:
            await stream.close()


def claude(settings: Settings, *, silence: float = SILENCE) -> ClaudeBrain:
    return ClaudeBrain(
        client_from(settings, settings.model or MODEL),
        reply_tokens=settings.reply_tokens,
        effort=settings.effort,
        silence=silence,
    )
