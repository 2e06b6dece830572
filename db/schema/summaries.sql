-- Summaries: what was said in a range of messages, as a chain of versions. Each version continues where the last one
-- ends, and each of its points names its source messages.

CREATE TABLE summaries (
    tenant_id       text NOT NULL,
    id              text NOT NULL,
    conversation_id text NOT NULL,
    space_id        text NOT NULL,
    user_id         text NOT NULL,
    channel         text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity     text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    start_seq       integer NOT NULL CHECK (start_seq >= 0),
    end_seq         integer NOT NULL,
    base_id         text,
    status          text NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
    lease_until     timestamptz,
    attempts        integer NOT NULL DEFAULT 0,
    reason          text,
    text            text,
    refs            text[] NOT NULL DEFAULT '{}',
    generation_ms   integer,
    created_at      timestamptz NOT NULL DEFAULT now(),
    new_seq         integer,
    points          jsonb,
    digest          text,
    overall         text,
    topics          text[] NOT NULL DEFAULT '{}',
    sealed          bytea,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, conversation_id, id),
    CHECK (end_seq >= start_seq),
    CONSTRAINT read_within_its_window CHECK (new_seq BETWEEN start_seq AND end_seq),
    CONSTRAINT a_completed_summary_has_words CHECK ((status = 'completed') = (num_nonnulls(text, sealed) = 1)),
    CONSTRAINT the_sensitive_are_sealed CHECK (
        (sensitivity <> 'high' OR text IS NULL)
        AND (sealed IS NULL OR num_nonnulls(text, points, digest, overall) = 0)),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, conversation_id, base_id) REFERENCES summaries (tenant_id, conversation_id, id)
        ON DELETE SET NULL (base_id)
);
CREATE UNIQUE INDEX one_summary_is_made_at_a_time ON summaries (tenant_id, conversation_id)
    WHERE status = 'processing';
CREATE UNIQUE INDEX no_range_is_summarised_twice ON summaries (tenant_id, conversation_id, start_seq, end_seq)
    WHERE status = 'completed';
CREATE INDEX summaries_in_order_idx ON summaries (tenant_id, conversation_id, end_seq) WHERE status = 'completed';
CREATE INDEX summaries_digests_idx ON summaries (tenant_id, space_id, created_at) WHERE status = 'completed';
ALTER TABLE summaries
    ALTER COLUMN reason SET STATISTICS 0, ALTER COLUMN text SET STATISTICS 0, ALTER COLUMN refs SET STATISTICS 0,
    ALTER COLUMN points SET STATISTICS 0, ALTER COLUMN digest SET STATISTICS 0, ALTER COLUMN overall SET STATISTICS 0,
    ALTER COLUMN topics SET STATISTICS 0, ALTER COLUMN sealed SET STATISTICS 0;

CALL wall.guard('summaries', 'spoken');
CREATE POLICY handing_out ON summaries TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY erasing ON summaries TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, id, conversation_id, space_id, user_id, channel, start_seq, end_seq, base_id, status, attempts,
              reason, generation_ms, created_at, lease_until), UPDATE (lease_until), DELETE
    ON summaries TO keepsake_warden;
GRANT SELECT, DELETE, UPDATE (digest, overall, topics) ON summaries TO keepsake_eraser;

-- Blanking or erasing an event removes everything derived from it; in a group that may be another member's row.
-- Overviews of other conversations may repeat its words, so they are removed too and made again.
CREATE FUNCTION wall.drop_what_rests_on() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM public.summaries AS s USING gone AS g
        WHERE s.tenant_id = g.tenant_id AND s.conversation_id = g.conversation_id
            AND (g.id = ANY (s.refs) OR s.sealed IS NOT NULL AND s.end_seq >= g.message_seq);
    UPDATE public.summaries AS s SET overall = NULL, topics = '{}',
            digest = CASE WHEN s.conversation_id = g.conversation_id AND s.end_seq >= g.message_seq THEN NULL
                          ELSE s.digest END
        FROM gone AS g
        WHERE s.tenant_id = g.tenant_id AND s.space_id = g.space_id AND s.channel = g.channel
            AND (s.user_id = g.user_id OR s.channel IN ('public', 'team')) AND s.created_at >= g.ts
            AND num_nonnulls(s.digest, s.overall) > 0;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION wall.drop_what_rests_on FROM PUBLIC;
