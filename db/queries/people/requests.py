"""Writes that name themselves: begun once, and answered again in the same words."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import ApiRequest
from db.viewer import Viewer


@dataclass(frozen=True, slots=True)
class RequestRow:
    """What was asked, by its hash, and what was answered; no `answer` where something was forgotten since."""

    hash: bytes
    status: int | None
    answer: bytes | None


async def begin_request(
    session: AsyncSession, viewer: Viewer, *, key_id: str, name: str, hash: bytes, now: datetime
) -> bool:
    """Whether this write is new. One that is under way elsewhere is waited for."""
    begun = await session.execute(
        insert(ApiRequest)
        .values(tenant_id=viewer.tenant, user_id=viewer.person, key_id=key_id, name=name, hash=hash, created_at=now)
        .on_conflict_do_nothing()
        .returning(ApiRequest.name)
    )
    return begun.first() is not None


async def request_before(session: AsyncSession, viewer: Viewer, *, key_id: str, name: str) -> RequestRow | None:
    query = select(ApiRequest.hash, ApiRequest.status, ApiRequest.answer).where(_named(viewer, key_id, name))
    found = (await session.execute(query)).one_or_none()
    return None if found is None else RequestRow(*found)


async def keep_answer(
    session: AsyncSession, viewer: Viewer, *, key_id: str, name: str, status: int, answer: bytes | None
) -> None:
    await session.execute(update(ApiRequest).where(_named(viewer, key_id, name)).values(status=status, answer=answer))


async def forget_answers(session: AsyncSession, viewer: Viewer) -> None:
    """That the viewer's writes were done stays known; what was answered does not."""
    await session.execute(
        update(ApiRequest)
        .where(
            ApiRequest.tenant_id == viewer.tenant, ApiRequest.user_id == viewer.person, ApiRequest.answer.is_not(None)
        )
        .values(answer=None)
    )


async def clear_doors(session: AsyncSession, *, done_before: datetime, now: datetime) -> int:
    """Remove old writes, and sessions of the review page that are over, for a viewer who is nobody."""
    query = text("SELECT wall.clear_doors(:done_before, :now)").bindparams(done_before=done_before, now=now)
    return int((await session.execute(query)).scalar_one())


def _named(viewer: Viewer, key_id: str, name: str) -> ColumnElement[bool]:
    return (
        (ApiRequest.tenant_id == viewer.tenant)
        & (ApiRequest.user_id == viewer.person)
        & (ApiRequest.key_id == key_id)
        & (ApiRequest.name == name)
    )
