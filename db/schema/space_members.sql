-- Members of spaces, and their roles.

CREATE TABLE space_members (
    tenant_id text NOT NULL,
    space_id  text NOT NULL,
    user_id   text NOT NULL,
    role      text NOT NULL DEFAULT 'member' CHECK (role IN ('owner', 'member')),
    joined_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, space_id, user_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX space_members_tenant_id_user_id_idx ON space_members (tenant_id, user_id);

CALL wall.raise_on('space_members');
CREATE POLICY reading ON space_members FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant())
    AND (user_id = (SELECT wall.viewer_user()) OR space_id = (SELECT wall.viewer_space())));
CREATE POLICY founding ON space_members FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()) AND role = 'owner'
    AND (space_id = 'personal:' || user_id OR wall.viewer_may_found(space_id)));
CREATE POLICY appointing ON space_members FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND space_id = (SELECT wall.viewer_space())
    AND NOT starts_with(space_id, 'personal:') AND (SELECT wall.viewer_owns_space()));
CREATE POLICY leaving ON space_members FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
CREATE POLICY removing ON space_members FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND space_id = (SELECT wall.viewer_space())
    AND NOT starts_with(space_id, 'personal:') AND (SELECT wall.viewer_owns_space()));
CREATE POLICY looking_out ON space_members FOR SELECT TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY joining ON space_members FOR INSERT TO keepsake_warden
    WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
                AND role = 'member');
CREATE POLICY moving ON space_members FOR INSERT TO keepsake_warden
    WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()) AND (SELECT wall.viewer_user()) IS NULL AND role = 'member');
CREATE POLICY appointing_the_next ON space_members FOR UPDATE TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY erasing ON space_members FOR SELECT TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, INSERT, UPDATE (role) ON space_members TO keepsake_warden;
GRANT SELECT ON space_members TO keepsake_eraser;

-- A membership is ended by the member or an owner of the space. Facts the member shared there become private again. If
-- the last owner leaves, the longest-standing member becomes owner.
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
ALTER FUNCTION wall.end_membership OWNER TO keepsake_warden;
CREATE TRIGGER facts_go_home AFTER DELETE ON space_members
    FOR EACH ROW WHEN (NOT starts_with(OLD.space_id, 'personal:')) EXECUTE FUNCTION wall.end_membership();

-- Members of a space see each other's names, and nothing else.
CREATE FUNCTION wall.names_here() RETURNS TABLE (user_id text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT m.user_id, u.name FROM public.space_members AS mine
    JOIN public.space_members AS m ON (m.tenant_id, m.space_id) = (mine.tenant_id, mine.space_id)
    JOIN public.users AS u ON (u.tenant_id, u.id) = (m.tenant_id, m.user_id)
    WHERE mine.tenant_id = wall.viewer_tenant() AND mine.space_id = wall.viewer_space()
        AND mine.user_id = wall.viewer_user()
$$;
REVOKE ALL ON FUNCTION wall.names_here FROM PUBLIC;
ALTER FUNCTION wall.names_here OWNER TO keepsake_warden;
