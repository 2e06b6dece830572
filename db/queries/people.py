"""Users and their personal spaces."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Space, SpaceMember, User
from db.viewer import Viewer
from db.vocabulary import Role, SpaceKind


async def welcome(session: AsyncSession, viewer: Viewer, *, name: str, timezone: str, now: datetime) -> None:
    """Know this person and their personal space from now on; who is known already stays as they are."""
    key = {"tenant_id": viewer.tenant}
    await session.execute(
        insert(User)
        .values(**key, id=viewer.person, name=name, timezone=timezone, created_at=now)
        .on_conflict_do_nothing()
    )
    await session.execute(
        insert(Space)
        .values(**key, id=viewer.place, kind=SpaceKind.PERSONAL, created_by=viewer.person, created_at=now)
        .on_conflict_do_nothing()
    )
    await session.execute(
        insert(SpaceMember)
        .values(**key, space_id=viewer.place, user_id=viewer.person, role=Role.OWNER, joined_at=now)
        .on_conflict_do_nothing()
    )


async def timezone_of(session: AsyncSession, viewer: Viewer) -> str:
    found = await session.execute(
        select(User.timezone).where(User.tenant_id == viewer.tenant, User.id == viewer.person)
    )
    return found.scalar_one()
