-- Snapshots: which versions of facts are pinned to a conversation.

CREATE TABLE snapshot_items (
    tenant_id       text NOT NULL,
    conversation_id text NOT NULL,
    fact_id         text NOT NULL,
    version         integer NOT NULL,
    shown           boolean NOT NULL DEFAULT true,  -- facts that did not fit are stored too, to see what changed since
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
