-- Facts: remembered statements. Their words are in `fact_versions`; the database copies here what the wall must read.

CREATE TABLE facts (
    tenant_id    text NOT NULL,
    id           text NOT NULL CHECK (id ~ '^[A-Za-z0-9]{8}$'),
    space_id     text NOT NULL,
    user_id      text NOT NULL,
    category     text NOT NULL CHECK (category IN ('person', 'preference', 'context', 'project', 'personality',
        'hobby', 'relationship', 'milestone', 'occupation', 'habit', 'other')),
    attribute    text CHECK (attribute IN ('name', 'preferred_name', 'occupation', 'location', 'communication_style',
        'faith', 'interest', 'family_member', 'goal', 'important_date', 'interaction_preference', 'custom')),
    visibility   text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shared')),
    sensitivity  text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    importance   real NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
    recalled_at  timestamptz,
    recall_count integer NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT now(),
    deleted_at   timestamptz,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX facts_tenant_id_user_id_idx ON facts (tenant_id, user_id);
CREATE INDEX facts_tenant_id_space_id_visibility_idx ON facts (tenant_id, space_id, visibility);
CREATE UNIQUE INDEX one_value_an_attribute ON facts (tenant_id, user_id, attribute)
    WHERE deleted_at IS NULL
        AND attribute IN ('name', 'preferred_name', 'occupation', 'location', 'communication_style', 'faith');
CREATE INDEX facts_that_wait_for_the_purge ON facts (tenant_id, deleted_at) WHERE deleted_at IS NOT NULL;

CALL wall.raise_on('facts');
-- Others read a shared fact until it is deleted. Its owner can still read it in the group, to undo the deletion there.
CREATE POLICY reading ON facts FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND sensitivity = ANY ((SELECT wall.loadable())::text[]) AND (
        user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR visibility = 'shared' AND space_id = (SELECT wall.viewer_space())
           AND (deleted_at IS NULL OR user_id = (SELECT wall.viewer_user()))
           AND (category <> 'preference' OR (SELECT wall.viewer_channel()) <> 'public')));
CREATE POLICY writing ON facts FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space())
    AND NOT EXISTS (SELECT FROM users AS u WHERE u.tenant_id = facts.tenant_id AND u.id = facts.user_id
                    AND facts.category = ANY (u.never_remember)));
CREATE POLICY changing ON facts FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
CREATE POLICY removing ON facts FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
CREATE POLICY minding ON facts TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, UPDATE (visibility, space_id, sensitivity, deleted_at) ON facts TO keepsake_warden;

-- The users who have deleted facts to purge, or cards that expired or were answered long ago.
CREATE FUNCTION wall.due_purges(deleted_before timestamptz) RETURNS TABLE (user_id text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT f.user_id FROM public.facts AS f
    WHERE f.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND f.deleted_at < deleted_before
    UNION SELECT p.user_id FROM public.proposals AS p
    WHERE p.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
        AND p.status <> 'rejected' AND COALESCE(p.decided_at, p.expires_at) < deleted_before
$$;
REVOKE ALL ON FUNCTION wall.due_purges FROM PUBLIC;
ALTER FUNCTION wall.due_purges OWNER TO keepsake_warden;
