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
REVOKE ALL ON FUNCTION wall.blank_event, wall.erase_events FROM PUBLIC;

ALTER TABLE events ADD CONSTRAINT the_sensitive_are_sealed
    CHECK (sensitivity <> 'high' OR content ? 'sealed' OR content = '{"text": "█"}');
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
    WHERE u.tenant_id = wall.viewer_tenant() AND substr(u.data_key, 1, length(key_name)) <> key_name
$$;
CREATE FUNCTION wall.due_purges(deleted_before timestamptz) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT f.user_id FROM public.facts AS f
    WHERE f.tenant_id = wall.viewer_tenant() AND f.deleted_at < deleted_before
$$;
REVOKE ALL ON FUNCTION wall.data_keys, wall.wrapped_otherwise, wall.due_purges FROM PUBLIC;
GRANT SELECT (tenant_id, id, data_key) ON users TO keepsake_warden;
CREATE POLICY looking_out ON users FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

BACK = """
DROP POLICY looking_out ON users;
REVOKE ALL ON users FROM keepsake_warden;
REVOKE ALL (tenant_id, id, data_key) ON users FROM keepsake_warden;
DROP FUNCTION wall.due_purges, wall.wrapped_otherwise, wall.data_keys, wall.erase_events, wall.blank_event;
ALTER TABLE events DROP CONSTRAINT the_sensitive_are_sealed;
"""


def upgrade() -> None:
    op.execute(EVENTS)
    op.execute(KEYS)
    for function in ("blank_event(text)", "erase_events()"):
        op.execute(handing_over(function, "keepsake_eraser"))
    for function in ("data_keys()", "wrapped_otherwise(bytea)", "due_purges(timestamptz)"):
        op.execute(handing_over(function, "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
