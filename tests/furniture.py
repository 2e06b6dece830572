"""One row of a person in every table, so that the wall can be tried where there is something to see."""

from sqlalchemy import TextClause, text

from db.engine import Database
from db.tables import Base
from db.viewer import Viewer

SCOPE = "tenant_id, id, space_id, user_id, channel"
HERS = ":t, '{0}_' || :n, 'personal:test:' || :n, 'test:' || :n, 'private'"

# In the order in which they can be written; every row has the person's name somewhere in it.
ROWS = {
    "users": "(tenant_id, id, name) VALUES (:t, 'test:' || :n, :n)",
    "spaces": "(tenant_id, id, kind, created_by) VALUES (:t, 'personal:test:' || :n, 'personal', 'test:' || :n)",
    "space_members": "(tenant_id, space_id, user_id, role) VALUES (:t, 'personal:test:' || :n, 'test:' || :n, 'owner')",
    "conversations": f"({SCOPE}, agent_id) VALUES ({HERS.format('cnv')}, 'keepsake')",
    "events": "(tenant_id, id, conversation_id, user_id, ts, actor_type, actor_id, kind, content) VALUES"
    " (:t, 'evt_' || :n, 'cnv_' || :n, 'test:' || :n, now(), 'human', 'x', 'message', '{\"text\": \"words\"}')",
    "facts": "(tenant_id, id, space_id, user_id, category) VALUES"
    " (:t, rpad(:n, 8, '0'), 'personal:test:' || :n, 'test:' || :n, 'other')",
    "fact_versions": "(tenant_id, fact_id, version, content, space_id, source_event_id, author, approved_by, approval)"
    " VALUES (:t, rpad(:n, 8, '0'), 1, 'a fact', 'personal:test:' || :n, 'evt_' || :n, 'test:' || :n, 'test:' || :n,"
    " 'order')",
    "snapshot_items": "(tenant_id, conversation_id, fact_id, version) VALUES (:t, 'cnv_' || :n, rpad(:n, 8, '0'), 1)",
    "proposals": "(tenant_id, id, space_id, user_id, kind, fact_id, category, content, content_hash, source_event_id,"
    " expires_at) VALUES (:t, 'prp_' || :n, 'personal:test:' || :n, 'test:' || :n, 'update', rpad(:n, 8, '0'), 'other',"
    " 'a fact', 'hash', 'evt_' || :n, now())",
    "tombstones": "(tenant_id, id, user_id, event_id, salt, hash) VALUES"
    " (:t, 'tmb_' || :n, 'test:' || :n, 'evt_' || :n, '', '')",
    "topics": "(tenant_id, user_id, name, last_seen) VALUES (:t, 'test:' || :n, 'topic', now())",
    "artifacts": f"({SCOPE}, ts, kind, bytes, sha256) VALUES"
    f" ({HERS.format('art')}, now(), 'blob', '', sha256(:n::bytea))",
    "summaries": f"({SCOPE}, conversation_id, start_seq, end_seq, status) VALUES"
    f" ({HERS.format('sum')}, 'cnv_' || :n, 0, 1, 'processing')",
    "extractions": f"({SCOPE}, conversation_id, start_seq, end_seq, status) VALUES"
    f" ({HERS.format('ext')}, 'cnv_' || :n, 0, 1, 'processing')",
    "notices": "(tenant_id, id, user_id, kind, key, due_at) VALUES"
    " (:t, 'ntc_' || :n, 'test:' || :n, 'receipt', :n, now())",
    "rebuilds": "(tenant_id, user_id, began_at) VALUES (:t, 'test:' || :n, now())",
    "chunks": f"({SCOPE}, event_id, thread, ts, kind, token_est, text, text_hash, terms) VALUES"
    f" ({HERS.format('chk')}, 'evt_' || :n, 'cnv_' || :n, now(), 'message', 1, 'words', '', :n)",
    "embeddings": "(tenant_id, chunk_id, model, shelf_id, space_id, chunk_no, embedding)"
    " VALUES (:t, 'chk_' || :n, 'm', COALESCE((SELECT shelf_id FROM chunks WHERE id = 'chk_' || :n), 0),"
    " COALESCE((SELECT space_id FROM chunks WHERE id = 'chk_' || :n), ''),"
    " COALESCE((SELECT no FROM chunks WHERE id = 'chk_' || :n), 0), '[1,2]')",
    "decisions": f"({SCOPE}, ts, scope, decision) VALUES ({HERS.format('dec')}, now(), 'user', 'to stay')",
    "tasks": f"({SCOPE}, ts, title) VALUES ({HERS.format('tsk')}, now(), 'a task')",
    "handoffs": f"({SCOPE}, ts, from_agent, to_agent, packet, token_est) VALUES"
    f" ({HERS.format('hnd')}, now(), 'a', 'b', '{{}}', 1)",
    "views": "(tenant_id, user_id, space_id, name, scope, version, content) VALUES"
    " (:t, 'test:' || :n, 'personal:test:' || :n, 'rules', 'space', 1, 'be kind')",
    "bundles": "(tenant_id, id, user_id, conversation_id, ts, request, hashes, provenance) VALUES"
    " (:t, 'acb_' || :n, 'test:' || :n, 'cnv_' || :n, now(), '{}', '{}', '{}')",
    "usage": "(tenant_id, id, user_id, conversation_id, ts, model, purpose, input_tokens, cache_read_tokens,"
    " cache_write_tokens, output_tokens, milliseconds) VALUES"
    " (:t, 'use_' || :n, 'test:' || :n, 'cnv_' || :n, now(), 'm', 'reply', 1, 1, 1, 1, 1)",
    "inbox": "(tenant_id, update_id, user_id, chat_id) VALUES (:t, hashtext(:n), 'test:' || :n, 'chat')",
    "posts": "(tenant_id, chat, message_id, user_id, event_id) VALUES"
    " (:t, 'chat_' || :n, 1, 'test:' || :n, 'evt_' || :n)",
    "api_keys": "(tenant_id, id, user_id, hash) VALUES (:t, 'key_' || :n, 'test:' || :n, sha256((:t || :n)::bytea))",
    "requests": "(tenant_id, user_id, key_id, name, hash, created_at) VALUES"
    " (:t, 'test:' || :n, 'key_' || :n, 'once', sha256(''), now())",
    "web_sessions": "(tenant_id, id, user_id, created_at, expires_at) VALUES"
    " (:t, 'web_' || :n, 'test:' || :n, now(), now())",
    "audit_log": "(tenant_id, id, user_id, ts, actor, action, target) VALUES"
    " (:t, 'aud_' || :n, 'test:' || :n, now(), 'x', 'looked', 'y')",
    "invitations": "(tenant_id, id, space_id, user_id, hash, expires_at) VALUES"
    " (:t, 'inv_' || :n, 'spc_' || :n, 'test:' || :n, sha256((:t || :n)::bytea), now())",
}
# An invitation is into a space of hers that others may join.
BEFORE = {
    "invitations": (
        "INSERT INTO spaces (tenant_id, id, kind, created_by) VALUES (:t, 'spc_' || :n, 'named', 'test:' || :n)",
        "INSERT INTO space_members (tenant_id, space_id, user_id, role) VALUES"
        " (:t, 'spc_' || :n, 'test:' || :n, 'owner')",
        "SELECT set_config('keepsake.space', 'spc_' || :n, true), :t",
    )
}
MADE_BY_THE_DATABASE = ("shelves", "postings")  # with a chunk
# What the program itself says, and who runs it: the wall between deployments is all there is.
NOBODYS = ("program_texts", "tenants")
assert {*ROWS, *MADE_BY_THE_DATABASE, *NOBODYS} == Base.metadata.tables.keys(), "a table added later gets a row here"


async def furnish(database: Database, tenant: str, name: str) -> Viewer:
    """A person with a row in every table, alone with the assistant."""
    viewer = Viewer.in_private(tenant, f"test:{name}")
    async with database.transaction(viewer) as session:
        for table in ROWS:
            for statement in BEFORE.get(table, ()):
                await session.execute(text(statement), {"t": tenant, "n": name})
            await session.execute(insertion(table), {"t": tenant, "n": name})
    return viewer


def insertion(table: str) -> TextClause:
    return text(f"INSERT INTO {table} {ROWS[table]}".replace("::", r"\:\:"))
