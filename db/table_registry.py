"""Whose a row is, for every table: what erasing, exporting and importing go by.

A table that is added later and is not named here fails the start of the tests, and so cannot be forgotten.
"""

from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Table, false, select

from db.tables import Base


@dataclass(frozen=True, slots=True)
class Holding:
    """How a table holds what belongs to a person.

    `owner` names the column with their id. Where there is none, the row belongs to whom its `parent` belongs (the
    table, the column here that names it, and the column there), and without a parent to nobody. `hidden` columns are no
    use outside this database and stay in it; `restored` tables are written back by an import, the others are derived,
    or hold for this deployment only.
    """

    owner: str | None = "user_id"
    parent: tuple[str, str, str] | None = None
    hidden: frozenset[str] = field(default_factory=frozenset)
    restored: bool = False


HOLDINGS: dict[str, Holding] = {
    "users": Holding(owner="id", hidden=frozenset({"data_key"})),
    "spaces": Holding(owner="created_by"),
    "space_members": Holding(),
    "invitations": Holding(hidden=frozenset({"hash"})),
    "conversations": Holding(restored=True),
    "events": Holding(restored=True),
    "facts": Holding(restored=True),
    "fact_versions": Holding(
        owner=None, parent=("facts", "fact_id", "id"), hidden=frozenset({"change"}), restored=True
    ),
    "snapshot_items": Holding(owner=None, parent=("conversations", "conversation_id", "id")),
    "proposals": Holding(),
    "tombstones": Holding(restored=True),
    "topics": Holding(restored=True),
    "artifacts": Holding(restored=True),
    "summaries": Holding(),
    "extractions": Holding(),
    "notices": Holding(),
    "rebuilds": Holding(),
    "shelves": Holding(hidden=frozenset({"id"})),
    "chunks": Holding(hidden=frozenset({"no", "shelf_id"})),
    "postings": Holding(owner=None, parent=("chunks", "chunk_no", "no"), hidden=frozenset({"chunk_no", "shelf_id"})),
    "embeddings": Holding(
        owner=None,
        parent=("chunks", "chunk_id", "id"),
        hidden=frozenset({"embedding", "chunk_no", "shelf_id"}),
    ),
    "decisions": Holding(restored=True),
    "tasks": Holding(restored=True),
    "handoffs": Holding(),
    "views": Holding(restored=True),
    "bundles": Holding(),
    "program_texts": Holding(owner=None),
    "usage": Holding(),
    "inbox": Holding(hidden=frozenset({"payload", "answer"})),
    "posts": Holding(),
    "tenants": Holding(owner=None),
    "api_keys": Holding(hidden=frozenset({"hash"})),
    "requests": Holding(hidden=frozenset({"hash", "answer"})),
    "web_sessions": Holding(hidden=frozenset({"hash"})),
    "audit_log": Holding(),
}
assert HOLDINGS.keys() == Base.metadata.tables.keys(), "say in db/table_registry.py whose the rows of a new table are"


def tables_in_order() -> list[str]:
    """The name of every table, parents before their children."""
    return [table.name for table in Base.metadata.sorted_tables]


def belonging_to(table: Table, tenant: str, user: str) -> ColumnElement[bool]:
    """The condition under which a row is this person's."""
    holding = HOLDINGS[table.name]
    if holding.owner is not None:
        return (table.c.tenant_id == tenant) & (table.c[holding.owner] == user)
    if holding.parent is None:
        return false()
    name, column, key = holding.parent
    parent = Base.metadata.tables[name]
    theirs = select(parent.c[key]).where(belonging_to(parent, tenant, user))
    return (table.c.tenant_id == tenant) & table.c[column].in_(theirs)
