"""Chats outside: the inbox with its leases and answers, group spaces, private conversations, and where events stand."""

from alembic import op
from db.roles import handing_over

revision = "0015"
down_revision = "0014"

# A chat is taken while its oldest open update is held: nobody else gets a later one of it meanwhile. The answer is
# written in the transaction of its effects, so that after a crash it is sent and not made again.
INBOX = """
ALTER TABLE inbox
    ADD COLUMN holder   text,
    ADD COLUMN failures integer NOT NULL DEFAULT 0,
    ADD COLUMN why      text,
    ADD COLUMN answer   bytea,
    ADD COLUMN sent     bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN preview  bigint,
    ADD COLUMN done_at  timestamptz,
    DROP CONSTRAINT emptied_when_done,
    ADD CONSTRAINT emptied_when_done
        CHECK (state IN ('waiting', 'working') OR payload IS NULL AND answer IS NULL AND done_at IS NOT NULL);
CREATE INDEX inbox_tenant_id_done_at_idx ON inbox (tenant_id, done_at) WHERE done_at IS NOT NULL;
ALTER TABLE inbox ALTER COLUMN answer SET STATISTICS 0, ALTER COLUMN payload SET STATISTICS 0;

CREATE FUNCTION wall.claim_updates(claimant text, held_for interval, most integer)
    RETURNS TABLE (update_id bigint, user_id text, chat_id text, attempts integer, failures integer)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.inbox AS i SET state = 'working', holder = claimant, lease_until = clock_timestamp() + held_for,
            attempts = i.attempts + 1
        FROM (SELECT o.update_id FROM public.inbox AS o
              WHERE o.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
                  AND (o.state = 'waiting' OR o.state = 'working' AND o.lease_until < clock_timestamp())
                  AND NOT EXISTS (SELECT FROM public.inbox AS e
                      WHERE e.tenant_id = o.tenant_id AND e.chat_id = o.chat_id AND e.update_id < o.update_id
                          AND e.state IN ('waiting', 'working'))
                  AND NOT EXISTS (SELECT FROM public.inbox AS l  -- one that came late waits for its successor
                      WHERE l.tenant_id = o.tenant_id AND l.chat_id = o.chat_id AND l.update_id > o.update_id
                          AND l.state = 'working' AND l.lease_until >= clock_timestamp())
              ORDER BY o.update_id LIMIT most FOR UPDATE OF o SKIP LOCKED) AS oldest
        WHERE i.tenant_id = wall.viewer_tenant() AND i.update_id = oldest.update_id
        RETURNING i.update_id, i.user_id, i.chat_id, i.attempts, i.failures
$$;
CREATE FUNCTION wall.hold_updates(claimant text, held_for interval, held bigint[]) RETURNS SETOF bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.inbox AS i SET lease_until = clock_timestamp() + held_for
        WHERE i.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
            AND i.update_id = ANY (held) AND i.holder = claimant AND i.state = 'working'
        RETURNING i.update_id
$$;
-- An answer is written with its effects, where the message was said; in a group its sender is not alone.
CREATE FUNCTION wall.keep_answer(answered bigint, claimant text, words bytea) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.inbox AS i SET answer = words
        WHERE i.tenant_id = wall.viewer_tenant() AND i.user_id = wall.viewer_user()
            AND i.update_id = answered AND i.holder = claimant AND i.state = 'working';
    RETURN FOUND;
END $$;
CREATE FUNCTION wall.finish_update(finished bigint, claimant text, parked text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.inbox AS i SET state = CASE WHEN parked IS NULL THEN 'done' ELSE 'parked' END, why = parked,
            payload = NULL, answer = NULL, lease_until = NULL, holder = NULL, done_at = clock_timestamp()
        WHERE i.tenant_id = wall.viewer_tenant() AND i.user_id = wall.viewer_user()
            AND i.update_id = finished AND i.holder = claimant AND i.state = 'working';
    RETURN FOUND;
END $$;
CREATE FUNCTION wall.clear_inbox(before timestamptz) RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (DELETE FROM public.inbox AS i
        WHERE i.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND i.done_at < before RETURNING 1)
    SELECT count(*) FROM gone
$$;
CREATE FUNCTION wall.inbox_state() RETURNS TABLE (state text, updates bigint, oldest timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT i.state, count(*), min(i.received_at) FROM public.inbox AS i
        WHERE i.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND i.state <> 'done'
        GROUP BY i.state
$$;
REVOKE ALL ON FUNCTION wall.claim_updates, wall.hold_updates, wall.keep_answer, wall.finish_update,
    wall.clear_inbox, wall.inbox_state FROM PUBLIC;
GRANT SELECT (tenant_id, update_id, user_id, chat_id, state, attempts, failures, lease_until, holder, received_at,
              done_at), DELETE ON inbox TO keepsake_warden;
GRANT UPDATE (state, holder, lease_until, attempts, why, payload, answer, done_at) ON inbox TO keepsake_warden;
CREATE POLICY handing_out ON inbox TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

# Of what is not kept there can be no event: the database says no, whoever asks.
CONVERSATIONS = """
ALTER TABLE conversations
    ADD COLUMN chat text,
    ADD COLUMN kept boolean NOT NULL DEFAULT true;
