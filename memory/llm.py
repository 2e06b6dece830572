"""Claude as a brain: the one place that talks to a model, within a deadline, and translates how that can fail."""

import asyncio
import logging
import time
from asyncio import timeout_at
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from memory.answer_stream import AnswerStream, StreamBroke
from memory.brain import Began, Delta, Finished, Message, Request, Text
from memory.model_trouble import backoff, failures, knows_no_extras, told
from memory.settings import Settings
from memory.wire import wire, without_extras

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

SILENCE = 30.0  # seconds without an event, after the first one: a server that is alive says so more often
MOST_PAUSES = 8

log = logging.getLogger(__name__)


class ClaudeBrain:
    def __init__(
        self,
        client: "AsyncAnthropic",
        *,
        model: str,
        reply_tokens: int,
        seconds: float,
        effort: str | None = None,
        silence: float = SILENCE,
    ) -> None:
        self._client = client
        self._model = model
        self._reply_tokens = reply_tokens
        self._seconds = seconds
        self._extras: dict[str, Any] = {"output_config": {"effort": effort}} if effort else {}
        self._silence = silence
        self._plainly = False

    @property
    def name(self) -> str:
        return self._model

    async def answer(self, request: Request) -> AsyncGenerator[Delta]:
        """Stream one answer. All that we wait for, also between two attempts, stands within one deadline."""
        deadline = asyncio.get_running_loop().time() + self._seconds
        spent = Counter[str]()
        for _ in range(MOST_PAUSES):
            words = ""
            async with aclosing(self._tried(request, deadline)) as deltas:
                async for delta in deltas:
                    match delta:
                        case Finished(usage=usage):
                            spent.update(usage)
                            finished = replace(delta, usage=dict(spent))
                        case Began() if spent:
                            pass  # it goes on after a pause, and is still one answer
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

    async def _tried(self, request: Request, deadline: float) -> AsyncGenerator[Delta]:
        """One answer. Until a word of it came out it is asked for again, as long as there is time."""
        loop, sent = asyncio.get_running_loop(), {**wire(request), **self._extras}
        for attempt in count():
            answer = AnswerStream(self._model, time.monotonic())
            try:
                async with self._events(sent, deadline) as events:
                    async for data in events:
                        for delta in answer.take(data):
                            yield delta
                for delta in answer.end():
                    yield delta
            except failures() as error:
                if not self._plainly and knows_no_extras(error):
                    self._plainly = True
                    continue
                trouble = told(error, self._seconds)
                wait = backoff(attempt) if trouble.wait is None else trouble.wait
                if answer.words or not trouble.passes or loop.time() + wait >= deadline:
                    raise trouble.away from error
            else:
                return
            log.info("the model is asked again in %.1f seconds: %s", wait, trouble.away)
            await asyncio.sleep(wait)

    @asynccontextmanager
    async def _events(self, sent: dict[str, Any], deadline: float) -> AsyncIterator[AsyncIterator[str]]:
        """The events of one stream. Until the first comes a model may read for as long as there is time, on a small
        machine that takes minutes; then it must not fall silent. No limit strikes in the code of who reads them."""
        from anthropic import AsyncStream

        loop = asyncio.get_running_loop()
        if self._plainly:
            sent = without_extras(sent)
        async with timeout_at(deadline):
            stream = await self._client.messages.create(
                model=self._model, max_tokens=self._reply_tokens, stream=True, **sent
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
        client_of(settings),
        model=settings.model,
        reply_tokens=settings.reply_tokens,
        seconds=settings.model_seconds,
        effort=settings.effort,
        silence=silence,
    )


def client_of(settings: Settings) -> "AsyncAnthropic":
    """The SDK is imported only where it is used: it costs seconds that a start without a key need not pay. It does not
    ask again by itself, since it would obey any Retry-After and cannot ask again for a stream that broke."""
    from anthropic import AsyncAnthropic

    assert settings.anthropic_api_key is not None
    return AsyncAnthropic(
        api_key=settings.anthropic_api_key.get_secret_value(), base_url=settings.anthropic_base_url, max_retries=0
    )
