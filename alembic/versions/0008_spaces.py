"""Spaces that people share: invitations, roles, and what happens to a member's facts when the membership ends."""

from alembic import op
from db.roles import handing_over

revision = "0008"
down_revision = "0007"

LOOKING = """
CREATE FUNCTION wall.viewer_spaces() RETURNS text[] LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT COALESCE(array_agg(m.space_id), '{}') FROM public.space_members AS m
    WHERE m.tenant_id = wall.viewer_tenant() AND m.user_id = wall.viewer_user()
$$;

CREATE FUNCTION wall.viewer_owns_space() RETURNS boolean LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM public.space_members AS m
        WHERE m.tenant_id = wall.viewer_tenant() AND m.space_id = wall.viewer_space()
            AND m.user_id = wall.viewer_user() AND m.role = 'owner')
$$;

-- A founder becomes the first member in the very transaction of the founding; nobody comes back through this door.
CREATE FUNCTION wall.viewer_may_found(founded text) RETURNS boolean LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM public.spaces AS s
            WHERE s.tenant_id = wall.viewer_tenant() AND s.id = founded AND s.created_by = wall.viewer_user()
                AND s.xmin::text = (pg_current_xact_id()::text::numeric % 4294967296)::text)
        AND NOT EXISTS (SELECT FROM public.space_members AS m
            WHERE m.tenant_id = wall.viewer_tenant() AND m.space_id = founded)
$$;
GRANT SELECT ON spaces TO keepsake_warden;
CREATE POLICY looking_out ON spaces FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));

DROP POLICY reading ON spaces;
CREATE POLICY reading ON spaces FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND (
        id = (SELECT wall.viewer_space()) OR id = ANY ((SELECT wall.viewer_spaces())::text[])
        OR kind = 'personal' AND created_by = (SELECT wall.viewer_user())));
DROP POLICY changing ON spaces;
CREATE POLICY changing ON spaces FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND id = (SELECT wall.viewer_space())
    AND (SELECT wall.viewer_owns_space()));

DROP POLICY founding ON space_members;
CREATE POLICY founding ON space_members FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()) AND role = 'owner'
    AND (space_id = 'personal:' || user_id OR wall.viewer_may_found(space_id)));
CREATE POLICY removing ON space_members FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND space_id = (SELECT wall.viewer_space())
    AND NOT starts_with(space_id, 'personal:') AND (SELECT wall.viewer_owns_space()));
CREATE POLICY appointing ON space_members FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND space_id = (SELECT wall.viewer_space())
    AND NOT starts_with(space_id, 'personal:') AND (SELECT wall.viewer_owns_space()));
"""

# Its owner may put a fact into any space that they belong to.
PLACING = """
DROP POLICY writing ON fact_versions;
CREATE POLICY writing ON fact_versions FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND approved_by = (SELECT wall.viewer_user())
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id
                AND f.user_id = (SELECT wall.viewer_user())
                AND fact_versions.space_id = ANY ((SELECT wall.viewer_spaces())::text[]))
    AND (source_event_id IS NULL OR EXISTS (
        SELECT FROM events AS e WHERE e.tenant_id = fact_versions.tenant_id AND e.id = source_event_id)));
"""

# Single use: accepting deletes the row. Only a hash of the code is stored.
INVITATIONS = """
CREATE TABLE invitations (
    tenant_id  text NOT NULL,
    id         text NOT NULL,
    space_id   text NOT NULL,
    user_id    text NOT NULL,
    hash       bytea NOT NULL CHECK (length(hash) = 32),
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, hash),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CALL wall.guard('invitations', 'own');
DROP POLICY writing ON invitations;
CREATE POLICY writing ON invitations FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()) AND NOT starts_with(space_id, 'personal:')
    AND (SELECT wall.viewer_owns_space()));

CREATE FUNCTION wall.accept_invitation(code bytea, moment timestamptz) RETURNS text LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    joined text;
BEGIN
    DELETE FROM public.invitations AS i
        WHERE i.tenant_id = wall.viewer_tenant() AND i.hash = code AND i.expires_at > GREATEST(moment, now())
            AND wall.viewer_user() IS NOT NULL AND NOT i.space_id = ANY (wall.viewer_spaces())
        RETURNING i.space_id INTO joined;
    IF FOUND THEN
        INSERT INTO public.space_members (tenant_id, space_id, user_id, role, joined_at)
            VALUES (wall.viewer_tenant(), joined, wall.viewer_user(), 'member', GREATEST(moment, now()));
    END IF;
    RETURN joined;
END $$;
REVOKE ALL ON FUNCTION wall.accept_invitation FROM PUBLIC;
GRANT SELECT, DELETE ON invitations TO keepsake_warden;
GRANT INSERT ON space_members TO keepsake_warden;
CREATE POLICY accepting ON invitations TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY joining ON space_members FOR INSERT TO keepsake_warden
    WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
                AND role = 'member');
"""

