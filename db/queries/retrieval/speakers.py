"""The names of the people whose words a viewer may read."""

from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.viewer import Viewer

MAX_SHELVES, MAX_SPEAKERS = 100, 200
# Jumps from one name to the next in the index, however much each person said.
SPEAKERS = """
WITH RECURSIVE heard AS (
    (SELECT s.id AS shelf, '' AS speaker FROM shelves AS s
     WHERE s.tenant_id = :tenant ORDER BY s.chunks DESC, s.id LIMIT :most_shelves)
    UNION ALL
    SELECT h.shelf, n.speaker FROM heard AS h CROSS JOIN LATERAL (
        SELECT c.speaker FROM chunks AS c
        WHERE c.tenant_id = :tenant AND c.shelf_id = h.shelf AND c.speaker <> '' AND c.speaker > h.speaker
        ORDER BY c.speaker LIMIT 1) AS n
)
SELECT speaker FROM (SELECT DISTINCT speaker FROM heard WHERE speaker <> '' LIMIT :most_speakers) AS s ORDER BY 1"""


async def speakers_heard(session: AsyncSession, viewer: Viewer) -> Sequence[str]:
    """The names of the speakers on this viewer's fullest shelves."""
    query = text(SPEAKERS).bindparams(tenant=viewer.tenant, most_shelves=MAX_SHELVES, most_speakers=MAX_SPEAKERS)
    return (await session.execute(query)).scalars().all()
