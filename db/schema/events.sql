-- Events: what happened, in order. They are the ground truth; everything else is derived from them.

CREATE TABLE events (
    tenant_id       text NOT NULL,
    id              text NOT NULL,
    conversation_id text NOT NULL,
    space_id        text NOT NULL,
    user_id         text NOT NULL,
    seq             integer NOT NULL,
    message_seq     integer,
    ts              timestamptz NOT NULL,
    channel         text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    actor_type      text NOT NULL CHECK (actor_type IN ('human', 'agent', 'tool')),
    actor_id        text NOT NULL,
    kind            text NOT NULL
        CHECK (kind IN ('message', 'tool_call', 'tool_result', 'decision', 'task_update', 'artifact')),
    sensitivity     text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    tags            text[] NOT NULL DEFAULT '{}',
    content         jsonb NOT NULL,
    refs            text[] NOT NULL DEFAULT '{}',
    update_id       bigint,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, conversation_id, seq),
    UNIQUE (tenant_id, conversation_id, message_seq),
    UNIQUE (tenant_id, update_id),
    CONSTRAINT messages_are_numbered CHECK ((kind = 'message') = (message_seq IS NOT NULL)),
    CONSTRAINT the_sensitive_are_sealed
        CHECK (sensitivity <> 'high' OR content ? 'sealed' AND content - 'sealed' = '{}' OR content = '{"text": "█"}'),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX events_tenant_id_user_id_ts_idx ON events (tenant_id, user_id, ts);
CREATE INDEX events_tenant_id_space_id_ts_idx ON events (tenant_id, space_id, ts);
CREATE INDEX events_tags_idx ON events USING gin (tags);
CREATE INDEX events_that_tell ON events (tenant_id, conversation_id, message_seq) WHERE tags @> '{telling}';
-- Sensitive words are not indexed. Recall finds sealed events by person and opens them.
CREATE INDEX events_sealed_by_user_idx ON events (tenant_id, user_id, ts) WHERE sensitivity = 'high';
CREATE INDEX events_sealed_by_space_idx ON events (tenant_id, space_id, ts) WHERE sensitivity = 'high';
ALTER TABLE events
    ALTER COLUMN tags SET STATISTICS 0, ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN refs SET STATISTICS 0;

CALL wall.guard('events', 'spoken');
CREATE POLICY looking_out ON events FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY erasing ON events TO keepsake_eraser
    USING (tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
CREATE POLICY erasing_looks ON events FOR SELECT TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, id, conversation_id, user_id, seq, message_seq, ts, kind, tags, content, refs)
    ON events TO keepsake_warden;
GRANT SELECT, UPDATE, DELETE ON events TO keepsake_eraser;

-- The database numbers events, so there are no gaps and no duplicates. A row lock lets one writer at a time into a
-- conversation; different conversations are written in parallel. Only this function may count: it acts as the warden,
-- under the same policies as its caller.
CREATE FUNCTION wall.number_event() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    taken record;
BEGIN
    UPDATE public.conversations SET
        next_seq = next_seq + 1,
        next_message_seq = next_message_seq + CASE WHEN NEW.kind = 'message' THEN 1 ELSE 0 END,
        telling = CASE WHEN NEW.kind = 'message' AND NEW.tags @> '{telling}' THEN next_message_seq + 1
            ELSE telling END
    WHERE tenant_id = NEW.tenant_id AND id = NEW.conversation_id
    RETURNING next_seq, next_message_seq, space_id, channel, kept INTO taken;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no such conversation for this viewer' USING ERRCODE = 'foreign_key_violation';
    END IF;
    IF NOT taken.kept THEN
        RAISE EXCEPTION 'this conversation is not kept' USING ERRCODE = 'check_violation';
    END IF;
    NEW.seq := taken.next_seq - 1;
    NEW.message_seq := CASE WHEN NEW.kind = 'message' THEN taken.next_message_seq - 1 END;
    NEW.space_id := taken.space_id;
    NEW.channel := taken.channel;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION wall.number_event FROM PUBLIC;
ALTER FUNCTION wall.number_event OWNER TO keepsake_warden;
CREATE TRIGGER events_are_numbered BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION wall.number_event();

-- Events are append-only for every role but the eraser. No setting can change that.
CREATE FUNCTION wall.refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user <> 'keepsake_eraser' THEN
        RAISE EXCEPTION 'events are append-only: % refused', lower(TG_OP) USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION wall.refuse_rewriting();

-- Deletes an event, or blanks a range of its text.
CREATE FUNCTION wall.erase_event(erased text, words int4range DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF words IS NULL THEN
        DELETE FROM public.events WHERE id = erased;
    ELSE
        UPDATE public.events SET content = jsonb_set(content, '{text}', to_jsonb(overlay(
            content ->> 'text' PLACING repeat('█', upper(words) - lower(words))
            FROM lower(words) + 1 FOR upper(words) - lower(words))))
        WHERE id = erased AND NOT isempty(words) AND int4range(0, length(content ->> 'text')) @> words;
    END IF;
    RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION wall.erase_event FROM PUBLIC;
ALTER FUNCTION wall.erase_event OWNER TO keepsake_eraser;

-- Blanks words anywhere in an event: in a caption, or in what it answers.
CREATE FUNCTION wall.blank_words(erased text, place text[], words int4range) RETURNS boolean LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.events SET content = jsonb_set(content, place, to_jsonb(overlay(
        content #>> place PLACING repeat('█', upper(words) - lower(words))
        FROM lower(words) + 1 FOR upper(words) - lower(words))))
    WHERE id = erased AND jsonb_typeof(content #> place) = 'string' AND NOT isempty(words)
        AND int4range(0, length(content #>> place)) @> words;
    RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION wall.blank_words FROM PUBLIC;
ALTER FUNCTION wall.blank_words OWNER TO keepsake_eraser;

-- The rest of a blanked event shows only that there was something.
CREATE FUNCTION wall.blank_event(erased text) RETURNS boolean LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.events SET content = '{"text": "█"}' WHERE id = erased;
    RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION wall.blank_event FROM PUBLIC;
ALTER FUNCTION wall.blank_event OWNER TO keepsake_eraser;

CREATE FUNCTION wall.erase_events() RETURNS bigint LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    erased bigint;
BEGIN
    DELETE FROM public.events;
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
END $$;
REVOKE ALL ON FUNCTION wall.erase_events FROM PUBLIC;
ALTER FUNCTION wall.erase_events OWNER TO keepsake_eraser;

-- Seals an event in place if it proves to be sensitive after it was written.
CREATE FUNCTION wall.seal_event(written text, sealed text) RETURNS boolean LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.events SET content = jsonb_build_object('sealed', sealed), sensitivity = 'high' WHERE id = written;
    RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION wall.seal_event FROM PUBLIC;
ALTER FUNCTION wall.seal_event OWNER TO keepsake_eraser;
