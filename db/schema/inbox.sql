-- The inbox: updates from the front ends. An update is stored before its sender is looked up, so the sender need not be
-- a user.

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
    holder      text,
    failures    integer NOT NULL DEFAULT 0,
    why         text,
    answer      bytea,
    sent        bigint[] NOT NULL DEFAULT '{}',
    preview     bigint,
    done_at     timestamptz,
    PRIMARY KEY (tenant_id, update_id),
    CONSTRAINT emptied_when_done
        CHECK (state IN ('waiting', 'working') OR payload IS NULL AND answer IS NULL AND done_at IS NOT NULL)
);
CREATE INDEX inbox_tenant_id_chat_id_update_id_idx ON inbox (tenant_id, chat_id, update_id) WHERE state <> 'done';
CREATE INDEX inbox_tenant_id_done_at_idx ON inbox (tenant_id, done_at) WHERE done_at IS NOT NULL;
ALTER TABLE inbox ALTER COLUMN payload SET STATISTICS 0, ALTER COLUMN answer SET STATISTICS 0;

CALL wall.guard('inbox', 'own');
CREATE POLICY handing_out ON inbox TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, update_id, user_id, chat_id, state, attempts, failures, lease_until, holder, received_at,
              done_at), UPDATE (state, holder, lease_until, attempts, why, payload, answer, done_at), DELETE
    ON inbox TO keepsake_warden;

-- Claims the oldest open update of each chat. While it is held, later updates of that chat stay unclaimed.
CREATE FUNCTION wall.claim_updates(claimant text, held_for interval, most integer)
    RETURNS TABLE (update_id bigint, user_id text, chat_id text, attempts integer, failures integer)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.inbox AS i SET state = 'working', holder = claimant, lease_until = clock_timestamp() + held_for,
            attempts = i.attempts + 1
        FROM (SELECT o.update_id FROM public.inbox AS o
              WHERE o.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
                  AND (o.state = 'waiting' OR o.state = 'working' AND o.lease_until < clock_timestamp())
                  AND NOT EXISTS (SELECT FROM public.inbox AS e
                      WHERE e.tenant_id = o.tenant_id AND e.chat_id = o.chat_id AND e.update_id < o.update_id
                          AND e.state IN ('waiting', 'working'))
                  AND NOT EXISTS (SELECT FROM public.inbox AS l  -- one that came late waits for its successor
                      WHERE l.tenant_id = o.tenant_id AND l.chat_id = o.chat_id AND l.update_id > o.update_id
                          AND l.state = 'working' AND l.lease_until >= clock_timestamp())
              ORDER BY o.update_id LIMIT most FOR UPDATE OF o SKIP LOCKED) AS oldest
        WHERE i.tenant_id = wall.viewer_tenant() AND i.update_id = oldest.update_id
        RETURNING i.update_id, i.user_id, i.chat_id, i.attempts, i.failures
$$;
REVOKE ALL ON FUNCTION wall.claim_updates FROM PUBLIC;
ALTER FUNCTION wall.claim_updates OWNER TO keepsake_warden;

-- Renews the leases of a holder, and returns the updates it still holds.
CREATE FUNCTION wall.hold_updates(claimant text, held_for interval, held bigint[]) RETURNS SETOF bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.inbox AS i SET lease_until = clock_timestamp() + held_for
        WHERE i.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
            AND i.update_id = ANY (held) AND i.holder = claimant AND i.state = 'working'
        RETURNING i.update_id
$$;
REVOKE ALL ON FUNCTION wall.hold_updates FROM PUBLIC;
ALTER FUNCTION wall.hold_updates OWNER TO keepsake_warden;

-- The answer commits together with its effects, so after a crash it is sent, not generated again. The viewer is in the
-- space of the message; in a group the sender is not alone there.
CREATE FUNCTION wall.keep_answer(answered bigint, claimant text, words bytea) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.inbox AS i SET answer = words
        WHERE i.tenant_id = wall.viewer_tenant() AND i.user_id = wall.viewer_user()
            AND i.update_id = answered AND i.holder = claimant AND i.state = 'working';
    RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION wall.keep_answer FROM PUBLIC;
ALTER FUNCTION wall.keep_answer OWNER TO keepsake_warden;

CREATE FUNCTION wall.finish_update(finished bigint, claimant text, parked text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.inbox AS i SET state = CASE WHEN parked IS NULL THEN 'done' ELSE 'parked' END, why = parked,
            payload = NULL, answer = NULL, lease_until = NULL, holder = NULL, done_at = clock_timestamp()
        WHERE i.tenant_id = wall.viewer_tenant() AND i.user_id = wall.viewer_user()
            AND i.update_id = finished AND i.holder = claimant AND i.state = 'working';
    RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION wall.finish_update FROM PUBLIC;
ALTER FUNCTION wall.finish_update OWNER TO keepsake_warden;

CREATE FUNCTION wall.clear_inbox(before timestamptz) RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH gone AS (DELETE FROM public.inbox AS i
        WHERE i.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND i.done_at < before RETURNING 1)
    SELECT count(*) FROM gone
$$;
REVOKE ALL ON FUNCTION wall.clear_inbox FROM PUBLIC;
ALTER FUNCTION wall.clear_inbox OWNER TO keepsake_warden;

CREATE FUNCTION wall.inbox_state() RETURNS TABLE (state text, updates bigint, oldest timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT i.state, count(*), min(i.received_at) FROM public.inbox AS i
        WHERE i.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND i.state <> 'done'
        GROUP BY i.state
$$;
REVOKE ALL ON FUNCTION wall.inbox_state FROM PUBLIC;
ALTER FUNCTION wall.inbox_state OWNER TO keepsake_warden;
