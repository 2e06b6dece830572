-- Shelves: everything that read access to a chunk depends on (owner, space, channel and sensitivity). The wall checks
-- the few shelves of a viewer. Postings and vectors name their shelf, so an indexed comparison of numbers guards
-- millions of rows (docs/decisions/0013).

CREATE TABLE shelves (
    tenant_id   text NOT NULL,
    id          bigint GENERATED ALWAYS AS IDENTITY,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL CHECK (sensitivity IN ('none', 'low')),
    chunks      bigint NOT NULL DEFAULT 0,
    words       bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, user_id, space_id, channel, sensitivity),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX shelves_tenant_id_space_id_idx ON shelves (tenant_id, space_id);

CALL wall.guard('shelves', 'spoken');
CREATE POLICY keeping ON shelves TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
-- Every transaction of the application has a tenant. Only `wall.crowded_spaces` reads without one.
CREATE POLICY crowding ON shelves FOR SELECT TO keepsake_warden USING ((SELECT wall.viewer_tenant()) IS NULL);
GRANT SELECT, INSERT, UPDATE ON shelves TO keepsake_warden;

CREATE FUNCTION wall.visible_shelves() RETURNS bigint[] LANGUAGE sql STABLE
    RETURN (SELECT COALESCE(array_agg(s.id ORDER BY s.id), '{}') FROM public.shelves AS s
            WHERE s.tenant_id = wall.viewer_tenant());
