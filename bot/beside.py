"""What a person is told beside an answer: what was stored meanwhile, what waits for their word, and whose day it is."""

from typing import TYPE_CHECKING

from bot.language import texts
from memory import notices
from memory.unit import Unit

if TYPE_CHECKING:
    from bot.turn import Said


async def tell_beside(unit: Unit, said: "Said") -> None:
    """In the transaction that keeps the answer, so that each thing is told once; aloud nothing is."""
    if unit.viewer.is_aloud:
        return
    told = await notices.tell(unit)
    said.receipts += told.receipts
    said.notices += [texts.REMINDER.format(words=row.words) for row in told.reminders]
    if told.cards:
        said.notices.append(texts.CARDS_WAIT.format(count=told.cards))
