"""The doors of the daemon: tenants, keys that are paced, writes that are done once, sessions of the review page."""

from alembic import op
from db.roles import handing_over

revision = "0019"
down_revision = "0018"

# Names only, so that whoever is of no tenant can find the work of all.
TENANTS = """
CREATE TABLE tenants (
    tenant_id  text NOT NULL PRIMARY KEY CHECK (tenant_id ~ '^[A-Za-z0-9_-]{1,64}$'),
    created_at timestamptz NOT NULL DEFAULT now()
);
CALL wall.raise_on('tenants');
CREATE POLICY reading ON tenants FOR SELECT USING (
    (SELECT wall.viewer_tenant()) IS NULL OR tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY writing ON tenants FOR INSERT WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()));
"""

# A key names its tenant, so even its hash is looked for inside one. One of nobody's is kept by nobody: the operator.
KEYS = """
ALTER TABLE api_keys
    ADD COLUMN name         text NOT NULL DEFAULT '' CHECK (char_length(name) <= 100),
    ADD COLUMN last_used_at timestamptz,
    ADD COLUMN paced_until  timestamptz,
    DROP CONSTRAINT api_keys_hash_key,
    ADD CONSTRAINT api_keys_tenant_id_hash_key UNIQUE (tenant_id, hash);
DROP POLICY reading ON api_keys;
DROP POLICY writing ON api_keys;
DROP POLICY changing ON api_keys;
DROP POLICY removing ON api_keys;
CREATE POLICY keeping ON api_keys USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id IS NOT DISTINCT FROM (SELECT wall.viewer_user())
    AND (SELECT wall.viewer_is_alone()));

-- Who this key is, and whether its turn has come: a bucket of `burst` calls that refills by `a_second`, counted here so
-- that every process counts the same. A count that a crash loses is nobody's loss, so nobody waits for the disk.
CREATE FUNCTION wall.admit_key(presented bytea, burst integer, a_second double precision)
    RETURNS TABLE (key_id text, user_id text, agent_id text, scopes text[], wait double precision)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    step    constant interval := make_interval(secs => 1 / a_second);
    counted timestamptz;
    moment  timestamptz;
    full_   timestamptz;
    due     timestamptz;
BEGIN
    SELECT k.id, k.user_id, k.agent_id, k.scopes, k.paced_until INTO key_id, user_id, agent_id, scopes, counted
        FROM public.api_keys AS k
        WHERE k.tenant_id = wall.viewer_tenant() AND k.hash = presented AND k.revoked_at IS NULL
        FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    moment := clock_timestamp();  -- only now: others of this key may have been waited for
    full_ := moment + step * (burst - 1);
    due := GREATEST(LEAST(COALESCE(counted, moment), full_ + step), moment);
    wait := GREATEST(EXTRACT(epoch FROM due - full_), 0);
    IF due <= full_ THEN
        PERFORM set_config('synchronous_commit', 'off', true);
        UPDATE public.api_keys AS k SET paced_until = due + step, last_used_at = moment
            WHERE k.tenant_id = wall.viewer_tenant() AND k.id = key_id;
    ELSIF due < counted THEN  -- the clock jumped back, or the pace was raised: no more than a full bucket is owed
        UPDATE public.api_keys AS k SET paced_until = due WHERE k.tenant_id = wall.viewer_tenant() AND k.id = key_id;
    END IF;
    RETURN NEXT;
END $$;
-- Without their names, which are somebody's words.
CREATE FUNCTION wall.key_list() RETURNS TABLE (id text, user_id text, agent_id text, scopes text[],
        created_at timestamptz, last_used_at timestamptz, revoked_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT k.id, k.user_id, k.agent_id, k.scopes, k.created_at, k.last_used_at, k.revoked_at
        FROM public.api_keys AS k
        WHERE k.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL ORDER BY k.created_at, k.id
$$;
REVOKE ALL ON FUNCTION wall.admit_key, wall.key_list FROM PUBLIC;
GRANT SELECT, UPDATE (paced_until, last_used_at) ON api_keys TO keepsake_warden;
CREATE POLICY looking_out ON api_keys TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

# A write that names itself is done once. What was answered is sealed, and goes when something of its person's does.
REQUESTS = """
CREATE TABLE requests (
    tenant_id  text NOT NULL,
    user_id    text NOT NULL,
    key_id     text NOT NULL,
    name       text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    hash       bytea NOT NULL CHECK (length(hash) = 32),
    status     integer,
    answer     bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id, key_id, name),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX requests_tenant_id_created_at_idx ON requests (tenant_id, created_at);
