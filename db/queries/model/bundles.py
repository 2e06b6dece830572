"""Model calls: the rows their bundles came from, and hashes to recognise them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Conversation, ProgramText, StoredBundle
from db.viewer import Viewer


@dataclass(frozen=True, slots=True)
class CallRow:
    id: str
    conversation_id: str
    space: str
    channel: str
    ts: datetime
    manifest: dict[str, Any]
    hashes: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Estimates:
    """How many calls were counted, how many exceeded their estimate, and by how much at most."""

    calls: int
    below: int
    most: float


async def add_call(
    session: AsyncSession,
    viewer: Viewer,
    *,
    id: str,
    conversation_id: str,
    ts: datetime,
    manifest: Mapping[str, Any],
    hashes: Mapping[str, Any],
    provenance: Mapping[str, Any],
    token_est: int,
    token_used: int,
) -> None:
    await session.execute(
        insert(StoredBundle).values(
            tenant_id=viewer.tenant,
            id=id,
            user_id=viewer.person,
            conversation_id=conversation_id,
            ts=ts,
            request=manifest,
            hashes=hashes,
            provenance=provenance,
            token_est=token_est,
            token_used=token_used,
        )
    )


async def calls(session: AsyncSession, viewer: Viewer, *, call_id: str | None = None, limit: int) -> Sequence[CallRow]:
    """The newest of the viewer's own calls, newest first, or only `call_id`."""
    query = _own(viewer) if call_id is None else _own(viewer).where(StoredBundle.id == call_id)
    rows = await session.execute(query.order_by(StoredBundle.ts.desc(), StoredBundle.id.desc()).limit(limit))
    return [CallRow(*row) for row in rows]


async def calls_by_id(session: AsyncSession, viewer: Viewer, call_ids: Sequence[str]) -> dict[str, CallRow]:
    """The viewer's own calls among these ids."""
    rows = await session.execute(_own(viewer).where(StoredBundle.id.in_(call_ids)))
    return {row[0]: CallRow(*row) for row in rows}


def _own(viewer: Viewer) -> Select[Any]:
    return (
        select(
            StoredBundle.id,
            StoredBundle.conversation_id,
            Conversation.space_id,
            Conversation.channel,
            StoredBundle.ts,
            StoredBundle.request,
            StoredBundle.hashes,
        )
        .join(
            Conversation,
            (Conversation.tenant_id == StoredBundle.tenant_id) & (Conversation.id == StoredBundle.conversation_id),
        )
        .where(StoredBundle.tenant_id == viewer.tenant, StoredBundle.user_id == viewer.person)
    )


async def remove_calls(session: AsyncSession, viewer: Viewer, before: datetime) -> int:
    """Remove the viewer's own calls from before this moment. Return how many."""
    mine = (StoredBundle.tenant_id == viewer.tenant, StoredBundle.user_id == viewer.person)
    gone = await session.execute(delete(StoredBundle).where(*mine, StoredBundle.ts < before).returning(StoredBundle.id))
    return len(gone.all())


async def due_calls(session: AsyncSession, before: datetime) -> Sequence[str]:
    """The users who have calls from before this moment."""
    query = text("SELECT user_id FROM wall.due_bundles(:moment)").bindparams(moment=before)
    return sorted((await session.execute(query)).scalars())


async def keep_texts(session: AsyncSession, viewer: Viewer, texts: Mapping[str, str]) -> None:
    """Store the program's own texts by their hashes, each once."""
    if texts:
        rows = [{"tenant_id": viewer.tenant, "hash": hash, "text": words} for hash, words in sorted(texts.items())]
        await session.execute(insert(ProgramText).values(rows).on_conflict_do_nothing())


async def kept_text(session: AsyncSession, viewer: Viewer, hash: str) -> str | None:
    query = select(ProgramText.text).where(ProgramText.tenant_id == viewer.tenant, ProgramText.hash == hash)
    return (await session.execute(query)).scalar_one_or_none()


async def estimates(session: AsyncSession, margin: float) -> Estimates:
    """Over the calls of all users, with this margin on each estimate. For `Viewer.nobody`."""
    query = text("SELECT calls, below, most FROM wall.estimates(CAST(:margin AS real))").bindparams(margin=margin)
    calls, below, most = (await session.execute(query)).one()
    return Estimates(calls, below, most)
