"""Shows that an answer is being made, and what there is of it: typing, then a draft, or a message that grows."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType

from bot.language import texts
from bot.telegram.sending.markdown import LONGEST, fit_to_send, units
from bot.telegram.sending.sender import TelegramSender

TYPING_AGAIN = 4.5
DRAFT_AGAIN = 0.8
EDIT_AGAIN = 3.0
LONGEST_WAY = 20.0  # seconds for what was sent, longer than the client waits for it
FIRST_LOOK = 0.3
LEAST = 40  # characters before a message is begun that is edited afterwards

KeepPreview = Callable[[int], Awaitable[None]]


class Preview:
    """As long as it is open, the chat shows what `show` was given. `keep` is told of a message that it began, so that
    after a crash the answer takes its place."""

    def __init__(
        self, sender: TelegramSender, chat: int, thread: int | None, number: int, keep: KeepPreview, *, drafts: bool
    ) -> None:
        self._sender = sender
        self._where = (chat, thread)
        self._number = number
        self._keep = keep
        self._drafts = drafts
        self._task: asyncio.Task[None] | None = None
        self._on_its_way: asyncio.Task[None] | None = None
        self._has_words = asyncio.Event()
        self.text = ""
        self.message_id: int | None = None

    async def show(self, delta: str) -> None:
        self.text += delta.translate(texts.MARKS)
        if delta:
            self._has_words.set()

    async def __aenter__(self) -> "Preview":
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """A preview that is on its way arrives first, or it would stand below the answer."""
        assert self._task
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if self._on_its_way is not None:
            await asyncio.wait({self._on_its_way}, timeout=LONGEST_WAY)

    async def _run(self) -> None:
        shown = ""
        await asyncio.sleep(FIRST_LOOK)
        while True:
            if not self.text:
                await self._sender.typing(*self._where)
                await self._until_words(TYPING_AGAIN)
                continue
            if self.text != shown:
                shown = self.text
                self._on_its_way = asyncio.create_task(self._push(shown))
                await asyncio.shield(self._on_its_way)
            await asyncio.sleep(DRAFT_AGAIN if self._is_draft else EDIT_AGAIN)

    @property
    def _is_draft(self) -> bool:
        return self._drafts and self._sender.drafts_work

    async def _push(self, text: str) -> None:
        text = fit_to_send(text)
        if self._is_draft:
            self._drafts = await self._sender.draft(*self._where, self._number, _end_of(text))
            if self._drafts:
                return
        if len(text) < LEAST and self.message_id is None:
            return
        before, self.message_id = (
            self.message_id,
            await self._sender.preview(*self._where, _end_of(text), self.message_id),
        )
        if before is None and self.message_id is not None:
            await self._keep(self.message_id)

    async def _until_words(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._has_words.wait()


def _end_of(text: str) -> str:
    """Of a text that is longer than a message, what came last."""
    if units(text) <= LONGEST:
        return text
    last = text.encode("utf-16-le")[-2 * (LONGEST - 1) :]
    return "…" + last.decode("utf-16-le", "ignore")  # a character that was cut in two goes
