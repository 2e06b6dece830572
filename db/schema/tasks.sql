-- Tasks. Other members may change status and due day of a task from a group. Only its author may change its words.

CREATE TABLE tasks (
    tenant_id   text NOT NULL,
    id          text NOT NULL,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    ts          timestamptz NOT NULL,
    status      text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'doing', 'done')),
    title       text CHECK (char_length(title) BETWEEN 1 AND 200),
    details     text NOT NULL DEFAULT '',
    due         date,
    refs        text[] NOT NULL DEFAULT '{}',
    event_id    text,
    sealed      bytea,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT in_words_or_sealed CHECK (
        num_nonnulls(title, sealed) = 1 AND (sensitivity <> 'high' OR sealed IS NOT NULL)
        AND (sealed IS NULL OR details = '')),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, event_id) REFERENCES events (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX tasks_tenant_id_user_id_status_ts_idx ON tasks (tenant_id, user_id, status, ts);
CREATE INDEX tasks_tenant_id_space_id_status_idx ON tasks (tenant_id, space_id, status);
CREATE INDEX tasks_tenant_id_event_id_idx ON tasks (tenant_id, event_id);
ALTER TABLE tasks
    ALTER COLUMN title SET STATISTICS 0, ALTER COLUMN details SET STATISTICS 0, ALTER COLUMN refs SET STATISTICS 0,
    ALTER COLUMN sealed SET STATISTICS 0;

CALL wall.guard('tasks', 'spoken');
CREATE POLICY moving ON tasks FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id <> (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()) AND sensitivity = ANY ((SELECT wall.loadable())::text[])
    AND (channel = 'public' OR channel = 'team' AND (SELECT wall.viewer_channel()) IN ('team', 'private')));
CREATE POLICY erasing ON tasks FOR SELECT TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT ON tasks TO keepsake_eraser;

-- Words are changed only in the place where they were said, so private words never turn up in a group.
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
