"""What the update handlers share: the runtime, the Telegram sender and the cache of chats."""

import time
from dataclasses import dataclass, field

from telegram import User

from bot.commands.privacy import ForgetDialog
from bot.delivery.delivery import Delivery
from bot.delivery.incoming import Incoming
from bot.telegram.chat_cache import CachedChat, ChatCache
from bot.telegram.membership import check_membership
from bot.telegram.sending.answers import text_answer
from bot.telegram.sending.sender import TelegramSender
from memory import Viewer
from memory.errors import DatabaseAway
from memory.turn.chat import Chat
from memory.turn.open_chat import GroupChat, SenderInfo, open_chat
from memory.wiring import Runtime

MEMBERSHIP_CHECK_SECONDS = 300.0
MAX_CHECKS = 1_000


@dataclass(slots=True)
class HandlerContext:
    runtime: Runtime
    me: User
    sender: TelegramSender
    chat_cache: ChatCache
    timezone: str
    forget_dialogs: dict[str, ForgetDialog] = field(default_factory=dict)
    """By person: running confirmations of `/forget everything`. Anything else that the person does ends theirs."""
    membership_checks: dict[tuple[str, str], float] = field(default_factory=dict)
    """By person and space: when Telegram was last asked whether the person is still in that group."""

    async def answer_with(self, delivery: Delivery, text: str) -> None:
        """Answer the update with a text of our own."""
        answer = text_answer(delivery, text)
        if delivery.incoming.query_id:
            answer = answer.model_copy(update={"query_id": delivery.incoming.query_id})
        try:
            async with self.runtime.memory.unit(delivery.owner) as unit:
                await delivery.save_answer(unit, answer)
        except DatabaseAway:
            await delivery.save_answer(None, answer)

    async def open_chat(self, delivery: Delivery, *, is_admin: bool | None = None) -> Chat:
        """Return the chat of an update, from the cache while the database is away."""
        incoming = delivery.incoming
        chat = None if delivery.holder else self._chat_from_cache(incoming)
        if chat is None:
            try:
                chat = await open_chat(self.runtime, sender_info(incoming, is_admin=is_admin), self.timezone)
                self.chat_cache.add(chat)
            except DatabaseAway:
                if (chat := self._chat_from_cache(incoming)) is None:
                    raise
                self.runtime.outage.report()
            else:
                await self._check_membership(delivery, chat)
        delivery.viewer, delivery.is_recorded = chat.viewer, chat.kept
        return chat

    def _chat_from_cache(self, incoming: Incoming) -> Chat | None:
        cached = self.cached_chat(incoming)
        if cached is None:
            return None
        return Chat(self.runtime, cached.viewer, cached.conversation_id, cached.kept, incoming.place)

    async def _check_membership(self, delivery: Delivery, chat: Chat) -> None:
        """Check from time to time that a person who uses a group's space in private is still in that group."""
        if delivery.incoming.in_group or chat.is_in_personal_space:
            return
        key, now = (chat.viewer.person, chat.viewer.place), time.monotonic()
        if now - self.membership_checks.get(key, -MEMBERSHIP_CHECK_SECONDS) < MEMBERSHIP_CHECK_SECONDS:
            return
        await check_membership(self.sender, delivery.incoming.user, chat, chat.viewer.place)
        self.membership_checks[key] = now
        if len(self.membership_checks) > MAX_CHECKS:
            del self.membership_checks[next(iter(self.membership_checks))]

    def cached_chat(self, incoming: Incoming) -> CachedChat | None:
        """Return what is known of a chat in RAM. A /private chat needs no more than its sender."""
        if (cached := self.chat_cache.get(incoming.place, incoming.person)) is not None:
            return cached
        if not self.chat_cache.is_unsaved(incoming.place):
            return None
        return CachedChat(Viewer.in_private(self.runtime.settings.tenant, incoming.person), incoming.place, kept=False)


def sender_info(incoming: Incoming, *, is_admin: bool | None = None) -> SenderInfo:
    group = GroupChat(incoming.place_of(incoming.chat), incoming.title, is_admin) if incoming.in_group else None
    return SenderInfo(incoming.person, incoming.place, incoming.received_at, incoming.name, incoming.language, group)