# Whoever ends a membership, the person or an owner of the space: what that person shared there goes home with them,
# and a space whose last owner left gets the one who has been there longest.
LEAVING = """
CREATE FUNCTION wall.end_membership() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM public.invitations AS i
        WHERE i.tenant_id = OLD.tenant_id AND i.space_id = OLD.space_id AND i.user_id = OLD.user_id;
    INSERT INTO public.fact_versions (tenant_id, fact_id, version, content, sealed, subject, value, space_id,
            visibility, sensitivity, forgotten, source_event_id, span, author, approved_by, approval)
        SELECT v.tenant_id, v.fact_id, 0, v.content, v.sealed, v.subject, v.value, 'personal:' || f.user_id,
            'private', v.sensitivity, v.forgotten, v.source_event_id, v.span, 'keepsake', f.user_id, 'membership'
        FROM public.facts AS f JOIN public.fact_versions AS v ON v.tenant_id = f.tenant_id AND v.fact_id = f.id
        WHERE f.tenant_id = OLD.tenant_id AND f.user_id = OLD.user_id AND f.space_id = OLD.space_id
            AND v.version = (SELECT max(n.version) FROM public.fact_versions AS n
                             WHERE n.tenant_id = f.tenant_id AND n.fact_id = f.id);
    UPDATE public.space_members SET role = 'owner'
        WHERE tenant_id = OLD.tenant_id AND space_id = OLD.space_id
            AND NOT EXISTS (SELECT FROM public.space_members AS o
                WHERE o.tenant_id = OLD.tenant_id AND o.space_id = OLD.space_id AND o.role = 'owner')
            AND user_id = (SELECT n.user_id FROM public.space_members AS n
                WHERE n.tenant_id = OLD.tenant_id AND n.space_id = OLD.space_id
                ORDER BY n.joined_at, n.user_id LIMIT 1);
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION wall.end_membership FROM PUBLIC;
GRANT UPDATE (role) ON space_members TO keepsake_warden;
CREATE POLICY appointing_the_next ON space_members FOR UPDATE TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE TRIGGER facts_go_home AFTER DELETE ON space_members
    FOR EACH ROW WHEN (NOT starts_with(OLD.space_id, 'personal:')) EXECUTE FUNCTION wall.end_membership();
"""

BACK = """
DROP POLICY writing ON fact_versions;
CREATE POLICY writing ON fact_versions FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND approved_by = (SELECT wall.viewer_user())
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id
                AND f.user_id = (SELECT wall.viewer_user())
                AND (fact_versions.space_id = f.space_id OR fact_versions.space_id = (SELECT wall.viewer_space())
                     OR fact_versions.space_id = 'personal:' || f.user_id))
    AND (source_event_id IS NULL OR EXISTS (
        SELECT FROM events AS e WHERE e.tenant_id = fact_versions.tenant_id AND e.id = source_event_id)));
DROP TRIGGER facts_go_home ON space_members;
DROP FUNCTION wall.end_membership;
DROP POLICY appointing_the_next ON space_members;
REVOKE INSERT, UPDATE ON space_members FROM keepsake_warden;
DROP FUNCTION wall.accept_invitation;
DROP POLICY joining ON space_members;
DROP TABLE invitations;
DROP POLICY appointing ON space_members;
DROP POLICY removing ON space_members;
DROP POLICY founding ON space_members;
DROP POLICY changing ON spaces;
DROP POLICY reading ON spaces;
DROP POLICY looking_out ON spaces;
REVOKE ALL ON spaces FROM keepsake_warden;
DROP FUNCTION wall.viewer_may_found, wall.viewer_owns_space, wall.viewer_spaces;
CREATE POLICY reading ON spaces FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant())
    AND (id = (SELECT wall.viewer_space()) OR created_by = (SELECT wall.viewer_user())));
CREATE POLICY changing ON spaces FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND created_by = (SELECT wall.viewer_user()));
CREATE POLICY founding ON space_members FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()) AND role = 'owner'
    AND EXISTS (SELECT FROM spaces AS s WHERE s.tenant_id = space_members.tenant_id AND s.id = space_id
                AND s.created_by = (SELECT wall.viewer_user())));
"""


def upgrade() -> None:
    for part in (LOOKING, PLACING, INVITATIONS, LEAVING):
        op.execute(part)
    for function in (
        "viewer_spaces()",
        "viewer_owns_space()",
        "viewer_may_found(text)",
        "accept_invitation(bytea, timestamptz)",
        "end_membership()",
    ):
        op.execute(handing_over(function, "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
