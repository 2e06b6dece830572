"""Recall in one statement: candidates by words and by vector among the viewer's rows, and their neighbours.

Words are ranked by BM25 over the postings of the viewer's shelves, rare terms first. Common terms are dropped once
`MAX_POSTINGS` are read, so the work stays bounded however much a person has said. Vectors are compared one by one,
which is exact; only a crowded space is searched with an index (db/vector_indexes.py). The wall limits all of it to the
viewer's shelves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.retrieval.chunks import spelled
from db.tables.chunks import LONGEST_INDEXED
from db.vector_indexes import vector_index_name
from db.viewer import Viewer

MAX_POSTINGS = 8000
MAX_BY_WORDS = 400
MAX_BY_VECTOR = 400
MAX_SAMPLED = 2000  # similarities, to estimate their usual range
MAX_WITH_NEIGHBOURS = 100  # by words, and as many by vector
MAX_SOURCES = 400  # messages that the summaries among them cover

BY_WORDS = """
shelf AS MATERIALIZED (SELECT id, space_id, chunks, words FROM shelves WHERE tenant_id = :tenant AND chunks > 0),
corpus AS MATERIALIZED (
    SELECT GREATEST(sum(chunks), 1)::float8 AS chunks, GREATEST(count(*), 1) AS shelves,
           GREATEST(sum(words) / NULLIF(sum(chunks), 0), 1)::float8 AS length
    FROM shelf
),
asked AS MATERIALIZED (
    SELECT a.term, h.holders FROM unnest(CAST(:terms AS text[])) AS a(term)
    CROSS JOIN LATERAL (SELECT count(*) AS holders FROM (
        SELECT FROM postings AS p WHERE p.tenant_id = :tenant AND p.term = a.term LIMIT :most + 1) AS held) AS h
    WHERE h.holders > 0
),
telling AS MATERIALIZED (
    SELECT term, ln(1 + (corpus.chunks - held + 0.5) / (held + 0.5)) AS rarity,
           CASE WHEN holders <= :most THEN :most ELSE GREATEST(:most / corpus.shelves, 1) END AS of_each_shelf
    FROM (SELECT term, holders, LEAST(holders, :most) AS held, sum(holders) OVER rarest AS reading,
                 row_number() OVER rarest AS place
          FROM asked WINDOW rarest AS (ORDER BY holders, term)) AS ranked, corpus
    WHERE reading <= :most OR place = 1
),
by_words AS MATERIALIZED (
    -- Rounded, because a sum of such numbers depends on their order, and that on the plan.
    SELECT p.chunk_no AS no, round(1e9 * sum(
               rarity * p.times * 2.2 / (p.times + 1.2 * (0.25 + 0.75 * p.length / corpus.length)))) / 1e9 AS words
    FROM telling CROSS JOIN corpus CROSS JOIN shelf CROSS JOIN LATERAL (
        SELECT chunk_no, times, length FROM postings AS p
        WHERE p.tenant_id = :tenant AND p.shelf_id = shelf.id AND p.term = telling.term
        ORDER BY chunk_no DESC LIMIT telling.of_each_shelf) AS p
    {wanted}
    GROUP BY p.chunk_no
),
best_by_words AS MATERIALIZED (
    SELECT no, words, row_number() OVER (ORDER BY words DESC, no DESC) AS place FROM (
        SELECT no, words FROM by_words ORDER BY words DESC, no DESC LIMIT :most_by_words) AS best
)"""

BY_VECTOR = """
likenesses AS MATERIALIZED (
    SELECT avg(likeness) AS mean, stddev_pop(likeness) AS spread FROM corpus CROSS JOIN shelf CROSS JOIN LATERAL (
        SELECT 1 - (e.embedding <=> CAST(:vector AS halfvec)) AS likeness FROM embeddings AS e
        WHERE e.tenant_id = :tenant AND e.model = :model AND e.shelf_id = shelf.id AND {same_size}
        ORDER BY e.chunk_no DESC LIMIT GREATEST(:most_sampled / corpus.shelves, 1)) AS sample
),
best_by_vector AS MATERIALIZED (
    SELECT no, likeness, row_number() OVER (ORDER BY likeness DESC, no DESC) AS place FROM (
        SELECT no, likeness FROM ({nearest}) AS found ORDER BY likeness DESC, no DESC LIMIT :most_by_vector) AS best
)"""
ONE_BY_ONE = """
        (SELECT e.chunk_no AS no, 1 - (e.embedding <=> CAST(:vector AS halfvec)) AS likeness FROM embeddings AS e
        {wanted}
        WHERE e.tenant_id = :tenant AND e.model = :model AND {same_size}{elsewhere}
        ORDER BY likeness DESC, no DESC LIMIT :most_by_vector)"""
ELSEWHERE = " AND e.shelf_id = ANY (ARRAY(SELECT id FROM shelf WHERE space_id <> :crowded))"
BY_INDEX = """
        UNION ALL
        (SELECT e.chunk_no, 1 - ({stored} <=> CAST(:vector AS halfvec)) FROM embeddings AS e
        WHERE e.tenant_id = :tenant AND e.space_id = :crowded AND e.model = :model AND e.size = :size
        ORDER BY {stored} <=> CAST(:vector AS halfvec) LIMIT :most_by_vector)"""
NO_VECTOR = """
likenesses AS (SELECT NULL::float8 AS mean, NULL::float8 AS spread),
best_by_vector AS (SELECT NULL::bigint AS no, NULL::float8 AS likeness, NULL::bigint AS place WHERE false)"""
LIKENESS = """COALESCE(v.likeness, (
    SELECT 1 - (e.embedding <=> CAST(:vector AS halfvec)) FROM embeddings AS e
    WHERE e.tenant_id = :tenant AND e.chunk_id = c.id AND e.model = :model
        AND e.size = :size))"""
WITH_VECTOR = "\nLEFT JOIN best_by_vector AS v ON v.no = pool.no"

CANDIDATES = """
beside AS (
    SELECT n.no FROM (
        SELECT no FROM best_by_words WHERE place <= :most_with_neighbours
        UNION SELECT no FROM best_by_vector WHERE place <= :most_with_neighbours) AS b
    JOIN chunks AS c ON c.tenant_id = :tenant AND c.no = b.no
    CROSS JOIN LATERAL (
        (SELECT x.no FROM chunks AS x WHERE x.tenant_id = c.tenant_id AND x.thread = c.thread
            AND (x.seq, x.part) < (c.seq, c.part) ORDER BY x.seq DESC, x.part DESC LIMIT 1)
        UNION ALL
        (SELECT x.no FROM chunks AS x WHERE x.tenant_id = c.tenant_id AND x.thread = c.thread
            AND (x.seq, x.part) > (c.seq, c.part) ORDER BY x.seq, x.part LIMIT 1)) AS n
),
sources AS (  -- what a summary rests on stands before it
    SELECT DISTINCT x.no FROM (
        SELECT no FROM best_by_words WHERE place <= :most_with_neighbours
        UNION SELECT no FROM best_by_vector WHERE place <= :most_with_neighbours) AS b
    JOIN chunks AS c ON c.tenant_id = :tenant AND c.no = b.no AND c.summary_id IS NOT NULL
    JOIN summaries AS s ON s.tenant_id = :tenant AND s.id = c.summary_id
    CROSS JOIN LATERAL unnest(s.refs) AS named(event)
    JOIN chunks AS x ON x.tenant_id = :tenant AND x.event_id = named.event
    ORDER BY x.no DESC LIMIT :most_sources
),
pool AS (
    SELECT no FROM best_by_words UNION SELECT no FROM best_by_vector UNION SELECT no FROM beside
    UNION SELECT no FROM sources
)
SELECT c.id, c.event_id, c.thread, c.seq, c.part, c.speaker, c.ts, c.kind, c.importance, c.text_hash,
       (SELECT s.refs FROM summaries AS s WHERE s.tenant_id = :tenant AND s.id = c.summary_id) AS rests_on,
       COALESCE(w.words, 0) AS words, {likeness}, likenesses.mean, likenesses.spread,
       (SELECT sum(rarity) FROM telling)
