"""The ledgers at work: decisions that supersede each other, tasks that move, artifacts that are kept once.

What is sensitive in them is sealed. A decision is superseded by its successor's insertion and in no other way.
"""

from alembic import op
from db.roles import handing_over

revision = "0011"
down_revision = "0010"

DECISIONS = """
ALTER TABLE decisions
    ADD COLUMN event_id text,
    ADD COLUMN supersedes text,
    ADD COLUMN sealed bytea,
    ALTER COLUMN decision DROP NOT NULL,
    ALTER COLUMN sealed SET STATISTICS 0,
    ALTER COLUMN supersedes SET STATISTICS 0,
    ADD CONSTRAINT in_words_or_sealed CHECK (
        num_nonnulls(decision, sealed) = 1 AND (sensitivity <> 'high' OR sealed IS NOT NULL)
        AND (sealed IS NULL OR cardinality(rationale || constraints || alternatives || consequences) = 0)),
    ADD CONSTRAINT none_supersedes_itself CHECK (supersedes <> id),
    ADD UNIQUE (tenant_id, supersedes),
    ADD FOREIGN KEY (tenant_id, space_id, supersedes) REFERENCES decisions (tenant_id, space_id, id)
        ON DELETE SET NULL (supersedes),
    ADD FOREIGN KEY (tenant_id, event_id) REFERENCES events (tenant_id, id) ON DELETE CASCADE;
CREATE INDEX decisions_tenant_id_event_id_idx ON decisions (tenant_id, event_id);
CREATE INDEX decisions_tenant_id_space_id_ts_idx ON decisions (tenant_id, space_id, ts);
DROP POLICY reading ON decisions;
DROP POLICY writing ON decisions;
DROP POLICY changing ON decisions;
DROP POLICY removing ON decisions;
CALL wall.guard('decisions', 'spoken');
"""

# The first function looks as the writer, so that what they cannot see does not exist for them. The second acts as the
# warden, because the superseded row may be another member's. What is superseded must be there before its successor,
# and no link is made afterwards: so there is no way around in a circle.
SUPERSESSION = """
CREATE FUNCTION wall.look_at_superseded() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    earlier record;
BEGIN
    IF NEW.superseded_by IS NOT NULL THEN
        RAISE EXCEPTION 'a decision is superseded by entering its successor'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.supersedes IS NULL THEN
        RETURN NEW;
    END IF;
    SELECT d.status, d.superseded_by, d.channel INTO earlier FROM public.decisions AS d
        WHERE d.tenant_id = NEW.tenant_id AND d.space_id = NEW.space_id AND d.id = NEW.supersedes;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no such decision here' USING ERRCODE = 'foreign_key_violation';
    ELSIF earlier.status = 'superseded' THEN
        RAISE EXCEPTION 'superseded already, by %', COALESCE(earlier.superseded_by, 'one that is gone')
            USING ERRCODE = 'unique_violation';
    -- Whoever could read the old one can read what took its place.
    ELSIF NOT (earlier.channel IN (NEW.channel, 'private', 'agent')
               OR earlier.channel = 'team' AND NEW.channel = 'public') THEN
        RAISE EXCEPTION 'what was decided aloud is superseded aloud' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER the_superseded_is_seen BEFORE INSERT ON decisions
    FOR EACH ROW EXECUTE FUNCTION wall.look_at_superseded();

CREATE FUNCTION wall.supersede() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.decisions SET status = 'superseded', superseded_by = NEW.id
        WHERE tenant_id = NEW.tenant_id AND space_id = NEW.space_id AND id = NEW.supersedes AND status = 'active';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'superseded already' USING ERRCODE = 'unique_violation';
    END IF;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION wall.supersede FROM PUBLIC;
GRANT SELECT, UPDATE (status, superseded_by) ON decisions TO keepsake_warden;
CREATE POLICY minding ON decisions TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE TRIGGER the_superseded_is_marked AFTER INSERT ON decisions
    FOR EACH ROW WHEN (NEW.supersedes IS NOT NULL) EXECUTE FUNCTION wall.supersede();

-- A link may break, when one of the two is erased; nobody ties one, neither the application nor the tables' owner.
CREATE FUNCTION wall.refuse_other_supersession() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.supersedes IS NOT NULL AND NEW.supersedes IS DISTINCT FROM OLD.supersedes
        OR current_user <> 'keepsake_warden' AND (NEW.status <> OLD.status
            OR NEW.superseded_by IS NOT NULL AND NEW.superseded_by IS DISTINCT FROM OLD.superseded_by) THEN
        RAISE EXCEPTION 'a decision is superseded by entering its successor'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER links_are_not_tied_by_hand BEFORE UPDATE ON decisions
    FOR EACH ROW EXECUTE FUNCTION wall.refuse_other_supersession();
"""

