-- Chunks: the units that recall searches, cut from an event, a summary or a document.

CREATE TABLE chunks (
    tenant_id   text NOT NULL,
    id          text NOT NULL,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    event_id    text,
    summary_id  text,
    artifact_id text,
    ts          timestamptz NOT NULL,
    kind        text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low')),
    tags        text[] NOT NULL DEFAULT '{}',
    token_est   integer NOT NULL,
    importance  real NOT NULL DEFAULT 0,
    text        text NOT NULL,
    text_hash   bytea NOT NULL,
    terms       text NOT NULL,
    no          bigint GENERATED ALWAYS AS IDENTITY,
    shelf_id    bigint NOT NULL,
    thread      text NOT NULL,
    seq         integer NOT NULL DEFAULT 0,
    part        integer NOT NULL DEFAULT 0,
    actor_id    text NOT NULL DEFAULT '',
    speaker     text NOT NULL DEFAULT '',
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, no),
    CONSTRAINT cut_from_one_source CHECK (num_nonnulls(event_id, summary_id, artifact_id) = 1),
    FOREIGN KEY (tenant_id, event_id) REFERENCES events (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, summary_id) REFERENCES summaries (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, artifact_id) REFERENCES artifacts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX chunks_tenant_id_user_id_ts_idx ON chunks (tenant_id, user_id, ts);
CREATE INDEX chunks_tenant_id_space_id_ts_idx ON chunks (tenant_id, space_id, ts);
CREATE INDEX chunks_tenant_id_event_id_idx ON chunks (tenant_id, event_id);
CREATE INDEX chunks_tenant_id_thread_seq_part_idx ON chunks (tenant_id, thread, seq, part);
CREATE INDEX chunks_tenant_id_shelf_id_kind_idx ON chunks (tenant_id, shelf_id, kind);
CREATE INDEX chunks_speakers_idx ON chunks (tenant_id, shelf_id, speaker) WHERE speaker <> '';
ALTER TABLE chunks
    ALTER COLUMN tags SET STATISTICS 0, ALTER COLUMN text SET STATISTICS 0, ALTER COLUMN text_hash SET STATISTICS 0,
    ALTER COLUMN terms SET STATISTICS 0, ALTER COLUMN thread SET STATISTICS 100, ALTER COLUMN speaker SET STATISTICS 0;

CALL wall.guard('chunks', 'spoken');
-- A chunk is as private as its source, no matter in which space its author is when it is cut.
ALTER POLICY writing ON chunks WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()) AND (
        EXISTS (SELECT FROM events AS s WHERE s.tenant_id = chunks.tenant_id AND s.id = event_id
            AND (s.user_id, s.space_id, s.channel, s.sensitivity)
              = (chunks.user_id, chunks.space_id, chunks.channel, chunks.sensitivity))
        OR EXISTS (SELECT FROM summaries AS s WHERE s.tenant_id = chunks.tenant_id AND s.id = summary_id
            AND (s.user_id, s.space_id, s.channel, s.sensitivity)
              = (chunks.user_id, chunks.space_id, chunks.channel, chunks.sensitivity))
        OR EXISTS (SELECT FROM artifacts AS s WHERE s.tenant_id = chunks.tenant_id AND s.id = artifact_id
            AND (s.user_id, s.space_id, s.channel, s.sensitivity)
              = (chunks.user_id, chunks.space_id, chunks.channel, chunks.sensitivity))));
CREATE POLICY looking_out ON chunks FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, id, artifact_id, event_id) ON chunks TO keepsake_warden;

-- The database chooses the shelf, so no policy checks that the writer sees it. Hence this key comes after the guard.
ALTER TABLE chunks ADD FOREIGN KEY (tenant_id, shelf_id) REFERENCES shelves (tenant_id, id) ON DELETE CASCADE;
CREATE FUNCTION wall.shelve_chunk() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    SELECT s.id INTO NEW.shelf_id FROM public.shelves AS s
        WHERE (s.tenant_id, s.user_id, s.space_id, s.channel, s.sensitivity)
            = (NEW.tenant_id, NEW.user_id, NEW.space_id, NEW.channel, NEW.sensitivity);
    IF NOT FOUND THEN
        INSERT INTO public.shelves AS s (tenant_id, user_id, space_id, channel, sensitivity)
            VALUES (NEW.tenant_id, NEW.user_id, NEW.space_id, NEW.channel, NEW.sensitivity)
            ON CONFLICT (tenant_id, user_id, space_id, channel, sensitivity) DO UPDATE SET chunks = s.chunks
            RETURNING s.id INTO NEW.shelf_id;
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION wall.shelve_chunk FROM PUBLIC;
ALTER FUNCTION wall.shelve_chunk OWNER TO keepsake_warden;
CREATE TRIGGER chunks_stand_on_a_shelf BEFORE INSERT ON chunks FOR EACH ROW EXECUTE FUNCTION wall.shelve_chunk();
