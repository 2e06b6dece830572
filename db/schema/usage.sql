-- Usage: the cost of model calls, one row per call, numbers only. Each person reads their own rows; the operator reads
-- the sums.

CREATE TABLE usage (
    tenant_id          text NOT NULL,
    id                 text NOT NULL,
    user_id            text NOT NULL,
    conversation_id    text,
    ts                 timestamptz NOT NULL,
    model              text NOT NULL,
    purpose            text NOT NULL,
    input_tokens       bigint NOT NULL,
    cache_read_tokens  bigint NOT NULL,
    cache_write_tokens bigint NOT NULL,
    output_tokens      bigint NOT NULL,
    cost_microdollars  bigint,
    milliseconds       integer NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id)
        ON DELETE SET NULL (conversation_id)
);
CREATE INDEX usage_tenant_id_user_id_ts_idx ON usage (tenant_id, user_id, ts);
CREATE INDEX usage_tenant_id_ts_idx ON usage (tenant_id, ts);
CREATE INDEX usage_tenant_id_conversation_id_idx ON usage (tenant_id, conversation_id);

CALL wall.guard('usage', 'own');
CREATE POLICY counting ON usage FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, ts, model, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens,
              cost_microdollars, milliseconds) ON usage TO keepsake_warden;

-- The usage of all users, for a viewer without a person: sums by model, and the number of calls without a known price.
CREATE FUNCTION wall.usage_sums(since timestamptz) RETURNS TABLE (
    model text, calls bigint, input_tokens bigint, cache_read_tokens bigint, cache_write_tokens bigint,
    output_tokens bigint, cost_microdollars bigint, unpriced bigint, milliseconds bigint) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.model, count(*), sum(u.input_tokens)::bigint, sum(u.cache_read_tokens)::bigint,
           sum(u.cache_write_tokens)::bigint, sum(u.output_tokens)::bigint, sum(u.cost_microdollars)::bigint,
           count(*) FILTER (WHERE u.cost_microdollars IS NULL), sum(u.milliseconds)::bigint
    FROM public.usage AS u
    WHERE u.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND u.ts >= since
    GROUP BY u.model ORDER BY u.model
$$;
REVOKE ALL ON FUNCTION wall.usage_sums FROM PUBLIC;
ALTER FUNCTION wall.usage_sums OWNER TO keepsake_warden;
