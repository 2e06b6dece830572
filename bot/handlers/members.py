"""Who leaves a group takes home what they had shared in it; a group that gets another number stays the same space."""

from typing import TYPE_CHECKING

from bot.errand import Errand
from db.queries.people import is_known
from db.queries.spaces import move_group
from db.viewer import Viewer
from db.vocabulary import Channel
from memory import spaces
from memory.errors import NotFound

if TYPE_CHECKING:
    from bot.desk import Desk


async def left(desk: "Desk", errand: Errand) -> None:
    async with desk.house.memory.unit(errand.owner, read_only=True) as unit:
        if not await is_known(unit.session, errand.owner):
            return
    chat = await desk.enter(errand)
    try:
        await chat.do(spaces.leave)
    except NotFound:
        return


async def moved(desk: "Desk", errand: Errand) -> None:
    nobody = Viewer(desk.house.settings.tenant, None, None, Channel.PRIVATE)
    former, present = errand.incoming.chat, errand.incoming.moved_to
    async with desk.house.memory.database.transaction(nobody) as session:
        await move_group(session, f"telegram:{former}", f"telegram:{present}")
