-- Invitations into a space. Each works once: accepting one deletes its row. Only a hash of its code is stored.

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
ALTER TABLE invitations ALTER COLUMN hash SET STATISTICS 0;

CALL wall.guard('invitations', 'own');
-- Only an owner of a shared space invites.
ALTER POLICY writing ON invitations WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()) AND NOT starts_with(space_id, 'personal:')
    AND (SELECT wall.viewer_owns_space()));
CREATE POLICY accepting ON invitations TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, DELETE ON invitations TO keepsake_warden;

-- Makes the viewer a member, and returns the space; NULL if no invitation has this code.
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
ALTER FUNCTION wall.accept_invitation OWNER TO keepsake_warden;
