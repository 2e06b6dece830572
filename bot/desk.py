"""Where updates are dealt with: each kind goes to its handler, and what goes wrong becomes a sentence."""

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from telegram import User

from bot.commands.privacy import Forgetting
from bot.errand import Errand
from bot.handlers import commands, edited, members, messages, taps
from bot.identity import Place, Places, enter
from bot.incoming import Incoming, Kind
from bot.language import spoken, texts
from bot.sending import lines_answer
from bot.turn import Chat
from db.viewer import Viewer
from memory.errors import DatabaseAway, KeyMissing, Refused, ServerTrouble, WriteRefused
from memory.wiring import House

CHECK_AGAIN = 300.0  # seconds
MOST_CHECKED = 1_000

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Desk:
    house: House
    me: User
    places: Places
    timezone: str
    forgetting: dict[str, Forgetting] = field(default_factory=dict)
    """Who was asked whether everything shall be forgotten: only a yes in direct succession counts."""
    checked: dict[tuple[str, str], float] = field(default_factory=dict)
    """When Telegram was last asked whether somebody is still in the group in whose space they talk."""

    async def handle(self, errand: Errand) -> None:
        """Every update leaves here with its answer kept, or needs none."""
        incoming = errand.incoming
        if not _goes_on_forgetting(incoming):
            self.forgetting.pop(incoming.person, None)
        try:
            await self._handler(incoming)(self, errand)
        except WriteRefused as trouble:
            log.warning("the database refused something: %s", trouble)
            await self.tell(errand, texts.WRITE_REFUSED)
        except (KeyMissing, Refused) as trouble:
            await self.tell(errand, spoken(trouble))
        except (DatabaseAway, ServerTrouble) as trouble:
            log.warning("the database is away: %s", type(trouble).__name__)
            self.house.outage.notice()
            if errand.holder and incoming.command is None:
                raise DatabaseAway("to be taken up again") from trouble
            await errand.keep(None, lines_answer(errand, texts.MEMORY_AWAY))

    def _handler(self, incoming: Incoming) -> "Callable[[Desk, Errand], Awaitable[None]]":
        match incoming.kind:
            case Kind.TAP:
                return taps.tap
            case Kind.EDITED:
                return edited.edited
            case Kind.LEFT:
                return members.left
            case Kind.MOVED:
                return members.moved
            case _ if incoming.command is not None:
                return commands.command
            case _:
                return messages.message

    async def tell(self, errand: Errand, text: str) -> None:
        """A line of the program's own, kept until it is sent."""
        answer = lines_answer(errand, text)
        if errand.incoming.query_id:
            answer = answer.model_copy(update={"query_id": errand.incoming.query_id})
        try:
            async with self.house.memory.unit(errand.owner) as unit:
                await errand.keep(unit, answer)
        except DatabaseAway:
            await errand.keep(None, answer)

    async def give_up(self, errand: Errand) -> None:
        """For an update that broke its handler too often."""
        errand.answer = lines_answer(errand, texts.PARKED)

    async def enter(self, errand: Errand, *, is_admin: bool | None = None) -> Chat:
        """The chat of an update; from RAM alone where it has no row, because the database is away."""
        incoming = errand.incoming
        if not errand.holder and (known := self.known(incoming)) is not None:
            chat = Chat(self.house, known.viewer, known.conversation_id, known.kept, incoming.place)
        else:
            try:
                chat = await enter(self.house, incoming, self.timezone, is_admin=is_admin)
                self.places.note(chat)
            except DatabaseAway:
                if (known := self.known(incoming)) is None:
                    raise
                self.house.outage.notice()
                chat = Chat(self.house, known.viewer, known.conversation_id, known.kept, incoming.place)
            else:
                await self._check_place(errand, chat)
        errand.viewer, errand.kept = chat.viewer, chat.kept
        return chat

    async def _check_place(self, errand: Errand, chat: Chat) -> None:
        """Who talks in a group's space by themselves is asked after now and then."""
        if errand.incoming.in_group or chat.is_at_home:
            return
        key, now = (chat.viewer.person, chat.viewer.place), time.monotonic()
        if now - self.checked.get(key, -CHECK_AGAIN) < CHECK_AGAIN:
            return
        await commands.check_role(errand, chat, chat.viewer.place)
        self.checked[key] = now
        if len(self.checked) > MOST_CHECKED:
            del self.checked[next(iter(self.checked))]

    def known(self, incoming: Incoming) -> Place | None:
        """What is known in RAM of a chat. In a private one that is all there is to know."""
        if (place := self.places.of(incoming.place, incoming.person)) is not None:
            return place
        if not self.places.is_private(incoming.place):
            return None
        return Place(Viewer.in_private(self.house.settings.tenant, incoming.person), incoming.place, kept=False)


def _goes_on_forgetting(incoming: Incoming) -> bool:
    """Whether this may be the next answer to the questions of `/forget everything`."""
    if incoming.command is not None:
        return incoming.command[0] == "forget"
    return incoming.data.startswith("forget|")
