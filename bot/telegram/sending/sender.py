"""Sends messages to Telegram, and leaves out formatting, buttons or a thread that Telegram rejects."""

import asyncio
import logging
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from telegram import (
    Bot,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    ReplyParameters,
    WebAppInfo,
)
from telegram.constants import ChatAction
from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError

from bot.delivery.incoming import EDIT_PROMPT_MARK
from bot.delivery.messenger import MessengerAway, Unreachable
from bot.delivery.outgoing import Button, OutgoingMessage

RETRY_PAUSES = (1.0, 2.0, 5.0, 10.0)  # seconds
PREVIEWS_PER_SECOND = 10

log = logging.getLogger(__name__)


@contextmanager
def telegram_away() -> Iterator[None]:
    """Translate network errors and flood limits of Telegram to `MessengerAway`."""
    try:
        yield
    except BadRequest:  # a subclass of NetworkError, but a refusal
        raise
    except (NetworkError, RetryAfter) as trouble:
        raise MessengerAway from trouble


class TelegramSender:
    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.drafts_work = True
        self._previews: list[float] = []

    async def send(
        self, part: OutgoingMessage, *, replaces: int | None = None, check_lease: Callable[[], None] = lambda: None
    ) -> int:
        with telegram_away():
            return await self._send_with_retries(part, replaces, check_lease)

    async def _send_with_retries(
        self, part: OutgoingMessage, replaces: int | None, check_lease: Callable[[], None]
    ) -> int:
        pauses = iter(RETRY_PAUSES)
        while True:  # ends: each refusal removes a feature from the message, and network retries are limited
            check_lease()
            try:
                return await self._send_once(part, replaces)
            except Forbidden as refusal:
                raise Unreachable from refusal
            except BadRequest as refusal:
                if part.chat > 0 and "chat not found" in str(refusal).lower():
                    raise Unreachable from refusal
                if (simpler := _without_rejected_feature(part, refusal)) is None:
                    raise
                part = simpler
            except ChatMigrated as moved:
                if part.chat == moved.new_chat_id:
                    raise
                part = part.model_copy(update={"chat": moved.new_chat_id, "reply_to": None, "edits": None})
                replaces = None
            except NetworkError:
                if (pause := next(pauses, None)) is None:
                    raise
                await asyncio.sleep(pause)

    async def _send_once(self, part: OutgoingMessage, replaces: int | None) -> int:
        if part.document is not None:
            sent = await self.bot.send_document(
                part.chat, b64decode(part.document), filename=part.text, message_thread_id=part.thread
            )
            return sent.message_id
        target = part.edits or replaces
        if target is not None and await self._edit(part, target):
            return target
        sent = await self.bot.send_message(
            part.chat,
            _text(part),
            entities=_entities(part),
            reply_markup=ForceReply(selective=True) if part.force_reply else _markup(part),
            message_thread_id=part.thread,
            reply_parameters=_reply(part),
            link_preview_options=LinkPreviewOptions(is_disabled=True),
            protect_content=part.protected,
        )
        return sent.message_id

    async def _edit(self, part: OutgoingMessage, message_id: int) -> bool:
        """Return whether the message still exists and could be edited."""
        try:
            await self.bot.edit_message_text(
                _text(part),
                chat_id=part.chat,
                message_id=message_id,
                entities=_entities(part),
                reply_markup=_markup(part),
                link_preview_options=LinkPreviewOptions(is_disabled=True),
            )
        except BadRequest as refusal:
            reason = str(refusal).lower()
            if "not modified" in reason:
                return True
            if "parse entities" in reason or "too long" in reason:
                raise
            return False
        return True

    async def alert(self, query_id: str, text: str) -> None:
        """Answer a button press with a pop-up. Telegram accepts this only for a while after the press."""
        try:
            await self.bot.answer_callback_query(query_id, text[:200] or None, show_alert=len(text) > 60)
        except TelegramError as error:
            log.info("could not answer a button press: %s", type(error).__name__)

    async def typing(self, chat: int, thread: int | None) -> None:
        if self._may_preview():
            await self._try(self.bot.send_chat_action(chat, ChatAction.TYPING, message_thread_id=thread))

    async def draft(self, chat: int, thread: int | None, number: int, text: str) -> bool:
        """Show a partial answer as a draft. Return False if the server or the chat does not support drafts."""
        if not self._may_preview():
            return True
        try:
            await self.bot.send_message_draft(chat, number, text, message_thread_id=thread)
        except InvalidToken:  # "Not Found": the server lacks the method
            self.drafts_work = False
            return False
        except BadRequest as refusal:
            log.info("Telegram rejected a draft: %s", refusal)
            self.drafts_work = "method" not in str(refusal).lower()
            return False
        except TelegramError as error:
            log.info("could not show a draft: %s", type(error).__name__)
        return True

    async def preview(self, chat: int, thread: int | None, text: str, message_id: int | None) -> int | None:
        """Show a partial answer as a message that is edited until it is complete, and return its id."""
        if not self._may_preview():
            return message_id
        part = OutgoingMessage(chat=chat, thread=thread, text=text)
        if message_id is None:
            try:
                return await self._send_once(part, None)
            except TelegramError as error:
                log.info("could not show a preview: %s", type(error).__name__)
                return None
        await self._try(self._edit(part, message_id))
        return message_id

    async def _try(self, call: Any) -> None:
        try:
            await call
        except TelegramError as error:
            log.info("Telegram rejected a preview: %s", type(error).__name__)

    def _may_preview(self) -> bool:
        """Keep previews well below Telegram's rate limit, so that no answer waits for one."""
        now = time.monotonic()
        self._previews = [at for at in self._previews if now - at < 1]
        if len(self._previews) >= PREVIEWS_PER_SECOND:
            return False
        self._previews.append(now)
        return True


def _without_rejected_feature(part: OutgoingMessage, refusal: BadRequest) -> OutgoingMessage | None:
    """Return the message without the feature that Telegram rejected, or None if nothing is left to remove."""
    reason = str(refusal).lower()
    if part.entities and ("entit" in reason or "parse" in reason):
        return part.model_copy(update={"entities": []})
    if part.buttons and ("button" in reason or "markup" in reason):
        return part.model_copy(
            update={"buttons": [], "text": part.text_without_buttons or part.text, "protected": False}
        )
    if part.thread and "thread" in reason:
        return part.model_copy(update={"thread": None})
    if part.reply_to and "repl" in reason:
        return part.model_copy(update={"reply_to": None})
    if part.entities:
        return part.model_copy(update={"entities": []})
    return None


def _text(part: OutgoingMessage) -> str:
    """Replace the mark in all but our own edit prompts, so that no other text can pass for one."""
    return part.text if part.force_reply else part.text.replace(EDIT_PROMPT_MARK.strip(), "*")


def _entities(part: OutgoingMessage) -> list[MessageEntity] | None:
    return [entity for each in part.entities if (entity := MessageEntity.de_json(each))] or None


def _markup(part: OutgoingMessage) -> InlineKeyboardMarkup | None:
    rows = [[_button(button) for button in row] for row in part.buttons]
    return InlineKeyboardMarkup(rows) if rows else None


def _button(button: Button) -> InlineKeyboardButton:
    if button.app:
        return InlineKeyboardButton(button.label, web_app=WebAppInfo(button.app))
    if button.url:
        return InlineKeyboardButton(button.label, url=button.url)
    return InlineKeyboardButton(button.label, callback_data=button.data)


def _reply(part: OutgoingMessage) -> ReplyParameters | None:
    return ReplyParameters(part.reply_to, allow_sending_without_reply=True) if part.reply_to else None
