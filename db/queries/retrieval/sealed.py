"""Sealed events and documents, which have no index, and how rare words are among indexed chunks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.retrieval.recall import MAX_POSTINGS, RecallFilter
from db.viewer import Viewer

DOCUMENT = "document"

# PostgreSQL knows the size of a value without reading it. Values beyond the limit are not read.
NEWEST = """
WITH newest AS (
    (SELECT e.id, e.id AS event_id, NULL AS artifact_id, e.user_id, e.conversation_id AS thread, e.seq, e.actor_id,
            e.kind, e.ts, e.content, NULL::bytea AS bytes, pg_column_size(e.content) AS size
     FROM events AS e WHERE e.tenant_id = :tenant AND e.sensitivity = 'high' AND e.kind <> 'tool_call' {of_events}
     ORDER BY e.ts DESC, e.id DESC LIMIT :most)
    UNION ALL
    (SELECT a.id, NULL, a.id, a.user_id, a.id, 0, '', a.kind, a.ts, NULL, a.bytes, pg_column_size(a.bytes)
     FROM artifacts AS a WHERE a.tenant_id = :tenant AND a.sensitivity = 'high' AND a.kind = 'document' {of_documents}
     ORDER BY a.ts DESC, a.id DESC LIMIT :most)
    ORDER BY ts DESC, id DESC LIMIT :most
), measured AS (
    SELECT *, size <= :bytes AND sum(size) FILTER (WHERE size <= :bytes) OVER (ORDER BY ts DESC, id DESC) <= :bytes
        AS is_read FROM newest
)
SELECT event_id, artifact_id, user_id, thread, seq, actor_id, kind, ts, COALESCE(is_read, false),
       CASE WHEN is_read THEN COALESCE(content ->> 'sealed', encode(bytes, 'base64')) END
FROM measured ORDER BY ts DESC, id DESC"""

HOLDERS = """
SELECT a.term, held.holders, corpus.chunks, corpus.length
FROM (SELECT GREATEST(sum(chunks), 1)::float8 AS chunks,
             GREATEST(sum(words) / NULLIF(sum(chunks), 0), 1)::float8 AS length
      FROM shelves WHERE tenant_id = :tenant) AS corpus
CROSS JOIN unnest(CAST(:terms AS text[])) AS a(term)
CROSS JOIN LATERAL (SELECT count(*) AS holders FROM (
    SELECT FROM postings AS p WHERE p.tenant_id = :tenant AND p.term = a.term LIMIT :most + 1) AS one) AS held
ORDER BY held.holders, a.term"""


@dataclass(frozen=True, slots=True)
class SealedRow:
    """A sealed event or document in base64. `is_read` is False if it was too much to read."""

    event_id: str | None
    artifact_id: str | None
    user: str
    thread: str
    seq: int
    actor_id: str
    kind: str
    ts: datetime
    is_read: bool
    sealed: str | None

    @property
    def source_id(self) -> str:
        return self.event_id or self.artifact_id or ""


async def newest_sealed(
    session: AsyncSession, viewer: Viewer, only: RecallFilter, *, limit: int, most_bytes: int
) -> Sequence[SealedRow]:
    """The newest sealed events and documents. A channel that may not load them sees none. Their content is read up to
    `most_bytes` in total."""
    of_events = [
        condition
        for condition, value in (
            ("e.kind = ANY (:kinds)", only.kinds),
            ("e.tags @> CAST(:tags AS text[])", only.tags),
            ("e.ts >= :since", only.since),
            ("e.ts < :until", only.until),
            ("e.id <> ALL (:without)", only.without_events),
        )
        if value
    ]
    of_documents = [condition.replace("e.", "a.") for condition in of_events if condition.startswith("e.ts")]
    if only.tags or (only.kinds and DOCUMENT not in only.kinds):  # a document has no tags
        of_documents = ["false"]
    query = text(NEWEST.format(of_events=_and(of_events), of_documents=_and(of_documents)))
    values = {
        "tenant": viewer.tenant,
        "most": limit,
        "bytes": most_bytes,
        "kinds": list(only.kinds),
        "tags": list(only.tags),
        "since": only.since,
        "until": only.until,
        "without": list(only.without_events),
    }
    used = {name: value for name, value in values.items() if f":{name}" in query.text}
    return [SealedRow(*row) for row in await session.execute(query, used)]


@dataclass(frozen=True, slots=True)
class Rarities:
    """How rare words are in the chunks a viewer may read, which of them occur, and the average chunk length."""

    of: Mapping[str, float]
    held: frozenset[str]
    length: float


async def rarities(session: AsyncSession, viewer: Viewer, terms: Sequence[str]) -> Rarities:
    """As in recall: common terms are dropped once `MAX_POSTINGS` are read."""
    values = {"tenant": viewer.tenant, "terms": list(terms), "most": MAX_POSTINGS}
    rows = (await session.execute(text(HOLDERS), values)).all()
    of, held, read = dict[str, float](), set[str](), 0
    for term, holders, chunks, _ in rows:
        read += holders
        if read <= MAX_POSTINGS or not held:
            count = min(holders, MAX_POSTINGS)
            of[term] = log(1 + (chunks - count + 0.5) / (count + 0.5))
            held |= {term} if holders else set()
    return Rarities(of, frozenset(held), rows[0].length if rows else 1.0)


def _and(conditions: Sequence[str]) -> str:
    return "".join(f" AND {condition}" for condition in conditions)
