"""Spaces that a person shares with others: founded, joined, led and left."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from api.review.flash_messages import News
from api.review.forms import Sent
from api.review.rendering import page
from api.review.web_session import Visit, Visiting
from memory import FactRow, ListingSection, MemberRow, Role, SpaceKind, SpaceRow
from memory.errors import NotFound, Refused
from memory.facts.listing import counted, shelf
from memory.people import spaces
from memory.people.spaces import LONGEST_NAME
from memory.translation import spoken

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Shared:
    """A space with who belongs to it and what they share there."""

    space: SpaceRow
    members: Sequence[MemberRow]
    facts: Sequence[FactRow]
    count: int
    """Of all facts that are shared there; a page of them is `facts`."""

    def name(self, person: str) -> str:
        return next((each.name for each in self.members if each.user == person), person)

    @property
    def is_led(self) -> bool:
        """Whether this person may say who belongs to it."""
        return self.space.role == Role.OWNER and not self.is_group

    @property
    def is_group(self) -> bool:
        return self.space.kind == SpaceKind.GROUP


@router.get("/spaces")
async def all_spaces(request: Request, visit: Visiting) -> Response:
    return await _all(request, visit)


@router.get("/spaces/{space_id}")
async def one_space(request: Request, visit: Visiting, space_id: str) -> Response:
    return await _one(request, visit, space_id)


@router.post("/spaces")
async def found(request: Request, visit: Visiting, form: Sent) -> Response:
    try:
        async with visit.unit() as unit:
            space_id = await spaces.found(unit, form.get("name"))
    except Refused as refusal:
        return await _all(request, visit, name=form.get("name"), name_wrong=spoken(refusal))
    return visit.lead(f"/spaces/{space_id}", News("space_founded"))


@router.post("/spaces/join")
async def join(request: Request, visit: Visiting, form: Sent) -> Response:
    try:
        async with visit.unit() as unit:
            space_id = await spaces.join(unit, form.get("code"))
    except NotFound as refusal:
        return await _all(request, visit, code_wrong=spoken(refusal))
    return visit.lead(f"/spaces/{space_id}", News("space_joined"))


@router.post("/spaces/{space_id}/invite")
async def invite(request: Request, visit: Visiting, form: Sent, space_id: str) -> Response:
    """The code is in this answer and nowhere else, so the answer is the page itself."""
    await _mine(visit, space_id)
    async with visit.unit(space=space_id) as unit:
        code = await spaces.invite(unit)
    return await _one(request, visit, space_id, code)


@router.post("/spaces/{space_id}/leave")
async def leave(visit: Visiting, form: Sent, space_id: str) -> Response:
    space = await _mine(visit, space_id)
    if space.kind == SpaceKind.GROUP:
        raise NotFound
    async with visit.unit(space=space_id) as unit:
        await spaces.leave(unit)
    return visit.lead("/spaces", News("space_left"))


@router.post("/spaces/{space_id}/remove")
async def remove(visit: Visiting, form: Sent, space_id: str) -> Response:
    await _mine(visit, space_id)
    async with visit.unit(space=space_id) as unit:
        await spaces.remove(unit, form.get("member"))
    return visit.lead(f"/spaces/{space_id}", News("member_removed"))


@router.post("/spaces/{space_id}/owner")
async def make_owner(visit: Visiting, form: Sent, space_id: str) -> Response:
    await _mine(visit, space_id)
    async with visit.unit(space=space_id) as unit:
        await spaces.make_owner(unit, form.get("member"))
    return visit.lead(f"/spaces/{space_id}", News("member_owns"))


async def _all(
    request: Request, visit: Visit, *, name: str = "", name_wrong: str = "", code_wrong: str = ""
) -> Response:
    """All of them; a name that was not taken stands there again, with why."""
    async with visit.unit(read_only=True) as unit:
        mine = await spaces.shared(unit)
    refused = name_wrong or code_wrong
    return page(
        request,
        visit,
        "spaces.html",
        section="spaces",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK,
        spaces=[await _counted(visit, space) for space in mine],
        longest_name=LONGEST_NAME,
        entered=name,
        name_wrong=name_wrong,
        code_wrong=code_wrong,
    )


async def _one(request: Request, visit: Visit, space_id: str, code: str = "") -> Response:
    shared = await _shared(visit, await _mine(visit, space_id))
    days = visit.runtime.memory.limits.invitations / timedelta(days=1)
    return page(request, visit, "space.html", section="spaces", shared=shared, code=code, days=f"{days:g}")


async def _counted(visit: Visit, space: SpaceRow) -> Shared:
    async with visit.unit(space=space.id, read_only=True) as unit:
        return Shared(space, await spaces.members(unit), (), await counted(unit))


async def _shared(visit: Visit, space: SpaceRow) -> Shared:
    async with visit.unit(space=space.id, read_only=True) as unit:
        members, held = await spaces.members(unit), await shelf(unit, ListingSection())
    return Shared(space, members, held.rows, sum(held.counts.values()))


async def _mine(visit: Visit, space_id: str) -> SpaceRow:
    """A shared space that this person belongs to."""
    async with visit.unit(read_only=True) as unit:
        found = next((each for each in await spaces.shared(unit) if each.id == space_id), None)
    if found is None:
        raise NotFound
    return found
