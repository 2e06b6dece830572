"""Consolidation: digests that rest on messages, what was looked through for facts, notices, and work begun anew.

A summary version holds what was said in the messages that it read, each point with the messages it rests on; the rolling
digest is put together from the versions within its window. Whatever rests on an event goes when the event is blanked or
erased, whoever wrote it: a trigger sees to that, because in a group it is another member's row.
"""

from alembic import op
from db.roles import handing_over

revision = "0017"
down_revision = "0016"

SUMMARIES = """
ALTER TABLE summaries
    ADD COLUMN new_seq integer,
    ADD COLUMN points  jsonb,
    ADD COLUMN digest  text,
    ADD COLUMN overall text,
    ADD COLUMN topics  text[] NOT NULL DEFAULT '{}',
    ADD COLUMN sealed  bytea,
    ADD CONSTRAINT read_within_its_window CHECK (new_seq BETWEEN start_seq AND end_seq),
    DROP CONSTRAINT a_completed_summary_has_words,
    ADD CONSTRAINT a_completed_summary_has_words CHECK ((status = 'completed') = (num_nonnulls(text, sealed) = 1)),
    ADD CONSTRAINT the_sensitive_are_sealed CHECK (
        (sensitivity <> 'high' OR text IS NULL) AND (sealed IS NULL OR num_nonnulls(text, points, digest, overall) = 0));
CREATE INDEX summaries_in_order_idx ON summaries (tenant_id, conversation_id, end_seq) WHERE status = 'completed';
CREATE INDEX summaries_digests_idx ON summaries (tenant_id, space_id, created_at) WHERE status = 'completed';
ALTER TABLE summaries ALTER COLUMN points SET STATISTICS 0, ALTER COLUMN digest SET STATISTICS 0,
    ALTER COLUMN overall SET STATISTICS 0, ALTER COLUMN topics SET STATISTICS 0, ALTER COLUMN sealed SET STATISTICS 0;
"""

# How far a conversation was worked through. `telling` is the number of messages up to the newest that may tell
# something of its writer; a message says so by its tag.
CONVERSATIONS = """
ALTER TABLE conversations
    ADD COLUMN telling     integer NOT NULL DEFAULT 0,
    ADD COLUMN extracted   integer NOT NULL DEFAULT 0,
    ADD COLUMN summarised  integer NOT NULL DEFAULT 0,
    ADD COLUMN digest_from integer NOT NULL DEFAULT 0;
CREATE INDEX conversations_that_tell ON conversations (tenant_id) WHERE telling > extracted;
CREATE INDEX events_that_tell ON events (tenant_id, conversation_id, message_seq) WHERE tags @> '{telling}';
GRANT UPDATE (telling) ON conversations TO keepsake_warden;
DO $$ BEGIN EXECUTE replace(pg_get_functiondef('wall.number_event()'::regprocedure),
    $q$next_message_seq = next_message_seq + CASE WHEN NEW.kind = 'message' THEN 1 ELSE 0 END$q$,
    $q$next_message_seq = next_message_seq + CASE WHEN NEW.kind = 'message' THEN 1 ELSE 0 END,
        telling = CASE WHEN NEW.kind = 'message' AND NEW.tags @> '{telling}' THEN next_message_seq + 1 ELSE telling END$q$
    ); END $$;
"""

EXTRACTIONS = """
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
CALL wall.guard('extractions', 'spoken');
ALTER TABLE extractions ALTER COLUMN reason SET STATISTICS 0;
"""

# What happened in the background and its owner has still to be told, each thing once.
NOTICES = """
CREATE TABLE notices (
    tenant_id   text NOT NULL,
    id          text NOT NULL,
    user_id     text NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('receipt', 'cards', 'reminder')),
    key         text NOT NULL,
    refs        text[] NOT NULL DEFAULT '{}',
    due_at      timestamptz NOT NULL,
    lease_until timestamptz,
    told_at     timestamptz,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, user_id, kind, key),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX notices_to_be_told ON notices (tenant_id, user_id, due_at) WHERE told_at IS NULL;
CALL wall.guard('notices', 'own');
ALTER TABLE notices ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN refs SET STATISTICS 0;

ALTER TABLE users ADD COLUMN reminders boolean NOT NULL DEFAULT false;
GRANT SELECT (reminders, timezone) ON users TO keepsake_warden;

-- How far everything derived was made anew for somebody; there is a row only while that is under way.
CREATE TABLE rebuilds (
    tenant_id  text NOT NULL,
    user_id    text NOT NULL,
    made_until text NOT NULL DEFAULT '',
    began_at   timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CALL wall.guard('rebuilds', 'own');
ALTER TABLE rebuilds ALTER COLUMN made_until SET STATISTICS 0;
"""

