"""Handles edited messages: records a new event that refers to the original. The reply stays as it was."""

import asyncio
from datetime import UTC, datetime

from bot.delivery.delivery import Delivery
from bot.delivery.outgoing import OutgoingAnswer
from bot.telegram.context import HandlerContext
from memory import ActorType, EventKind
from memory.events.posts import event_at
from memory.events.record import EventDraft, prepare, record
from memory.unit import Unit


async def edited(context: HandlerContext, delivery: Delivery) -> None:
    """Record the edit, unless the original was never recorded."""
    incoming = delivery.incoming
    chat = await context.open_chat(delivery)
    if not chat.kept or not incoming.text:
        return

    async def write(unit: Unit) -> None:
        before = await event_at(unit, incoming.place, incoming.message_id)
        if before is None:
            return
        content = {"text": incoming.text, "edits": before, **({"by": incoming.name} if incoming.in_group else {})}
        draft = EventDraft(
            ActorType.HUMAN,
            chat.viewer.person,
            EventKind.MESSAGE,
            content,
            refs=(before,),
            update_id=incoming.update_id,
        )
        now = datetime.now(UTC)
        await record(unit, chat.conversation_id, [await asyncio.to_thread(prepare, draft, now)])
        await delivery.save_answer(unit, OutgoingAnswer())

    await chat.do(write)
