"""A change of the embedding model: how far it got, whose old vectors are done with, and their removal by their owner.

Vectors are counted by shelf and model here and in 0010, which took a scan of all of them for every shelf.
"""

from alembic import op
from db.roles import handing_over

revision = "0014"
down_revision = "0013"

MODELS = """
CREATE INDEX embeddings_tenant_id_shelf_id_model_idx ON embeddings (tenant_id, shelf_id, model);
CREATE POLICY removing ON embeddings FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND shelf_id IN (
        SELECT s.id FROM shelves AS s
        WHERE s.tenant_id = (SELECT wall.viewer_tenant()) AND s.user_id = (SELECT wall.viewer_user())));

-- The other models come with the most used first.
CREATE FUNCTION wall.embedding_progress(wanted text, OUT chunks bigint, OUT embedded bigint, OUT others text[])
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH made AS (
        SELECT e.model, count(*) AS vectors FROM public.embeddings AS e
        WHERE e.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL GROUP BY e.model)
    SELECT (SELECT COALESCE(sum(s.chunks), 0) FROM public.shelves AS s
            WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL),
           COALESCE(sum(m.vectors) FILTER (WHERE m.model = wanted), 0),
           COALESCE(array_agg(m.model ORDER BY m.vectors DESC, m.model) FILTER (WHERE m.model <> wanted), '{}')
    FROM made AS m
$$;
REVOKE ALL ON FUNCTION wall.embedding_progress FROM PUBLIC;

-- Who has vectors of another model though this one has embedded all that they have.
CREATE FUNCTION wall.outdated_embeddings(wanted text) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT s.user_id FROM public.shelves AS s
    WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
    GROUP BY s.user_id
    HAVING bool_and(s.chunks <= (
            SELECT count(*) FROM public.embeddings AS e
            WHERE e.tenant_id = s.tenant_id AND e.shelf_id = s.id AND e.model = wanted))
        AND bool_or(EXISTS (
            SELECT FROM public.embeddings AS e
            WHERE e.tenant_id = s.tenant_id AND e.shelf_id = s.id AND e.model <> wanted))
$$;
REVOKE ALL ON FUNCTION wall.outdated_embeddings FROM PUBLIC;
"""

BACK = """
DROP FUNCTION wall.outdated_embeddings;
DROP FUNCTION wall.embedding_progress;
DROP POLICY removing ON embeddings;
DROP INDEX embeddings_tenant_id_shelf_id_model_idx;
"""


def upgrade() -> None:
    op.execute(MODELS)
    for function in ("embedding_progress", "outdated_embeddings"):
        op.execute(handing_over(function, "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
