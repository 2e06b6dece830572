-- Views: Markdown that a person or a space gives its agents, as identity and rules. An edit is a new version; only
-- forgetting changes an existing one.

CREATE TABLE views (
    tenant_id  text NOT NULL,
    user_id    text NOT NULL,
    space_id   text NOT NULL,
    name       text NOT NULL CHECK (name IN ('identity', 'rules')),
    scope      text NOT NULL CHECK (scope IN ('user', 'space')),
    version    integer NOT NULL CHECK (version >= 1),
    content    text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, space_id, user_id, name, scope, version),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE views ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN content SET STATISTICS 0;

CALL wall.raise_on('views');
CREATE POLICY reading ON views FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND (
        user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR scope = 'space' AND space_id = (SELECT wall.viewer_space())));
-- Only an owner of a space may write the rules for its agents.
CREATE POLICY writing ON views FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()) AND (scope = 'user' OR (SELECT wall.viewer_owns_space())));
CREATE POLICY forgetting ON views FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND (SELECT wall.viewer_is_alone()));
CREATE POLICY removing ON views FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
CREATE POLICY erasing ON views FOR SELECT TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT ON views TO keepsake_eraser;
