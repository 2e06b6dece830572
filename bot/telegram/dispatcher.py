"""Dispatches updates: each kind goes to its handler, and what goes wrong becomes a sentence."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.delivery.delivery import Delivery
from bot.delivery.incoming import Incoming, UpdateKind
from bot.language import spoken, texts
from bot.telegram.context import HandlerContext
from bot.telegram.handlers import commands, edited, members, messages, taps
from bot.telegram.sending.answers import lines_answer
from bot.telegram.sending.sender import telegram_away
from memory.errors import DatabaseAway, KeyMissing, Refused, ServerTrouble, WriteRefused

Handler = Callable[[HandlerContext, Delivery], Awaitable[None]]

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Dispatcher(HandlerContext):
    async def handle(self, delivery: Delivery) -> None:
        """Every update leaves here with its answer kept, or needs none."""
        incoming = delivery.incoming
        if not _goes_on_forgetting(incoming):
            self.forgetting.pop(incoming.person, None)
        try:
            with telegram_away():
                await self._handler(incoming)(self, delivery)
        except WriteRefused as trouble:
            log.warning("the database refused something: %s", trouble)
            await self.tell(delivery, texts.WRITE_REFUSED)
        except (KeyMissing, Refused) as trouble:
            await self.tell(delivery, spoken(trouble))
        except (DatabaseAway, ServerTrouble) as trouble:
            log.warning("the database is away: %s", type(trouble).__name__)
            self.runtime.outage.notice()
            if delivery.holder and incoming.command is None:
                raise DatabaseAway("to be taken up again") from trouble
            await delivery.keep(None, lines_answer(delivery, texts.MEMORY_AWAY))

    def _handler(self, incoming: Incoming) -> Handler:
        match incoming.kind:
            case UpdateKind.TAP:
                return taps.tap
            case UpdateKind.EDITED:
                return edited.edited
            case UpdateKind.LEFT:
                return members.left
            case UpdateKind.MOVED:
                return members.moved
            case _ if incoming.command is not None:
                return commands.command
            case _:
                return messages.message

    async def give_up(self, delivery: Delivery) -> None:
        """For an update that broke its handler too often."""
        delivery.answer = lines_answer(delivery, texts.PARKED)


def _goes_on_forgetting(incoming: Incoming) -> bool:
    """Whether this may be the next answer to the questions of `/forget everything`."""
    if incoming.command is not None:
        return incoming.command[0] == "forget"
    return incoming.data.startswith("forget|")
