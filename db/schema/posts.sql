-- Posts: the messages of events in external chats. A viewer who sees an event sees its posts.

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
ALTER TABLE posts ALTER COLUMN chat SET STATISTICS 0;

CALL wall.guard('posts', 'own');
ALTER POLICY reading ON posts USING (
    tenant_id = (SELECT wall.viewer_tenant())
    AND EXISTS (SELECT FROM events AS e WHERE e.tenant_id = posts.tenant_id AND e.id = event_id));
