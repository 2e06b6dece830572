-- Tombstones: the place of a forgotten fact, and a salted hash of its significant words; never the words.

CREATE TABLE tombstones (
    tenant_id  text NOT NULL,
    id         text NOT NULL,
    user_id    text NOT NULL,
    event_id   text,
    span       int4range,
    salt       bytea NOT NULL,
    hash       bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, event_id) REFERENCES events (tenant_id, id) ON DELETE SET NULL (event_id)
);
CREATE INDEX tombstones_tenant_id_user_id_idx ON tombstones (tenant_id, user_id);
ALTER TABLE tombstones ALTER COLUMN salt SET STATISTICS 0, ALTER COLUMN hash SET STATISTICS 0;

CALL wall.guard('tombstones', 'own');
