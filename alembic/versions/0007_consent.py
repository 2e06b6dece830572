"""Consent: what a card shows and on which reply it hangs, and which categories a person wants remembered at all."""

from alembic import op

revision = "0007"
down_revision = "0006"

SWITCHES = """
ALTER TABLE users ADD COLUMN never_remember text[] NOT NULL DEFAULT '{}'
    CHECK (never_remember <@ ARRAY['person', 'preference', 'context', 'project', 'personality',
        'hobby', 'relationship', 'milestone', 'occupation', 'habit', 'other']);

DROP POLICY writing ON facts;
CREATE POLICY writing ON facts FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space())
    AND NOT EXISTS (SELECT FROM users AS u WHERE u.tenant_id = facts.tenant_id AND u.id = facts.user_id
                    AND facts.category = ANY (u.never_remember)));
"""

# The words of a card never change (the application may not update them), so an approval means what was shown.
CARDS = """
ALTER TABLE proposals
    ADD COLUMN attribute text CHECK (attribute IN ('name', 'preferred_name', 'occupation', 'location',
        'communication_style', 'faith', 'interest', 'family_member', 'goal', 'important_date',
        'interaction_preference', 'custom')),
    ADD COLUMN value jsonb,
    ADD COLUMN sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    ADD COLUMN sealed bytea,
    ADD COLUMN span int4range,
    ADD COLUMN author text NOT NULL DEFAULT 'assistant',
    ADD COLUMN fact_version integer,
    ADD COLUMN reply_event_id text,
    ADD COLUMN shown_at timestamptz,
    ALTER COLUMN content DROP NOT NULL,
    ADD CONSTRAINT in_words_or_sealed CHECK (
        num_nonnulls(content, sealed) = 1 AND (sealed IS NULL OR num_nonnulls(subject, value) = 0)
        AND (sensitivity <> 'high' OR sealed IS NOT NULL)),
    ADD CONSTRAINT a_change_names_its_fact CHECK ((kind = 'add') = (fact_id IS NULL)),
    ADD CONSTRAINT decided_means_by_whom_and_when CHECK (
        (status IN ('accepted', 'rejected')) = (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
    ADD FOREIGN KEY (tenant_id, reply_event_id) REFERENCES events (tenant_id, id) ON DELETE SET NULL (reply_event_id);
CREATE UNIQUE INDEX the_same_is_not_asked_twice ON proposals (tenant_id, user_id, content_hash)
    WHERE status = 'waiting';

DROP POLICY reading ON proposals;
DROP POLICY writing ON proposals;
DROP POLICY changing ON proposals;
DROP POLICY removing ON proposals;
CALL wall.guard('proposals', 'own');
"""

BACK = """
DROP POLICY reading ON proposals;
DROP POLICY writing ON proposals;
DROP POLICY changing ON proposals;
DROP POLICY removing ON proposals;
DROP INDEX the_same_is_not_asked_twice;
ALTER TABLE proposals NO FORCE ROW LEVEL SECURITY;
DELETE FROM proposals WHERE sealed IS NOT NULL;
ALTER TABLE proposals DROP CONSTRAINT in_words_or_sealed, DROP CONSTRAINT a_change_names_its_fact,
    DROP CONSTRAINT decided_means_by_whom_and_when,
    DROP COLUMN attribute, DROP COLUMN value, DROP COLUMN sensitivity, DROP COLUMN sealed, DROP COLUMN span,
    DROP COLUMN author, DROP COLUMN fact_version, DROP COLUMN reply_event_id, DROP COLUMN shown_at,
    ALTER COLUMN content SET NOT NULL;
CALL wall.guard('proposals', 'own');

DROP POLICY writing ON facts;
CREATE POLICY writing ON facts FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()));
ALTER TABLE users DROP COLUMN never_remember;
"""


def upgrade() -> None:
    op.execute(SWITCHES)
    op.execute(CARDS)


def downgrade() -> None:
    op.execute(BACK)
