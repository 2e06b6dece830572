-- The audit log: who changed what and when, without the words.

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
ALTER TABLE audit_log
    ALTER COLUMN actor SET STATISTICS 0, ALTER COLUMN target SET STATISTICS 0, ALTER COLUMN details SET STATISTICS 0;

CALL wall.guard('audit_log', 'own');
-- `wall.number_version` writes here for the owner of the fact.
CREATE POLICY noting ON audit_log FOR INSERT TO keepsake_warden
    WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()));
GRANT INSERT ON audit_log TO keepsake_warden;
