-- The wall: the viewer, what they may load, and the policies that most tables share.
-- (db/roles.py makes the database schema `wall` and the roles.)
--
-- Settings of the transaction name the viewer (db/viewer.py): a tenant, a user, a space and a channel.
-- `wall.guard(table, shape)` turns row-level security on and creates four policies, in one of two shapes:
--
--     own      its user reads it, alone with the assistant; anyone may write a row of their own
--     spoken   its user reads it in private; the members of the space read what was said aloud (`public`, `team`)
--
-- A row never moves: the application may not update the columns that name its owner and place (db/roles.py).
-- Functions of `keepsake_warden` look across people and return ids, counts and wrapped keys. Functions of
-- `keepsake_eraser` delete, blank and seal events. Nobody can log in as either.

GRANT USAGE ON SCHEMA wall TO PUBLIC;
GRANT USAGE ON SCHEMA public TO keepsake_warden, keepsake_eraser;

CREATE FUNCTION wall.viewer_tenant() RETURNS text LANGUAGE sql STABLE
    RETURN NULLIF(current_setting('keepsake.tenant', true), '');
CREATE FUNCTION wall.viewer_user() RETURNS text LANGUAGE sql STABLE
    RETURN NULLIF(current_setting('keepsake.user', true), '');
CREATE FUNCTION wall.viewer_channel() RETURNS text LANGUAGE sql STABLE
    RETURN COALESCE(NULLIF(current_setting('keepsake.channel', true), ''), 'public');
CREATE FUNCTION wall.viewer_is_alone() RETURNS boolean LANGUAGE sql STABLE
    RETURN wall.viewer_channel() IN ('private', 'agent');

CREATE FUNCTION wall.loadable() RETURNS text[] LANGUAGE sql STABLE
    RETURN CASE wall.viewer_channel()
        WHEN 'private' THEN ARRAY['none', 'low', 'high']
        WHEN 'team' THEN ARRAY['none', 'low', 'high']
        WHEN 'agent' THEN ARRAY['none', 'low']
        ELSE ARRAY['none']
    END;

-- The space of a viewer counts only if they belong to it. Membership rows may not be visible to the viewer, so the
-- warden looks them up and returns an id. A viewer without a user is a group; it has no personal space.
CREATE FUNCTION wall.viewer_space() RETURNS text LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT named.space
    FROM (SELECT NULLIF(current_setting('keepsake.space', true), '') AS space) AS named
    WHERE CASE WHEN wall.viewer_user() IS NULL
        THEN wall.viewer_channel() IN ('public', 'team') AND NOT starts_with(named.space, 'personal:')
        ELSE EXISTS (
            SELECT FROM public.space_members AS m
            WHERE m.tenant_id = wall.viewer_tenant() AND m.space_id = named.space AND m.user_id = wall.viewer_user())
        END
$$;
ALTER FUNCTION wall.viewer_space OWNER TO keepsake_warden;

CREATE FUNCTION wall.viewer_spaces() RETURNS text[] LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT COALESCE(array_agg(m.space_id), '{}') FROM public.space_members AS m
    WHERE m.tenant_id = wall.viewer_tenant() AND m.user_id = wall.viewer_user()
$$;
ALTER FUNCTION wall.viewer_spaces OWNER TO keepsake_warden;

CREATE FUNCTION wall.viewer_owns_space() RETURNS boolean LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM public.space_members AS m
        WHERE m.tenant_id = wall.viewer_tenant() AND m.space_id = wall.viewer_space()
            AND m.user_id = wall.viewer_user() AND m.role = 'owner')
$$;
ALTER FUNCTION wall.viewer_owns_space OWNER TO keepsake_warden;

-- A founder becomes the first member in the transaction that founds the space. It is no way back in.
CREATE FUNCTION wall.viewer_may_found(founded text) RETURNS boolean LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (SELECT FROM public.spaces AS s
            WHERE s.tenant_id = wall.viewer_tenant() AND s.id = founded AND s.created_by = wall.viewer_user()
                AND s.xmin::text = (pg_current_xact_id()::text::numeric % 4294967296)::text)
        AND NOT EXISTS (SELECT FROM public.space_members AS m
            WHERE m.tenant_id = wall.viewer_tenant() AND m.space_id = founded)
$$;
ALTER FUNCTION wall.viewer_may_found OWNER TO keepsake_warden;

CREATE PROCEDURE wall.raise_on(guarded text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', guarded);
END $$;

-- Foreign keys ignore the wall: one would accept, and so reveal, the id of another person's row. So a row may reference
-- only rows its writer can see. Keys to the same table are not checked here; those tables check them themselves.
CREATE FUNCTION wall.names_only_what_is_seen(guarded regclass) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT COALESCE(string_agg(
        format(' AND (%1$s.%2$I IS NULL OR EXISTS (SELECT FROM %3$s AS seen WHERE %4$s))',
            guarded, missing.name, k.confrelid::regclass,
            (SELECT string_agg(format('seen.%I = %s.%I', theirs.attname, guarded, ours.attname), ' AND ')
             FROM unnest(k.conkey, k.confkey) AS pair(our, their)
             JOIN pg_attribute AS ours ON ours.attrelid = k.conrelid AND ours.attnum = pair.our
             JOIN pg_attribute AS theirs ON theirs.attrelid = k.confrelid AND theirs.attnum = pair.their)),
        '' ORDER BY k.conname), '')
    FROM pg_constraint AS k
    CROSS JOIN LATERAL (SELECT a.attname AS name FROM pg_attribute AS a
                        WHERE a.attrelid = k.conrelid AND a.attnum = k.conkey[array_upper(k.conkey, 1)]) AS missing
    WHERE k.conrelid = guarded AND k.contype = 'f' AND k.confrelid <> guarded
$$;

CREATE PROCEDURE wall.guard(guarded text, shape text) LANGUAGE plpgsql AS $$
DECLARE
    tenant constant text := 'tenant_id = (SELECT wall.viewer_tenant())';
    mine   constant text := tenant || ' AND user_id = (SELECT wall.viewer_user())';
    alone  constant text := mine || ' AND (SELECT wall.viewer_is_alone())';
    here   constant text := tenant || ' AND space_id = (SELECT wall.viewer_space())';
    aloud  constant text := here || $q$ AND (channel = 'public' OR channel = 'team'
                                             AND (SELECT wall.viewer_channel()) IN ('team', 'private'))$q$;
    said   constant text := format('%s AND %s AND channel = (SELECT wall.viewer_channel())', mine, here);
    loaded constant text := 'sensitivity = ANY ((SELECT wall.loadable())::text[])';
    seen   constant text := wall.names_only_what_is_seen(guarded::regclass);
    reads text; writes text; changes text;
BEGIN
    CASE shape
        WHEN 'own'    THEN reads := alone; writes := mine; changes := alone;
        WHEN 'spoken' THEN reads := format('(%s OR %s) AND %s', alone, aloud, loaded); writes := said; changes := mine;
    END CASE;
    CALL wall.raise_on(guarded);
    EXECUTE format('CREATE POLICY reading  ON %I FOR SELECT USING (%s)', guarded, reads);
    EXECUTE format('CREATE POLICY writing  ON %I FOR INSERT WITH CHECK (%s%s)', guarded, writes, seen);
    EXECUTE format('CREATE POLICY changing ON %I FOR UPDATE USING (%s) WITH CHECK (%s%s)',
                   guarded, changes, mine, seen);
    EXECUTE format('CREATE POLICY removing ON %I FOR DELETE USING (%s)', guarded, changes);
END $$;