# Another member moves a task that was said aloud; its words stay its author's, and are changed where they were said:
# what its author says in private must not turn up in the group.
TASKS = """
ALTER TABLE tasks
    ADD COLUMN event_id text,
    ADD COLUMN sealed bytea,
    ALTER COLUMN title DROP NOT NULL,
    ALTER COLUMN sealed SET STATISTICS 0,
    ADD CONSTRAINT in_words_or_sealed CHECK (
        num_nonnulls(title, sealed) = 1 AND (sensitivity <> 'high' OR sealed IS NOT NULL)
        AND (sealed IS NULL OR details = '')),
    ADD FOREIGN KEY (tenant_id, event_id) REFERENCES events (tenant_id, id) ON DELETE CASCADE;
CREATE INDEX tasks_tenant_id_event_id_idx ON tasks (tenant_id, event_id);
CREATE INDEX tasks_tenant_id_space_id_status_idx ON tasks (tenant_id, space_id, status);
DROP POLICY reading ON tasks;
DROP POLICY writing ON tasks;
DROP POLICY changing ON tasks;
DROP POLICY removing ON tasks;
CALL wall.guard('tasks', 'spoken');
CREATE POLICY moving ON tasks FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id <> (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()) AND sensitivity = ANY ((SELECT wall.loadable())::text[])
    AND (channel = 'public' OR channel = 'team' AND (SELECT wall.viewer_channel()) IN ('team', 'private')));

CREATE FUNCTION wall.mind_task() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    movable constant text[] := ARRAY['status', 'due'];
BEGIN
    IF to_jsonb(NEW) - movable = to_jsonb(OLD) - movable
        OR OLD.user_id = wall.viewer_user() AND (
            OLD.channel IN ('private', 'agent') AND wall.viewer_is_alone()
            OR OLD.channel = wall.viewer_channel() AND OLD.space_id = wall.viewer_space()) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the words of a task are changed by their author, where they were said'
        USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER words_stay_with_their_author BEFORE UPDATE ON tasks
    FOR EACH ROW EXECUTE FUNCTION wall.mind_task();
"""

# The same bytes are one artifact for the same audience and purpose: a document must not end with the output of a tool.
# What is sensitive stands sealed in `bytes`, its description too.
ARTIFACTS = """
ALTER TABLE artifacts
    ADD COLUMN is_text boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT artifacts_tenant_id_user_id_space_id_sha256_key,
    ADD UNIQUE (tenant_id, user_id, space_id, channel, kind, sha256),
    ADD CONSTRAINT the_sensitive_are_sealed CHECK (sensitivity <> 'high' OR meta = '{}');

-- Which artifacts of the viewer a decision of anybody rests on: by their own id, or by the event or chunk that shows
-- them. (A sealed event tells nothing; the artifact itself names the event it was made in.)
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
CREATE FUNCTION wall.due_artifacts(kept_before timestamptz) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT a.user_id FROM public.artifacts AS a
    WHERE a.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
        AND a.kind <> 'document' AND a.ts < kept_before
$$;
REVOKE ALL ON FUNCTION wall.cited_artifacts, wall.due_artifacts FROM PUBLIC;
CREATE INDEX artifacts_that_grow_old ON artifacts (tenant_id, ts) WHERE kind <> 'document';
GRANT SELECT (tenant_id, id, user_id, kind, ts, refs) ON artifacts TO keepsake_warden;
GRANT SELECT (tenant_id, id, artifact_id, event_id) ON chunks TO keepsake_warden;
GRANT SELECT (tenant_id, id, content, refs) ON events TO keepsake_warden;
CREATE POLICY looking_out ON artifacts FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY looking_out ON chunks FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY looking_out ON events FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

# What a space's agents read as their rules is its owners' to write. An edit is a new version; forgetting alone changes
# one that stands.
VIEWS = """
DROP POLICY writing ON views;
CREATE POLICY writing ON views FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()) AND (scope = 'user' OR (SELECT wall.viewer_owns_space())));
CREATE POLICY forgetting ON views FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND (SELECT wall.viewer_is_alone()));
"""

BACK = """
DROP POLICY forgetting ON views;
DROP POLICY writing ON views;
CREATE POLICY writing ON views FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()));

