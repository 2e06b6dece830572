"""Forgetting and keys: events are blanked or erased, sensitive ones are encrypted, due work is found across people."""

from alembic import op
from db.roles import handing_over

revision = "0009"
down_revision = "0008"

# What the eraser leaves of a blanked event says only that something stood there.
EVENTS = """
CREATE FUNCTION wall.blank_event(erased text) RETURNS boolean LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.events SET content = '{"text": "█"}' WHERE id = erased;
    RETURN FOUND;
END $$;
CREATE FUNCTION wall.erase_events() RETURNS bigint LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    erased bigint;
BEGIN
    DELETE FROM public.events;
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
END $$;
-- What turns out to be sensitive after it was written is sealed in place.
CREATE FUNCTION wall.seal_event(written text, sealed text) RETURNS boolean LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.events SET content = jsonb_build_object('sealed', sealed), sensitivity = 'high' WHERE id = written;
    RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION wall.blank_event, wall.erase_events, wall.seal_event FROM PUBLIC;

ALTER TABLE events ADD CONSTRAINT the_sensitive_are_sealed
    CHECK (sensitivity <> 'high' OR content ? 'sealed' AND content - 'sealed' = '{}' OR content = '{"text": "█"}');
"""

# An erased person's spaces: what they wrote about them goes, and those in which nothing of anybody is left go too.
# A decision may outlive the one that superseded it, when that one's author is erased.
SPACES = """
CREATE FUNCTION wall.erase_spaces() RETURNS void LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM public.conversations AS c WHERE c.user_id = wall.viewer_user()
        AND NOT EXISTS (SELECT FROM public.events AS e WHERE e.tenant_id = c.tenant_id AND e.conversation_id = c.id);
    UPDATE public.spaces SET subject = '', persona = '', rules = '' WHERE created_by = wall.viewer_user();
    DELETE FROM public.spaces AS s WHERE s.created_by = wall.viewer_user() AND s.kind <> 'personal'
        AND NOT EXISTS (SELECT FROM public.space_members AS x WHERE x.tenant_id = s.tenant_id AND x.space_id = s.id)
        AND NOT EXISTS (SELECT FROM public.conversations AS x WHERE x.tenant_id = s.tenant_id AND x.space_id = s.id)
        AND NOT EXISTS (SELECT FROM public.decisions AS x WHERE x.tenant_id = s.tenant_id AND x.space_id = s.id)
        AND NOT EXISTS (SELECT FROM public.tasks AS x WHERE x.tenant_id = s.tenant_id AND x.space_id = s.id)
        AND NOT EXISTS (SELECT FROM public.artifacts AS x WHERE x.tenant_id = s.tenant_id AND x.space_id = s.id)
        AND NOT EXISTS (SELECT FROM public.handoffs AS x WHERE x.tenant_id = s.tenant_id AND x.space_id = s.id)
        AND NOT EXISTS (SELECT FROM public.views AS x WHERE x.tenant_id = s.tenant_id AND x.space_id = s.id)
        AND NOT EXISTS (SELECT FROM public.proposals AS x WHERE x.tenant_id = s.tenant_id AND x.space_id = s.id);
END $$;
REVOKE ALL ON FUNCTION wall.erase_spaces FROM PUBLIC;
GRANT SELECT, UPDATE, DELETE ON spaces TO keepsake_eraser;
GRANT SELECT, DELETE ON conversations TO keepsake_eraser;
GRANT SELECT ON space_members, decisions, tasks, artifacts, handoffs, views, proposals TO keepsake_eraser;
CREATE POLICY erasing ON spaces TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY erasing ON conversations TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY erasing_looks ON events FOR SELECT TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
DO $$ DECLARE looked_at text; BEGIN
    FOREACH looked_at IN ARRAY
        ARRAY['space_members', 'decisions', 'tasks', 'artifacts', 'handoffs', 'views', 'proposals'] LOOP
        EXECUTE format('CREATE POLICY erasing ON %I FOR SELECT TO keepsake_eraser'
                       ' USING (tenant_id = (SELECT wall.viewer_tenant()))', looked_at);
    END LOOP;
END $$;

ALTER TABLE decisions DROP CONSTRAINT the_superseded_name_their_successor,
    ADD CONSTRAINT only_the_superseded_name_a_successor CHECK (superseded_by IS NULL OR status = 'superseded'),
    DROP CONSTRAINT decisions_tenant_id_space_id_superseded_by_fkey,
    ADD FOREIGN KEY (tenant_id, space_id, superseded_by) REFERENCES decisions (tenant_id, space_id, id)
        ON DELETE SET NULL (superseded_by);
"""

