-- Artifacts: bytes too long for an event, or a document of a space. The same bytes are one artifact for the same
-- audience and kind: a document must not end with the output of a tool. What is sensitive is sealed in `bytes`, and
-- its description with it.

CREATE TABLE artifacts (
    tenant_id   text NOT NULL,
    id          text NOT NULL,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    ts          timestamptz NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('tool_output', 'blob', 'document')),
    bytes       bytea NOT NULL,
    sha256      bytea NOT NULL CHECK (length(sha256) = 32),
    meta        jsonb NOT NULL DEFAULT '{}',
    refs        text[] NOT NULL DEFAULT '{}',
    is_text     boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, user_id, space_id, channel, kind, sha256),
    CONSTRAINT the_sensitive_are_sealed CHECK (sensitivity <> 'high' OR meta = '{}'),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX artifacts_that_grow_old ON artifacts (tenant_id, ts) WHERE kind <> 'document';
ALTER TABLE artifacts
    ALTER COLUMN bytes SET STATISTICS 0, ALTER COLUMN sha256 SET STATISTICS 0, ALTER COLUMN meta SET STATISTICS 0,
    ALTER COLUMN refs SET STATISTICS 0;

CALL wall.guard('artifacts', 'spoken');
CREATE POLICY looking_out ON artifacts FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY erasing ON artifacts FOR SELECT TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, id, user_id, kind, ts, refs) ON artifacts TO keepsake_warden;
GRANT SELECT ON artifacts TO keepsake_eraser;

-- The viewer's artifacts that any decision cites: by their own id, or by the event or chunk that shows them. A sealed
-- event reveals nothing; the artifact itself names the event that created it.
CREATE FUNCTION wall.cited_artifacts() RETURNS TABLE (artifact_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH named AS (
        SELECT DISTINCT unnest(d.refs) AS id FROM public.decisions AS d WHERE d.tenant_id = wall.viewer_tenant()
    ), shown AS (
        SELECT n.id FROM named AS n
        UNION SELECT unnest(ARRAY[c.artifact_id, c.event_id]) FROM public.chunks AS c JOIN named AS n ON n.id = c.id
            WHERE c.tenant_id = wall.viewer_tenant()
    ), reached AS (
        SELECT s.id FROM shown AS s WHERE s.id IS NOT NULL
        UNION SELECT unnest(e.refs || (e.content ->> 'artifact_id'))
            FROM public.events AS e JOIN shown AS s ON s.id = e.id
            WHERE e.tenant_id = wall.viewer_tenant()
    )
    SELECT a.id FROM public.artifacts AS a
    WHERE a.tenant_id = wall.viewer_tenant() AND a.user_id = wall.viewer_user()
        AND EXISTS (SELECT FROM reached AS r WHERE r.id = a.id OR r.id = ANY (a.refs))
$$;
REVOKE ALL ON FUNCTION wall.cited_artifacts FROM PUBLIC;
ALTER FUNCTION wall.cited_artifacts OWNER TO keepsake_warden;

CREATE FUNCTION wall.due_artifacts(kept_before timestamptz) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT a.user_id FROM public.artifacts AS a
    WHERE a.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
        AND a.kind <> 'document' AND a.ts < kept_before
$$;
REVOKE ALL ON FUNCTION wall.due_artifacts FROM PUBLIC;
ALTER FUNCTION wall.due_artifacts OWNER TO keepsake_warden;
