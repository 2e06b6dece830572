"""Carries messages to Telegram, and finds another way when it refuses one: a reply must not be lost to its looks."""

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

from bot.delivery.incoming import ASKS
from bot.delivery.messenger import MessengerAway, Unreachable
from bot.delivery.outgoing import Button, OutgoingMessage

PATIENCE = (1.0, 2.0, 5.0, 10.0)
PREVIEWS_PER_SECOND = 10

log = logging.getLogger(__name__)


@contextmanager
def telegram_away() -> Iterator[None]:
    """Inside, Telegram that does not answer, or asks us to wait, is a messenger that is away."""
    try:
        yield
    except BadRequest:  # a kind of NetworkError, and a refusal
        raise
    except (NetworkError, RetryAfter) as trouble:
        raise MessengerAway from trouble


class TelegramSender:
    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.drafts_work = True
        self._previews: list[float] = []

    async def carry(
        self, part: OutgoingMessage, *, instead_of: int | None = None, ensure: Callable[[], None] = lambda: None
    ) -> int:
        """A refusal takes something away from the message; a line that is down is tried a few times."""
        with telegram_away():
            return await self._carry_patiently(part, instead_of, ensure)

    async def _carry_patiently(self, part: OutgoingMessage, instead_of: int | None, ensure: Callable[[], None]) -> int:
        pauses = iter(PATIENCE)
        while True:  # every refusal takes something away from the message, and the line is tried so often only
            ensure()
            try:
                return await self._carry(part, instead_of)
            except Forbidden as refusal:
                raise Unreachable from refusal
            except BadRequest as refusal:
                if part.chat > 0 and "chat not found" in str(refusal).lower():
                    raise Unreachable from refusal
                if (other := _otherwise(part, refusal)) is None:
                    raise
                part = other
            except ChatMigrated as moved:
                if part.chat == moved.new_chat_id:
                    raise
                part = part.model_copy(update={"chat": moved.new_chat_id, "reply_to": None, "edits": None})
                instead_of = None
            except NetworkError:
                if (pause := next(pauses, None)) is None:
                    raise
                await asyncio.sleep(pause)

    async def _carry(self, part: OutgoingMessage, instead_of: int | None) -> int:
        if part.document is not None:
            sent = await self.bot.send_document(
                part.chat, b64decode(part.document), filename=part.text, message_thread_id=part.thread
            )
            return sent.message_id
        target = part.edits or instead_of
        if target is not None and await self._edited(part, target):
            return target
        sent = await self.bot.send_message(
            part.chat,
            _text(part),
            entities=_entities(part),
            reply_markup=ForceReply(selective=True) if part.asks else _markup(part),
            message_thread_id=part.thread,
            reply_parameters=_reply(part),
            link_preview_options=LinkPreviewOptions(is_disabled=True),
            protect_content=part.protected,
        )
        return sent.message_id

    async def _edited(self, part: OutgoingMessage, message_id: int) -> bool:
        """Whether the message was there to be changed."""
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
            why = str(refusal).lower()
            if "not modified" in why:
                return True
            if "parse entities" in why or "too long" in why:
                raise
            return False
        return True

    async def alert(self, query_id: str, text: str) -> None:
        """What is said over the chat to whoever pressed a button; after a while Telegram takes it no more."""
        try:
            await self.bot.answer_callback_query(query_id, text[:200] or None, show_alert=len(text) > 60)
        except TelegramError as error:
            log.info("a button was not answered: %s", type(error).__name__)

    async def typing(self, chat: int, thread: int | None) -> None:
        if self._may_preview():
            await self._try(self.bot.send_chat_action(chat, ChatAction.TYPING, message_thread_id=thread))

    async def draft(self, chat: int, thread: int | None, number: int, text: str) -> bool:
        """Show a half-made answer the way Telegram has for it; false where the server has none, or none for this."""
        if not self._may_preview():
            return True
        try:
            await self.bot.send_message_draft(chat, number, text, message_thread_id=thread)
        except InvalidToken:  # "Not Found" is how a server says that it lacks a method
            self.drafts_work = False
            return False
        except BadRequest as refusal:
            log.info("a draft was refused: %s", refusal)
            self.drafts_work = "method" not in str(refusal).lower()
            return False
        except TelegramError as error:
            log.info("a draft was not shown: %s", type(error).__name__)
        return True

    async def preview(self, chat: int, thread: int | None, text: str, message_id: int | None) -> int | None:
        """Show a half-made answer as a message that is edited until it is whole."""
        if not self._may_preview():
            return message_id
        part = OutgoingMessage(chat=chat, thread=thread, text=text)
        if message_id is None:
            try:
                return await self._carry(part, None)
            except TelegramError as error:
                log.info("a preview was not shown: %s", type(error).__name__)
                return None
        await self._try(self._edited(part, message_id))
        return message_id

    async def _try(self, call: Any) -> None:
        try:
            await call
        except TelegramError as error:
            log.info("Telegram did not take a preview: %s", type(error).__name__)

    def _may_preview(self) -> bool:
        """Previews stay well below what Telegram takes, so that no answer has to wait for one."""
        now = time.monotonic()
        self._previews = [at for at in self._previews if now - at < 1]
        if len(self._previews) >= PREVIEWS_PER_SECOND:
            return False
        self._previews.append(now)
        return True


def _otherwise(part: OutgoingMessage, refusal: BadRequest) -> OutgoingMessage | None:
    """The same message without what was refused about it."""
    why = str(refusal).lower()
    if part.entities and ("entit" in why or "parse" in why):
        return part.model_copy(update={"entities": []})
    if part.buttons and ("button" in why or "markup" in why):
        return part.model_copy(update={"buttons": [], "text": part.instead or part.text, "protected": False})
    if part.thread and "thread" in why:
        return part.model_copy(update={"thread": None})
    if part.reply_to and "repl" in why:
        return part.model_copy(update={"reply_to": None})
    if part.entities:
        return part.model_copy(update={"entities": []})
    return None


def _text(part: OutgoingMessage) -> str:
    """Whatever is shown, only a question of ours has the mark by which its answer is known."""
    return part.text if part.asks else part.text.replace(ASKS.strip(), "*")


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
