"""Search inside one person's rows: shelves, postings, and vectors that are scanned in order (docs/decisions/0013).

A shelf is all that reading depends on: whose words, where they were said, how openly and how sensitive they are. The
wall stands on the few shelves of a viewer; postings and vectors name their shelf, so that one comparison of numbers,
which an index answers, guards millions of rows. (A condition such as `@@` is kept out of indexes under row-level
security.)
"""

from alembic import op
from db.roles import handing_over

revision = "0010"
down_revision = "0009"

SHELVES = """
CREATE TABLE shelves (
    tenant_id   text NOT NULL,
    id          bigint GENERATED ALWAYS AS IDENTITY,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL CHECK (sensitivity IN ('none', 'low')),
    chunks      bigint NOT NULL DEFAULT 0,
    words       bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, user_id, space_id, channel, sensitivity),
    FOREIGN KEY (tenant_id, space_id) REFERENCES spaces (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX shelves_tenant_id_space_id_idx ON shelves (tenant_id, space_id);
CALL wall.guard('shelves', 'spoken');
CREATE POLICY keeping ON shelves TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, INSERT, UPDATE ON shelves TO keepsake_warden;

CREATE FUNCTION wall.visible_shelves() RETURNS bigint[] LANGUAGE sql STABLE
    RETURN (SELECT COALESCE(array_agg(s.id ORDER BY s.id), '{}') FROM public.shelves AS s
            WHERE s.tenant_id = wall.viewer_tenant());
"""

# Chunks are derived, and nothing wrote them so far.
CHUNKS = """
TRUNCATE chunks, embeddings;
DROP TABLE embeddings;
ALTER TABLE chunks
    DROP COLUMN tsv,
    ADD COLUMN no       bigint GENERATED ALWAYS AS IDENTITY,
    ADD COLUMN shelf_id bigint NOT NULL,
    ADD COLUMN thread   text NOT NULL,
    ADD COLUMN seq      integer NOT NULL DEFAULT 0,
    ADD COLUMN part     integer NOT NULL DEFAULT 0,
    ADD COLUMN actor_id text NOT NULL DEFAULT '',
    ADD COLUMN speaker  text NOT NULL DEFAULT '',
    ADD UNIQUE (tenant_id, no),
    ADD FOREIGN KEY (tenant_id, shelf_id) REFERENCES shelves (tenant_id, id) ON DELETE CASCADE;
CREATE INDEX chunks_tenant_id_thread_seq_part_idx ON chunks (tenant_id, thread, seq, part);
CREATE INDEX chunks_tenant_id_shelf_id_kind_idx ON chunks (tenant_id, shelf_id, kind);
CREATE INDEX chunks_speakers_idx ON chunks (tenant_id, shelf_id, speaker) WHERE speaker <> '';

-- A chunk is as private as what it was cut from, wherever its author stands while it is cut.
DROP POLICY writing ON chunks;
CREATE POLICY writing ON chunks FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()) AND (
        EXISTS (SELECT FROM events AS s WHERE s.tenant_id = chunks.tenant_id AND s.id = event_id
            AND (s.user_id, s.space_id, s.channel, s.sensitivity)
              = (chunks.user_id, chunks.space_id, chunks.channel, chunks.sensitivity))
        OR EXISTS (SELECT FROM summaries AS s WHERE s.tenant_id = chunks.tenant_id AND s.id = summary_id
            AND (s.user_id, s.space_id, s.channel, s.sensitivity)
              = (chunks.user_id, chunks.space_id, chunks.channel, chunks.sensitivity))
        OR EXISTS (SELECT FROM artifacts AS s WHERE s.tenant_id = chunks.tenant_id AND s.id = artifact_id
            AND (s.user_id, s.space_id, s.channel, s.sensitivity)
              = (chunks.user_id, chunks.space_id, chunks.channel, chunks.sensitivity))));

CREATE FUNCTION wall.shelve_chunk() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    SELECT s.id INTO NEW.shelf_id FROM public.shelves AS s
        WHERE (s.tenant_id, s.user_id, s.space_id, s.channel, s.sensitivity)
            = (NEW.tenant_id, NEW.user_id, NEW.space_id, NEW.channel, NEW.sensitivity);
    IF NOT FOUND THEN
        INSERT INTO public.shelves AS s (tenant_id, user_id, space_id, channel, sensitivity)
            VALUES (NEW.tenant_id, NEW.user_id, NEW.space_id, NEW.channel, NEW.sensitivity)
            ON CONFLICT (tenant_id, user_id, space_id, channel, sensitivity) DO UPDATE SET chunks = s.chunks
            RETURNING s.id INTO NEW.shelf_id;
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION wall.shelve_chunk FROM PUBLIC;
CREATE TRIGGER chunks_stand_on_a_shelf BEFORE INSERT ON chunks FOR EACH ROW EXECUTE FUNCTION wall.shelve_chunk();
"""