DROP FUNCTION wall.due_artifacts, wall.cited_artifacts;
DROP INDEX artifacts_that_grow_old;
DROP POLICY looking_out ON artifacts;
DROP POLICY looking_out ON chunks;
DROP POLICY looking_out ON events;
REVOKE ALL (tenant_id, id, user_id, kind, ts, refs) ON artifacts FROM keepsake_warden;
REVOKE ALL (tenant_id, id, artifact_id, event_id) ON chunks FROM keepsake_warden;
REVOKE ALL (tenant_id, id, content, refs) ON events FROM keepsake_warden;

-- The schema below knows no encrypted words, and they must not become plain ones.
ALTER TABLE artifacts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE decisions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE tasks NO FORCE ROW LEVEL SECURITY;
DELETE FROM artifacts WHERE sensitivity = 'high';
DELETE FROM decisions WHERE sealed IS NOT NULL;
DELETE FROM tasks WHERE sealed IS NOT NULL;
DELETE FROM artifacts AS a USING artifacts AS b
    WHERE b.tenant_id = a.tenant_id AND b.user_id = a.user_id AND b.space_id = a.space_id AND b.sha256 = a.sha256
        AND b.id < a.id;
ALTER TABLE artifacts DROP COLUMN is_text, DROP CONSTRAINT the_sensitive_are_sealed,
    DROP CONSTRAINT artifacts_tenant_id_user_id_space_id_channel_kind_sha256_key,
    ADD UNIQUE (tenant_id, user_id, space_id, sha256);
CALL wall.raise_on('artifacts');

DROP TRIGGER words_stay_with_their_author ON tasks;
DROP FUNCTION wall.mind_task;
DROP POLICY moving ON tasks;
DROP POLICY writing ON tasks;
DROP POLICY changing ON tasks;
DROP POLICY removing ON tasks;
DROP POLICY reading ON tasks;
DROP INDEX tasks_tenant_id_space_id_status_idx;
ALTER TABLE tasks DROP COLUMN event_id, DROP COLUMN sealed, ALTER COLUMN title SET NOT NULL;
CALL wall.guard('tasks', 'spoken');

DROP TRIGGER links_are_not_tied_by_hand ON decisions;
DROP TRIGGER the_superseded_is_marked ON decisions;
DROP TRIGGER the_superseded_is_seen ON decisions;
DROP FUNCTION wall.refuse_other_supersession, wall.supersede, wall.look_at_superseded;
DROP POLICY minding ON decisions;
REVOKE ALL ON decisions FROM keepsake_warden;
REVOKE ALL (status, superseded_by) ON decisions FROM keepsake_warden;
DROP POLICY writing ON decisions;
DROP POLICY changing ON decisions;
DROP POLICY removing ON decisions;
DROP POLICY reading ON decisions;
DROP INDEX decisions_tenant_id_space_id_ts_idx;
ALTER TABLE decisions DROP COLUMN event_id, DROP COLUMN supersedes, DROP COLUMN sealed,
    ALTER COLUMN decision SET NOT NULL;
CALL wall.guard('decisions', 'spoken');
"""


def upgrade() -> None:
    for part in (DECISIONS, SUPERSESSION, TASKS, ARTIFACTS, VIEWS):
        op.execute(part)
    for function in ("supersede()", "cited_artifacts()", "due_artifacts(timestamptz)"):
        op.execute(handing_over(function, "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
