"""Who owns the rows of each table. Erasing, exporting and importing rely on it.

A new table that is missing here fails at import, so it cannot be forgotten.
"""

from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Table, false, select

from db.tables import Base


@dataclass(frozen=True, slots=True)
class TableOwnership:
    """Who owns the rows of a table.

    `owner` is the column with the owner's id. Without it, a row belongs to the owner of its `parent` (table, referring
    column, referred column); without a parent, to nobody. `hidden` columns are not exported, because they mean nothing
    outside this database. An import restores the `restored` tables. The others are derived, or local to a deployment.
    """

    owner: str | None = "user_id"
    parent: tuple[str, str, str] | None = None
    hidden: frozenset[str] = field(default_factory=frozenset)
    restored: bool = False


TABLE_OWNERSHIP: dict[str, TableOwnership] = {
    "users": TableOwnership(owner="id", hidden=frozenset({"data_key"})),
    "spaces": TableOwnership(owner="created_by"),
    "space_members": TableOwnership(),
    "invitations": TableOwnership(hidden=frozenset({"hash"})),
    "conversations": TableOwnership(restored=True),
    "events": TableOwnership(restored=True),
    "facts": TableOwnership(restored=True),
    "fact_versions": TableOwnership(
        owner=None, parent=("facts", "fact_id", "id"), hidden=frozenset({"change"}), restored=True
    ),
    "snapshot_items": TableOwnership(owner=None, parent=("conversations", "conversation_id", "id")),
    "proposals": TableOwnership(),
    "tombstones": TableOwnership(restored=True),
    "topics": TableOwnership(restored=True),
    "artifacts": TableOwnership(restored=True),
    "summaries": TableOwnership(),
    "extractions": TableOwnership(),
    "notices": TableOwnership(),
    "rebuilds": TableOwnership(),
    "shelves": TableOwnership(hidden=frozenset({"id"})),
    "chunks": TableOwnership(hidden=frozenset({"no", "shelf_id"})),
    "postings": TableOwnership(
        owner=None, parent=("chunks", "chunk_no", "no"), hidden=frozenset({"chunk_no", "shelf_id"})
    ),
    "embeddings": TableOwnership(
        owner=None,
        parent=("chunks", "chunk_id", "id"),
        hidden=frozenset({"embedding", "chunk_no", "shelf_id"}),
    ),
    "decisions": TableOwnership(restored=True),
    "tasks": TableOwnership(restored=True),
    "handoffs": TableOwnership(),
    "views": TableOwnership(restored=True),
    "bundles": TableOwnership(),
    "program_texts": TableOwnership(owner=None),
    "usage": TableOwnership(),
    "inbox": TableOwnership(hidden=frozenset({"payload", "answer"})),
    "posts": TableOwnership(),
    "tenants": TableOwnership(owner=None),
    "api_keys": TableOwnership(hidden=frozenset({"hash"})),
    "requests": TableOwnership(hidden=frozenset({"hash", "answer"})),
    "web_sessions": TableOwnership(hidden=frozenset({"hash"})),
    "audit_log": TableOwnership(),
}
assert TABLE_OWNERSHIP.keys() == Base.metadata.tables.keys(), (
    "name the owner of each new table's rows in db/table_registry.py"
)


def tables_in_order() -> list[str]:
    """The name of every table, parents before their children."""
    return [table.name for table in Base.metadata.sorted_tables]


def belonging_to(table: Table, tenant: str, user: str) -> ColumnElement[bool]:
    """The condition that a row belongs to this person."""
    ownership = TABLE_OWNERSHIP[table.name]
    if ownership.owner is not None:
        return (table.c.tenant_id == tenant) & (table.c[ownership.owner] == user)
    if ownership.parent is None:
        return false()
    name, column, key = ownership.parent
    parent = Base.metadata.tables[name]
    theirs = select(parent.c[key]).where(belonging_to(parent, tenant, user))
    return (table.c.tenant_id == tenant) & table.c[column].in_(theirs)
