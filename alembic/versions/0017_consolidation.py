"""Digests that rest on messages, and what was looked through for facts.

A summary version holds what was said in the messages that it read, each point with the messages it rests on; the
rolling digest is put together from the versions within its window. Whatever rests on an event goes when the event is
blanked or erased, whoever wrote it: a trigger sees to that, because in a group it is another member's row.
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
        (sensitivity <> 'high' OR text IS NULL)
        AND (sealed IS NULL OR num_nonnulls(text, points, digest, overall) = 0));
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
        telling = CASE WHEN NEW.kind = 'message' AND NEW.tags @> '{telling}' THEN next_message_seq + 1
            ELSE telling END$q$
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

BACK = """
DROP TRIGGER what_rests_on_the_blanked_goes ON events;
DROP TRIGGER what_rests_on_the_erased_goes ON events;
DROP TRIGGER what_was_read_is_unread ON summaries;
DROP FUNCTION wall.drop_what_rests_on, wall.count_back;
DROP POLICY erasing ON summaries;
REVOKE ALL ON summaries FROM keepsake_eraser;
REVOKE ALL (digest, overall, topics) ON summaries FROM keepsake_eraser;
REVOKE ALL (telling) ON conversations FROM keepsake_warden;
REVOKE ALL (summarised) ON conversations FROM keepsake_eraser;
DROP TABLE extractions;
DO $$ BEGIN EXECUTE replace(pg_get_functiondef('wall.number_event()'::regprocedure),
    $q$,
        telling = CASE WHEN NEW.kind = 'message' AND NEW.tags @> '{telling}' THEN next_message_seq + 1
            ELSE telling END$q$,
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


def upgrade() -> None:
    for part in (SUMMARIES, CONVERSATIONS, EXTRACTIONS, RESTING):
        op.execute(part)
    for function in ("drop_what_rests_on", "count_back"):
        op.execute(handing_over(function, "keepsake_eraser"))


def downgrade() -> None:
    op.execute(BACK)
