"""A version is the whole state of a fact: its words, subject, visibility and place, and whether it is forgotten.

So every change, a deletion and a sharing too, is one more version, and what was known at a moment is the newest version
of that moment. `facts` keeps what the wall must read; the database copies it there from the newest version, numbers
versions without gaps, and writes the audit log, so that no writer can leave one of these out.
"""

from alembic import op
from db.roles import handing_over

revision = "0006"
down_revision = "0005"

# The owner of the tables sees nobody's rows, so the wall is lifted for the length of this copy.
VERSIONS = """
ALTER TABLE facts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE fact_versions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE fact_versions
    ADD COLUMN change bigint GENERATED ALWAYS AS IDENTITY,
    ADD COLUMN subject text CHECK (char_length(subject) BETWEEN 1 AND 200),
    ADD COLUMN space_id text,
    ADD COLUMN visibility text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'shared')),
    ADD COLUMN sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    ADD COLUMN forgotten boolean NOT NULL DEFAULT false,
    ADD COLUMN undoes integer,
    ADD COLUMN approval text NOT NULL DEFAULT 'order'
        CHECK (approval IN ('order', 'words', 'yes', 'card', 'command', 'auto', 'import', 'membership')),
    ADD COLUMN sealed bytea,
    ALTER COLUMN content DROP NOT NULL,
    ADD CONSTRAINT in_words_or_sealed CHECK (
        num_nonnulls(content, sealed) = 1 AND (sensitivity <> 'high' OR sealed IS NOT NULL)
        AND (sealed IS NULL OR num_nonnulls(subject, value) = 0));
UPDATE fact_versions AS v
    SET subject = f.subject, visibility = f.visibility, space_id = f.space_id, sensitivity = f.sensitivity
    FROM facts AS f WHERE f.tenant_id = v.tenant_id AND f.id = v.fact_id;
ALTER TABLE fact_versions ALTER COLUMN space_id SET NOT NULL, ALTER COLUMN approval DROP DEFAULT;
ALTER TABLE facts DROP COLUMN subject;
CALL wall.raise_on('facts');
CALL wall.raise_on('fact_versions');

-- What did not fit is written down too: only so can one tell what changed since the snapshot was taken.
ALTER TABLE snapshot_items ADD COLUMN shown boolean NOT NULL DEFAULT true;

CREATE UNIQUE INDEX one_value_an_attribute ON facts (tenant_id, user_id, attribute)
    WHERE deleted_at IS NULL
        AND attribute IN ('name', 'preferred_name', 'occupation', 'location', 'communication_style', 'faith');
CREATE INDEX facts_that_wait_for_the_purge ON facts (tenant_id, deleted_at) WHERE deleted_at IS NOT NULL;
"""

# What others may read of a fact ends with its deletion, and begins with its sharing: earlier words stay its owner's.
WALL = """
DROP POLICY reading ON facts;
CREATE POLICY reading ON facts FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND sensitivity = ANY ((SELECT wall.loadable())::text[]) AND (
        user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR visibility = 'shared' AND space_id = (SELECT wall.viewer_space()) AND deleted_at IS NULL
           AND (category <> 'preference' OR (SELECT wall.viewer_channel()) <> 'public')));

DROP POLICY reading ON fact_versions;
CREATE POLICY reading ON fact_versions FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND sensitivity = ANY ((SELECT wall.loadable())::text[])
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id AND (
        f.user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR fact_versions.visibility = 'shared' AND fact_versions.space_id = f.space_id)));
DROP POLICY writing ON fact_versions;
CREATE POLICY writing ON fact_versions FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND approved_by = (SELECT wall.viewer_user())
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id
                AND f.user_id = (SELECT wall.viewer_user())
                AND (fact_versions.space_id = f.space_id OR fact_versions.space_id = (SELECT wall.viewer_space())
                     OR fact_versions.space_id = 'personal:' || f.user_id))
    AND (source_event_id IS NULL OR EXISTS (
        SELECT FROM events AS e WHERE e.tenant_id = fact_versions.tenant_id AND e.id = source_event_id)));
"""

# The row lock lets writers of one fact through one at a time; the policy above then decides whether they may.
# A clock that was set back does not turn history around.
NUMBERING = """
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
GRANT SELECT, UPDATE (visibility, space_id, sensitivity, deleted_at) ON facts TO keepsake_warden;
GRANT SELECT, INSERT ON fact_versions TO keepsake_warden;
GRANT INSERT ON audit_log TO keepsake_warden;
CREATE POLICY minding ON facts TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY minding ON fact_versions TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY noting ON audit_log FOR INSERT TO keepsake_warden
    WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()));
CREATE TRIGGER versions_are_numbered BEFORE INSERT ON fact_versions
    FOR EACH ROW EXECUTE FUNCTION wall.number_version();
"""

BACK = """
DROP TRIGGER versions_are_numbered ON fact_versions;
DROP FUNCTION wall.number_version;
DROP POLICY minding ON facts;
DROP POLICY minding ON fact_versions;
DROP POLICY noting ON audit_log;
REVOKE ALL ON facts, fact_versions, audit_log FROM keepsake_warden;
ALTER TABLE snapshot_items DROP COLUMN shown;
DROP INDEX one_value_an_attribute, facts_that_wait_for_the_purge;

ALTER TABLE facts NO FORCE ROW LEVEL SECURITY;
ALTER TABLE fact_versions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE facts ADD COLUMN subject text CHECK (char_length(subject) BETWEEN 1 AND 200);
UPDATE facts AS f SET subject = v.subject FROM fact_versions AS v
    WHERE v.tenant_id = f.tenant_id AND v.fact_id = f.id AND v.version = (
        SELECT max(n.version) FROM fact_versions AS n WHERE n.tenant_id = f.tenant_id AND n.fact_id = f.id);
-- The schema below knows no encrypted words, and they must not become plain ones.
DELETE FROM facts WHERE sensitivity = 'high';

DROP POLICY reading ON facts;
CREATE POLICY reading ON facts FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND sensitivity = ANY ((SELECT wall.loadable())::text[]) AND (
        user_id = (SELECT wall.viewer_user()) AND (SELECT wall.viewer_is_alone())
        OR visibility = 'shared' AND space_id = (SELECT wall.viewer_space())
           AND (category <> 'preference' OR (SELECT wall.viewer_channel()) <> 'public')));
DROP POLICY reading ON fact_versions;
CREATE POLICY reading ON fact_versions FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant())
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id));
DROP POLICY writing ON fact_versions;
CREATE POLICY writing ON fact_versions FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND approved_by = (SELECT wall.viewer_user())
    AND EXISTS (SELECT FROM facts AS f WHERE f.tenant_id = fact_versions.tenant_id AND f.id = fact_id
                AND f.user_id = (SELECT wall.viewer_user()))
    AND (source_event_id IS NULL OR EXISTS (
        SELECT FROM events AS e WHERE e.tenant_id = fact_versions.tenant_id AND e.id = source_event_id)));
ALTER TABLE fact_versions
    DROP COLUMN change, DROP COLUMN subject, DROP COLUMN space_id, DROP COLUMN visibility, DROP COLUMN sensitivity,
    DROP COLUMN forgotten, DROP COLUMN undoes, DROP COLUMN approval, DROP COLUMN sealed,
    ALTER COLUMN content SET NOT NULL;
CALL wall.raise_on('facts');
CALL wall.raise_on('fact_versions');
"""


def upgrade() -> None:
    for part in (VERSIONS, WALL, NUMBERING):
        op.execute(part)
    op.execute(handing_over("number_version()", "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
