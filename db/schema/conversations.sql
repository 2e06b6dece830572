-- Conversations: bounded runs of messages. The database counts their events here (`wall.number_event`).

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
    chat             text,
    kept             boolean NOT NULL DEFAULT true,  -- no event is written in a conversation that is not kept
    -- Progress, in messages. `telling` is the number of messages up to the newest one that is tagged as possibly
    -- containing facts.
    telling          integer NOT NULL DEFAULT 0,
    extracted        integer NOT NULL DEFAULT 0,
    summarised       integer NOT NULL DEFAULT 0,
    digest_from      integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE SET NULL (user_id)
);
CREATE INDEX conversations_tenant_id_space_id_started_at_idx ON conversations (tenant_id, space_id, started_at);
CREATE INDEX conversations_tenant_id_user_id_started_at_idx ON conversations (tenant_id, user_id, started_at);
CREATE UNIQUE INDEX one_open_conversation_in_a_chat ON conversations (tenant_id, chat)
    WHERE ended_at IS NULL AND chat IS NOT NULL;
CREATE INDEX conversations_that_tell ON conversations (tenant_id) WHERE telling > extracted;

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
-- A removed member can still end the conversations they started there.
CREATE POLICY ending ON conversations FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND (SELECT wall.viewer_is_alone()));
CREATE POLICY removing ON conversations FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
CREATE POLICY looking_out ON conversations FOR SELECT TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY moving ON conversations FOR UPDATE TO keepsake_warden
    USING (tenant_id = (SELECT wall.viewer_tenant()) AND (SELECT wall.viewer_user()) IS NULL);
CREATE POLICY erasing ON conversations TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, UPDATE (next_seq, next_message_seq, telling, chat, ended_at) ON conversations TO keepsake_warden;
GRANT SELECT, DELETE, UPDATE (summarised) ON conversations TO keepsake_eraser;

-- The chats in which nothing is stored at present.
CREATE FUNCTION wall.private_chats() RETURNS TABLE (chat text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT c.chat FROM public.conversations AS c
        WHERE c.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
            AND NOT c.kept AND c.ended_at IS NULL AND c.chat IS NOT NULL
$$;
REVOKE ALL ON FUNCTION wall.private_chats FROM PUBLIC;
ALTER FUNCTION wall.private_chats OWNER TO keepsake_warden;