FROM pool JOIN chunks AS c ON c.tenant_id = :tenant AND c.no = pool.no
LEFT JOIN by_words AS w ON w.no = pool.no{with_vector}
CROSS JOIN likenesses
{filter}
ORDER BY c.no"""
# A generic plan fits no viewer's arrays. The planner also cannot see how few rows a viewer has, and would scan whole
# tables.
PLAN_EACH = """
SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
    (SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:index))"""
SEARCH_WIDELY = text(
    f"SELECT set_config('hnsw.ef_search', '{MAX_BY_VECTOR}', true),"
    " set_config('hnsw.iterative_scan', 'strict_order', true)"
)
WANTED = " JOIN chunks AS meant ON meant.tenant_id = :tenant AND meant.no = {no}"


@dataclass(frozen=True, slots=True)
class RecallFilter:
    """The filters of a search."""

    kinds: Sequence[str] = ()
    tags: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None
    without_events: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class CandidateRow:
    id: str
    event_id: str | None
    thread: str
    seq: int
    part: int
    speaker: str
    ts: datetime
    kind: str
    importance: float
    text_hash: bytes
    rests_on: Sequence[str] | None
    """The events that a summary was made from."""
    words: float
    similarity: float | None


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """Candidates in a total order, mean and spread of similarity over the viewer's chunks, and the total rarity of the
    query's words."""

    rows: Sequence[CandidateRow] = ()
    mean: float | None = None
    spread: float | None = None
    rarity: float = 0.0


