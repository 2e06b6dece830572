"""Artifacts: bytes stored once, and removed when they are old and no decision cites them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import String, case, cast, delete, exists, func, literal_column, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.ledgers.ledger_rows import Ledger, entered_by
from db.queries.retrieval.chunks import drop_chunks_of_document
from db.tables import Artifact
from db.viewer import Viewer
from db.vocabulary import ArtifactKind, Channel, Sensitivity

SAME = ["tenant_id", "user_id", "space_id", "channel", "kind", "sha256"]


@dataclass(frozen=True, slots=True)
class ArtifactRow:
    """Sensitive `data` and `meta` are sealed when read from the database. `data` is None if it cannot be opened."""

    id: str
    owner: str
    space: str
    channel: Channel
    sensitivity: Sensitivity
    ts: datetime
    kind: ArtifactKind
    meta: dict[str, Any]
    refs: Sequence[str]
    is_text: bool
    data: bytes | None = field(repr=False)


LEDGER = Ledger(Artifact, ArtifactRow, kind=ArtifactKind, data=bytes)


async def keep_artifact(session: AsyncSession, viewer: Viewer, **values: Any) -> str:
    """Store an artifact and return its id. If the same bytes exist already, renew them and add these refs. A document
    and its chunks keep their first date."""
    new = insert(Artifact.__table__).values(**entered_by(viewer), **values)  # type: ignore[arg-type]
    all_refs = "ARRAY(SELECT DISTINCT unnest(artifacts.refs || excluded.refs) ORDER BY 1)"
    newest = func.greatest(Artifact.ts, new.excluded.ts)
    ts = case((Artifact.kind == ArtifactKind.DOCUMENT, Artifact.ts), else_=newest)
    renewal = {"ts": ts, "refs": literal_column(all_refs)}
    kept = await session.execute(new.on_conflict_do_update(index_elements=SAME, set_=renewal).returning(Artifact.id))
    return kept.scalar_one()


async def artifact(session: AsyncSession, viewer: Viewer, artifact_id: str) -> ArtifactRow | None:
    return await LEDGER.by_id(session, viewer, artifact_id)


async def artifacts_that_may_hold(
    session: AsyncSession, viewer: Viewer, needles: Sequence[str]
) -> Sequence[ArtifactRow]:
    """The viewer's own artifacts that contain one of these words, and all sealed ones."""
    content = case(
        (Artifact.sensitivity == Sensitivity.HIGH, ""),
        (Artifact.is_text, func.convert_from(Artifact.data, "UTF8")),
        else_=func.encode(Artifact.data, "escape"),
    )
    escaped = [json.dumps(word, ensure_ascii=False)[1:-1] for word in needles]
    matches = [
        *(func.lower(content).contains(word, autoescape=True) for word in needles),
        *(func.lower(cast(Artifact.meta, String)).contains(word, autoescape=True) for word in escaped),
    ]
    query = LEDGER.visible(viewer).where(Artifact.user_id == viewer.person)
    return await LEDGER.rows(session, query.where(or_(Artifact.sensitivity == Sensitivity.HIGH, *matches)))


async def rewrite_artifact(session: AsyncSession, viewer: Viewer, row: ArtifactRow, data: bytes, sha256: bytes) -> None:
    """Replace the bytes, or remove the artifact if another one holds the same bytes. Its chunks are removed."""
    key = (Artifact.tenant_id == viewer.tenant, Artifact.id == row.id)
    same = exists().where(
        Artifact.tenant_id == viewer.tenant,
        Artifact.user_id == row.owner,
        Artifact.space_id == row.space,
        Artifact.channel == row.channel,
        Artifact.kind == row.kind,
        Artifact.sha256 == sha256,
    )
    await drop_chunks_of_document(session, viewer, row.id)
    if (await session.execute(select(same))).scalar_one():
        await session.execute(delete(Artifact).where(*key))
    else:
        await session.execute(update(Artifact).where(*key).values(data=data, sha256=sha256))


async def remove_artifacts(session: AsyncSession, viewer: Viewer, artifact_ids: Sequence[str]) -> None:
    await LEDGER.remove(session, viewer, Artifact.id.in_(artifact_ids))


async def own_artifacts(session: AsyncSession, viewer: Viewer) -> Sequence[tuple[str, datetime, Sequence[str]]]:
    """Id, time and refs of all the viewer's own artifacts."""
    mine = (Artifact.tenant_id == viewer.tenant, Artifact.user_id == viewer.person)
    rows = await session.execute(select(Artifact.id, Artifact.ts, Artifact.refs).where(*mine).order_by(Artifact.id))
    return [(id, ts, refs) for id, ts, refs in rows]


async def remove_old(session: AsyncSession, viewer: Viewer, before: datetime) -> int:
    """Remove the viewer's own old artifacts, except documents and those that any decision cites. Return how many."""
    cited = text("SELECT artifact_id FROM wall.cited_artifacts()").columns(Artifact.id)
    is_old = (Artifact.kind != ArtifactKind.DOCUMENT, Artifact.ts < before, Artifact.id.not_in(cited))
    return len(await LEDGER.remove(session, viewer, *is_old))


async def due_artifacts(session: AsyncSession, before: datetime) -> Sequence[str]:
    """The users who have artifacts, other than documents, from before this moment."""
    query = text("SELECT user_id FROM wall.due_artifacts(:moment)").bindparams(moment=before)
    return sorted((await session.execute(query)).scalars())


async def documents(session: AsyncSession, viewer: Viewer) -> Sequence[ArtifactRow]:
    """The documents of the viewer's space, newest first."""
    query = LEDGER.visible(viewer).where(Artifact.space_id == viewer.space, Artifact.kind == ArtifactKind.DOCUMENT)
    return await LEDGER.rows(session, query.order_by(Artifact.ts.desc(), Artifact.id.desc()))


async def remove_document(session: AsyncSession, viewer: Viewer, document_id: str) -> bool:
    """Remove a document that the viewer added to this space. Return False if there is none."""
    is_here = (Artifact.space_id == viewer.place, Artifact.kind == ArtifactKind.DOCUMENT)
    return bool(await LEDGER.remove(session, viewer, *is_here, Artifact.id == document_id))
