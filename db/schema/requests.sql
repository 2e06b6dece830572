-- Requests: an API write with an idempotency key is done once. Its answer is sealed, and removed when its person
-- forgets something.

CREATE TABLE requests (
    tenant_id  text NOT NULL,
    user_id    text NOT NULL,
    key_id     text NOT NULL,
    name       text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    hash       bytea NOT NULL CHECK (length(hash) = 32),
    status     integer,
    answer     bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id, key_id, name),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX requests_tenant_id_created_at_idx ON requests (tenant_id, created_at);

CALL wall.raise_on('requests');
CREATE POLICY mine ON requests USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
CREATE POLICY clearing ON requests TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, created_at), DELETE ON requests TO keepsake_warden;
