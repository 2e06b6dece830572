"""Shared spaces, their members, and invitations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Boolean, bindparam, delete, func, insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Invitation, Space, SpaceMember
from db.viewer import Viewer
from db.vocabulary import Role, SpaceKind


@dataclass(frozen=True, slots=True)
class SpaceRow:
    id: str
    kind: SpaceKind
    subject: str
    role: Role


@dataclass(frozen=True, slots=True)
class MemberRow:
    user: str
    name: str
    role: Role
    joined_at: datetime


async def found_space(
    session: AsyncSession, viewer: Viewer, *, space_id: str, kind: SpaceKind, subject: str, now: datetime
) -> None:
    """Create a space with the viewer as its first owner."""
    await session.execute(
        insert(Space).values(
            tenant_id=viewer.tenant, id=space_id, kind=kind, subject=subject, created_by=viewer.person, created_at=now
        )
    )
    await session.execute(
        insert(SpaceMember).values(
            tenant_id=viewer.tenant, space_id=space_id, user_id=viewer.person, role=Role.OWNER, joined_at=now
        )
    )


async def spaces_of(session: AsyncSession, viewer: Viewer) -> Sequence[SpaceRow]:
    """The viewer's spaces, in the order in which they joined them."""
    rows = await session.execute(
        select(Space.id, Space.kind, Space.subject, SpaceMember.role)
        .join(SpaceMember, (SpaceMember.tenant_id == Space.tenant_id) & (SpaceMember.space_id == Space.id))
        .where(Space.tenant_id == viewer.tenant, SpaceMember.user_id == viewer.person)
        .order_by(SpaceMember.joined_at, Space.id)
    )
    return [SpaceRow(id, SpaceKind(kind), subject, Role(role)) for id, kind, subject, role in rows]


async def subject_here(session: AsyncSession, viewer: Viewer) -> str:
    """The person or topic that the viewer's space is about; empty for a personal space."""
    query = select(Space.subject).where(
        Space.tenant_id == viewer.tenant, Space.id == viewer.space, Space.kind != SpaceKind.PERSONAL
    )
    return (await session.execute(query)).scalar_one_or_none() or ""


async def members_here(session: AsyncSession, viewer: Viewer) -> Sequence[MemberRow]:
    names = func.wall.names_here().table_valued("user_id", "name")
    rows = await session.execute(
        select(SpaceMember.user_id, names.c.name, SpaceMember.role, SpaceMember.joined_at)
        .join(names, names.c.user_id == SpaceMember.user_id)
        .where(SpaceMember.tenant_id == viewer.tenant, SpaceMember.space_id == viewer.place)
        .order_by(SpaceMember.joined_at, SpaceMember.user_id)
    )
    return [MemberRow(user, name or user, Role(role), joined) for user, name, role, joined in rows]


async def add_invitation(
    session: AsyncSession, viewer: Viewer, *, invitation_id: str, hash: bytes, expires_at: datetime, now: datetime
) -> None:
    await session.execute(
        insert(Invitation).values(
            tenant_id=viewer.tenant,
            id=invitation_id,
            space_id=viewer.place,
            user_id=viewer.person,
            hash=hash,
            expires_at=expires_at,
            created_at=now,
        )
    )


async def accept_invitation(session: AsyncSession, hash: bytes, now: datetime) -> str | None:
    """Join the space of this code and return its id. None if the code is not valid, or the viewer is in it already."""
    result = await session.execute(text("SELECT wall.accept_invitation(:hash, :now)").bindparams(hash=hash, now=now))
    space: str | None = result.scalar_one()
    return space


async def remove_member(session: AsyncSession, viewer: Viewer, user: str) -> bool:
    """End a membership in the viewer's space: the viewer's own or, as an owner, another member's. The lock keeps the
    last two owners from leaving at once."""
    await session.execute(
        select(func.pg_advisory_xact_lock(func.hashtextextended(f"{viewer.tenant} {viewer.place}", 0)))
    )
    gone = await session.execute(
        delete(SpaceMember)
        .where(
            SpaceMember.tenant_id == viewer.tenant,
            SpaceMember.space_id == viewer.place,
            SpaceMember.user_id == user,
        )
        .returning(SpaceMember.user_id)
    )
    return gone.first() is not None


async def appoint(session: AsyncSession, viewer: Viewer, user: str, role: Role) -> bool:
    changed = await session.execute(
        update(SpaceMember)
        .where(
            SpaceMember.tenant_id == viewer.tenant,
            SpaceMember.space_id == viewer.place,
            SpaceMember.user_id == user,
        )
        .values(role=role)
        .returning(SpaceMember.user_id)
    )
    return changed.first() is not None


async def enter_group(
    session: AsyncSession, *, chat: str, new_id: str, called: str, is_admin: bool | None, now: datetime
) -> tuple[str, str]:
    """Make the viewer a member of a group chat's space, and return that space and its channel. The first member creates
    it. `is_admin` is None if the front end has not checked."""
    query = text("SELECT space_id, channel FROM wall.enter_group(:chat, :new_id, :called, :is_admin, :now)")
    result = await session.execute(
        query.bindparams(bindparam("is_admin", is_admin, Boolean), chat=chat, new_id=new_id, called=called, now=now)
    )
    space, channel = result.one()
    return space, channel


async def space_of_chat(session: AsyncSession, viewer: Viewer, chat: str) -> str | None:
    """The space of a group chat, if the viewer is a member."""
    query = (
        select(Space.id)
        .join(SpaceMember, (SpaceMember.tenant_id == Space.tenant_id) & (SpaceMember.space_id == Space.id))
        .where(Space.tenant_id == viewer.tenant, Space.chat == chat, SpaceMember.user_id == viewer.person)
    )
    return (await session.execute(query)).scalar_one_or_none()


async def chat_of_space(session: AsyncSession, viewer: Viewer) -> str | None:
    """The group chat of the viewer's space, if it has one."""
    query = select(Space.chat).where(Space.tenant_id == viewer.tenant, Space.id == viewer.place)
    return (await session.execute(query)).scalar_one_or_none()


async def choose_channel(session: AsyncSession, channel: str) -> bool:
    """Set how private the viewer's group is. Only those who run the group may."""
    query = text("SELECT wall.choose_channel(:channel)").bindparams(channel=channel)
    return bool((await session.execute(query)).scalar_one())


async def move_group(session: AsyncSession, former: str, present: str) -> bool:
    """Move a group to its new chat number. For `Viewer.nobody`."""
    query = text("SELECT wall.move_group(:former, :present)").bindparams(former=former, present=present)
    return bool((await session.execute(query)).scalar_one())