# Which chunks hold a term, and how often: written and removed with the chunk, by the database alone.
POSTINGS = """
CREATE TABLE postings (
    tenant_id text NOT NULL,
    shelf_id  bigint NOT NULL,
    term      text NOT NULL,
    chunk_no  bigint NOT NULL,
    times     smallint NOT NULL,
    length    integer NOT NULL
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000);
-- Everything that ranking needs stands in the index, in the order in which it is read.
ALTER TABLE postings ADD CONSTRAINT postings_pkey PRIMARY KEY (tenant_id, shelf_id, term, chunk_no)
    INCLUDE (times, length);
CALL wall.raise_on('postings');
CREATE POLICY reading ON postings FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND shelf_id = ANY ((SELECT wall.visible_shelves())::bigint[]));
CREATE POLICY keeping ON postings TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, INSERT, DELETE ON postings TO keepsake_warden;

CREATE FUNCTION wall.post_terms() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO public.postings (tenant_id, shelf_id, term, chunk_no, times, length)
        SELECT c.tenant_id, c.shelf_id, t.term, c.no, least(count(*), 32767), cardinality(string_to_array(c.terms, ' '))
        FROM added AS c CROSS JOIN LATERAL unnest(string_to_array(c.terms, ' ')) AS t(term)
        WHERE t.term <> '' GROUP BY c.tenant_id, c.shelf_id, t.term, c.no, c.terms;
    UPDATE public.shelves AS s SET chunks = s.chunks + n.chunks, words = s.words + n.words
        FROM (SELECT c.tenant_id, c.shelf_id, count(*) AS chunks,
                     sum(cardinality(string_to_array(c.terms, ' '))) AS words
              FROM added AS c GROUP BY c.tenant_id, c.shelf_id) AS n
        WHERE s.tenant_id = n.tenant_id AND s.id = n.shelf_id;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION wall.post_terms FROM PUBLIC;
CREATE TRIGGER chunks_are_posted AFTER INSERT ON chunks
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION wall.post_terms();

CREATE FUNCTION wall.withdraw_terms() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM public.postings AS p
        USING (SELECT DISTINCT c.tenant_id, c.shelf_id, c.no, t.term
               FROM gone AS c CROSS JOIN LATERAL unnest(string_to_array(c.terms, ' ')) AS t(term)) AS w
        WHERE (p.tenant_id, p.shelf_id, p.term, p.chunk_no) = (w.tenant_id, w.shelf_id, w.term, w.no);
    UPDATE public.shelves AS s SET chunks = s.chunks - n.chunks, words = s.words - n.words
        FROM (SELECT c.tenant_id, c.shelf_id, count(*) AS chunks,
                     sum(cardinality(string_to_array(c.terms, ' '))) AS words
              FROM gone AS c GROUP BY c.tenant_id, c.shelf_id) AS n
        WHERE s.tenant_id = n.tenant_id AND s.id = n.shelf_id;
    RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION wall.withdraw_terms FROM PUBLIC;
CREATE TRIGGER chunks_are_withdrawn AFTER DELETE ON chunks
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION wall.withdraw_terms();
"""

# A table of its own, so that another model is back-filled while the old one serves. No vector: it cannot be embedded.
EMBEDDINGS = """
CREATE TABLE embeddings (
    tenant_id text NOT NULL,
    chunk_id  text NOT NULL,
    model     text NOT NULL,
    shelf_id  bigint NOT NULL,
    space_id  text NOT NULL,
    chunk_no  bigint NOT NULL,
    embedding halfvec,
    size      integer GENERATED ALWAYS AS (vector_dims(embedding)) STORED,
    PRIMARY KEY (tenant_id, chunk_id, model),
    FOREIGN KEY (tenant_id, chunk_id) REFERENCES chunks (tenant_id, id) ON DELETE CASCADE
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 2000);
ALTER TABLE embeddings ALTER COLUMN embedding SET STORAGE PLAIN;
-- One person's vectors lie side by side in it and are compared without a look at the table: exact, and fast enough.
CREATE INDEX embeddings_in_order_idx ON embeddings (tenant_id, model, shelf_id, chunk_no) INCLUDE (embedding, size)
    WHERE size <= 1024;
CREATE INDEX embeddings_too_long_for_an_index_idx ON embeddings (tenant_id, model, shelf_id)
    WHERE size > 1024;
CALL wall.raise_on('embeddings');
CREATE POLICY reading ON embeddings FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND shelf_id = ANY ((SELECT wall.visible_shelves())::bigint[]));
CREATE POLICY writing ON embeddings FOR INSERT WITH CHECK (
    tenant_id = (SELECT wall.viewer_tenant()) AND EXISTS (
        SELECT FROM chunks AS c WHERE c.tenant_id = embeddings.tenant_id AND c.id = chunk_id
            AND (c.shelf_id, c.space_id, c.no) = (embeddings.shelf_id, embeddings.space_id, chunk_no)
            AND c.user_id = (SELECT wall.viewer_user())));
"""

