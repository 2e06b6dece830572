"""Shows progress while an answer is generated: typing, then a draft or a message that is edited as it grows."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType

from bot.language import texts
from bot.telegram.sending.markdown import MAX_UTF16_LENGTH, sanitize, utf16_length
from bot.telegram.sending.sender import TelegramSender

# All in seconds.
TYPING_INTERVAL = 4.5
DRAFT_INTERVAL = 0.8
EDIT_INTERVAL = 3.0
MAX_SENDING = 20.0  # longer than the HTTP client's own timeout
INITIAL_DELAY = 0.3
MIN_CHARACTERS = 40  # before a preview message is sent

SavePreview = Callable[[int], Awaitable[None]]


class Preview:
    """Shows the text passed to `show` for as long as it is open.

    It calls `save` with the id of the message that it sends, so that the answer replaces this message after a crash.
    """

    def __init__(
        self, sender: TelegramSender, chat: int, thread: int | None, number: int, save: SavePreview, *, drafts: bool
    ) -> None:
        self._sender = sender
        self._target = (chat, thread)
        self._number = number
        self._save = save
        self._drafts = drafts
        self._task: asyncio.Task[None] | None = None
        self._sending: asyncio.Task[None] | None = None
        self._has_text = asyncio.Event()
        self.text = ""
        self.message_id: int | None = None

    async def show(self, delta: str) -> None:
        self.text += delta.translate(texts.MARKS)
        if delta:
            self._has_text.set()

    async def __aenter__(self) -> "Preview":
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for a preview that is being sent, or it would arrive below the answer."""
        assert self._task
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if self._sending is not None:
            await asyncio.wait({self._sending}, timeout=MAX_SENDING)

    async def _run(self) -> None:
        shown = ""
        await asyncio.sleep(INITIAL_DELAY)
        while True:
            if not self.text:
                await self._sender.typing(*self._target)
                await self._wait_for_text(TYPING_INTERVAL)
                continue
            if self.text != shown:
                shown = self.text
                self._sending = asyncio.create_task(self._push(shown))
                await asyncio.shield(self._sending)
            await asyncio.sleep(DRAFT_INTERVAL if self._is_draft else EDIT_INTERVAL)

    @property
    def _is_draft(self) -> bool:
        return self._drafts and self._sender.drafts_work

    async def _push(self, text: str) -> None:
        text = sanitize(text)
        if self._is_draft:
            self._drafts = await self._sender.draft(*self._target, self._number, _tail(text))
            if self._drafts:
                return
        if len(text) < MIN_CHARACTERS and self.message_id is None:
            return
        is_new = self.message_id is None
        self.message_id = await self._sender.preview(*self._target, _tail(text), self.message_id)
        if is_new and self.message_id is not None:
            await self._save(self.message_id)

    async def _wait_for_text(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._has_text.wait()


def _tail(text: str) -> str:
    """Return as much of the end of the text as fits into one message."""
    if utf16_length(text) <= MAX_UTF16_LENGTH:
        return text
    last = text.encode("utf-16-le")[-2 * (MAX_UTF16_LENGTH - 1) :]
    return "…" + last.decode("utf-16-le", "ignore")  # drops a character that was cut in half
