-- Postings: which chunks hold a term, and how often. The database alone writes and removes them, with the chunk.

CREATE TABLE postings (
    tenant_id text NOT NULL,
    shelf_id  bigint NOT NULL,
    term      text NOT NULL,
    chunk_no  bigint NOT NULL,
    times     smallint NOT NULL,
    length    integer NOT NULL,
    -- The index holds everything that ranking needs, in the order it is read.
    PRIMARY KEY (tenant_id, shelf_id, term, chunk_no) INCLUDE (times, length)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000);
ALTER TABLE postings ALTER COLUMN term SET STATISTICS 0;

CALL wall.raise_on('postings');
CREATE POLICY reading ON postings FOR SELECT USING (
    tenant_id = (SELECT wall.viewer_tenant()) AND shelf_id = ANY ((SELECT wall.visible_shelves())::bigint[]));
CREATE POLICY keeping ON postings TO keepsake_warden USING (tenant_id = (SELECT wall.viewer_tenant()));
GRANT SELECT, INSERT, DELETE ON postings TO keepsake_warden;

-- Both functions also keep the counts of the shelf, which ranking reads.
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
ALTER FUNCTION wall.post_terms OWNER TO keepsake_warden;
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
ALTER FUNCTION wall.withdraw_terms OWNER TO keepsake_warden;
CREATE TRIGGER chunks_are_withdrawn AFTER DELETE ON chunks
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION wall.withdraw_terms();
