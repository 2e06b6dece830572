"""What the passes go by: what is due and who takes it over, notices that are told once, and rebuilding under way."""

from alembic import op
from db.roles import handing_over

revision = "0018"
down_revision = "0017"

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
GRANT SELECT (tenant_id, id, conversation_id, space_id, user_id, channel, start_seq, end_seq, base_id, status, attempts,
              reason, generation_ms, created_at, lease_until), DELETE ON summaries TO keepsake_warden;
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
        AND p.status <> 'rejected' AND COALESCE(p.decided_at, p.expires_at) < deleted_before
$$;
GRANT SELECT (tenant_id, user_id, status, decided_at, expires_at) ON proposals TO keepsake_warden;
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
DROP POLICY handing_out ON summaries;
DROP POLICY handing_out ON extractions;
REVOKE ALL ON summaries, extractions FROM keepsake_warden;
REVOKE ALL (tenant_id, id, conversation_id, space_id, user_id, channel, start_seq, end_seq, base_id, status, attempts,
            reason, generation_ms, created_at, lease_until) ON summaries FROM keepsake_warden;
REVOKE ALL (conversation_id, seq, message_seq, ts, user_id, tags, kind) ON events FROM keepsake_warden;
REVOKE ALL (reminders, timezone) ON users FROM keepsake_warden;
DROP TABLE rebuilds, notices;
ALTER TABLE users DROP COLUMN reminders;
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
    for part in (NOTICES, DUE, PURGES):
        op.execute(part)
    for function in LOOKING:
        op.execute(handing_over(function, "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
