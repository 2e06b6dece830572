"""What recall searches: artifacts, summaries, chunks and their embeddings."""

from alembic import op

revision = "0003"
down_revision = "0002"

RECALL = """
CREATE TABLE artifacts (
    tenant_id   text NOT NULL,
    id          text NOT NULL,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    ts          timestamptz NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('tool_output', 'blob', 'document')),
    bytes       bytea NOT NULL,
    sha256      bytea NOT NULL CHECK (length(sha256) = 32),
    meta        jsonb NOT NULL DEFAULT '{}',
    refs        text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, user_id, space_id, sha256),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CALL wall.guard('artifacts', 'spoken');

CREATE TABLE summaries (
    tenant_id       text NOT NULL,
    id              text NOT NULL,
    conversation_id text NOT NULL,
    space_id        text NOT NULL,
    user_id         text NOT NULL,
    channel         text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity     text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    start_seq       integer NOT NULL CHECK (start_seq >= 0),
    end_seq         integer NOT NULL,
    base_id         text,
    status          text NOT NULL CHECK (status IN ('processing', 'completed', 'failed')),
    lease_until     timestamptz,
    attempts        integer NOT NULL DEFAULT 0,
    reason          text,
    text            text,
    refs            text[] NOT NULL DEFAULT '{}',
    generation_ms   integer,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CHECK (end_seq >= start_seq),
    CONSTRAINT a_completed_summary_has_words CHECK ((status = 'completed') = (text IS NOT NULL)),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    UNIQUE (tenant_id, conversation_id, id),
    FOREIGN KEY (tenant_id, conversation_id, base_id) REFERENCES summaries (tenant_id, conversation_id, id)
        ON DELETE SET NULL (base_id)
);
CREATE UNIQUE INDEX one_summary_is_made_at_a_time ON summaries (tenant_id, conversation_id)
    WHERE status = 'processing';
CREATE UNIQUE INDEX no_range_is_summarised_twice ON summaries (tenant_id, conversation_id, start_seq, end_seq)
    WHERE status = 'completed';
CALL wall.guard('summaries', 'spoken');

CREATE TABLE chunks (
    tenant_id   text NOT NULL,
    id          text NOT NULL,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    event_id    text,
    summary_id  text,
    artifact_id text,
    ts          timestamptz NOT NULL,
    kind        text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low')),
    tags        text[] NOT NULL DEFAULT '{}',
    token_est   integer NOT NULL,
    importance  real NOT NULL DEFAULT 0,
    text        text NOT NULL,
    text_hash   bytea NOT NULL,
    terms       text NOT NULL,
    tsv         tsvector GENERATED ALWAYS AS (to_tsvector('simple', terms)) STORED,
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT cut_from_one_source CHECK (num_nonnulls(event_id, summary_id, artifact_id) = 1),
    FOREIGN KEY (tenant_id, event_id) REFERENCES events (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, summary_id) REFERENCES summaries (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, artifact_id) REFERENCES artifacts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX chunks_tenant_id_user_id_ts_idx ON chunks (tenant_id, user_id, ts);
CREATE INDEX chunks_tenant_id_space_id_ts_idx ON chunks (tenant_id, space_id, ts);
CREATE INDEX chunks_tenant_id_event_id_idx ON chunks (tenant_id, event_id);
CREATE INDEX chunks_tsv_idx ON chunks USING gin (tsv);
CALL wall.guard('chunks', 'spoken');

-- A table of its own, so that another model is back-filled while the old one serves.
CREATE TABLE embeddings (
    tenant_id   text NOT NULL,
    chunk_id    text NOT NULL,
    model       text NOT NULL,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low')),
    embedding   halfvec NOT NULL,
    PRIMARY KEY (tenant_id, chunk_id, model),
    FOREIGN KEY (tenant_id, chunk_id) REFERENCES chunks (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX embeddings_tenant_id_user_id_model_idx ON embeddings (tenant_id, user_id, model);
CALL wall.guard('embeddings', 'spoken');
"""


def upgrade() -> None:
    op.execute(RECALL)


def downgrade() -> None:
    op.execute("DROP TABLE embeddings, chunks, summaries, artifacts")
