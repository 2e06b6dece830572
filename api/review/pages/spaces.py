"""Shared spaces: create, join, manage members, leave."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from api.review.flash_messages import FlashMessage
from api.review.forms import VerifiedForm
from api.review.rendering import page
from api.review.web_session import CurrentSession, ReviewSession
from memory import FactRow, ListingSection, MemberRow, Role, SpaceKind, SpaceRow
from memory.errors import NotFound, Refused, translate_error
from memory.facts.listing import count_facts, fact_page
from memory.people import spaces
from memory.people.spaces import LONGEST_NAME

router = APIRouter()


@dataclass(frozen=True, slots=True)
class SpaceView:
    """A space with its members and the first page of its shared facts."""

    space: SpaceRow
    members: Sequence[MemberRow]
    facts: Sequence[FactRow]
    count: int
    """How many facts are shared there in all."""

    def name(self, person: str) -> str:
        return next((each.name for each in self.members if each.user == person), person)

    @property
    def is_led(self) -> bool:
        """Whether this person may manage the members."""
        return self.space.role == Role.OWNER and not self.is_group

    @property
    def is_group(self) -> bool:
        return self.space.kind == SpaceKind.GROUP


@router.get("/spaces")
async def all_spaces(request: Request, session: CurrentSession) -> Response:
    return await _spaces_page(request, session)


@router.get("/spaces/{space_id}")
async def one_space(request: Request, session: CurrentSession, space_id: str) -> Response:
    return await _space_page(request, session, space_id)


@router.post("/spaces")
async def create(request: Request, session: CurrentSession, form: VerifiedForm) -> Response:
    try:
        async with session.unit() as unit:
            space_id = await spaces.create_space(unit, form.get("name"))
    except Refused as refusal:
        return await _spaces_page(request, session, name=form.get("name"), name_wrong=translate_error(refusal))
    return session.redirect(f"/spaces/{space_id}", FlashMessage("space_founded"))


@router.post("/spaces/join")
async def join(request: Request, session: CurrentSession, form: VerifiedForm) -> Response:
    try:
        async with session.unit() as unit:
            space_id = await spaces.join_space(unit, form.get("code"))
    except NotFound as refusal:
        return await _spaces_page(request, session, code_wrong=translate_error(refusal))
    return session.redirect(f"/spaces/{space_id}", FlashMessage("space_joined"))


@router.post("/spaces/{space_id}/invite")
async def invite(request: Request, session: CurrentSession, form: VerifiedForm, space_id: str) -> Response:
    """Create an invitation. The code is shown in this response only, so there is no redirect."""
    await _own_space(session, space_id)
    async with session.unit(space=space_id) as unit:
        invitation = await spaces.invite(unit)
    return await _space_page(request, session, space_id, invitation)


@router.post("/spaces/{space_id}/leave")
async def leave(session: CurrentSession, form: VerifiedForm, space_id: str) -> Response:
    space = await _own_space(session, space_id)
    if space.kind == SpaceKind.GROUP:
        raise NotFound
    async with session.unit(space=space_id) as unit:
        await spaces.leave_space(unit)
    return session.redirect("/spaces", FlashMessage("space_left"))


@router.post("/spaces/{space_id}/remove")
async def remove(session: CurrentSession, form: VerifiedForm, space_id: str) -> Response:
    await _own_space(session, space_id)
    async with session.unit(space=space_id) as unit:
        await spaces.remove_member(unit, form.get("member"))
    return session.redirect(f"/spaces/{space_id}", FlashMessage("member_removed"))


@router.post("/spaces/{space_id}/owner")
async def make_owner(session: CurrentSession, form: VerifiedForm, space_id: str) -> Response:
    await _own_space(session, space_id)
    async with session.unit(space=space_id) as unit:
        await spaces.make_owner(unit, form.get("member"))
    return session.redirect(f"/spaces/{space_id}", FlashMessage("member_owns"))


async def _spaces_page(
    request: Request, session: ReviewSession, *, name: str = "", name_wrong: str = "", code_wrong: str = ""
) -> Response:
    """Render the list of spaces. Rejected input is shown again with the reason."""
    async with session.unit(read_only=True) as unit:
        own_spaces = await spaces.shared_spaces(unit)
    refused = name_wrong or code_wrong
    return page(
        request,
        session,
        "spaces.html",
        section="spaces",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK,
        spaces=[await _space_summary(session, space) for space in own_spaces],
        longest_name=LONGEST_NAME,
        entered=name,
        name_wrong=name_wrong,
        code_wrong=code_wrong,
    )


async def _space_page(
    request: Request, session: ReviewSession, space_id: str, invitation: spaces.NewInvitation | None = None
) -> Response:
    shared = await _space_view(session, await _own_space(session, space_id))
    return page(request, session, "space.html", section="spaces", shared=shared, invitation=invitation)


async def _space_summary(session: ReviewSession, space: SpaceRow) -> SpaceView:
    async with session.unit(space=space.id, read_only=True) as unit:
        return SpaceView(space, await spaces.members(unit), (), await count_facts(unit))


async def _space_view(session: ReviewSession, space: SpaceRow) -> SpaceView:
    async with session.unit(space=space.id, read_only=True) as unit:
        members, facts = await spaces.members(unit), await fact_page(unit, ListingSection())
    return SpaceView(space, members, facts.rows, sum(facts.counts.values()))


async def _own_space(session: ReviewSession, space_id: str) -> SpaceRow:
    """Return a shared space of this person. Raises `NotFound`."""
    async with session.unit(read_only=True) as unit:
        space = next((each for each in await spaces.shared_spaces(unit) if each.id == space_id), None)
    if space is None:
        raise NotFound
    return space
