-- Proposals: facts that wait for their owner's answer on a card. The application may not update the words of a card, so
-- an approval means what was shown.

CREATE TABLE proposals (
    tenant_id       text NOT NULL,
    id              text NOT NULL,
    space_id        text NOT NULL,
    user_id         text NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('add', 'update', 'forget')),
    fact_id         text,
    category        text NOT NULL,
    subject         text,
    content         text CHECK (char_length(content) BETWEEN 5 AND 500),
    content_hash    text NOT NULL,
    source_event_id text,
    status          text NOT NULL DEFAULT 'waiting'
        CHECK (status IN ('waiting', 'accepted', 'rejected', 'expired')),
    decided_by      text,
    decided_at      timestamptz,
    expires_at      timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    attribute       text CHECK (attribute IN ('name', 'preferred_name', 'occupation', 'location',
        'communication_style', 'faith', 'interest', 'family_member', 'goal', 'important_date',
        'interaction_preference', 'custom')),
    value           jsonb,
    sensitivity     text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low', 'high')),
    sealed          bytea,
    span            int4range,
    author          text NOT NULL DEFAULT 'assistant',
    fact_version    integer,
    reply_event_id  text,
    shown_at        timestamptz,
    channel         text NOT NULL DEFAULT 'private' CHECK (channel IN ('private', 'team', 'public', 'agent')),
    PRIMARY KEY (tenant_id, id),
    CONSTRAINT a_change_names_its_fact CHECK ((kind = 'add') = (fact_id IS NULL)),
    CONSTRAINT decided_by_its_owner CHECK (decided_by = user_id),
    CONSTRAINT decided_means_by_whom_and_when CHECK (
        (status IN ('accepted', 'rejected')) = (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
    CONSTRAINT in_words_or_sealed CHECK (
        num_nonnulls(content, sealed) = 1 AND (sealed IS NULL OR num_nonnulls(subject, value) = 0)
        AND (sensitivity <> 'high' OR sealed IS NOT NULL)),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, fact_id) REFERENCES facts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, source_event_id) REFERENCES events (tenant_id, id) ON DELETE SET NULL (source_event_id),
    FOREIGN KEY (tenant_id, reply_event_id) REFERENCES events (tenant_id, id) ON DELETE SET NULL (reply_event_id)
);
CREATE INDEX proposals_tenant_id_user_id_status_idx ON proposals (tenant_id, user_id, status);
CREATE UNIQUE INDEX the_same_is_not_asked_twice ON proposals (tenant_id, user_id, content_hash)
    WHERE status = 'waiting';
ALTER TABLE proposals
    ALTER COLUMN subject SET STATISTICS 0, ALTER COLUMN content SET STATISTICS 0,
    ALTER COLUMN content_hash SET STATISTICS 0, ALTER COLUMN decided_by SET STATISTICS 0,
    ALTER COLUMN value SET STATISTICS 0, ALTER COLUMN sealed SET STATISTICS 0, ALTER COLUMN author SET STATISTICS 0;

CALL wall.guard('proposals', 'own');
-- In a group the owner answers only the cards of that space and channel.
ALTER POLICY reading ON proposals USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND ((SELECT wall.viewer_is_alone()) OR space_id = (SELECT wall.viewer_space())
         AND channel = (SELECT wall.viewer_channel()) AND sensitivity = ANY ((SELECT wall.loadable())::text[])));
CREATE POLICY answering ON proposals FOR UPDATE USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user())
    AND space_id = (SELECT wall.viewer_space()) AND channel = (SELECT wall.viewer_channel()));
CREATE POLICY looking_out ON proposals FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
CREATE POLICY erasing ON proposals FOR SELECT TO keepsake_eraser USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT (tenant_id, user_id, status, decided_at, expires_at) ON proposals TO keepsake_warden;
GRANT SELECT ON proposals TO keepsake_eraser;