# Who has chunks that a model has not embedded yet.
DUE = """
CREATE FUNCTION wall.due_embeddings(wanted text) RETURNS TABLE (user_id text) LANGUAGE sql STABLE
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT DISTINCT s.user_id FROM public.shelves AS s
    WHERE s.tenant_id = wall.viewer_tenant() AND wall.viewer_user() IS NULL AND s.chunks > (
        SELECT count(*) FROM public.embeddings AS e
        WHERE e.tenant_id = s.tenant_id AND e.model = wanted AND e.shelf_id = s.id)
$$;
REVOKE ALL ON FUNCTION wall.due_embeddings FROM PUBLIC;
GRANT SELECT (tenant_id, model, shelf_id) ON embeddings TO keepsake_warden;
CREATE POLICY counting ON embeddings FOR SELECT TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
"""

# What is sensitive has no index of words: it is found among a person's events, and opened.
SEALED = """
CREATE INDEX events_sealed_by_user_idx ON events (tenant_id, user_id, ts) WHERE sensitivity = 'high';
CREATE INDEX events_sealed_by_space_idx ON events (tenant_id, space_id, ts) WHERE sensitivity = 'high';
"""

# Words must not stand in the planner's statistics, which outlive them (see 0009).
STATISTICS = """
ALTER TABLE postings ALTER COLUMN term SET STATISTICS 0;
ALTER TABLE chunks ALTER COLUMN speaker SET STATISTICS 0;
ALTER TABLE chunks ALTER COLUMN thread SET STATISTICS 100;
"""

BACK = """
DROP INDEX events_sealed_by_user_idx, events_sealed_by_space_idx;
DROP TABLE embeddings, postings;
DROP TRIGGER chunks_are_posted ON chunks;
DROP TRIGGER chunks_are_withdrawn ON chunks;
DROP TRIGGER chunks_stand_on_a_shelf ON chunks;
TRUNCATE chunks;
ALTER TABLE chunks
    DROP COLUMN no, DROP COLUMN shelf_id, DROP COLUMN thread, DROP COLUMN seq, DROP COLUMN part, DROP COLUMN actor_id,
    DROP COLUMN speaker,
    ADD COLUMN tsv tsvector GENERATED ALWAYS AS (to_tsvector('simple', terms)) STORED;
CREATE INDEX chunks_tsv_idx ON chunks USING gin (tsv);
DROP POLICY writing ON chunks;
DROP FUNCTION wall.post_terms, wall.withdraw_terms, wall.shelve_chunk, wall.due_embeddings, wall.visible_shelves;
DROP TABLE shelves;
DO $$ BEGIN EXECUTE format('CREATE POLICY writing ON chunks FOR INSERT WITH CHECK (tenant_id = (SELECT'
    ' wall.viewer_tenant()) AND user_id = (SELECT wall.viewer_user()) AND space_id = (SELECT wall.viewer_space()) AND'
    ' channel = (SELECT wall.viewer_channel())%s)', wall.names_only_what_is_seen('chunks'::regclass)); END $$;
CREATE TABLE embeddings (
    tenant_id   text NOT NULL,
    chunk_id    text NOT NULL,
    model       text NOT NULL,
    space_id    text NOT NULL,
    user_id     text NOT NULL,
    channel     text NOT NULL CHECK (channel IN ('private', 'team', 'public', 'agent')),
    sensitivity text NOT NULL DEFAULT 'none' CHECK (sensitivity IN ('none', 'low')),
    embedding   halfvec NOT NULL,
    PRIMARY KEY (tenant_id, chunk_id, model),
    FOREIGN KEY (tenant_id, chunk_id) REFERENCES chunks (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX embeddings_tenant_id_user_id_model_idx ON embeddings (tenant_id, user_id, model);
CALL wall.guard('embeddings', 'spoken');
"""


def upgrade() -> None:
    op.execute(SHELVES + CHUNKS + POSTINGS + EMBEDDINGS + DUE + SEALED + STATISTICS)
    for function in ("shelve_chunk", "post_terms", "withdraw_terms", "due_embeddings"):
        op.execute(handing_over(function, "keepsake_warden"))


def downgrade() -> None:
    op.execute(BACK)
