-- Notices about background work, to be delivered to their owner, each once.

CREATE TABLE notices (
    tenant_id   text NOT NULL,
    id          text NOT NULL,
    user_id     text NOT NULL,
    kind        text NOT NULL CHECK (kind IN ('receipt', 'cards', 'reminder')),
    key         text NOT NULL,
    refs        text[] NOT NULL DEFAULT '{}',
    due_at      timestamptz NOT NULL,
    lease_until timestamptz,
    told_at     timestamptz,
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, user_id, kind, key),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX notices_to_be_told ON notices (tenant_id, user_id, due_at) WHERE told_at IS NULL;
ALTER TABLE notices ALTER COLUMN key SET STATISTICS 0, ALTER COLUMN refs SET STATISTICS 0;

CALL wall.guard('notices', 'own');
CREATE POLICY handing_out ON notices TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, UPDATE (lease_until) ON notices TO keepsake_warden;

CREATE FUNCTION wall.due_reminders() RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT u.id FROM public.users AS u
    JOIN public.facts AS f ON f.tenant_id = u.tenant_id AND f.user_id = u.id
    WHERE u.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND u.reminders
        AND f.attribute = 'important_date' AND f.deleted_at IS NULL
$$;
REVOKE ALL ON FUNCTION wall.due_reminders FROM PUBLIC;
ALTER FUNCTION wall.due_reminders OWNER TO keepsake_warden;

-- Leases the reminders that are due to people whose id begins with `whose`: one process at a time delivers each.
CREATE FUNCTION wall.claim_notices(whose text, moment timestamptz, held_for interval, most integer)
    RETURNS TABLE (id text, user_id text)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.notices AS n SET lease_until = moment + held_for
        FROM (SELECT o.id FROM public.notices AS o
              WHERE o.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND o.kind = 'reminder'
                  AND o.told_at IS NULL AND o.due_at <= moment AND starts_with(o.user_id, whose)
                  AND (o.lease_until IS NULL OR o.lease_until <= moment)
              ORDER BY o.due_at, o.id LIMIT most FOR UPDATE SKIP LOCKED) AS due
        WHERE n.tenant_id = wall.viewer_tenant() AND n.id = due.id
        RETURNING n.id, n.user_id
$$;
REVOKE ALL ON FUNCTION wall.claim_notices FROM PUBLIC;
ALTER FUNCTION wall.claim_notices OWNER TO keepsake_warden;
