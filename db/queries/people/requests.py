"""Writes with an idempotency key: done once, and answered again in the same words."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import ApiRequest
from db.viewer import Viewer


@dataclass(frozen=True, slots=True)
class RequestRow:
    """The hash of a request, and its answer. `answer` is None if something was forgotten since."""

    hash: bytes
    status: int | None
    answer: bytes | None


async def begin_request(
    session: AsyncSession, viewer: Viewer, *, key_id: str, name: str, hash: bytes, now: datetime
) -> bool:
    """Begin a write. Return False if it was begun before. Waits for the same write in another process."""
    inserted = await session.execute(
        insert(ApiRequest)
        .values(tenant_id=viewer.tenant, user_id=viewer.person, key_id=key_id, name=name, hash=hash, created_at=now)
        .on_conflict_do_nothing()
        .returning(ApiRequest.name)
    )
    return inserted.first() is not None


async def request_before(session: AsyncSession, viewer: Viewer, *, key_id: str, name: str) -> RequestRow | None:
    query = select(ApiRequest.hash, ApiRequest.status, ApiRequest.answer).where(_named(viewer, key_id, name))
    row = (await session.execute(query)).one_or_none()
    return None if row is None else RequestRow(*row)


async def keep_answer(
    session: AsyncSession, viewer: Viewer, *, key_id: str, name: str, status: int, answer: bytes | None
) -> None:
    await session.execute(update(ApiRequest).where(_named(viewer, key_id, name)).values(status=status, answer=answer))


async def forget_answers(session: AsyncSession, viewer: Viewer) -> None:
    """Remove the answers to the viewer's writes, but not the record that they were done."""
    await session.execute(
        update(ApiRequest)
        .where(
            ApiRequest.tenant_id == viewer.tenant, ApiRequest.user_id == viewer.person, ApiRequest.answer.is_not(None)
        )
        .values(answer=None)
    )


async def remove_old_requests_and_sessions(session: AsyncSession, *, done_before: datetime, now: datetime) -> int:
    """Remove old idempotency keys and ended sessions of the review page. For `Viewer.nobody`."""
    query = text("SELECT wall.clear_doors(:done_before, :now)").bindparams(done_before=done_before, now=now)
    return int((await session.execute(query)).scalar_one())


def _named(viewer: Viewer, key_id: str, name: str) -> ColumnElement[bool]:
    return (
        (ApiRequest.tenant_id == viewer.tenant)
        & (ApiRequest.user_id == viewer.person)
        & (ApiRequest.key_id == key_id)
        & (ApiRequest.name == name)
    )
