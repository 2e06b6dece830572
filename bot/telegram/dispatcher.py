"""Passes each update to the handler for its kind, and turns errors into sentences for the user."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.delivery.delivery import Delivery
from bot.delivery.incoming import Incoming, UpdateKind
from bot.language import texts, translate_error
from bot.telegram.context import HandlerContext
from bot.telegram.handlers import buttons, commands, edited, members, messages
from bot.telegram.sending.answers import text_answer
from bot.telegram.sending.sender import telegram_away
from memory.errors import DatabaseAway, EmbeddedServerError, KeyMissing, Refused, WriteRefused

Handler = Callable[[HandlerContext, Delivery], Awaitable[None]]

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Dispatcher(HandlerContext):
    async def handle(self, delivery: Delivery) -> None:
        """Handle the update and store its answer, if it needs one."""
        incoming = delivery.incoming
        if not _continues_forget_dialog(incoming):
            self.forget_dialogs.pop(incoming.person, None)
        try:
            with telegram_away():
                await self._handler(incoming)(self, delivery)
        except WriteRefused as trouble:
            log.warning("the database rejected a write: %s", trouble)
            await self.answer_with(delivery, texts.MEMORY_REFUSED_WRITE)
        except (KeyMissing, Refused) as trouble:
            await self.answer_with(delivery, translate_error(trouble))
        except (DatabaseAway, EmbeddedServerError) as trouble:
            log.warning("the database is away: %s", type(trouble).__name__)
            self.runtime.outage.report()
            if delivery.holder and incoming.command is None:
                raise DatabaseAway("to be retried") from trouble
            await delivery.save_answer(None, text_answer(delivery, texts.MEMORY_AWAY))

    def _handler(self, incoming: Incoming) -> Handler:
        match incoming.kind:
            case UpdateKind.BUTTON:
                return buttons.press
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
        """Answer an update whose handler failed too often."""
        delivery.answer = text_answer(delivery, texts.MESSAGE_GIVEN_UP)


def _continues_forget_dialog(incoming: Incoming) -> bool:
    """Whether this may be the next step of `/forget everything`."""
    if incoming.command is not None:
        return incoming.command[0] == "forget"
    return incoming.data.startswith("forget|")