CREATE UNIQUE INDEX one_open_conversation_in_a_chat ON conversations (tenant_id, chat)
    WHERE ended_at IS NULL AND chat IS NOT NULL;
-- Who was removed from a space can still end what they had begun there.
CREATE POLICY ending ON conversations FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND (SELECT wall.viewer_is_alone()));
DO $$ BEGIN EXECUTE replace(replace(pg_get_functiondef('wall.number_event()'::regprocedure),
    'space_id, channel INTO taken;', 'space_id, channel, kept INTO taken;'),
    $q$    NEW.seq := taken.next_seq - 1;$q$,
    $q$    IF NOT taken.kept THEN
        RAISE EXCEPTION 'this conversation is not kept' USING ERRCODE = 'check_violation';
    END IF;
    NEW.seq := taken.next_seq - 1;$q$); END $$;

CREATE FUNCTION wall.private_chats() RETURNS TABLE (chat text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT c.chat FROM public.conversations AS c
        WHERE c.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
            AND NOT c.kept AND c.ended_at IS NULL AND c.chat IS NOT NULL
$$;
REVOKE ALL ON FUNCTION wall.private_chats FROM PUBLIC;
CREATE POLICY looking_out ON conversations FOR SELECT TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

# The front end knows who is in a group; the wall must not take its word for anything but that.
GROUPS = """
ALTER TABLE spaces
    ADD COLUMN chat    text,
    ADD COLUMN channel text NOT NULL DEFAULT 'public' CHECK (channel IN ('public', 'team')),
    ADD CONSTRAINT only_groups_stand_in_a_chat CHECK (chat IS NULL OR kind = 'group');
CREATE UNIQUE INDEX one_space_for_a_chat ON spaces (tenant_id, chat) WHERE chat IS NOT NULL;

CREATE FUNCTION wall.enter_group(entered text, new_id text, called text, is_admin boolean, moment timestamptz)
    RETURNS TABLE (space_id text, channel text)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found record;
BEGIN
    INSERT INTO public.spaces AS s (tenant_id, id, kind, subject, chat, created_by, created_at)
        VALUES (wall.viewer_tenant(), new_id, 'group', called, entered, wall.viewer_user(), moment)
        ON CONFLICT (tenant_id, chat) WHERE chat IS NOT NULL DO NOTHING;
    SELECT s.id, s.channel INTO STRICT found FROM public.spaces AS s
        WHERE s.tenant_id = wall.viewer_tenant() AND s.chat = entered;
    INSERT INTO public.space_members AS m (tenant_id, space_id, user_id, role, joined_at)
        VALUES (wall.viewer_tenant(), found.id, wall.viewer_user(), 'member', moment)
        ON CONFLICT DO NOTHING;
    UPDATE public.space_members AS m SET role = CASE WHEN is_admin THEN 'owner' ELSE 'member' END
        WHERE is_admin IS NOT NULL AND m.tenant_id = wall.viewer_tenant() AND m.space_id = found.id
            AND m.user_id = wall.viewer_user() AND (m.role = 'owner') <> is_admin;
    RETURN QUERY SELECT found.id, found.channel;
END $$;
CREATE FUNCTION wall.choose_channel(chosen text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.spaces AS s SET channel = chosen
        WHERE s.tenant_id = wall.viewer_tenant() AND s.id = wall.viewer_space() AND s.kind = 'group'
            AND wall.viewer_owns_space();
    RETURN FOUND;
END $$;
-- A group that gets another number stays the same space. Somebody may have spoken under the new number before we heard
-- of it: then the space that was made for it gives what was shared in it to the old one, and stands in no chat.
CREATE FUNCTION wall.move_group(former text, present text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    here constant text := wall.viewer_tenant();
    stays text;
    early text;
    owner text;
BEGIN
    SELECT s.id INTO stays FROM public.spaces AS s
        WHERE s.tenant_id = here AND s.chat = former AND wall.viewer_user() IS NULL AND former <> present;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE public.spaces AS s SET chat = NULL WHERE s.tenant_id = here AND s.chat = present RETURNING s.id INTO early;
    IF FOUND THEN
        INSERT INTO public.space_members (tenant_id, space_id, user_id, role, joined_at)
            SELECT m.tenant_id, stays, m.user_id, 'member', m.joined_at FROM public.space_members AS m
            WHERE m.tenant_id = here AND m.space_id = early
            ON CONFLICT DO NOTHING;
        -- A fact is given a version in its owner's name only.
        FOR owner IN SELECT DISTINCT f.user_id FROM public.facts AS f WHERE f.tenant_id = here AND f.space_id = early
        LOOP
            PERFORM set_config('keepsake.user', owner, true);
            INSERT INTO public.fact_versions (tenant_id, fact_id, version, content, sealed, subject, value, space_id,
                    visibility, sensitivity, forgotten, source_event_id, span, author, approved_by, approval)
                SELECT v.tenant_id, v.fact_id, 0, v.content, v.sealed, v.subject, v.value, stays,
                    v.visibility, v.sensitivity, v.forgotten, v.source_event_id, v.span, 'keepsake', owner, 'membership'
                FROM public.facts AS f JOIN public.fact_versions AS v ON v.tenant_id = f.tenant_id AND v.fact_id = f.id
                WHERE f.tenant_id = here AND f.space_id = early AND f.user_id = owner
                    AND v.version = (SELECT max(n.version) FROM public.fact_versions AS n
                                     WHERE n.tenant_id = f.tenant_id AND n.fact_id = f.id);
        END LOOP;
        PERFORM set_config('keepsake.user', '', true);
        UPDATE public.conversations AS c SET ended_at = clock_timestamp()
            WHERE c.tenant_id = here AND c.space_id = early AND c.ended_at IS NULL;
    END IF;
    UPDATE public.spaces AS s SET chat = present WHERE s.tenant_id = here AND s.id = stays;
    UPDATE public.conversations AS c SET chat = present
        WHERE c.tenant_id = here AND c.space_id = stays AND c.chat = former AND c.ended_at IS NULL;
    RETURN true;
END $$;
REVOKE ALL ON FUNCTION wall.enter_group, wall.choose_channel, wall.move_group FROM PUBLIC;
GRANT INSERT ON spaces TO keepsake_warden;
GRANT UPDATE (channel, chat) ON spaces TO keepsake_warden;
GRANT UPDATE (chat, ended_at) ON conversations TO keepsake_warden;
CREATE POLICY moving ON conversations FOR UPDATE TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()) AND (SELECT wall.viewer_user()) IS NULL);
CREATE POLICY moving ON space_members FOR INSERT TO keepsake_warden
    WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()) AND (SELECT wall.viewer_user()) IS NULL AND role = 'member');
CREATE POLICY founding_a_group ON spaces FOR INSERT TO keepsake_warden
    WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()) AND kind = 'group');
CREATE POLICY changing_a_group ON spaces FOR UPDATE TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()) AND kind = 'group');

-- Who deletes a fact in a group, or takes that back there, must read what they do: their own, and only what was shared
-- in that space.
DROP POLICY reading ON facts;
CREATE POLICY reading ON facts FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND sensitivity = ANY ((SELECT wall.loadable())::text[]) AND (
        user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR visibility = 'shared' AND space_id = (SELECT wall.viewer_space())
           AND (deleted_at IS NULL OR user_id = (SELECT wall.viewer_user()))
           AND (category <> 'preference' OR (SELECT wall.viewer_channel()) <> 'public')));

-- In a group its owner answers a card where it was asked, aloud: only those of that space and channel.
ALTER TABLE proposals ADD COLUMN channel text NOT NULL DEFAULT 'private'
    CHECK (channel IN ('private', 'team', 'public', 'agent'));
DROP POLICY reading ON proposals;
CREATE POLICY reading ON proposals FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND ((SELECT wall.viewer_is_alone()) OR space_id = (SELECT wall.viewer_space())
         AND channel = (SELECT wall.viewer_channel()) AND sensitivity = ANY ((SELECT wall.loadable())::text[])));
CREATE POLICY answering ON proposals FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()) AND channel = (SELECT wall.viewer_channel()));
"""

# Where an event stands in a chat outside; it is seen by whoever sees the event.
POSTS = """
CREATE TABLE posts (
    tenant_id  text NOT NULL,
    chat       text NOT NULL,
    message_id bigint NOT NULL,
    user_id    text NOT NULL,
    event_id   text NOT NULL,
    PRIMARY KEY (tenant_id, chat, message_id),
    FOREIGN KEY (tenant_id, event_id) REFERENCES events (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX posts_tenant_id_event_id_idx ON posts (tenant_id, event_id);
CREATE INDEX posts_tenant_id_user_id_idx ON posts (tenant_id, user_id);
CALL wall.guard('posts', 'own');
DROP POLICY reading ON posts;
CREATE POLICY reading ON posts FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant())
    AND EXISTS (SELECT FROM events AS e WHERE e.tenant_id = posts.tenant_id AND e.id = event_id));
ALTER TABLE posts ALTER COLUMN chat SET STATISTICS 0;
"""

BACK = """
DROP TABLE posts;
DROP POLICY answering ON proposals;
DROP POLICY reading ON proposals;
CREATE POLICY reading ON proposals FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND (SELECT wall.viewer_is_alone()));
ALTER TABLE proposals DROP COLUMN channel;
DROP POLICY reading ON facts;
CREATE POLICY reading ON facts FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND sensitivity = ANY ((SELECT wall.loadable())::text[]) AND (
        user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR visibility = 'shared' AND space_id = (SELECT wall.viewer_space()) AND deleted_at IS NULL
           AND (category <> 'preference' OR (SELECT wall.viewer_channel()) <> 'public')));
DROP FUNCTION wall.enter_group, wall.choose_channel, wall.move_group;
DROP POLICY moving ON space_members;
DROP POLICY moving ON conversations;
REVOKE ALL (chat, ended_at) ON conversations FROM keepsake_warden;
DROP POLICY founding_a_group ON spaces;
DROP POLICY changing_a_group ON spaces;
REVOKE ALL (channel, chat) ON spaces FROM keepsake_warden;
REVOKE INSERT ON spaces FROM keepsake_warden;
ALTER TABLE spaces DROP COLUMN chat, DROP COLUMN channel;
DROP FUNCTION wall.private_chats;
DROP POLICY looking_out ON conversations;
DO $$ BEGIN EXECUTE replace(replace(pg_get_functiondef('wall.number_event()'::regprocedure),
    'space_id, channel, kept INTO taken;', 'space_id, channel INTO taken;'),
    $q$    IF NOT taken.kept THEN
        RAISE EXCEPTION 'this conversation is not kept' USING ERRCODE = 'check_violation';
    END IF;
$q$, ''); END $$;
DROP POLICY ending ON conversations;
ALTER TABLE conversations DROP COLUMN chat, DROP COLUMN kept;
DROP FUNCTION wall.claim_updates, wall.hold_updates, wall.keep_answer, wall.finish_update, wall.clear_inbox,
    wall.inbox_state;
DROP POLICY handing_out ON inbox;
REVOKE ALL ON inbox FROM keepsake_warden;
REVOKE ALL (tenant_id, update_id, user_id, chat_id, state, attempts, failures, lease_until, holder, received_at,
            done_at, why, payload, answer) ON inbox FROM keepsake_warden;
DROP INDEX inbox_tenant_id_done_at_idx;
ALTER TABLE inbox DROP CONSTRAINT emptied_when_done,
    DROP COLUMN holder, DROP COLUMN failures, DROP COLUMN why, DROP COLUMN answer, DROP COLUMN sent,
    DROP COLUMN preview, DROP COLUMN done_at;
ALTER TABLE inbox ADD CONSTRAINT emptied_when_done CHECK (state <> 'done' OR payload IS NULL);
"""

FUNCTIONS = (
    "claim_updates(text, interval, integer)",
    "hold_updates(text, interval, bigint[])",
    "keep_answer(bigint, text, bytea)",
    "finish_update(bigint, text, text)",
    "clear_inbox(timestamptz)",
    "inbox_state()",
    "private_chats()",
    "enter_group(text, text, text, boolean, timestamptz)",
    "choose_channel(text)",
    "move_group(text, text)",
)


def upgrade() -> None:
    for part in (INBOX, CONVERSATIONS, GROUPS, POSTS):
        op.execute(part)
    for function in FUNCTIONS:
        op.execute(handing_over(function, "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
