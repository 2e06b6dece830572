"""The agent's ledgers (decisions, tasks, handoffs), the owner's views, and the bundles that were built."""

from alembic import op

revision = "0004"
down_revision = "0003"

LEDGERS = """
CREATE TABLE decisions (
    tenant_id     text NOT NULL,
    id            text NOT NULL,
    space_id      text NOT NULL,
    user_id       text NOT NULL,
    channel       text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity   text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    ts            timestamptz NOT NULL,
    status        text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded')),
    scope         text NOT NULL CHECK (scope IN ('project', 'user', 'global')),
    decision      text NOT NULL,
    rationale     text[] NOT NULL DEFAULT '{}',
    constraints   text[] NOT NULL DEFAULT '{}',
    alternatives  text[] NOT NULL DEFAULT '{}',
    consequences  text[] NOT NULL DEFAULT '{}',
    refs          text[] NOT NULL DEFAULT '{}',
    superseded_by text,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT the_superseded_name_their_successor CHECK ((status = 'superseded') = (superseded_by IS NOT NULL)),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    UNIQUE (tenant_id, space_id, id),
    FOREIGN KEY (tenant_id, space_id, superseded_by) REFERENCES decisions (tenant_id, space_id, id)
);
CREATE INDEX decisions_tenant_id_user_id_status_ts_idx ON decisions (tenant_id, user_id, status, ts);
CALL wall.guard('decisions', 'spoken');

CREATE TABLE tasks (
    tenant_id   text NOT NULL,
    id          text NOT NULL,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    ts          timestamptz NOT NULL,
    status      text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'doing', 'done')),
    title       text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    details     text NOT NULL DEFAULT '',
    due         date,
    refs        text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX tasks_tenant_id_user_id_status_ts_idx ON tasks (tenant_id, user_id, status, ts);
CALL wall.guard('tasks', 'spoken');

CREATE TABLE handoffs (
    tenant_id   text NOT NULL,
    id          text NOT NULL,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    ts          timestamptz NOT NULL,
    from_agent  text NOT NULL,
    to_agent    text NOT NULL,
    packet      jsonb NOT NULL,
    token_est   integer NOT NULL,
    refs        text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX handoffs_tenant_id_user_id_to_agent_ts_idx ON handoffs (tenant_id, user_id, to_agent, ts);
CALL wall.guard('handoffs', 'spoken');

CREATE TABLE views (
    tenant_id  text NOT NULL,
    user_id    text NOT NULL,
    space_id   text NOT NULL,
    name       text NOT NULL CHECK (name IN ('identity', 'rules')),
    scope      text NOT NULL CHECK (scope IN ('user', 'space')),
    version    integer NOT NULL CHECK (version >= 1),
    content    text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, space_id, user_id, name, scope, version),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CALL wall.raise_on('views');
CREATE POLICY reading ON views FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND (
        user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR scope = 'space' AND space_id = (SELECT wall.viewer_space())));
CREATE POLICY writing ON views FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()));
CREATE POLICY removing ON views FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));

CREATE TABLE bundles (
    tenant_id       text NOT NULL,
    id              text NOT NULL,
    user_id         text NOT NULL,
    conversation_id text NOT NULL,
    ts              timestamptz NOT NULL,
    request         jsonb NOT NULL,
    hashes          jsonb NOT NULL,
    provenance      jsonb NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX bundles_tenant_id_user_id_ts_idx ON bundles (tenant_id, user_id, ts);
CALL wall.guard('bundles', 'own');
"""


def upgrade() -> None:
    op.execute(LEDGERS)


def downgrade() -> None:
    op.execute("DROP TABLE bundles, views, handoffs, tasks, decisions")
