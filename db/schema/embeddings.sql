-- Embeddings: the vectors of chunks, one for each model. A new model is back-filled while the old one still serves. A
-- row without a vector marks a chunk that cannot be embedded.

CREATE TABLE embeddings (
    tenant_id text NOT NULL,
    chunk_id  text NOT NULL,
    model     text NOT NULL,
    shelf_id  bigint NOT NULL,
    space_id  text NOT NULL,
    chunk_no  bigint NOT NULL,
    embedding halfvec,
    size      integer GENERATED ALWAYS AS (vector_dims(embedding)) STORED,
    PRIMARY KEY (tenant_id, chunk_id, model),
    FOREIGN KEY (tenant_id, chunk_id) REFERENCES chunks (tenant_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 2000);
ALTER TABLE embeddings ALTER COLUMN embedding SET STORAGE PLAIN;
-- It stores one person's vectors side by side, for index-only scans that compare all of them: exact, and fast enough.
CREATE INDEX embeddings_in_order_idx ON embeddings (tenant_id, model, shelf_id, chunk_no) INCLUDE (embedding, size)
    WHERE size <= 1024;
CREATE INDEX embeddings_too_long_for_an_index_idx ON embeddings (tenant_id, model, shelf_id)
    WHERE size > 1024;
-- For counts by shelf and model, which otherwise scan all vectors for every shelf.
CREATE INDEX embeddings_tenant_id_shelf_id_model_idx ON embeddings (tenant_id, shelf_id, model);

CALL wall.raise_on('embeddings');
CREATE POLICY reading ON embeddings FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND shelf_id = ANY ((SELECT wall.visible_shelves())::bigint[]));
CREATE POLICY writing ON embeddings FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND EXISTS (
        SELECT FROM chunks AS c WHERE c.tenant_id = embeddings.tenant_id AND c.id = chunk_id
            AND (c.shelf_id, c.space_id, c.no) = (embeddings.shelf_id, embeddings.space_id, chunk_no)
            AND c.user_id = (SELECT wall.viewer_user())));
CREATE POLICY removing ON embeddings FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND shelf_id IN (
        SELECT s.id FROM shelves AS s
        WHERE s.tenant_id = (SELECT wall.viewer_tenant()) AND s.user_id = (SELECT wall.viewer_user())));
CREATE POLICY counting ON embeddings FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY crowding ON embeddings FOR SELECT TO keepsake_warden USING ((SELECT wall.viewer_tenant()) IS NULL);
GRANT SELECT (tenant_id, model, shelf_id, space_id, size) ON embeddings TO keepsake_warden;

-- The users who have chunks that a model has not embedded yet.
CREATE FUNCTION wall.due_embeddings(wanted text) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT s.user_id FROM public.shelves AS s
    WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND s.chunks > (
        SELECT count(*) FROM public.embeddings AS e
        WHERE e.tenant_id = s.tenant_id AND e.model = wanted AND e.shelf_id = s.id)
$$;
REVOKE ALL ON FUNCTION wall.due_embeddings FROM PUBLIC;
ALTER FUNCTION wall.due_embeddings OWNER TO keepsake_warden;

-- The users who have vectors of another model although this one has embedded all their chunks.
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
ALTER FUNCTION wall.outdated_embeddings OWNER TO keepsake_warden;

-- How far a model got. The other models come with the most used first.
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
ALTER FUNCTION wall.embedding_progress OWNER TO keepsake_warden;

-- The shared spaces that are large enough to need their own vector index (db/vector_indexes.py). Only the owner of the
-- tables calls this, for all tenants; it returns ids and counts.
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
ALTER FUNCTION wall.crowded_spaces OWNER TO keepsake_warden;
GRANT EXECUTE ON FUNCTION wall.crowded_spaces TO CURRENT_USER;
