-- Versions of facts. A version is the whole state of a fact: its words, subject, visibility and place, and whether it
-- is forgotten. So every change is a new version, even a deletion or a sharing. The newest version before a moment is
-- the state at that moment.

CREATE TABLE fact_versions (
    tenant_id       text NOT NULL,
    fact_id         text NOT NULL,
    version         integer NOT NULL CHECK (version >= 1),
    content         text CHECK (char_length(content) BETWEEN 5 AND 500),
    value           jsonb,
    source_event_id text,
    span            int4range,
    author          text NOT NULL,
    approved_by     text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    change          bigint GENERATED ALWAYS AS IDENTITY,
    subject         text CHECK (char_length(subject) BETWEEN 1 AND 200),
    space_id        text NOT NULL,
    visibility      text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shared')),
    sensitivity     text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    forgotten       boolean NOT NULL DEFAULT false,
    undoes          integer,
    approval        text NOT NULL
        CHECK (approval IN ('order', 'words', 'yes', 'card', 'command', 'auto', 'import', 'membership')),
    sealed          bytea,
    PRIMARY KEY (tenant_id, fact_id, version),
    CONSTRAINT in_words_or_sealed CHECK (
        num_nonnulls(content, sealed) = 1 AND (sensitivity <> 'high' OR sealed IS NOT NULL)
        AND (sealed IS NULL OR num_nonnulls(subject, value) = 0)),
    FOREIGN KEY (tenant_id, fact_id) REFERENCES facts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, source_event_id) REFERENCES events (tenant_id, id) ON DELETE SET NULL (source_event_id)
);
CREATE INDEX fact_versions_tenant_id_source_event_id_idx ON fact_versions (tenant_id, source_event_id);
ALTER TABLE fact_versions
    ALTER COLUMN content SET STATISTICS 0, ALTER COLUMN value SET STATISTICS 0, ALTER COLUMN author SET STATISTICS 0,
    ALTER COLUMN approved_by SET STATISTICS 0, ALTER COLUMN subject SET STATISTICS 0,
    ALTER COLUMN sealed SET STATISTICS 0;

CALL wall.raise_on('fact_versions');
-- Others read a fact from its sharing on; earlier versions stay private.
CREATE POLICY reading ON fact_versions FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND sensitivity = ANY ((SELECT wall.loadable())::text[])
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id AND (
        f.user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR fact_versions.visibility = 'shared' AND fact_versions.space_id = f.space_id)));
-- The owner may put a fact into any space they belong to.
CREATE POLICY writing ON fact_versions FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND approved_by = (SELECT wall.viewer_user())
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id
                AND f.user_id = (SELECT wall.viewer_user())
                AND fact_versions.space_id = ANY ((SELECT wall.viewer_spaces())::text[]))
    AND (source_event_id IS NULL OR EXISTS (
        SELECT FROM events AS e WHERE e.tenant_id = fact_versions.tenant_id AND e.id = source_event_id)));
CREATE POLICY minding ON fact_versions TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, INSERT ON fact_versions TO keepsake_warden;

-- Numbers versions without gaps, copies to the fact what the wall reads, and writes the audit log. No writer can skip
-- one of these. The row lock admits one writer of a fact at a time; the policy above then decides whether they may
-- write. A clock that was set back does not reverse history.
CREATE FUNCTION wall.number_version() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    fact record;
    last record;
BEGIN
    SELECT * INTO fact FROM public.facts WHERE tenant_id = NEW.tenant_id AND id = NEW.fact_id FOR UPDATE;
    SELECT * INTO last FROM public.fact_versions
        WHERE tenant_id = NEW.tenant_id AND fact_id = NEW.fact_id ORDER BY version DESC LIMIT 1;
    -- Somebody else's fact is left to the policy, which refuses it like one that does not exist. (Only the trigger
    -- that ends a membership writes for others.)
    IF pg_trigger_depth() = 1 AND fact.user_id IS DISTINCT FROM wall.viewer_user() THEN
        RETURN NEW;
    END IF;
    NEW.version := COALESCE(last.version, 0) + 1;
    NEW.created_at := GREATEST(NEW.created_at, last.created_at);
    UPDATE public.facts SET visibility = NEW.visibility, space_id = NEW.space_id, sensitivity = NEW.sensitivity,
            deleted_at = CASE WHEN NEW.forgotten THEN COALESCE(deleted_at, NEW.created_at) END
        WHERE tenant_id = NEW.tenant_id AND id = NEW.fact_id;
    INSERT INTO public.audit_log (tenant_id, id, user_id, ts, actor, action, target, details)
        SELECT NEW.tenant_id, 'aud_' || lpad(NEW.change::text, 20, '0') || '_' || gen_random_uuid(),
            fact.user_id, NEW.created_at, NEW.author,
            CASE WHEN last.version IS NULL THEN 'stored'
                 WHEN NEW.forgotten AND NOT last.forgotten THEN 'forgotten'
                 WHEN last.forgotten AND NOT NEW.forgotten THEN 'restored'
                 WHEN NEW.visibility <> last.visibility OR NEW.space_id <> last.space_id
                    THEN CASE NEW.visibility WHEN 'shared' THEN 'shared' ELSE 'unshared' END
                 ELSE 'changed' END,
            NEW.fact_id,
            jsonb_strip_nulls(jsonb_build_object(
                'version', NEW.version, 'approval', NEW.approval, 'undoes', NEW.undoes))
        WHERE fact.user_id IS NOT NULL;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION wall.number_version FROM PUBLIC;
ALTER FUNCTION wall.number_version OWNER TO keepsake_warden;
CREATE TRIGGER versions_are_numbered BEFORE INSERT ON fact_versions
    FOR EACH ROW EXECUTE FUNCTION wall.number_version();
