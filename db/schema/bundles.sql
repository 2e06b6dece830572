-- Bundles: the context of each model call, to render it again, with its estimated and counted tokens.

CREATE TABLE bundles (
    tenant_id       text NOT NULL,
    id              text NOT NULL,
    user_id         text NOT NULL,
    conversation_id text NOT NULL,
    ts              timestamptz NOT NULL,
    request         jsonb NOT NULL,
    hashes          jsonb NOT NULL,
    provenance      jsonb NOT NULL,
    token_est       integer NOT NULL DEFAULT 0,
    token_used      integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX bundles_tenant_id_user_id_ts_idx ON bundles (tenant_id, user_id, ts);
ALTER TABLE bundles
    ALTER COLUMN request SET STATISTICS 0, ALTER COLUMN hashes SET STATISTICS 0,
    ALTER COLUMN provenance SET STATISTICS 0;

CALL wall.guard('bundles', 'own');
CREATE POLICY counting ON bundles FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, user_id, ts, token_est, token_used) ON bundles TO keepsake_warden;

CREATE FUNCTION wall.estimates(margin real, OUT calls bigint, OUT below bigint, OUT most real) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT count(*), count(*) FILTER (WHERE b.token_used > ceil(b.token_est * margin)),
           COALESCE(max(b.token_used::real / NULLIF(b.token_est, 0)), 0)
    FROM public.bundles AS b
    WHERE b.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND b.token_used > 0
$$;
REVOKE ALL ON FUNCTION wall.estimates FROM PUBLIC;
ALTER FUNCTION wall.estimates OWNER TO keepsake_warden;

-- Looks person by person, because that is the order of the index.
CREATE FUNCTION wall.due_bundles(kept_before timestamptz) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id FROM public.users AS u
    WHERE u.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
        AND EXISTS (SELECT FROM public.bundles AS b
                    WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id AND b.ts < kept_before)
$$;
REVOKE ALL ON FUNCTION wall.due_bundles FROM PUBLIC;
ALTER FUNCTION wall.due_bundles OWNER TO keepsake_warden;