ALTER FUNCTION wall.drop_what_rests_on OWNER TO keepsake_eraser;
CREATE TRIGGER what_rests_on_the_blanked_goes AFTER UPDATE ON events
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION wall.drop_what_rests_on();
CREATE TRIGGER what_rests_on_the_erased_goes AFTER DELETE ON events
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION wall.drop_what_rests_on();

-- When a version is removed, the messages it had read count as unread.
CREATE FUNCTION wall.count_back() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.conversations AS c SET summarised = LEAST(c.summarised, g.new_seq)
        FROM (SELECT o.tenant_id, o.conversation_id, min(COALESCE(o.new_seq, o.start_seq)) AS new_seq FROM gone AS o
              WHERE o.status = 'completed' GROUP BY o.tenant_id, o.conversation_id) AS g
        WHERE c.tenant_id = g.tenant_id AND c.id = g.conversation_id;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION wall.count_back FROM PUBLIC;
ALTER FUNCTION wall.count_back OWNER TO keepsake_eraser;
CREATE TRIGGER what_was_read_is_unread AFTER DELETE ON summaries
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION wall.count_back();

-- The conversations with messages to summarise: ids and scope, for a viewer without a person. The job runs as a person
-- who still belongs there; in a group, as the last speaker.
CREATE FUNCTION wall.due_summaries(more_than integer, idle_before timestamptz, moment timestamptz, most integer)
    RETURNS TABLE (conversation_id text, user_id text, space_id text, channel text, is_closed boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT c.id, who.user_id, c.space_id, c.channel, last.is_closed
    FROM public.conversations AS c
    CROSS JOIN LATERAL (
        SELECT GREATEST(c.summarised, c.digest_from, COALESCE((
            SELECT max(s.end_seq) + 1 FROM public.summaries AS s
            WHERE s.tenant_id = c.tenant_id AND s.conversation_id = c.id AND s.status = 'failed'), 0)) AS until) AS read
    CROSS JOIN LATERAL (
        SELECT c.ended_at IS NOT NULL OR COALESCE(e.ts < idle_before, false) AS is_closed
        FROM public.events AS e
        WHERE e.tenant_id = c.tenant_id AND e.conversation_id = c.id AND e.seq = c.next_seq - 1) AS last
    CROSS JOIN LATERAL (
        SELECT m.user_id FROM public.space_members AS m
        WHERE m.tenant_id = c.tenant_id AND m.space_id = c.space_id AND (
            c.channel IN ('private', 'agent') AND m.user_id = c.user_id
            OR c.channel IN ('public', 'team') AND m.user_id = (
                SELECT e.user_id FROM public.events AS e
                JOIN public.space_members AS n ON n.tenant_id = e.tenant_id AND n.space_id = c.space_id
                    AND n.user_id = e.user_id
                WHERE e.tenant_id = c.tenant_id AND e.conversation_id = c.id ORDER BY e.seq DESC LIMIT 1))) AS who
    WHERE c.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND c.kept
        AND c.next_message_seq > read.until
        AND (c.next_message_seq - read.until > more_than OR last.is_closed)
        AND NOT EXISTS (SELECT FROM public.summaries AS s
            WHERE s.tenant_id = c.tenant_id AND s.conversation_id = c.id AND s.status = 'processing'
                AND s.lease_until > moment)
    ORDER BY c.started_at DESC, c.id LIMIT most
$$;
REVOKE ALL ON FUNCTION wall.due_summaries FROM PUBLIC;
ALTER FUNCTION wall.due_summaries OWNER TO keepsake_warden;

-- For `keepsake stats`, `keepsake doctor` and the metrics: numbers and ids, no words.
CREATE FUNCTION wall.summary_chain(of_conversation text, most integer) RETURNS TABLE (
        conversation_id text, id text, start_seq integer, end_seq integer, base_end_seq integer, status text,
        attempts integer, reason text, generation_ms integer, created_at timestamptz, lease_until timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT s.conversation_id, s.id, s.start_seq, s.end_seq, b.end_seq, s.status, s.attempts, s.reason, s.generation_ms,
           s.created_at, s.lease_until
    FROM public.summaries AS s
    LEFT JOIN public.summaries AS b ON b.tenant_id = s.tenant_id AND b.id = s.base_id
    WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
        AND (of_conversation IS NULL OR s.conversation_id = of_conversation)
    ORDER BY s.created_at DESC, s.end_seq DESC, s.id LIMIT most
$$;
REVOKE ALL ON FUNCTION wall.summary_chain FROM PUBLIC;
ALTER FUNCTION wall.summary_chain OWNER TO keepsake_warden;
