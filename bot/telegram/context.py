"""What every handler of updates works with: the house, Telegram, and what is known of chats in RAM."""

import time
from dataclasses import dataclass, field

from telegram import User

from bot.commands.privacy import Forgetting
from bot.delivery.delivery import Delivery
from bot.delivery.incoming import Incoming
from bot.telegram.identity import KnownChat, KnownChats, arrival
from bot.telegram.membership import check_role
from bot.telegram.sending.answers import lines_answer
from bot.telegram.sending.sender import TelegramSender
from memory import Viewer
from memory.errors import DatabaseAway
from memory.turn.chat import Chat
from memory.turn.enter import enter
from memory.wiring import Runtime

CHECK_AGAIN = 300.0  # seconds
MOST_CHECKED = 1_000


@dataclass(slots=True)
class HandlerContext:
    runtime: Runtime
    me: User
    sender: TelegramSender
    places: KnownChats
    timezone: str
    forgetting: dict[str, Forgetting] = field(default_factory=dict)
    """Who was asked whether everything shall be forgotten: only a yes in direct succession counts."""
    checked: dict[tuple[str, str], float] = field(default_factory=dict)
    """When Telegram was last asked whether somebody is still in the group in whose space they talk."""

    async def tell(self, delivery: Delivery, text: str) -> None:
        """A line of the program's own, kept until it is sent."""
        answer = lines_answer(delivery, text)
        if delivery.incoming.query_id:
            answer = answer.model_copy(update={"query_id": delivery.incoming.query_id})
        try:
            async with self.runtime.memory.unit(delivery.owner) as unit:
                await delivery.keep(unit, answer)
        except DatabaseAway:
            await delivery.keep(None, answer)

    async def enter(self, delivery: Delivery, *, is_admin: bool | None = None) -> Chat:
        """The chat of an update; from RAM alone where it has no row, because the database is away."""
        incoming = delivery.incoming
        if not delivery.holder and (known := self.known(incoming)) is not None:
            chat = Chat(self.runtime, known.viewer, known.conversation_id, known.kept, incoming.place)
        else:
            try:
                chat = await enter(self.runtime, arrival(incoming, is_admin=is_admin), self.timezone)
                self.places.note(chat)
            except DatabaseAway:
                if (known := self.known(incoming)) is None:
                    raise
                self.runtime.outage.notice()
                chat = Chat(self.runtime, known.viewer, known.conversation_id, known.kept, incoming.place)
            else:
                await self._check_place(delivery, chat)
        delivery.viewer, delivery.kept = chat.viewer, chat.kept
        return chat

    async def _check_place(self, delivery: Delivery, chat: Chat) -> None:
        """Who talks in a group's space by themselves is asked after now and then."""
        if delivery.incoming.in_group or chat.is_at_home:
            return
        key, now = (chat.viewer.person, chat.viewer.place), time.monotonic()
        if now - self.checked.get(key, -CHECK_AGAIN) < CHECK_AGAIN:
            return
        await check_role(self.sender, delivery.incoming.user, chat, chat.viewer.place)
        self.checked[key] = now
        if len(self.checked) > MOST_CHECKED:
            del self.checked[next(iter(self.checked))]

    def known(self, incoming: Incoming) -> KnownChat | None:
        """What is known in RAM of a chat. Of one in which nothing is kept that is all there is to know."""
        if (place := self.places.of(incoming.place, incoming.person)) is not None:
            return place
        if not self.places.is_unkept(incoming.place):
            return None
        return KnownChat(Viewer.in_private(self.runtime.settings.tenant, incoming.person), incoming.place, kept=False)
