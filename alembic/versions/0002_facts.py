"""Facts with versions, the pinned snapshot, proposals, tombstones and topics."""

from alembic import op

revision = "0002"
down_revision = "0001"

FACTS = """
CREATE TABLE facts (
    tenant_id    text NOT NULL,
    id           text NOT NULL CHECK (id ~ '^[A-Za-z0-9]{8}$'),
    space_id     text NOT NULL,
    user_id      text NOT NULL,
    category     text NOT NULL CHECK (category IN ('person', 'preference', 'context', 'project', 'personality',
        'hobby', 'relationship', 'milestone', 'occupation', 'habit', 'other')),
    subject      text CHECK (char_length(subject) BETWEEN 1 AND 200),
    attribute    text CHECK (attribute IN ('name', 'preferred_name', 'occupation', 'location', 'communication_style',
        'faith', 'interest', 'family_member', 'goal', 'important_date', 'interaction_preference', 'custom')),
    visibility   text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shared')),
    sensitivity  text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    importance   real NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
    recalled_at  timestamptz,
    recall_count integer NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT now(),
    deleted_at   timestamptz,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX facts_tenant_id_user_id_idx ON facts (tenant_id, user_id);
CREATE INDEX facts_tenant_id_space_id_visibility_idx ON facts (tenant_id, space_id, visibility);

CALL wall.raise_on('facts');
CREATE POLICY reading ON facts FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND sensitivity = ANY ((SELECT wall.loadable())::text[]) AND (
        user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR visibility = 'shared' AND space_id = (SELECT wall.viewer_space())
           AND (category <> 'preference' OR (SELECT wall.viewer_channel()) <> 'public')));
CREATE POLICY writing ON facts FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()));
CREATE POLICY changing ON facts FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
CREATE POLICY removing ON facts FOR DELETE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));

CREATE TABLE fact_versions (
    tenant_id       text NOT NULL,
    fact_id         text NOT NULL,
    version         integer NOT NULL CHECK (version >= 1),
    content         text NOT NULL CHECK (char_length(content) BETWEEN 5 AND 500),
    value           jsonb,
    source_event_id text,
    span            int4range,
    author          text NOT NULL,
    approved_by     text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, fact_id, version),
    FOREIGN KEY (tenant_id, fact_id) REFERENCES facts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, source_event_id) REFERENCES events (tenant_id, id) ON DELETE SET NULL (source_event_id)
);
CREATE INDEX fact_versions_tenant_id_source_event_id_idx ON fact_versions (tenant_id, source_event_id);

-- A version is as visible as its fact, and only the fact's owner writes one.
CALL wall.raise_on('fact_versions');
CREATE POLICY reading ON fact_versions FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant())
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id));
CREATE POLICY writing ON fact_versions FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND approved_by = (SELECT wall.viewer_user())
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id
                AND f.user_id = (SELECT wall.viewer_user()))
    AND (source_event_id IS NULL OR EXISTS (
        SELECT FROM events AS e WHERE e.tenant_id = fact_versions.tenant_id AND e.id = source_event_id)));

CREATE TABLE snapshot_items (
    tenant_id       text NOT NULL,
    conversation_id text NOT NULL,
    fact_id         text NOT NULL,
    version         integer NOT NULL,
    PRIMARY KEY (tenant_id, conversation_id, fact_id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, fact_id, version) REFERENCES fact_versions (tenant_id, fact_id, version) ON DELETE CASCADE
);
CREATE INDEX snapshot_items_tenant_id_fact_id_idx ON snapshot_items (tenant_id, fact_id);

CALL wall.raise_on('snapshot_items');
CREATE POLICY pinning ON snapshot_items USING (
    tenant_id = (SELECT wall.viewer_tenant())
    AND EXISTS (SELECT FROM conversations AS c
                WHERE c.tenant_id = snapshot_items.tenant_id AND c.id = conversation_id)
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = snapshot_items.tenant_id AND f.id = fact_id));
"""

CONSENT = """
CREATE TABLE proposals (
    tenant_id       text NOT NULL,
    id              text NOT NULL,
    space_id        text NOT NULL,
    user_id         text NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('add', 'update', 'forget')),
    fact_id         text,
    category        text NOT NULL,
    subject         text,
    content         text NOT NULL CHECK (char_length(content) BETWEEN 5 AND 500),
    content_hash    text NOT NULL,
    source_event_id text,
    status          text NOT NULL DEFAULT 'waiting'
        CHECK (status IN ('waiting', 'accepted', 'rejected', 'expired')),
    decided_by      text,
    decided_at      timestamptz,
    expires_at      timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT decided_by_its_owner CHECK (decided_by = user_id),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, fact_id) REFERENCES facts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, source_event_id) REFERENCES events (tenant_id, id) ON DELETE SET NULL (source_event_id)
);
CREATE INDEX proposals_tenant_id_user_id_status_idx ON proposals (tenant_id, user_id, status);
CALL wall.guard('proposals', 'own');

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
CALL wall.guard('tombstones', 'own');

CREATE TABLE topics (
    tenant_id text NOT NULL,
    user_id   text NOT NULL,
    name      text NOT NULL CHECK (name = lower(name)),
    count     integer NOT NULL DEFAULT 1,
    last_seen timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id, name),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CALL wall.guard('topics', 'own');
"""


def upgrade() -> None:
    op.execute(FACTS)
    op.execute(CONSENT)


def downgrade() -> None:
    op.execute("DROP TABLE topics, tombstones, proposals, snapshot_items, fact_versions, facts")
