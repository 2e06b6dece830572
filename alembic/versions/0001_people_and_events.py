"""People, spaces, conversations and events, behind the wall.

The wall is made of three things that later migrations use and never repeat:
`wall.viewer_…()` read who looks, `wall.loadable()` what their channel may load, and
`wall.guard(table, shape)` puts row-level security on a table:

    own      only its user, alone with the assistant; anyone may write a row of their own
    spoken   its user in private, and the space where it was said aloud (channel `public` or `team`)

A row never moves: the application role may not update the columns that say whose it is and where (db/roles.py).
"""

from alembic import op
from db.roles import handing_over

revision = "0001"
down_revision = None

VIEWER = """
CREATE SCHEMA wall;
GRANT USAGE ON SCHEMA wall TO PUBLIC;

CREATE FUNCTION wall.viewer_tenant() RETURNS text LANGUAGE sql STABLE
    RETURN NULLIF(current_setting('keepsake.tenant', true), '');
CREATE FUNCTION wall.viewer_user() RETURNS text LANGUAGE sql STABLE
    RETURN NULLIF(current_setting('keepsake.user', true), '');
CREATE FUNCTION wall.viewer_channel() RETURNS text LANGUAGE sql STABLE
    RETURN COALESCE(NULLIF(current_setting('keepsake.channel', true), ''), 'public');
CREATE FUNCTION wall.viewer_is_alone() RETURNS boolean LANGUAGE sql STABLE
    RETURN wall.viewer_channel() IN ('private', 'agent');

CREATE FUNCTION wall.loadable() RETURNS text[] LANGUAGE sql STABLE
    RETURN CASE wall.viewer_channel()
        WHEN 'private' THEN ARRAY['none', 'low', 'high']
        WHEN 'team' THEN ARRAY['none', 'low', 'high']
        WHEN 'agent' THEN ARRAY['none', 'low']
        ELSE ARRAY['none']
    END;
"""

