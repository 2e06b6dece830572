-- Program texts: instructions and tools, as this deployment has sent them. They hold no person's words.

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
