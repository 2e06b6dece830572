"""A message that was changed: a new event that refers to the old one. What was answered stays answered."""

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.errand import Errand
from bot.outgoing import Answer
from db.queries.posts import event_at
from db.vocabulary import ActorType, EventKind
from memory.record import Draft, prepare, record
from memory.unit import Unit

if TYPE_CHECKING:
    from bot.desk import Desk


async def edited(desk: "Desk", errand: Errand) -> None:
    """Of what was never written down, no change is either."""
    incoming = errand.incoming
    chat = await desk.enter(errand)
    if not chat.kept or not incoming.text:
        return

    async def write(unit: Unit) -> None:
        before = await event_at(unit.session, unit.viewer, incoming.place, incoming.message_id)
        if before is None:
            return
        content = {"text": incoming.text, "edits": before, **({"by": incoming.name} if incoming.in_group else {})}
        draft = Draft(
            ActorType.HUMAN,
            chat.viewer.person,
            EventKind.MESSAGE,
            content,
            refs=(before,),
            update_id=incoming.update_id,
        )
        now = datetime.now(UTC)
        await record(unit, chat.conversation_id, [await asyncio.to_thread(prepare, draft, now)])
        await errand.keep(unit, Answer())

    await chat.do(write)
