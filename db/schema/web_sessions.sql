-- Sessions of the review page. A link becomes a session when it gets the hash of a cookie, which happens once.

CREATE TABLE web_sessions (
    tenant_id  text NOT NULL,
    id         text NOT NULL,
    user_id    text NOT NULL,
    hash       bytea CHECK (length(hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, hash),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX web_sessions_tenant_id_user_id_idx ON web_sessions (tenant_id, user_id);
CREATE INDEX web_sessions_tenant_id_expires_at_idx ON web_sessions (tenant_id, expires_at);

CALL wall.guard('web_sessions', 'own');
CREATE POLICY looking_out ON web_sessions TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, DELETE, UPDATE (hash, expires_at) ON web_sessions TO keepsake_warden;

CREATE FUNCTION wall.open_link(link text, cookie bytea, moment timestamptz, until timestamptz) RETURNS text
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.web_sessions AS s SET hash = cookie, expires_at = until
        WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
            AND s.id = link AND s.hash IS NULL AND s.expires_at > moment
        RETURNING s.user_id
$$;
REVOKE ALL ON FUNCTION wall.open_link FROM PUBLIC;
ALTER FUNCTION wall.open_link OWNER TO keepsake_warden;

CREATE FUNCTION wall.session_of(cookie bytea, moment timestamptz) RETURNS TABLE (id text, user_id text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT s.id, s.user_id FROM public.web_sessions AS s
        WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
            AND s.hash = cookie AND s.expires_at > moment
$$;
REVOKE ALL ON FUNCTION wall.session_of FROM PUBLIC;
ALTER FUNCTION wall.session_of OWNER TO keepsake_warden;

-- Removes old requests and ended sessions.
CREATE FUNCTION wall.clear_doors(done_before timestamptz, moment timestamptz) RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH done AS (DELETE FROM public.requests AS r
             WHERE r.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND r.created_at < done_before
             RETURNING 1),
         over AS (DELETE FROM public.web_sessions AS s
             WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND s.expires_at < moment
             RETURNING 1)
    SELECT (SELECT count(*) FROM done) + (SELECT count(*) FROM over)
$$;
REVOKE ALL ON FUNCTION wall.clear_doors FROM PUBLIC;
ALTER FUNCTION wall.clear_doors OWNER TO keepsake_warden;
