-- Handoffs: what one agent packs for the next.

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
ALTER TABLE handoffs
    ALTER COLUMN from_agent SET STATISTICS 0, ALTER COLUMN to_agent SET STATISTICS 0,
    ALTER COLUMN packet SET STATISTICS 0, ALTER COLUMN refs SET STATISTICS 0;

CALL wall.guard('handoffs', 'spoken');
CREATE POLICY erasing ON handoffs FOR SELECT TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT ON handoffs TO keepsake_eraser;
