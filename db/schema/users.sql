-- People: one row for each user of a tenant, with their choices and their wrapped data key.

CREATE TABLE users (
    tenant_id      text NOT NULL,
    id             text NOT NULL,
    name           text NOT NULL,
    timezone       text NOT NULL DEFAULT 'UTC',
    language       text NOT NULL DEFAULT 'en',
    mode           text NOT NULL DEFAULT 'confirm' CHECK (mode IN ('confirm', 'auto', 'manual')),
    data_key       bytea,
    created_at     timestamptz NOT NULL DEFAULT now(),
    never_remember text[] NOT NULL DEFAULT '{}'
        CHECK (never_remember <@ ARRAY['person', 'preference', 'context', 'project', 'personality',
            'hobby', 'relationship', 'milestone', 'occupation', 'habit', 'other']),
    reminders      boolean NOT NULL DEFAULT false,
    forgot_at      timestamptz,
    left_pages_at  timestamptz,  -- signing out everywhere also ends earlier sign-ins through Telegram
    PRIMARY KEY (tenant_id, id)
);
-- Planner statistics would keep samples of a person's words even after an erasure. So columns with words have no
-- statistics, here and in the other tables.
ALTER TABLE users
    ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN timezone SET STATISTICS 0, ALTER COLUMN language SET STATISTICS 0,
    ALTER COLUMN data_key SET STATISTICS 0, ALTER COLUMN never_remember SET STATISTICS 0;

CALL wall.raise_on('users');
CREATE POLICY themselves ON users
    USING (tenant_id = (SELECT wall.viewer_tenant()) AND id = (SELECT wall.viewer_user()));
CREATE POLICY looking_out ON users FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, id, name, timezone, data_key, reminders, forgot_at) ON users TO keepsake_warden;

-- A shared fact or a message in a group is read with its owner's key. The key is wrapped, so it is useless without the
-- master key.
CREATE FUNCTION wall.data_keys() RETURNS TABLE (user_id text, data_key bytea) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id, u.data_key FROM public.users AS u
    WHERE u.tenant_id = wall.viewer_tenant() AND u.data_key IS NOT NULL AND (
        u.id = wall.viewer_user() OR EXISTS (
            SELECT FROM public.space_members AS m
            WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id AND m.space_id = wall.viewer_space()))
$$;
REVOKE ALL ON FUNCTION wall.data_keys FROM PUBLIC;
ALTER FUNCTION wall.data_keys OWNER TO keepsake_warden;

-- The users whose data key is not wrapped by the master key of this name.
CREATE FUNCTION wall.wrapped_otherwise(key_name bytea) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT u.id FROM public.users AS u
    WHERE u.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL
        AND substr(u.data_key, 1, length(key_name)) <> key_name
$$;
REVOKE ALL ON FUNCTION wall.wrapped_otherwise FROM PUBLIC;
ALTER FUNCTION wall.wrapped_otherwise OWNER TO keepsake_warden;

-- A process caches the latest words of each conversation. It asks here who forgot something in another process.
CREATE FUNCTION wall.who_forgot(people text[], within interval) RETURNS TABLE (person text, ago interval)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT asked, clock_timestamp() - u.forgot_at FROM unnest(people) AS asked
    LEFT JOIN public.users AS u ON u.tenant_id = wall.viewer_tenant() AND u.id = asked
    WHERE wall.viewer_user() IS NULL AND (u.id IS NULL OR u.forgot_at > clock_timestamp() - within)
$$;
REVOKE ALL ON FUNCTION wall.who_forgot FROM PUBLIC;
ALTER FUNCTION wall.who_forgot OWNER TO keepsake_warden;