CALL wall.raise_on('requests');
CREATE POLICY mine ON requests USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()));
"""

# A link becomes a session by taking the hash of its cookie, which it can do once.
SESSIONS = """
CREATE TABLE web_sessions (
    tenant_id  text NOT NULL,
    id         text NOT NULL,
    user_id    text NOT NULL,
    hash       bytea CHECK (length(hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, hash),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX web_sessions_tenant_id_user_id_idx ON web_sessions (tenant_id, user_id);
CREATE INDEX web_sessions_tenant_id_expires_at_idx ON web_sessions (tenant_id, expires_at);
CALL wall.guard('web_sessions', 'own');

CREATE FUNCTION wall.open_link(link text, cookie bytea, moment timestamptz, until timestamptz) RETURNS text
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    UPDATE public.web_sessions AS s SET hash = cookie, expires_at = until
        WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
            AND s.id = link AND s.hash IS NULL AND s.expires_at > moment
        RETURNING s.user_id
$$;
CREATE FUNCTION wall.session_of(cookie bytea, moment timestamptz) RETURNS TABLE (id text, user_id text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT s.id, s.user_id FROM public.web_sessions AS s
        WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
            AND s.hash = cookie AND s.expires_at > moment
$$;
CREATE FUNCTION wall.clear_doors(done_before timestamptz, moment timestamptz) RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    WITH done AS (DELETE FROM public.requests AS r
             WHERE r.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND r.created_at < done_before
             RETURNING 1),
         over AS (DELETE FROM public.web_sessions AS s
             WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND s.expires_at < moment
             RETURNING 1)
    SELECT (SELECT count(*) FROM done) + (SELECT count(*) FROM over)
$$;
REVOKE ALL ON FUNCTION wall.open_link, wall.session_of, wall.clear_doors FROM PUBLIC;
GRANT SELECT, DELETE, UPDATE (hash, expires_at) ON web_sessions TO keepsake_warden;
GRANT SELECT (tenant_id, created_at), DELETE ON requests TO keepsake_warden;
CREATE POLICY looking_out ON web_sessions TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY clearing ON requests TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

# A message says more than its text: a caption, what it answers. There words are blanked as they are in the text.
EVENTS = """
CREATE FUNCTION wall.blank_words(erased text, place text[], words int4range) RETURNS boolean LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.events SET content = jsonb_set(content, place, to_jsonb(overlay(
        content #>> place PLACING repeat('█', upper(words) - lower(words))
        FROM lower(words) + 1 FOR upper(words) - lower(words))))
    WHERE id = erased AND jsonb_typeof(content #> place) = 'string' AND NOT isempty(words)
        AND int4range(0, length(content #>> place)) @> words;
    RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION wall.blank_words FROM PUBLIC;
"""

# Person by person, because that is the order in which they are indexed.
CALLS = """
CREATE FUNCTION wall.due_bundles(kept_before timestamptz) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id FROM public.users AS u
    WHERE u.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
        AND EXISTS (SELECT FROM public.bundles AS b
                    WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id AND b.ts < kept_before)
$$;
REVOKE ALL ON FUNCTION wall.due_bundles FROM PUBLIC;
GRANT SELECT (user_id, ts) ON bundles TO keepsake_warden;
"""

# A process holds the last words of each conversation in RAM. What is forgotten through another must go there too.
FORGETTING = """
ALTER TABLE users ADD COLUMN forgot_at timestamptz;
CREATE FUNCTION wall.who_forgot(people text[], within interval) RETURNS TABLE (person text, ago interval)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT asked, clock_timestamp() - u.forgot_at FROM unnest(people) AS asked
    LEFT JOIN public.users AS u ON u.tenant_id = wall.viewer_tenant() AND u.id = asked
    WHERE wall.viewer_user() IS NULL AND (u.id IS NULL OR u.forgot_at > clock_timestamp() - within)
$$;
REVOKE ALL ON FUNCTION wall.who_forgot FROM PUBLIC;
GRANT SELECT (forgot_at) ON users TO keepsake_warden;
"""

# Who shares a space sees who the others are by their names; nothing else of them.
NAMES = """
CREATE FUNCTION wall.names_here() RETURNS TABLE (user_id text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT m.user_id, u.name FROM public.space_members AS mine
    JOIN public.space_members AS m ON (m.tenant_id, m.space_id) = (mine.tenant_id, mine.space_id)
    JOIN public.users AS u ON (u.tenant_id, u.id) = (m.tenant_id, m.user_id)
    WHERE mine.tenant_id = wall.viewer_tenant() AND mine.space_id = wall.viewer_space()
        AND mine.user_id = wall.viewer_user()
$$;
REVOKE ALL ON FUNCTION wall.names_here FROM PUBLIC;
GRANT SELECT (name) ON users TO keepsake_warden;
"""

# "Leave everywhere" also ends what Telegram vouched for before it.
LEAVING = "ALTER TABLE users ADD COLUMN left_pages_at timestamptz;"

FUNCTIONS = (
    "admit_key(bytea, integer, double precision)",
    "key_list()",
    "open_link(text, bytea, timestamptz, timestamptz)",
    "session_of(bytea, timestamptz)",
    "clear_doors(timestamptz, timestamptz)",
    "due_bundles(timestamptz)",
    "who_forgot(text[], interval)",
    "names_here()",
)


def upgrade() -> None:
    for part in (TENANTS, KEYS, REQUESTS, SESSIONS, EVENTS, CALLS, FORGETTING, NAMES, LEAVING):
        op.execute(part)
    op.execute(handing_over("blank_words(text, text[], int4range)", "keepsake_eraser"))
    for function in FUNCTIONS:
        op.execute(handing_over(function, "keepsake_warden"))


def downgrade() -> None:
    op.execute("""
        DROP FUNCTION wall.blank_words, wall.due_bundles, wall.who_forgot, wall.names_here;
        REVOKE ALL (forgot_at, name) ON users FROM keepsake_warden;
        ALTER TABLE users DROP COLUMN forgot_at, DROP COLUMN left_pages_at;
        REVOKE ALL (user_id, ts) ON bundles FROM keepsake_warden;
        DROP FUNCTION wall.clear_doors, wall.session_of, wall.open_link, wall.key_list, wall.admit_key;
        DROP TABLE web_sessions, requests, tenants;
        DROP POLICY looking_out ON api_keys;
        DROP POLICY keeping ON api_keys;
        REVOKE ALL ON api_keys FROM keepsake_warden;
        REVOKE UPDATE (paced_until, last_used_at) ON api_keys FROM keepsake_warden;
        ALTER TABLE api_keys
            DROP COLUMN name, DROP COLUMN last_used_at, DROP COLUMN paced_until,
            DROP CONSTRAINT api_keys_tenant_id_hash_key,
            ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);
        CALL wall.guard('api_keys', 'own');
    """)
