"""Which shared spaces hold so much that searching them needs an index of its own (db/nearest.py).

Only the owner of the tables asks, for all tenants at once, and is told ids and counts.
"""

from alembic import op
from db.roles import handing_over

revision = "0013"
down_revision = "0012"

CROWDED = """
CREATE FUNCTION wall.crowded_spaces(fewest bigint)
    RETURNS TABLE (tenant_id text, space_id text, model text, size integer, chunks bigint) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT s.tenant_id, s.space_id, e.model, e.size, s.chunks
    FROM (SELECT tenant_id, space_id, sum(chunks)::bigint AS chunks FROM public.shelves
          WHERE NOT starts_with(space_id, 'personal:') GROUP BY tenant_id, space_id HAVING sum(chunks) >= fewest) AS s
    CROSS JOIN LATERAL (SELECT e.model, e.size FROM public.embeddings AS e
        WHERE e.tenant_id = s.tenant_id AND e.space_id = s.space_id AND e.size IS NOT NULL
        GROUP BY e.model, e.size HAVING count(*) >= fewest) AS e
$$;
REVOKE ALL ON FUNCTION wall.crowded_spaces FROM PUBLIC;
GRANT SELECT (space_id, size) ON embeddings TO keepsake_warden;
-- The application has a tenant in every transaction; without one, only these functions look.
CREATE POLICY crowding ON shelves FOR SELECT TO keepsake_warden USING ((SELECT wall.viewer_tenant()) IS NULL);
CREATE POLICY crowding ON embeddings FOR SELECT TO keepsake_warden USING ((SELECT wall.viewer_tenant()) IS NULL);
"""

BACK = """
DROP POLICY crowding ON embeddings;
DROP POLICY crowding ON shelves;
REVOKE SELECT (space_id, size) ON embeddings FROM keepsake_warden;
DROP FUNCTION wall.crowded_spaces;
"""


def upgrade() -> None:
    op.execute(CROWDED + handing_over("crowded_spaces", "keepsake_warden"))
    op.execute("GRANT EXECUTE ON FUNCTION wall.crowded_spaces TO CURRENT_USER")


def downgrade() -> None:
    op.execute(BACK)
