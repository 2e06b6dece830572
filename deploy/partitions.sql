-- Events, chunks and embeddings in hash partitions by user. Read docs/operations.md first: few need this.
--
--     psql "$KEEPSAKE_OWNER_URL" -v ON_ERROR_STOP=1 -c "SET keepsake.partitions = 16" -f deploy/partitions.sql
--
-- PostgreSQL 17 or newer; as the owner of the tables, while no program runs, after a backup. All of it or nothing. What
-- the catalogue knows of the three tables (policies, triggers, indexes, grants, foreign keys) is said again of the new
-- ones, so that the program and the wall stay as they are. What changes:
--
--   * every unique key of theirs ends with user_id, because it must hold the partition key: events (tenant_id, id,
--     user_id), and so on. What one conversation numbers is unique by the trigger that numbers it, no longer by the key;
--   * foreign keys to them carry user_id too; fact_versions has none, so a trigger takes its place;
--   * embeddings get a column user_id, which fills itself with the viewer who writes;
--   * a crowded space gets no index of nearest vectors (keepsake migrate cannot build one over partitions).
--
-- The old tables stay in the schema `retired`, until you drop it: they hold everybody's words.
BEGIN;
SET LOCAL search_path = public, pg_catalog;
SET LOCAL client_min_messages = warning;

CREATE SCHEMA retired;
GRANT keepsake_warden, keepsake_eraser TO CURRENT_USER;

DO $$
DECLARE
    moved   constant text[] := ARRAY['events', 'chunks', 'embeddings'];
    parts   constant integer := COALESCE(NULLIF(current_setting('keepsake.partitions', true), ''), '16');
    before  text[] := '{}';  -- what must go first
    keys    text[] := '{}';  -- and what is said again of the new tables, in this order
    others  text[] := '{}';
    walls   text[] := '{}';
    named   text[];          -- tables at the other end of a foreign key
    ours    text[];
    each    record;
    name    text;
    line    text;
    columns text;
