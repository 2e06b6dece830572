-- API keys, by their hash. A key names its tenant, so its hash is looked up within that tenant. A key without a user is
-- the operator's.

CREATE TABLE api_keys (
    tenant_id    text NOT NULL,
    id           text NOT NULL,
    user_id      text,
    agent_id     text,
    hash         bytea NOT NULL CHECK (length(hash) = 32),
    scopes       text[] NOT NULL DEFAULT '{}' CHECK (scopes <@ ARRAY['read', 'write', 'admin']),
    created_at   timestamptz NOT NULL DEFAULT now(),
    revoked_at   timestamptz,
    name         text NOT NULL DEFAULT '' CHECK (char_length(name) <= 100),
    last_used_at timestamptz,
    paced_until  timestamptz,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, hash)
);
ALTER TABLE api_keys ALTER COLUMN hash SET STATISTICS 0, ALTER COLUMN scopes SET STATISTICS 0;

CALL wall.raise_on('api_keys');
CREATE POLICY keeping ON api_keys USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id IS NOT DISTINCT FROM (SELECT wall.viewer_user())
    AND (SELECT wall.viewer_is_alone()));
CREATE POLICY looking_out ON api_keys TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, UPDATE (paced_until, last_used_at) ON api_keys TO keepsake_warden;

-- The owner of a key, and how long its call must wait: a bucket of `burst` calls that refills by `a_second`. All
-- processes share the count. A crash may lose a count, which does no harm, so the commit does not wait for the disk.
CREATE FUNCTION wall.admit_key(presented bytea, burst integer, a_second double precision)
    RETURNS TABLE (key_id text, user_id text, agent_id text, scopes text[], wait double precision)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    step    constant interval := make_interval(secs => 1 / a_second);
    counted timestamptz;
    moment  timestamptz;
    full_   timestamptz;
    due     timestamptz;
BEGIN
    SELECT k.id, k.user_id, k.agent_id, k.scopes, k.paced_until INTO key_id, user_id, agent_id, scopes, counted
        FROM public.api_keys AS k
        WHERE k.tenant_id = wall.viewer_tenant() AND k.hash = presented AND k.revoked_at IS NULL
        FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    moment := clock_timestamp();  -- only now: others of this key may have been waited for
    full_ := moment + step * (burst - 1);
    due := GREATEST(LEAST(COALESCE(counted, moment), full_ + step), moment);
    wait := GREATEST(EXTRACT(epoch FROM due - full_), 0);
    IF due <= full_ THEN
        PERFORM set_config('synchronous_commit', 'off', true);
        UPDATE public.api_keys AS k SET paced_until = due + step, last_used_at = moment
            WHERE k.tenant_id = wall.viewer_tenant() AND k.id = key_id;
    ELSIF due < counted THEN  -- the clock jumped back, or the pace was raised: no more than a full bucket is owed
        UPDATE public.api_keys AS k SET paced_until = due WHERE k.tenant_id = wall.viewer_tenant() AND k.id = key_id;
    END IF;
    RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION wall.admit_key FROM PUBLIC;
ALTER FUNCTION wall.admit_key OWNER TO keepsake_warden;

-- Without their names, because those are a person's words.
CREATE FUNCTION wall.key_list() RETURNS TABLE (id text, user_id text, agent_id text, scopes text[],
        created_at timestamptz, last_used_at timestamptz, revoked_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT k.id, k.user_id, k.agent_id, k.scopes, k.created_at, k.last_used_at, k.revoked_at
        FROM public.api_keys AS k
        WHERE k.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL ORDER BY k.created_at, k.id
$$;
REVOKE ALL ON FUNCTION wall.key_list FROM PUBLIC;
ALTER FUNCTION wall.key_list OWNER TO keepsake_warden;
