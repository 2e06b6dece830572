-- Rebuilds: how far the derived data of a user is rebuilt. A row exists only while that is in progress.

CREATE TABLE rebuilds (
    tenant_id  text NOT NULL,
    user_id    text NOT NULL,
    made_until text NOT NULL DEFAULT '',
    began_at   timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
ALTER TABLE rebuilds ALTER COLUMN made_until SET STATISTICS 0;

CALL wall.guard('rebuilds', 'own');