BEGIN
    IF current_setting('server_version_num')::integer < 170000 THEN
        RAISE EXCEPTION 'PostgreSQL 17 or newer is needed: older ones know no identity columns in partitions';
    END IF;

    -- A definition names a table as it is called now, so all of them are read before anything moves.
    FOR each IN
        SELECT c.conname, c.conrelid::regclass AS held_by, c.contype, c.confrelid::regclass::text = ANY (moved) AS to_ours,
               pg_get_constraintdef(c.oid) AS told
        FROM pg_constraint AS c
        WHERE c.contype IN ('p', 'u', 'f') AND c.connamespace = 'public'::regnamespace
            AND (c.conrelid::regclass::text = ANY (moved) OR c.confrelid::regclass::text = ANY (moved))
        ORDER BY c.contype = 'f', c.oid
    LOOP
        IF each.contype = 'f' THEN
            before := before || format('ALTER TABLE %s DROP CONSTRAINT %I', each.held_by, each.conname);
        END IF;
        CONTINUE WHEN each.held_by = 'fact_versions'::regclass;
        line := CASE
            WHEN each.contype <> 'f' THEN regexp_replace(each.told, '\)$', ', user_id)')
            WHEN each.to_ours THEN regexp_replace(each.told,
                'KEY \(tenant_id, (\w+)\) REFERENCES (\w+)\(tenant_id, id\)',
                'KEY (tenant_id, \1, user_id) REFERENCES \2(tenant_id, id, user_id)')
            ELSE each.told END;
        keys := keys || format('ALTER TABLE %s ADD CONSTRAINT %I %s', each.held_by, each.conname, line);
    END LOOP;
    FOR each IN
        SELECT pg_get_indexdef(i.indexrelid) AS told FROM pg_index AS i
        WHERE i.indrelid::regclass::text = ANY (moved)
            AND NOT EXISTS (SELECT FROM pg_constraint AS c WHERE c.conindid = i.indexrelid)
            AND i.indexrelid::regclass::text NOT LIKE 'embeddings\_near\_%'
    LOOP
        keys := keys || each.told;
    END LOOP;
    FOR each IN
        SELECT a.attrelid::regclass AS held_by, a.attname, a.attstattarget FROM pg_attribute AS a
        WHERE a.attrelid::regclass::text = ANY (moved) AND a.attstattarget >= 0 AND NOT a.attisdropped
    LOOP
        others := others || format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s', each.held_by, each.attname,
            each.attstattarget);
    END LOOP;
    FOR each IN
        SELECT c.oid::regclass AS held_by, g.grantee::regrole AS role, g.privilege_type, NULL::name AS attname
        FROM pg_class AS c CROSS JOIN LATERAL aclexplode(c.relacl) AS g
        WHERE c.oid::regclass::text = ANY (moved) AND g.grantee <> c.relowner
        UNION ALL
        SELECT a.attrelid::regclass, g.grantee::regrole, g.privilege_type, a.attname
        FROM pg_attribute AS a CROSS JOIN LATERAL aclexplode(a.attacl) AS g
        WHERE a.attrelid::regclass::text = ANY (moved)
    LOOP
        others := others || format('GRANT %s%s ON %s TO %s', each.privilege_type,
            COALESCE(' (' || quote_ident(each.attname) || ')', ''), each.held_by, each.role);
    END LOOP;
    FOR each IN SELECT pg_get_triggerdef(t.oid) AS told FROM pg_trigger AS t
        WHERE t.tgrelid::regclass::text = ANY (moved) AND NOT t.tgisinternal
    LOOP
        others := others || each.told;
    END LOOP;
    FOR each IN
        SELECT p.polname, p.polrelid::regclass AS held_by, p.polrelid::regclass::text = ANY (moved) AS is_ours,
               CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE'
                             ELSE 'ALL' END AS command,
               CASE WHEN p.polroles = '{0}' THEN 'PUBLIC'
                    ELSE (SELECT string_agg(r::regrole::text, ', ') FROM unnest(p.polroles) AS r) END AS roles,
               pg_get_expr(p.polqual, p.polrelid) AS shown, pg_get_expr(p.polwithcheck, p.polrelid) AS checked
        FROM pg_policy AS p
        WHERE p.polrelid::regclass::text = ANY (moved) OR EXISTS (
            SELECT FROM pg_depend AS d WHERE d.classid = 'pg_policy'::regclass AND d.objid = p.oid
                AND d.refclassid = 'pg_class'::regclass AND d.refobjid::regclass::text = ANY (moved))
    LOOP
        IF NOT each.is_ours THEN
            before := before || format('DROP POLICY %I ON %s', each.polname, each.held_by);
        END IF;
        walls := walls || (format('CREATE POLICY %I ON %s FOR %s TO %s', each.polname, each.held_by, each.command, each.roles)
            || COALESCE(' USING (' || each.shown || ')', '') || COALESCE(' WITH CHECK (' || each.checked || ')', ''));
    END LOOP;

    SELECT array_agg(DISTINCT t.name) INTO named
    FROM pg_constraint AS c CROSS JOIN LATERAL (VALUES (c.conrelid::regclass::text), (c.confrelid::regclass::text)) AS t(name)
    WHERE c.contype = 'f' AND t.name <> ALL (moved)
        AND (c.conrelid::regclass::text = ANY (moved) OR c.confrelid::regclass::text = ANY (moved));

    FOREACH line IN ARRAY before LOOP EXECUTE line; END LOOP;
    -- The owner sees no row behind the wall, and would find no foreign key met. Up again below, in this transaction.
    FOREACH name IN ARRAY named LOOP EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name); END LOOP;

    FOREACH name IN ARRAY moved LOOP
        SELECT c.reloptions INTO ours FROM pg_class AS c WHERE c.oid = name::regclass;
        EXECUTE format('ALTER TABLE %I NO FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I SET SCHEMA retired', name);
        EXECUTE format('CREATE TABLE %1$I (LIKE retired.%1$I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED'
            ' INCLUDING IDENTITY INCLUDING STORAGE%2$s) PARTITION BY HASH (tenant_id, user_id)', name,
            CASE name WHEN 'embeddings' THEN ', user_id text NOT NULL DEFAULT wall.viewer_user()' ELSE '' END);
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format('CREATE TABLE %1$I PARTITION OF %2$I FOR VALUES WITH (MODULUS %3$s, REMAINDER %4$s)%5$s',
                name || '_' || part, name, parts, part, COALESCE(' WITH (' || array_to_string(ours, ', ') || ')', ''));
        END LOOP;
        SELECT string_agg(format('old.%I', a.attname), ', ' ORDER BY a.attnum) INTO columns FROM pg_attribute AS a
            WHERE a.attrelid = format('retired.%I', name)::regclass AND a.attnum > 0 AND NOT a.attisdropped
                AND a.attgenerated = '';
        EXECUTE CASE name WHEN 'embeddings' THEN
            format('INSERT INTO embeddings (%s, user_id) SELECT %s, c.user_id FROM retired.embeddings AS old'
                ' JOIN retired.chunks AS c ON c.tenant_id = old.tenant_id AND c.id = old.chunk_id',
                replace(columns, 'old.', ''), columns)
        ELSE
            format('INSERT INTO %1$I (%2$s) OVERRIDING SYSTEM VALUE SELECT %3$s FROM retired.%1$I AS old',
                name, replace(columns, 'old.', ''), columns)
        END;
    END LOOP;
    PERFORM setval(pg_get_serial_sequence('chunks', 'no'), (SELECT COALESCE(max(no), 0) + 1 FROM retired.chunks), false);

    FOREACH line IN ARRAY keys || others || walls LOOP EXECUTE line; END LOOP;
    FOREACH name IN ARRAY named LOOP CALL wall.raise_on(name); END LOOP;

    -- The wall stands on each partition too: nobody but the parent lets anyone in.
    FOREACH name IN ARRAY moved LOOP
        CALL wall.raise_on(name);
        FOR part IN 0 .. parts - 1 LOOP
            CALL wall.raise_on(name || '_' || part);
            CONTINUE WHEN name <> 'events';
            EXECUTE format('CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I'
                ' FOR EACH STATEMENT EXECUTE FUNCTION wall.refuse_rewriting()', name || '_' || part);
        END LOOP;
    END LOOP;
END $$;

-- In place of the foreign key: what rested on an erased event names none any more.
CREATE FUNCTION wall.unname_the_erased() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.fact_versions AS v SET source_event_id = NULL FROM gone AS g
        WHERE v.tenant_id = g.tenant_id AND v.source_event_id = g.id;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION wall.unname_the_erased FROM PUBLIC;
GRANT SELECT (tenant_id, source_event_id), UPDATE (source_event_id) ON fact_versions TO keepsake_eraser;
CREATE POLICY erasing ON fact_versions TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE TRIGGER what_names_the_erased_forgets AFTER DELETE ON events
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION wall.unname_the_erased();
GRANT CREATE ON SCHEMA wall TO keepsake_eraser;
ALTER FUNCTION wall.unname_the_erased OWNER TO keepsake_eraser;
REVOKE CREATE ON SCHEMA wall FROM keepsake_eraser;

REVOKE keepsake_warden, keepsake_eraser FROM CURRENT_USER;
COMMIT;
