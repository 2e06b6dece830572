-- Spaces: what members remember together. Every person has a personal one; groups and named spaces are shared.

CREATE TABLE spaces (
    tenant_id  text NOT NULL,
    id         text NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('personal', 'group', 'named')),
    subject    text NOT NULL DEFAULT '',
    created_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    chat       text,
    channel    text NOT NULL DEFAULT 'public' CHECK (channel IN ('public', 'team')),
    PRIMARY KEY (tenant_id, id),
    -- The name of a personal space belongs to its owner: others can neither take it nor learn from it who exists.
    CONSTRAINT personal_spaces_are_named_after_their_owner CHECK (
        (kind = 'personal') = starts_with(id, 'personal:') AND (kind <> 'personal' OR id = 'personal:' || created_by)),
    CONSTRAINT only_groups_stand_in_a_chat CHECK (chat IS NULL OR kind = 'group'),
    FOREIGN KEY (tenant_id, created_by) REFERENCES users (tenant_id, id) ON DELETE SET NULL (created_by)
);
CREATE UNIQUE INDEX one_space_for_a_chat ON spaces (tenant_id, chat) WHERE chat IS NOT NULL;
ALTER TABLE spaces ALTER COLUMN subject SET STATISTICS 0, ALTER COLUMN created_by SET STATISTICS 0;

CALL wall.raise_on('spaces');
CREATE POLICY reading ON spaces FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND (
        id = (SELECT wall.viewer_space()) OR id = ANY ((SELECT wall.viewer_spaces())::text[])
        OR kind = 'personal' AND created_by = (SELECT wall.viewer_user())));
CREATE POLICY founding ON spaces FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND created_by = (SELECT wall.viewer_user()));
CREATE POLICY changing ON spaces FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND id = (SELECT wall.viewer_space())
    AND (SELECT wall.viewer_owns_space()));
-- A founder may not remove what others remember in a shared space.
CREATE POLICY removing ON spaces FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND created_by = (SELECT wall.viewer_user()) AND kind = 'personal');
CREATE POLICY looking_out ON spaces FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY founding_a_group ON spaces FOR INSERT TO keepsake_warden
    WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()) AND kind = 'group');
CREATE POLICY changing_a_group ON spaces FOR UPDATE TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()) AND kind = 'group');
CREATE POLICY erasing ON spaces TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, INSERT, UPDATE (channel, chat) ON spaces TO keepsake_warden;
GRANT SELECT, UPDATE, DELETE ON spaces TO keepsake_eraser;

-- Erases what an erased person wrote about their spaces, and the spaces that are empty then.
CREATE FUNCTION wall.erase_spaces() RETURNS void LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM public.conversations AS c WHERE c.user_id = wall.viewer_user()
        AND NOT EXISTS (SELECT FROM public.events AS e WHERE e.tenant_id = c.tenant_id AND e.conversation_id = c.id);
    UPDATE public.spaces SET subject = '' WHERE created_by = wall.viewer_user();
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
ALTER FUNCTION wall.erase_spaces OWNER TO keepsake_eraser;
