"""Calls that can be rendered again: what a bundle was estimated and counted at, and the program's own texts by address.

The persona and the rules of a space are views since 0011, with versions, so that an old call finds the old words.
"""

from alembic import op
from db.roles import handing_over

revision = "0012"
down_revision = "0011"

CALLS = """
ALTER TABLE bundles
    ADD COLUMN token_est integer NOT NULL DEFAULT 0,
    ADD COLUMN token_used integer NOT NULL DEFAULT 0;

-- Nobody's words: instructions and tools, as this deployment has sent them.
CREATE TABLE program_texts (
    tenant_id text NOT NULL,
    hash      text NOT NULL,
    text      text NOT NULL,
    PRIMARY KEY (tenant_id, hash),
    CONSTRAINT found_by_what_it_says CHECK (hash = encode(sha256(convert_to(text, 'UTF8')), 'hex'))
);
CALL wall.raise_on('program_texts');
CREATE POLICY reading ON program_texts FOR SELECT USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY writing ON program_texts FOR INSERT WITH CHECK (tenant_id = (SELECT wall.viewer_tenant()));

ALTER TABLE spaces DROP COLUMN persona, DROP COLUMN rules;
DO $$ BEGIN EXECUTE replace(pg_get_functiondef('wall.erase_spaces()'::regprocedure),
    $q$subject = '', persona = '', rules = ''$q$, $q$subject = ''$q$); END $$;

CREATE FUNCTION wall.estimates(margin real, OUT calls bigint, OUT below bigint, OUT most real) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT count(*), count(*) FILTER (WHERE b.token_used > ceil(b.token_est * margin)),
           COALESCE(max(b.token_used::real / NULLIF(b.token_est, 0)), 0)
    FROM public.bundles AS b
    WHERE b.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND b.token_used > 0
$$;
REVOKE ALL ON FUNCTION wall.estimates FROM PUBLIC;
GRANT SELECT (tenant_id, token_est, token_used) ON bundles TO keepsake_warden;
CREATE POLICY counting ON bundles FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

BACK = """
DROP POLICY counting ON bundles;
REVOKE ALL (tenant_id, token_est, token_used) ON bundles FROM keepsake_warden;
DROP FUNCTION wall.estimates;
DO $$ BEGIN EXECUTE replace(pg_get_functiondef('wall.erase_spaces()'::regprocedure),
    $q$subject = ''$q$, $q$subject = '', persona = '', rules = ''$q$); END $$;
ALTER TABLE spaces ADD COLUMN persona text NOT NULL DEFAULT '', ADD COLUMN rules text NOT NULL DEFAULT '';
DROP TABLE program_texts;
ALTER TABLE bundles DROP COLUMN token_est, DROP COLUMN token_used;
"""


def upgrade() -> None:
    op.execute(CALLS)
    op.execute(handing_over("estimates", "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