# The planner's statistics would keep samples of the words, and after an erasure nothing takes them out.
STATISTICS = r"""
DO $$ DECLARE held record; BEGIN
    FOR held IN
        SELECT c.oid::regclass AS name, a.attname AS words
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
            AND format_type(a.atttypid, NULL) IN ('text', 'text[]', 'jsonb', 'bytea', 'tsvector')
            AND a.attname NOT IN ('channel', 'kind', 'status', 'sensitivity', 'visibility', 'category', 'attribute',
                'mode', 'role', 'scope', 'state', 'actor_type', 'approval', 'model', 'action')
            AND a.attname <> 'id' AND a.attname NOT LIKE '%\_id'
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', held.name, held.words);
    END LOOP;
END $$;
"""

# A shared fact or a message in a group is read with its owner's key. The key is wrapped: of no use to whoever reads
# the database alone.
KEYS = """
CREATE FUNCTION wall.data_keys() RETURNS TABLE (user_id text, data_key bytea) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id, u.data_key FROM public.users AS u
    WHERE u.tenant_id = wall.viewer_tenant() AND u.data_key IS NOT NULL AND (
        u.id = wall.viewer_user() OR EXISTS (
            SELECT FROM public.space_members AS m
            WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id AND m.space_id = wall.viewer_space()))
$$;
CREATE FUNCTION wall.wrapped_otherwise(key_name bytea) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id FROM public.users AS u
    WHERE u.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
        AND substr(u.data_key, 1, length(key_name)) <> key_name
$$;
CREATE FUNCTION wall.due_purges(deleted_before timestamptz) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT f.user_id FROM public.facts AS f
    WHERE f.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND f.deleted_at < deleted_before
$$;
REVOKE ALL ON FUNCTION wall.data_keys, wall.wrapped_otherwise, wall.due_purges FROM PUBLIC;
GRANT SELECT (tenant_id, id, data_key) ON users TO keepsake_warden;
CREATE POLICY looking_out ON users FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

BACK = """
DROP POLICY looking_out ON users;
REVOKE ALL ON users FROM keepsake_warden;
REVOKE ALL (tenant_id, id, data_key) ON users FROM keepsake_warden;
DROP FUNCTION wall.due_purges, wall.wrapped_otherwise, wall.data_keys;
DROP FUNCTION wall.erase_spaces, wall.erase_events, wall.blank_event, wall.seal_event;
DROP POLICY erasing ON spaces;
DROP POLICY erasing ON conversations;
DROP POLICY erasing_looks ON events;
DROP POLICY erasing ON space_members;
DROP POLICY erasing ON decisions;
DROP POLICY erasing ON tasks;
DROP POLICY erasing ON artifacts;
DROP POLICY erasing ON handoffs;
DROP POLICY erasing ON views;
DROP POLICY erasing ON proposals;
REVOKE ALL ON spaces, conversations, space_members, decisions, tasks, artifacts, handoffs, views, proposals
    FROM keepsake_eraser;
ALTER TABLE decisions NO FORCE ROW LEVEL SECURITY;
UPDATE decisions SET status = 'active' WHERE superseded_by IS NULL;
ALTER TABLE decisions DROP CONSTRAINT only_the_superseded_name_a_successor,
    ADD CONSTRAINT the_superseded_name_their_successor
        CHECK ((status = 'superseded') = (superseded_by IS NOT NULL)),
    DROP CONSTRAINT decisions_tenant_id_space_id_superseded_by_fkey,
    ADD FOREIGN KEY (tenant_id, space_id, superseded_by) REFERENCES decisions (tenant_id, space_id, id);
CALL wall.raise_on('decisions');
ALTER TABLE events DROP CONSTRAINT the_sensitive_are_sealed;
"""


def upgrade() -> None:
    for part in (EVENTS, SPACES, KEYS, STATISTICS):
        op.execute(part)
    for function in ("blank_event(text)", "erase_events()", "seal_event(text, text)", "erase_spaces()"):
        op.execute(handing_over(function, "keepsake_eraser"))
    for function in ("data_keys()", "wrapped_otherwise(bytea)", "due_purges(timestamptz)"):
        op.execute(handing_over(function, "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