PEOPLE = """
CREATE TABLE users (
    tenant_id  text NOT NULL,
    id         text NOT NULL,
    name       text NOT NULL,
    timezone   text NOT NULL DEFAULT 'UTC',
    language   text NOT NULL DEFAULT 'en',
    mode       text NOT NULL DEFAULT 'confirm' CHECK (mode IN ('confirm', 'auto', 'manual')),
    data_key   bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE spaces (
    tenant_id  text NOT NULL,
    id         text NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('personal', 'group', 'named')),
    subject    text NOT NULL DEFAULT '',
    persona    text NOT NULL DEFAULT '',
    rules      text NOT NULL DEFAULT '',
    created_by text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    -- The name of a personal space is its owner's alone: nobody else can take it, or learn from it who exists.
    CONSTRAINT personal_spaces_are_named_after_their_owner CHECK (
        (kind = 'personal') = starts_with(id, 'personal:') AND (kind <> 'personal' OR id = 'personal:' || created_by)),
    FOREIGN KEY (tenant_id, created_by) REFERENCES users (tenant_id, id) ON DELETE SET NULL (created_by)
);

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

-- The space a viewer names counts only if they belong to it. Membership is another person's row too,
-- so the look goes through the warden, who sees nothing else and returns an id.
-- A viewer without a user is a group itself, speaking aloud; nobody is somebody's personal space.
CREATE FUNCTION wall.viewer_space() RETURNS text LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT named.space
    FROM (SELECT NULLIF(current_setting('keepsake.space', true), '') AS space) AS named
    WHERE CASE WHEN wall.viewer_user() IS NULL
        THEN wall.viewer_channel() IN ('public', 'team') AND NOT starts_with(named.space, 'personal:')
        ELSE EXISTS (
            SELECT FROM public.space_members AS m
            WHERE m.tenant_id = wall.viewer_tenant() AND m.space_id = named.space AND m.user_id = wall.viewer_user())
        END
$$;

CREATE PROCEDURE wall.raise_on(guarded text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', guarded);
END $$;

-- A foreign key looks past the wall: it would accept, and so reveal, the id of another person's row.
-- So a row may name only what its writer can see. (A key to the same table must hold that by its own columns.)
CREATE FUNCTION wall.names_only_what_is_seen(guarded regclass) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT COALESCE(string_agg(
        format(' AND (%1$s.%2$I IS NULL OR EXISTS (SELECT FROM %3$s AS seen WHERE %4$s))',
            guarded, missing.name, k.confrelid::regclass,
            (SELECT string_agg(format('seen.%I = %s.%I', theirs.attname, guarded, ours.attname), ' AND ')
             FROM unnest(k.conkey, k.confkey) AS pair(our, their)
             JOIN pg_attribute AS ours ON ours.attrelid = k.conrelid AND ours.attnum = pair.our
             JOIN pg_attribute AS theirs ON theirs.attrelid = k.confrelid AND theirs.attnum = pair.their)),
        '' ORDER BY k.conname), '')
    FROM pg_constraint AS k
    CROSS JOIN LATERAL (SELECT a.attname AS name FROM pg_attribute AS a
                        WHERE a.attrelid = k.conrelid AND a.attnum = k.conkey[array_upper(k.conkey, 1)]) AS missing
    WHERE k.conrelid = guarded AND k.contype = 'f' AND k.confrelid <> guarded
$$;

CREATE PROCEDURE wall.guard(guarded text, shape text) LANGUAGE plpgsql AS $$
DECLARE
    tenant constant text := 'tenant_id = (SELECT wall.viewer_tenant())';
    mine   constant text := tenant || ' AND user_id = (SELECT wall.viewer_user())';
    alone  constant text := mine || ' AND (SELECT wall.viewer_is_alone())';
    here   constant text := tenant || ' AND space_id = (SELECT wall.viewer_space())';
    aloud  constant text := here || $q$ AND (channel = 'public' OR channel = 'team'
                                             AND (SELECT wall.viewer_channel()) IN ('team', 'private'))$q$;
    said   constant text := format('%s AND %s AND channel = (SELECT wall.viewer_channel())', mine, here);
    loaded constant text := 'sensitivity = ANY ((SELECT wall.loadable())::text[])';
    seen   constant text := wall.names_only_what_is_seen(guarded::regclass);
    reads text; writes text; changes text;
BEGIN
    CASE shape
        WHEN 'own'    THEN reads := alone; writes := mine; changes := alone;
        WHEN 'spoken' THEN reads := format('(%s OR %s) AND %s', alone, aloud, loaded); writes := said; changes := mine;
    END CASE;
    CALL wall.raise_on(guarded);
    EXECUTE format('CREATE POLICY reading  ON %I FOR SELECT USING (%s)', guarded, reads);
    EXECUTE format('CREATE POLICY writing  ON %I FOR INSERT WITH CHECK (%s%s)', guarded, writes, seen);
    EXECUTE format('CREATE POLICY changing ON %I FOR UPDATE USING (%s) WITH CHECK (%s%s)',
                   guarded, changes, mine, seen);
    EXECUTE format('CREATE POLICY removing ON %I FOR DELETE USING (%s)', guarded, changes);
END $$;

CALL wall.raise_on('users');
CREATE POLICY themselves ON users
    USING (tenant_id = (SELECT wall.viewer_tenant()) AND id = (SELECT wall.viewer_user()));

CALL wall.raise_on('spaces');
CREATE POLICY reading ON spaces FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant())
    AND (id = (SELECT wall.viewer_space()) OR created_by = (SELECT wall.viewer_user())));
CREATE POLICY founding ON spaces FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND created_by = (SELECT wall.viewer_user()));
CREATE POLICY changing ON spaces FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND created_by = (SELECT wall.viewer_user()));
-- What others remember in a shared space is not its founder's to remove.
CREATE POLICY removing ON spaces FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND created_by = (SELECT wall.viewer_user()) AND kind = 'personal');

CALL wall.raise_on('space_members');
CREATE POLICY reading ON space_members FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant())
    AND (user_id = (SELECT wall.viewer_user()) OR space_id = (SELECT wall.viewer_space())));
CREATE POLICY founding ON space_members FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()) AND role = 'owner'
    AND EXISTS (SELECT FROM spaces AS s WHERE s.tenant_id = space_members.tenant_id AND s.id = space_id
                AND s.created_by = (SELECT wall.viewer_user())));
CREATE POLICY leaving ON space_members FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));

GRANT USAGE ON SCHEMA public TO keepsake_warden;
GRANT SELECT ON space_members TO keepsake_warden;
CREATE POLICY looking_out ON space_members FOR SELECT TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

CONVERSATIONS = """
CREATE TABLE conversations (
    tenant_id        text NOT NULL,
    id               text NOT NULL,
    space_id         text NOT NULL,
    user_id          text,
    channel          text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    agent_id         text NOT NULL,
    next_seq         integer NOT NULL DEFAULT 0,
    next_message_seq integer NOT NULL DEFAULT 0,
    started_at       timestamptz NOT NULL DEFAULT now(),
    ended_at         timestamptz,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE SET NULL (user_id)
);
CREATE INDEX conversations_tenant_id_space_id_started_at_idx ON conversations (tenant_id, space_id, started_at);
CREATE INDEX conversations_tenant_id_user_id_started_at_idx ON conversations (tenant_id, user_id, started_at);

