-- Tenants: names only, so that a process without a tenant can find the work of all.

CREATE TABLE tenants (
    tenant_id  text NOT NULL PRIMARY KEY CHECK (tenant_id ~ '^[A-Za-z0-9_-]{1,64}$'),
    created_at timestamptz NOT NULL DEFAULT now()
);

CALL wall.raise_on('tenants');
CREATE POLICY reading ON tenants FOR SELECT USING (
    (SELECT wall.viewer_tenant()) IS NULL OR tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY writing ON tenants FOR INSERT WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()));
