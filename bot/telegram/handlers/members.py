"""Handles people who leave a group, and groups that change their id when they become supergroups."""

from dataclasses import replace

from bot.delivery.delivery import Delivery
from bot.telegram.context import HandlerContext
from memory.people import spaces
from memory.people.groups import move_group, space_of_chat


async def left(context: HandlerContext, delivery: Delivery) -> None:
    """Remove the person from the group's space; the facts that they shared there become private."""
    memory, owner = context.runtime.memory, delivery.owner
    group = delivery.incoming.place_of(delivery.incoming.chat)
    async with memory.unit(owner, read_only=True) as unit:
        space = await space_of_chat(unit, group)
    context.chat_cache.remove_person(group, delivery.incoming.person)
    if space is not None:
        async with memory.unit(replace(owner, space=space)) as unit:
            await spaces.leave_space(unit)


async def moved(context: HandlerContext, delivery: Delivery) -> None:
    former, present = map(delivery.incoming.place_of, (delivery.incoming.moved_from, delivery.incoming.moved_to))
    await move_group(context.runtime.memory, context.runtime.settings.tenant, former, present)
    context.chat_cache.remove(former)