CALL wall.raise_on('conversations');
CREATE POLICY reading ON conversations FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND (
        user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR space_id = (SELECT wall.viewer_space()) AND channel IN ('public', 'team')));
CREATE POLICY starting ON conversations FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND space_id = (SELECT wall.viewer_space())
    AND user_id = (SELECT wall.viewer_user()) AND channel = (SELECT wall.viewer_channel()));
CREATE POLICY going_on ON conversations FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND channel = (SELECT wall.viewer_channel())
    AND space_id = (SELECT wall.viewer_space())
    AND (channel IN ('public', 'team') OR user_id = (SELECT wall.viewer_user())));
CREATE POLICY removing ON conversations FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
"""

EVENTS = """
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
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
);
CREATE INDEX events_tenant_id_user_id_ts_idx ON events (tenant_id, user_id, ts);
CREATE INDEX events_tenant_id_space_id_ts_idx ON events (tenant_id, space_id, ts);
CREATE INDEX events_tags_idx ON events USING gin (tags);

CALL wall.guard('events', 'spoken');

-- The database numbers events, so that no writer can leave a gap or a double; the row lock on the
-- conversation lets writers of one conversation through one at a time, and of different ones in parallel.
-- Only this function may count: it acts as the warden, under the same policies as its caller.
CREATE FUNCTION wall.number_event() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    taken record;
BEGIN
    UPDATE public.conversations SET
        next_seq = next_seq + 1,
        next_message_seq = next_message_seq + CASE WHEN NEW.kind = 'message' THEN 1 ELSE 0 END
    WHERE tenant_id = NEW.tenant_id AND id = NEW.conversation_id
    RETURNING next_seq, next_message_seq, space_id, channel INTO taken;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no such conversation for this viewer' USING ERRCODE = 'foreign_key_violation';
    END IF;
    NEW.seq := taken.next_seq - 1;
    NEW.message_seq := CASE WHEN NEW.kind = 'message' THEN taken.next_message_seq - 1 END;
    NEW.space_id := taken.space_id;
    NEW.channel := taken.channel;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION wall.number_event FROM PUBLIC;
GRANT SELECT, UPDATE (next_seq, next_message_seq) ON conversations TO keepsake_warden;
CREATE TRIGGER events_are_numbered BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION wall.number_event();

-- Append-only for every role. What the eraser may do is not a setting that anyone can set, it is who it is.
CREATE FUNCTION wall.refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user <> 'keepsake_eraser' THEN
        RAISE EXCEPTION 'events are append-only: % refused', lower(TG_OP) USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION wall.refuse_rewriting();

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
GRANT USAGE ON SCHEMA public TO keepsake_eraser;
GRANT SELECT, UPDATE, DELETE ON events TO keepsake_eraser;
CREATE POLICY erasing ON events TO keepsake_eraser
    USING (tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
"""


def upgrade() -> None:
    for part in (VIEWER, PEOPLE, CONVERSATIONS, EVENTS):
        op.execute(part)
    op.execute(handing_over("viewer_space()", "keepsake_warden"))
    op.execute(handing_over("number_event()", "keepsake_warden"))
    op.execute(handing_over("erase_event(text, int4range)", "keepsake_eraser"))


def downgrade() -> None:
    op.execute("DROP TABLE events, conversations, space_members, spaces, users CASCADE")
    op.execute("DROP SCHEMA wall CASCADE")
