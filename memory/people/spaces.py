"""Spaces that people share: founded, joined by invitation, left; a group chat is one too."""

import secrets
from collections.abc import Sequence
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
from memory.unit import Unit

LONGEST_NAME = 100


class SpaceGone(Refused):
    def __init__(self) -> None:
        super().__init__("You are no longer in that space, so we are by ourselves again. I did not keep that message.")


async def found(unit: Unit, name: str) -> str:
    """A named space with the viewer as its owner; gives its id."""
    subject = visible(name)
    if not 1 <= len(subject) <= LONGEST_NAME:
        raise Refused("A space needs a name of 1 to {most} characters.", most=LONGEST_NAME)
    if redact(subject).kinds or classify(subject) == Sensitivity.HIGH:
        raise Refused("A name is read by everybody who joins; leave out what is secret or sensitive.")
    space_id = timed_id("spc", unit.now)
    await queries.found_space(
        unit.session, unit.viewer, space_id=space_id, kind=SpaceKind.NAMED, subject=subject, now=unit.now
    )
    await note(unit.session, unit.viewer, "founded", space_id, unit.now)
    return space_id


async def mine(unit: Unit) -> Sequence[SpaceRow]:
    return await queries.spaces_of(unit.session, unit.viewer)


async def shared(unit: Unit) -> list[SpaceRow]:
    """Those of the viewer's in which there may be others."""
    return [space for space in await mine(unit) if space.kind != SpaceKind.PERSONAL]


def named(spaces: Sequence[SpaceRow], name: str) -> SpaceRow:
    """The space of this name or id among one's own; of two with one name, the id tells which."""
    found = [space for space in spaces if space.kind != SpaceKind.PERSONAL and name in {space.subject, space.id}]
    if len(found) != 1:
        raise NotFound("You are in no such space, or in two of that name. /space lists them with their ids.")
    return found[0]


async def members(unit: Unit) -> Sequence[MemberRow]:
    """Who belongs to the viewer's space."""
    return await queries.members_here(unit.session, unit.viewer)


async def names(unit: Unit) -> dict[str, str]:
    """What they are called who belong to the viewer's space."""
    return {each.user: each.name for each in await members(unit)}


async def invite(unit: Unit) -> str:
    """A code that lets one person into the viewer's space, once. It is shown now and never again."""
    await _ensure_owner(unit)
    code = secrets.token_urlsafe(16)
    await queries.add_invitation(
        unit.session,
        unit.viewer,
        invitation_id=timed_id("inv", unit.now),
        hash=_hash(code),
        expires_at=unit.now + unit.limits.invitations,
        now=unit.now,
    )
    await note(unit.session, unit.viewer, "invited", unit.viewer.place, unit.now)
    return code


async def join(unit: Unit, code: str) -> str:
    """Enter by a code; gives the id of the space."""
    space_id = await queries.accept_invitation(unit.session, _hash(code.strip()), unit.now)
    if space_id is None:
        raise NotFound("That invitation opens nothing. It may be used, expired or mistyped.")
    await note(unit.session, unit.viewer, "joined", space_id, unit.now)
    return space_id


async def leave(unit: Unit) -> None:
    """Leave the viewer's space. What they shared there becomes private again."""
    if not await queries.remove_member(unit.session, unit.viewer, unit.viewer.person):
        raise NotFound("You are in no such space.")
    await note(unit.session, unit.viewer, "left", unit.viewer.place, unit.now)


async def remove(unit: Unit, user: str) -> None:
    """As an owner, end another's membership."""
    await _ensure_owner(unit)
    if user == unit.viewer.person or not await queries.remove_member(unit.session, unit.viewer, user):
        raise NotFound("There is no such member.")
    await note(unit.session, unit.viewer, "removed", unit.viewer.place, unit.now)


async def make_owner(unit: Unit, user: str) -> None:
    await _ensure_owner(unit)
    if not await queries.appoint(unit.session, unit.viewer, user, Role.OWNER):
        raise NotFound("There is no such member.")
    await note(unit.session, unit.viewer, "appointed", unit.viewer.place, unit.now)


async def _ensure_owner(unit: Unit) -> None:
    """A clear word before the database's own no."""
    here = next((space for space in await mine(unit) if space.id == unit.viewer.place), None)
    if here is None or here.kind == SpaceKind.PERSONAL or here.role != Role.OWNER:
        raise Refused("Only an owner of a shared space can do that.")
    if here.kind == SpaceKind.GROUP:
        raise Refused("A group is a space of its own: its members are those of the group, and so are its owners.")


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
