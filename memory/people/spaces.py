"""Shared spaces: creating, inviting, joining, leaving and managing members. A group chat is one, too."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from db.ids import timed_id
from db.queries.people import spaces as queries
from db.queries.people.spaces import MemberRow, SpaceRow
from db.queries.privacy.audit import note
from db.vocabulary import Role, Sensitivity, SpaceKind
from memory.cleaning import visible
from memory.errors import NotFound, Refused
from memory.privacy.classify import classify
from memory.privacy.redaction import redact
from memory.refusals import Refusal
from memory.unit import Unit

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class NewInvitation:
    """Lets one person into a space, once, until it expires."""

    code: str
    expires_at: datetime


class SpaceGone(Refused):
    def __init__(self) -> None:
        super().__init__(Refusal.SPACE_LEFT)


async def create_space(unit: Unit, name: str) -> str:
    """Create a named space owned by the viewer, and return its id."""
    subject = visible(name)
    if not 1 <= len(subject) <= LONGEST_NAME:
        raise Refused(Refusal.SPACE_NAME, most=LONGEST_NAME)
    if redact(subject).kinds or classify(subject) == Sensitivity.HIGH:
        raise Refused(Refusal.SPACE_NAME_SENSITIVE)
    space_id = timed_id("spc", unit.now)
    await queries.found_space(
        unit.session, unit.viewer, space_id=space_id, kind=SpaceKind.NAMED, subject=subject, now=unit.now
    )
    await note(unit.session, unit.viewer, "founded", space_id, unit.now)
    return space_id


async def own_spaces(unit: Unit) -> Sequence[SpaceRow]:
    return await queries.spaces_of(unit.session, unit.viewer)


async def shared_spaces(unit: Unit) -> list[SpaceRow]:
    """List the viewer's spaces, except the personal one."""
    return [space for space in await own_spaces(unit) if space.kind != SpaceKind.PERSONAL]


def find_space(spaces: Sequence[SpaceRow], name: str) -> SpaceRow:
    """Find a shared space by name or id. Where two have the same name, only the id will do."""
    found = [space for space in spaces if space.kind != SpaceKind.PERSONAL and name in {space.subject, space.id}]
    if len(found) != 1:
        raise NotFound(Refusal.SPACE_AMBIGUOUS)
    return found[0]


async def members(unit: Unit) -> Sequence[MemberRow]:
    """List the members of the viewer's space."""
    return await queries.members_here(unit.session, unit.viewer)


async def member_names(unit: Unit) -> dict[str, str]:
    """Map the members of the viewer's space to their names."""
    return {each.user: each.name for each in await members(unit)}


async def invite(unit: Unit) -> NewInvitation:
    """Create an invitation to the viewer's space for one person. Its code cannot be shown again."""
    await _ensure_owner(unit)
    invitation = NewInvitation(secrets.token_urlsafe(16), unit.now + unit.limits.invitations)
    await queries.add_invitation(
        unit.session,
        unit.viewer,
        invitation_id=timed_id("inv", unit.now),
        hash=_hash(invitation.code),
        expires_at=invitation.expires_at,
        now=unit.now,
    )
    await note(unit.session, unit.viewer, "invited", unit.viewer.place, unit.now)
    return invitation


async def join_space(unit: Unit, code: str) -> str:
    """Join a space with an invitation code, and return its id."""
    space_id = await queries.accept_invitation(unit.session, _hash(code.strip()), unit.now)
    if space_id is None:
        raise NotFound(Refusal.INVITATION_NOT_FOUND)
    await note(unit.session, unit.viewer, "joined", space_id, unit.now)
    return space_id


async def leave_space(unit: Unit) -> None:
    """Leave the viewer's space. The facts they shared there become private again."""
    if not await queries.remove_member(unit.session, unit.viewer, unit.viewer.person):
        raise NotFound(Refusal.SPACE_NOT_FOUND)
    await note(unit.session, unit.viewer, "left", unit.viewer.place, unit.now)


async def remove_member(unit: Unit, user: str) -> None:
    """Remove another member. Only an owner can."""
    await _ensure_owner(unit)
    if user == unit.viewer.person or not await queries.remove_member(unit.session, unit.viewer, user):
        raise NotFound(Refusal.MEMBER_NOT_FOUND)
    await note(unit.session, unit.viewer, "removed", unit.viewer.place, unit.now)


async def make_owner(unit: Unit, user: str) -> None:
    await _ensure_owner(unit)
    if not await queries.appoint(unit.session, unit.viewer, user, Role.OWNER):
        raise NotFound(Refusal.MEMBER_NOT_FOUND)
    await note(unit.session, unit.viewer, "appointed", unit.viewer.place, unit.now)


async def _ensure_owner(unit: Unit) -> None:
    """Refuse with a clear message what the database would refuse."""
    here = next((space for space in await own_spaces(unit) if space.id == unit.viewer.place), None)
    if here is None or here.kind == SpaceKind.PERSONAL or here.role != Role.OWNER:
        raise Refused(Refusal.OWNERS_ONLY)
    if here.kind == SpaceKind.GROUP:
        raise Refused(Refusal.GROUP_MEMBERS)


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
