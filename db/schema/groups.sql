-- Groups: the spaces of group chats. The wall trusts the front end about who is in a group, and about nothing else.

-- Makes the viewer a member of a group's space, or its owner if they are an admin. The first message creates the space.
CREATE FUNCTION wall.enter_group(entered text, new_id text, called text, is_admin boolean, moment timestamptz)
    RETURNS TABLE (space_id text, channel text)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    found record;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(wall.viewer_tenant() || ' ' || entered, 0));
    INSERT INTO public.spaces AS s (tenant_id, id, kind, subject, chat, created_by, created_at)
        VALUES (wall.viewer_tenant(), new_id, 'group', called, entered, wall.viewer_user(), moment)
        ON CONFLICT (tenant_id, chat) WHERE chat IS NOT NULL DO NOTHING;
    SELECT s.id, s.channel INTO STRICT found FROM public.spaces AS s
        WHERE s.tenant_id = wall.viewer_tenant() AND s.chat = entered;
    INSERT INTO public.space_members AS m (tenant_id, space_id, user_id, role, joined_at)
        VALUES (wall.viewer_tenant(), found.id, wall.viewer_user(), 'member', moment)
        ON CONFLICT DO NOTHING;
    UPDATE public.space_members AS m SET role = CASE WHEN is_admin THEN 'owner' ELSE 'member' END
        WHERE is_admin IS NOT NULL AND m.tenant_id = wall.viewer_tenant() AND m.space_id = found.id
            AND m.user_id = wall.viewer_user() AND (m.role = 'owner') <> is_admin;
    RETURN QUERY SELECT found.id, found.channel;
END $$;
REVOKE ALL ON FUNCTION wall.enter_group FROM PUBLIC;
ALTER FUNCTION wall.enter_group OWNER TO keepsake_warden;

CREATE FUNCTION wall.choose_channel(chosen text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.spaces AS s SET channel = chosen
        WHERE s.tenant_id = wall.viewer_tenant() AND s.id = wall.viewer_space() AND s.kind = 'group'
            AND wall.viewer_owns_space();
    RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION wall.choose_channel FROM PUBLIC;
ALTER FUNCTION wall.choose_channel OWNER TO keepsake_warden;

-- A group that gets a new chat number keeps its space. A message under the new number may arrive first and create
-- another space: its shared facts then move to the old space, and it belongs to no chat any more. Both chats report the
-- move. Writers who enter by either number wait until it is over.
CREATE FUNCTION wall.move_group(former text, present text) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    here constant text := wall.viewer_tenant();
    stays text;
    early text;
    owner text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(here || ' ' || number, 0))
        FROM (SELECT unnest(ARRAY[former, present]) AS number ORDER BY 1) AS both_numbers;
    SELECT s.id INTO stays FROM public.spaces AS s
        WHERE s.tenant_id = here AND s.chat = former AND wall.viewer_user() IS NULL AND former <> present;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE public.spaces AS s SET chat = NULL WHERE s.tenant_id = here AND s.chat = present RETURNING s.id INTO early;
    IF FOUND THEN
        INSERT INTO public.space_members (tenant_id, space_id, user_id, role, joined_at)
            SELECT m.tenant_id, stays, m.user_id, 'member', m.joined_at FROM public.space_members AS m
            WHERE m.tenant_id = here AND m.space_id = early
            ON CONFLICT DO NOTHING;
        -- A fact is given a version in its owner's name only.
        FOR owner IN SELECT DISTINCT f.user_id FROM public.facts AS f WHERE f.tenant_id = here AND f.space_id = early
        LOOP
            PERFORM set_config('keepsake.user', owner, true);
            INSERT INTO public.fact_versions (tenant_id, fact_id, version, content, sealed, subject, value, space_id,
                    visibility, sensitivity, forgotten, source_event_id, span, author, approved_by, approval)
                SELECT v.tenant_id, v.fact_id, 0, v.content, v.sealed, v.subject, v.value, stays,
                    v.visibility, v.sensitivity, v.forgotten, v.source_event_id, v.span, 'keepsake', owner, 'membership'
                FROM public.facts AS f JOIN public.fact_versions AS v ON v.tenant_id = f.tenant_id AND v.fact_id = f.id
                WHERE f.tenant_id = here AND f.space_id = early AND f.user_id = owner
                    AND v.version = (SELECT max(n.version) FROM public.fact_versions AS n
                                     WHERE n.tenant_id = f.tenant_id AND n.fact_id = f.id);
        END LOOP;
        PERFORM set_config('keepsake.user', '', true);
        UPDATE public.conversations AS c SET ended_at = clock_timestamp()
            WHERE c.tenant_id = here AND c.space_id = early AND c.ended_at IS NULL;
    END IF;
    UPDATE public.spaces AS s SET chat = present WHERE s.tenant_id = here AND s.id = stays;
    UPDATE public.conversations AS c SET chat = present
        WHERE c.tenant_id = here AND c.space_id = stays AND c.chat = former AND c.ended_at IS NULL;
    RETURN true;
END $$;
REVOKE ALL ON FUNCTION wall.move_group FROM PUBLIC;
ALTER FUNCTION wall.move_group OWNER TO keepsake_warden;
