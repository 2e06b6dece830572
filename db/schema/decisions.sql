-- Decisions of agents. A decision is superseded by the insertion of its successor, and in no other way.

CREATE TABLE decisions (
    tenant_id     text NOT NULL,
    id            text NOT NULL,
    space_id      text NOT NULL,
    user_id       text NOT NULL,
    channel       text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity   text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    ts            timestamptz NOT NULL,
    status        text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'superseded')),
    scope         text NOT NULL CHECK (scope IN ('project', 'user', 'global')),
    decision      text,
    rationale     text[] NOT NULL DEFAULT '{}',
    constraints   text[] NOT NULL DEFAULT '{}',
    alternatives  text[] NOT NULL DEFAULT '{}',
    consequences  text[] NOT NULL DEFAULT '{}',
    refs          text[] NOT NULL DEFAULT '{}',
    superseded_by text,
    event_id      text,
    supersedes    text,
    sealed        bytea,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, space_id, id),
    UNIQUE (tenant_id, supersedes),
    CONSTRAINT in_words_or_sealed CHECK (
        num_nonnulls(decision, sealed) = 1 AND (sensitivity <> 'high' OR sealed IS NOT NULL)
        AND (sealed IS NULL OR cardinality(rationale || constraints || alternatives || consequences) = 0)),
    CONSTRAINT none_supersedes_itself CHECK (supersedes <> id),
    -- A decision outlives its successor if the successor's author is erased.
    CONSTRAINT only_the_superseded_name_a_successor CHECK (superseded_by IS NULL OR status = 'superseded'),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, event_id) REFERENCES events (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, space_id, superseded_by) REFERENCES decisions (tenant_id, space_id, id)
        ON DELETE SET NULL (superseded_by),
    FOREIGN KEY (tenant_id, space_id, supersedes) REFERENCES decisions (tenant_id, space_id, id)
        ON DELETE SET NULL (supersedes)
);
CREATE INDEX decisions_tenant_id_user_id_status_ts_idx ON decisions (tenant_id, user_id, status, ts);
CREATE INDEX decisions_tenant_id_space_id_ts_idx ON decisions (tenant_id, space_id, ts);
CREATE INDEX decisions_tenant_id_event_id_idx ON decisions (tenant_id, event_id);
ALTER TABLE decisions
    ALTER COLUMN decision SET STATISTICS 0, ALTER COLUMN rationale SET STATISTICS 0,
    ALTER COLUMN constraints SET STATISTICS 0, ALTER COLUMN alternatives SET STATISTICS 0,
    ALTER COLUMN consequences SET STATISTICS 0, ALTER COLUMN refs SET STATISTICS 0,
    ALTER COLUMN superseded_by SET STATISTICS 0, ALTER COLUMN supersedes SET STATISTICS 0,
    ALTER COLUMN sealed SET STATISTICS 0;

CALL wall.guard('decisions', 'spoken');
CREATE POLICY minding ON decisions TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY erasing ON decisions FOR SELECT TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, UPDATE (status, superseded_by) ON decisions TO keepsake_warden;
GRANT SELECT ON decisions TO keepsake_eraser;

-- Runs as the writer, so rows they cannot see do not exist for it. The superseded row must exist before its successor,
-- and no link is added later, so there are no cycles.
CREATE FUNCTION wall.look_at_superseded() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    earlier record;
BEGIN
    IF NEW.superseded_by IS NOT NULL THEN
        RAISE EXCEPTION 'a decision is superseded by entering its successor'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.supersedes IS NULL THEN
        RETURN NEW;
    END IF;
    SELECT d.status, d.superseded_by, d.channel INTO earlier FROM public.decisions AS d
        WHERE d.tenant_id = NEW.tenant_id AND d.space_id = NEW.space_id AND d.id = NEW.supersedes;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no such decision here' USING ERRCODE = 'foreign_key_violation';
    ELSIF earlier.status = 'superseded' THEN
        RAISE EXCEPTION 'superseded already, by %', COALESCE(earlier.superseded_by, 'one that is gone')
            USING ERRCODE = 'unique_violation';
    -- Whoever could read the old one can read what took its place.
    ELSIF NOT (earlier.channel IN (NEW.channel, 'private', 'agent')
               OR earlier.channel = 'team' AND NEW.channel = 'public') THEN
        RAISE EXCEPTION 'what was decided aloud is superseded aloud' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER the_superseded_is_seen BEFORE INSERT ON decisions
    FOR EACH ROW EXECUTE FUNCTION wall.look_at_superseded();

-- Acts as the warden, because the superseded row may be another member's.
CREATE FUNCTION wall.supersede() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    UPDATE public.decisions SET status = 'superseded', superseded_by = NEW.id
        WHERE tenant_id = NEW.tenant_id AND space_id = NEW.space_id AND id = NEW.supersedes AND status = 'active';
    IF NOT FOUND THEN
        RAISE EXCEPTION 'superseded already' USING ERRCODE = 'unique_violation';
    END IF;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION wall.supersede FROM PUBLIC;
ALTER FUNCTION wall.supersede OWNER TO keepsake_warden;
CREATE TRIGGER the_superseded_is_marked AFTER INSERT ON decisions
    FOR EACH ROW WHEN (NEW.supersedes IS NOT NULL) EXECUTE FUNCTION wall.supersede();

-- A link may be cut when one of the two is erased. Not even the owner of the tables may set one by hand.
CREATE FUNCTION wall.refuse_other_supersession() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.supersedes IS NOT NULL AND NEW.supersedes IS DISTINCT FROM OLD.supersedes
        OR current_user <> 'keepsake_warden' AND (NEW.status <> OLD.status
            OR NEW.superseded_by IS NOT NULL AND NEW.superseded_by IS DISTINCT FROM OLD.superseded_by) THEN
        RAISE EXCEPTION 'a decision is superseded by entering its successor'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER links_are_not_tied_by_hand BEFORE UPDATE ON decisions
    FOR EACH ROW EXECUTE FUNCTION wall.refuse_other_supersession();
