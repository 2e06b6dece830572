"""Links to the review page, and the sessions they become."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import WebSession
from db.viewer import Viewer


@dataclass(frozen=True, slots=True)
class SessionRow:
    id: str
    created_at: datetime
    expires_at: datetime


async def add_session(
    session: AsyncSession, viewer: Viewer, *, id: str, hash: bytes | None, expires_at: datetime, now: datetime
) -> None:
    """Add a session of the viewer. Without a hash it is a link."""
    await session.execute(
        insert(WebSession).values(
            tenant_id=viewer.tenant, id=id, user_id=viewer.person, hash=hash, created_at=now, expires_at=expires_at
        )
    )


async def open_link(session: AsyncSession, link: str, hash: bytes, *, now: datetime, until: datetime) -> str | None:
    """Turn a link into a session and return its user. None if the link is not valid. For `Viewer.nobody`."""
    query = text("SELECT wall.open_link(:link, :hash, :now, :until)")
    user: str | None = (
        await session.execute(query.bindparams(link=link, hash=hash, now=now, until=until))
    ).scalar_one()
    return user


async def session_of(session: AsyncSession, hash: bytes, now: datetime) -> tuple[str, str] | None:
    """The id and user of a session. For `Viewer.nobody`."""
    query = text("SELECT id, user_id FROM wall.session_of(:hash, :now)").bindparams(hash=hash, now=now)
    row = (await session.execute(query)).one_or_none()
    return None if row is None else (row[0], row[1])


async def has_session(session: AsyncSession, viewer: Viewer, id: str) -> bool:
    """True if this link or session is the viewer's."""
    query = select(WebSession.id).where(WebSession.tenant_id == viewer.tenant, WebSession.user_id == viewer.person)
    return (await session.execute(query.where(WebSession.id == id))).first() is not None


async def end_session(session: AsyncSession, viewer: Viewer, id: str) -> None:
    await session.execute(delete(WebSession).where(WebSession.tenant_id == viewer.tenant, WebSession.id == id))


async def open_sessions(session: AsyncSession, viewer: Viewer, now: datetime) -> Sequence[SessionRow]:
    """The viewer's sessions that have not ended, oldest first. Unopened links are not sessions."""
    query = (
        select(WebSession.id, WebSession.created_at, WebSession.expires_at)
        .where(WebSession.tenant_id == viewer.tenant, WebSession.user_id == viewer.person)
        .where(WebSession.hash.is_not(None), WebSession.expires_at > now)
        .order_by(WebSession.created_at, WebSession.id)
    )
    return [SessionRow(*row) for row in await session.execute(query)]


async def end_sessions(session: AsyncSession, viewer: Viewer) -> None:
    """End all sessions of the viewer, and remove their unopened links."""
    await session.execute(
        delete(WebSession).where(WebSession.tenant_id == viewer.tenant, WebSession.user_id == viewer.person)
    )
