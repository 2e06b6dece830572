"""The schema in plain SQL: one file per noun with its table, indexes, policies, functions, triggers and grants."""

from pathlib import Path

from sqlalchemy import Connection

FOLDER = Path(__file__).resolve().parent

# In load order: a table comes after the tables it references. The headings appear in the diagram of
# docs/architecture.md.
GROUPS = {
    "The wall": ("wall",),
    "People and places": (
        "tenants",
        "users",
        "spaces",
        "space_members",
        "invitations",
        "conversations",
        "groups",
    ),
    "What happened, and what is remembered of it": (
        "events",
        "posts",
        "facts",
        "fact_versions",
        "snapshot_items",
        "proposals",
        "tombstones",
        "topics",
    ),
    "Ledgers of agents": ("decisions", "tasks", "artifacts", "handoffs", "views"),
    "Digests and findings": ("summaries", "extractions"),
    "Search": ("shelves", "chunks", "postings", "embeddings"),
    "Model calls": ("bundles", "program_texts", "usage"),
    "Background work": ("notices", "rebuilds"),
    "Doors": ("inbox", "api_keys", "requests", "web_sessions", "audit_log"),
}
NOUNS = tuple(noun for nouns in GROUPS.values() for noun in nouns)


def load_schema(connection: Connection) -> None:
    """Create everything in an empty database. Functions may name tables of later files, so bodies are not checked."""
    _run(connection, "SET LOCAL check_function_bodies = off")
    for noun in NOUNS:
        _run(connection, (FOLDER / f"{noun}.sql").read_text())


def _run(connection: Connection, script: str) -> None:
    """Run the script unchanged: without parameters, the driver allows percent signs and several statements."""
    connection.exec_driver_sql(script, execution_options={"no_parameters": True})