async def candidates(
    session: AsyncSession,
    viewer: Viewer,
    *,
    terms: Sequence[str],
    vector: Sequence[float] | None,
    model: str | None,
    only: RecallFilter,
) -> CandidatePool:
    conditions = _conditions(only)
    crowded = await _ready_to_search(session, viewer, model, is_limited=bool(conditions))
    limited = " AND ".join(conditions)
    by_words = BY_WORDS.format(wanted=f"{WANTED.format(no='p.chunk_no')} AND {limited}" if limited else "")
    filters = [condition.replace("meant.", "c.") for condition in conditions]
    filters += ["(c.event_id IS NULL OR c.event_id <> ALL (:without))"] if only.without_events else []
    pool = CANDIDATES.format(
        likeness="NULL::float8" if vector is None else LIKENESS,
        with_vector="" if vector is None else WITH_VECTOR,
        filter=f"WHERE {' AND '.join(filters)}" if filters else "",
    )
    by_vector = NO_VECTOR if vector is None else _by_vector(len(vector), limited, is_crowded=crowded is not None)
    query = text(",".join([f"WITH {by_words}", by_vector, pool]))
    values = {
        "tenant": viewer.tenant,
        "terms": list(terms),
        "most": MAX_POSTINGS,
        "most_by_words": MAX_BY_WORDS,
        "most_with_neighbours": MAX_WITH_NEIGHBOURS,
        "most_sources": MAX_SOURCES,
        "vector": spelled(vector) if vector is not None else None,
        "model": model,
        "size": len(vector) if vector is not None else None,
        "most_by_vector": MAX_BY_VECTOR,
        "most_sampled": MAX_SAMPLED,
        "crowded": crowded,
        "kinds": list(only.kinds),
        "tags": list(only.tags),
        "since": only.since,
        "until": only.until,
        "without": list(only.without_events),
    }
    used = {name: value for name, value in values.items() if f":{name}" in query.text}
    rows = (await session.execute(query, used)).all()
    if not rows:
        return CandidatePool()
    *_, mean, spread, rarity = rows[0]
    return CandidatePool([CandidateRow(*row[:13]) for row in rows], mean, spread, rarity or 0.0)


async def _ready_to_search(session: AsyncSession, viewer: Viewer, model: str | None, *, is_limited: bool) -> str | None:
    """Set up the planner, and return the viewer's space if its vector index is to be searched. A filtered search never
    uses that index, because it would miss rows."""
    index = vector_index_name(viewer.tenant, viewer.space or "", model or "")
    is_crowded = (await session.execute(text(PLAN_EACH), {"index": index})).one()[2]
    if not is_crowded or is_limited:
        return None
    await session.execute(SEARCH_WIDELY)
    return viewer.place


def _by_vector(size: int, limited: str, *, is_crowded: bool) -> str:
    fits = "<=" if size <= LONGEST_INDEXED else ">"
    same_size = f"e.size {fits} {LONGEST_INDEXED} AND e.size = :size"
    nearest = ONE_BY_ONE.format(
        wanted=f"{WANTED.format(no='e.chunk_no')} AND {limited}" if limited else "",
        same_size=same_size,
        elsewhere=ELSEWHERE if is_crowded else "",
    )
    if is_crowded:
        nearest += BY_INDEX.format(stored=f"e.embedding::halfvec({size})")
    return BY_VECTOR.format(same_size=same_size, nearest=nearest)


def _conditions(only: RecallFilter) -> list[str]:
    return [
        condition
        for condition, value in (
            ("meant.kind = ANY (:kinds)", only.kinds),
            ("meant.tags @> CAST(:tags AS text[])", only.tags),
            ("meant.ts >= :since", only.since),
            ("meant.ts < :until", only.until),
        )
        if value
    ]
