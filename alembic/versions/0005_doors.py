"""What stands at the doors: the inbox of updates, API keys, and the audit log."""

from alembic import op

revision = "0005"
down_revision = "0004"

DOORS = """
-- A stranger's update is written down before anyone knows them, so the sender need not be a user yet.
CREATE TABLE inbox (
    tenant_id   text NOT NULL,
    update_id   bigint NOT NULL,
    user_id     text NOT NULL,
    chat_id     text NOT NULL,
    payload     bytea,
    state       text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'working', 'done', 'parked')),
    attempts    integer NOT NULL DEFAULT 0,
    lease_until timestamptz,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, update_id),
    CONSTRAINT emptied_when_done CHECK (state <> 'done' OR payload IS NULL)
);
CREATE INDEX inbox_tenant_id_chat_id_update_id_idx ON inbox (tenant_id, chat_id, update_id) WHERE state <> 'done';
CALL wall.guard('inbox', 'own');

CREATE TABLE api_keys (
    tenant_id  text NOT NULL,
    id         text NOT NULL,
    user_id    text,
    agent_id   text,
    hash       bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    scopes     text[] NOT NULL DEFAULT '{}' CHECK (scopes <@ ARRAY['read', 'write', 'admin']),
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    PRIMARY KEY (tenant_id, id)
);
CALL wall.guard('api_keys', 'own');

CREATE TABLE audit_log (
    tenant_id text NOT NULL,
    id        text NOT NULL,
    user_id   text NOT NULL,
    ts        timestamptz NOT NULL,
    actor     text NOT NULL,
    action    text NOT NULL,
    target    text NOT NULL,
    details   jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX audit_log_tenant_id_user_id_ts_idx ON audit_log (tenant_id, user_id, ts);
CALL wall.guard('audit_log', 'own');
"""


def upgrade() -> None:
    op.execute(DOORS)


def downgrade() -> None:
    op.execute("DROP TABLE audit_log, api_keys, inbox")