# Overviews of other conversations may repeat what is gone, so they go with it and are made anew.
RESTING = """
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
-- Whoever removes a version, what it had read counts as not read.
CREATE FUNCTION wall.count_back() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.conversations AS c SET summarised = LEAST(c.summarised, g.new_seq)
        FROM (SELECT o.tenant_id, o.conversation_id, min(COALESCE(o.new_seq, o.start_seq)) AS new_seq FROM gone AS o
              WHERE o.status = 'completed' GROUP BY o.tenant_id, o.conversation_id) AS g
        WHERE c.tenant_id = g.tenant_id AND c.id = g.conversation_id;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION wall.drop_what_rests_on, wall.count_back FROM PUBLIC;
GRANT SELECT, DELETE, UPDATE (digest, overall, topics) ON summaries TO keepsake_eraser;
GRANT UPDATE (summarised) ON conversations TO keepsake_eraser;
CREATE POLICY erasing ON summaries TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE TRIGGER what_was_read_is_unread AFTER DELETE ON summaries
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION wall.count_back();
CREATE TRIGGER what_rests_on_the_blanked_goes AFTER UPDATE ON events
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION wall.drop_what_rests_on();
CREATE TRIGGER what_rests_on_the_erased_goes AFTER DELETE ON events
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION wall.drop_what_rests_on();
"""

