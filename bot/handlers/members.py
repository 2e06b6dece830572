"""Who leaves a group takes home what they had shared in it; a group that gets another number stays the same space."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.errand import Errand
from db.queries.spaces import move_group, space_of_chat
from db.viewer import Viewer
from memory import spaces

if TYPE_CHECKING:
    from bot.desk import Desk


async def left(desk: "Desk", errand: Errand) -> None:
    """Of somebody who never spoke to us there, there is nothing to take home."""
    memory, owner = desk.house.memory, errand.owner
    async with memory.unit(owner, read_only=True) as unit:
        space = await space_of_chat(unit.session, owner, f"telegram:{errand.incoming.chat}")
    desk.places.leave(f"telegram:{errand.incoming.chat}", errand.incoming.person)
    if space is not None:
        async with memory.unit(replace(owner, space=space)) as unit:
            await spaces.leave(unit)


async def moved(desk: "Desk", errand: Errand) -> None:
    nobody = Viewer.nobody(desk.house.settings.tenant)
    former, present = (f"telegram:{chat}" for chat in (errand.incoming.moved_from, errand.incoming.moved_to))
    async with desk.house.memory.database.transaction(nobody) as session:
        await move_group(session, former, present)
    desk.places.forget(former)
