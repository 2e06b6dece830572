"""Who leaves a group takes home what they had shared in it; a group that gets another number stays the same space."""

from dataclasses import replace

from bot.delivery.delivery import Delivery
from bot.telegram.context import HandlerContext
from memory.people import spaces
from memory.people.groups import move_group, space_of_chat


async def left(context: HandlerContext, delivery: Delivery) -> None:
    """Of somebody who never spoke to us there, there is nothing to take home."""
    memory, owner = context.runtime.memory, delivery.owner
    async with memory.unit(owner, read_only=True) as unit:
        space = await space_of_chat(unit, delivery.incoming.place_of(delivery.incoming.chat))
    context.places.leave(delivery.incoming.place_of(delivery.incoming.chat), delivery.incoming.person)
    if space is not None:
        async with memory.unit(replace(owner, space=space)) as unit:
            await spaces.leave(unit)


async def moved(context: HandlerContext, delivery: Delivery) -> None:
    former, present = map(delivery.incoming.place_of, (delivery.incoming.moved_from, delivery.incoming.moved_to))
    await move_group(context.runtime.memory, context.runtime.settings.tenant, former, present)
    context.places.forget(former)