# What is missing, for a viewer who is nobody: ids and scope. The work is done as a person who still belongs there; in a
# group, as whoever spoke last.
DUE = """
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

-- A lease that ran out is taken over by whoever comes first; in a group that may be another member, so it is done here.
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

CREATE FUNCTION wall.due_reminders() RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT u.id FROM public.users AS u
    JOIN public.facts AS f ON f.tenant_id = u.tenant_id AND f.user_id = u.id
    WHERE u.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND u.reminders
        AND f.attribute = 'important_date' AND f.deleted_at IS NULL
$$;

-- One process at a time brings a reminder to somebody whose id begins so.
CREATE FUNCTION wall.claim_notices(whose text, moment timestamptz, held_for interval, most integer)
    RETURNS TABLE (id text, user_id text)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.notices AS n SET lease_until = moment + held_for
        FROM (SELECT o.id FROM public.notices AS o
              WHERE o.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND o.kind = 'reminder'
                  AND o.told_at IS NULL AND o.due_at <= moment AND starts_with(o.user_id, whose)
                  AND (o.lease_until IS NULL OR o.lease_until <= moment)
              ORDER BY o.due_at, o.id LIMIT most FOR UPDATE SKIP LOCKED) AS due
        WHERE n.tenant_id = wall.viewer_tenant() AND n.id = due.id
        RETURNING n.id, n.user_id
$$;

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
REVOKE ALL ON FUNCTION wall.due_summaries, wall.due_extractions, wall.take_over, wall.due_reminders,
    wall.claim_notices, wall.summary_chain, wall.consolidation_state FROM PUBLIC;
GRANT SELECT (conversation_id, seq, message_seq, ts, user_id, tags, kind) ON events TO keepsake_warden;
GRANT SELECT (tenant_id, id, conversation_id, space_id, user_id, channel, start_seq, end_seq, base_id, status, attempts, reason,
              generation_ms, created_at, lease_until), DELETE ON summaries TO keepsake_warden;
GRANT UPDATE (lease_until) ON summaries TO keepsake_warden;
GRANT SELECT, DELETE, UPDATE (lease_until) ON extractions TO keepsake_warden;
GRANT SELECT, UPDATE (lease_until) ON notices TO keepsake_warden;
CREATE POLICY handing_out ON summaries TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY handing_out ON extractions TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY handing_out ON notices TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

# Cards that ran out, or were answered long ago, wait for the purge as deleted facts do.
PURGES = """
CREATE OR REPLACE FUNCTION wall.due_purges(deleted_before timestamptz) RETURNS TABLE (user_id text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT f.user_id FROM public.facts AS f
    WHERE f.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND f.deleted_at < deleted_before
    UNION SELECT p.user_id FROM public.proposals AS p
    WHERE p.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
        AND COALESCE(p.decided_at, p.expires_at) < deleted_before
$$;
GRANT SELECT (tenant_id, user_id, decided_at, expires_at) ON proposals TO keepsake_warden;
CREATE POLICY looking_out ON proposals FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

BACK = """
DROP POLICY looking_out ON proposals;
REVOKE ALL (tenant_id, user_id, decided_at, expires_at) ON proposals FROM keepsake_warden;
CREATE OR REPLACE FUNCTION wall.due_purges(deleted_before timestamptz) RETURNS TABLE (user_id text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT f.user_id FROM public.facts AS f
    WHERE f.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND f.deleted_at < deleted_before
$$;
DROP FUNCTION wall.due_summaries, wall.due_extractions, wall.take_over, wall.due_reminders, wall.claim_notices,
    wall.summary_chain, wall.consolidation_state;
DROP TRIGGER what_rests_on_the_blanked_goes ON events;
DROP TRIGGER what_rests_on_the_erased_goes ON events;
DROP TRIGGER what_was_read_is_unread ON summaries;
DROP FUNCTION wall.drop_what_rests_on, wall.count_back;
DROP POLICY erasing ON summaries;
DROP POLICY handing_out ON summaries;
REVOKE ALL ON summaries FROM keepsake_warden, keepsake_eraser;
REVOKE ALL (tenant_id, id, conversation_id, space_id, user_id, channel, start_seq, end_seq, base_id, status, attempts, reason,
            generation_ms, created_at, lease_until, digest, overall, topics) ON summaries
    FROM keepsake_warden, keepsake_eraser;
REVOKE ALL (conversation_id, seq, message_seq, ts, user_id, tags, kind) ON events FROM keepsake_warden;
REVOKE ALL (reminders, timezone) ON users FROM keepsake_warden;
REVOKE ALL (telling) ON conversations FROM keepsake_warden;
REVOKE ALL (summarised) ON conversations FROM keepsake_eraser;
DROP TABLE rebuilds, notices, extractions;
ALTER TABLE users DROP COLUMN reminders;
DO $$ BEGIN EXECUTE replace(pg_get_functiondef('wall.number_event()'::regprocedure),
    $q$,
        telling = CASE WHEN NEW.kind = 'message' AND NEW.tags @> '{telling}' THEN next_message_seq + 1 ELSE telling END$q$,
    ''); END $$;
DROP INDEX events_that_tell;
ALTER TABLE conversations DROP COLUMN telling, DROP COLUMN extracted, DROP COLUMN summarised, DROP COLUMN digest_from;
-- The schema below knows no sealed summary; they are derived, and made anew.
ALTER TABLE summaries NO FORCE ROW LEVEL SECURITY;
DELETE FROM summaries WHERE sealed IS NOT NULL;
CALL wall.raise_on('summaries');
DROP INDEX summaries_in_order_idx, summaries_digests_idx;
ALTER TABLE summaries DROP CONSTRAINT the_sensitive_are_sealed, DROP CONSTRAINT a_completed_summary_has_words,
    DROP COLUMN new_seq, DROP COLUMN points, DROP COLUMN digest, DROP COLUMN overall, DROP COLUMN topics,
    DROP COLUMN sealed,
    ADD CONSTRAINT a_completed_summary_has_words CHECK ((status = 'completed') = (text IS NOT NULL));
"""

LOOKING = (
    "due_summaries",
    "due_extractions",
    "take_over",
    "due_reminders",
    "claim_notices",
    "summary_chain",
    "consolidation_state",
)


def upgrade() -> None:
    for part in (SUMMARIES, CONVERSATIONS, EXTRACTIONS, NOTICES, RESTING, DUE, PURGES):
        op.execute(part)
    for function in LOOKING:
        op.execute(handing_over(function, "keepsake_warden"))
    for function in ("drop_what_rests_on", "count_back"):
        op.execute(handing_over(function, "keepsake_eraser"))


def downgrade() -> None:
    op.execute(BACK)
