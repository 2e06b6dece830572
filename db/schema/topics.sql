-- Topics: what a person talks about, and how often.

CREATE TABLE topics (
    tenant_id text NOT NULL,
    user_id   text NOT NULL,
    name      text NOT NULL CHECK (name = lower(name)),
    count     integer NOT NULL DEFAULT 1,
    last_seen timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id, name),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE topics ALTER COLUMN name SET STATISTICS 0;

CALL wall.guard('topics', 'own');
