-- Extractions: ranges of messages that were searched for facts. They hold no words.

CREATE TABLE extractions (
    tenant_id       text NOT NULL,
    id              text NOT NULL,
    conversation_id text NOT NULL,
    space_id        text NOT NULL,
    user_id         text NOT NULL,
    channel         text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity     text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    start_seq       integer NOT NULL CHECK (start_seq >= 0),
    end_seq         integer NOT NULL,
    status          text NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
    lease_until     timestamptz,
    attempts        integer NOT NULL DEFAULT 0,
    reason          text,
    found           integer NOT NULL DEFAULT 0,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CHECK (end_seq >= start_seq),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_extraction_is_made_at_a_time ON extractions (tenant_id, conversation_id)
    WHERE status = 'processing';
CREATE UNIQUE INDEX no_range_is_extracted_twice ON extractions (tenant_id, conversation_id, start_seq, end_seq)
    WHERE status = 'completed';
CREATE INDEX extractions_tenant_id_user_id_idx ON extractions (tenant_id, user_id);
ALTER TABLE extractions ALTER COLUMN reason SET STATISTICS 0;

CALL wall.guard('extractions', 'spoken');
CREATE POLICY handing_out ON extractions TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, DELETE, UPDATE (lease_until) ON extractions TO keepsake_warden;

-- The conversations with messages to search for facts, and their authors, as in `wall.due_summaries`.
CREATE FUNCTION wall.due_extractions(exchanges integer, quiet_before timestamptz, moment timestamptz, most integer)
    RETURNS TABLE (conversation_id text, owners text[], space_id text, channel text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT c.id, told.owners, c.space_id, c.channel
    FROM public.conversations AS c
    CROSS JOIN LATERAL (
        SELECT count(*) AS messages, array_agg(DISTINCT e.user_id ORDER BY e.user_id) AS owners
        FROM public.events AS e
        JOIN public.space_members AS m ON m.tenant_id = e.tenant_id AND m.space_id = c.space_id
            AND m.user_id = e.user_id
        WHERE e.tenant_id = c.tenant_id AND e.conversation_id = c.id AND e.message_seq >= c.extracted
            AND e.tags @> '{telling}') AS told
    CROSS JOIN LATERAL (
        SELECT c.ended_at IS NOT NULL OR e.ts < quiet_before AS is_quiet FROM public.events AS e
        WHERE e.tenant_id = c.tenant_id AND e.conversation_id = c.id AND e.seq = c.next_seq - 1) AS last
    WHERE c.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND c.kept AND c.telling > c.extracted
        AND told.messages > 0 AND (told.messages >= exchanges OR last.is_quiet)
        AND NOT EXISTS (SELECT FROM public.extractions AS x
            WHERE x.tenant_id = c.tenant_id AND x.conversation_id = c.id AND x.status = 'processing'
                AND x.lease_until > moment)
    ORDER BY c.started_at DESC, c.id LIMIT most
$$;
REVOKE ALL ON FUNCTION wall.due_extractions FROM PUBLIC;
ALTER FUNCTION wall.due_extractions OWNER TO keepsake_warden;

-- Takes over an expired lease of a summary or an extraction. In a group the row may belong to another member, so the
-- warden does it.
CREATE FUNCTION wall.take_over(work text, worked text, moment timestamptz) RETURNS TABLE (attempts integer, reason text)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF work = 'summary' THEN
        RETURN QUERY DELETE FROM public.summaries AS s
            WHERE s.tenant_id = wall.viewer_tenant() AND s.id = (SELECT x.id FROM public.summaries AS x
                WHERE x.tenant_id = wall.viewer_tenant() AND x.conversation_id = worked AND x.status = 'processing'
                    AND x.lease_until <= moment AND x.space_id = wall.viewer_space()
                    AND (x.channel IN ('public', 'team') OR x.user_id = wall.viewer_user())
                FOR UPDATE SKIP LOCKED)
            RETURNING s.attempts, s.reason;
    ELSE
        RETURN QUERY DELETE FROM public.extractions AS s
            WHERE s.tenant_id = wall.viewer_tenant() AND s.id = (SELECT x.id FROM public.extractions AS x
                WHERE x.tenant_id = wall.viewer_tenant() AND x.conversation_id = worked AND x.status = 'processing'
                    AND x.lease_until <= moment AND x.space_id = wall.viewer_space()
                    AND (x.channel IN ('public', 'team') OR x.user_id = wall.viewer_user())
                FOR UPDATE SKIP LOCKED)
            RETURNING s.attempts, s.reason;
    END IF;
END $$;
REVOKE ALL ON FUNCTION wall.take_over FROM PUBLIC;
ALTER FUNCTION wall.take_over OWNER TO keepsake_warden;

-- Both kinds of work in numbers, for `keepsake stats`, `keepsake doctor` and the metrics.
CREATE FUNCTION wall.consolidation_state(moment timestamptz) RETURNS TABLE (
        work text, completed bigint, failed bigint, stuck bigint, average_ms double precision, most_ms integer,
        reasons text[])
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT 'summaries', count(*) FILTER (WHERE s.status = 'completed'), count(*) FILTER (WHERE s.status = 'failed'),
           count(*) FILTER (WHERE s.status = 'processing' AND s.lease_until <= moment),
           avg(s.generation_ms) FILTER (WHERE s.status = 'completed')::float8,
           max(s.generation_ms) FILTER (WHERE s.status = 'completed'),
           COALESCE(array_agg(DISTINCT s.reason) FILTER (WHERE s.status = 'failed' AND s.reason IS NOT NULL), '{}')
    FROM public.summaries AS s WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
    UNION ALL
    SELECT 'extractions', count(*) FILTER (WHERE x.status = 'completed'), count(*) FILTER (WHERE x.status = 'failed'),
           count(*) FILTER (WHERE x.status = 'processing' AND x.lease_until <= moment), NULL, NULL,
           COALESCE(array_agg(DISTINCT x.reason) FILTER (WHERE x.status = 'failed' AND x.reason IS NOT NULL), '{}')
    FROM public.extractions AS x WHERE x.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
$$;
REVOKE ALL ON FUNCTION wall.consolidation_state FROM PUBLIC;
ALTER FUNCTION wall.consolidation_state OWNER TO keepsake_warden;
