"""Exports all of a person's data as one document: JSON that `import` can load again, and Markdown to read."""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from db.queries.privacy.audit import note
from db.queries.privacy.transfer import rows_of
from db.table_registry import tables_in_order
from db.vocabulary import Sensitivity
from memory.events.record import open_content
from memory.unit import Unit

FORMAT = "keepsake-export-1"
# Tables with a `sealed` column, and the column that names the place each row is sealed for.
SEALED_FOR = {"fact_versions": "fact_id", "proposals": "id", "decisions": "id", "tasks": "id", "summaries": "id"}


async def export_data(unit: Unit) -> dict[str, Any]:
    """Export every row of the viewer in every table, with sealed words decrypted."""
    tables = {}
    for table in tables_in_order():
        rows = await rows_of(unit.session, unit.viewer, table)
        tables[table] = [await _open_row(unit, table, row) for row in rows]
    await note(unit.session, unit.viewer, "exported", unit.viewer.person, unit.now)
    return {"format": FORMAT, "exported_at": unit.now.isoformat(), "user": unit.viewer.person, "tables": tables}


def export_as_markdown(document: Mapping[str, Any]) -> str:
    """Render an exported document for a person: facts with their history, conversations, and row counts of the rest."""
    tables = document["tables"]
    lines = [f"# What Keepsake holds about {document['user']}", "", f"Exported {document['exported_at']}."]
    lines += ["", "## Facts", *_facts(tables), "", "## Conversations"]
    in_order = sorted(tables["events"], key=lambda event: (event["conversation_id"], event["seq"]))
    for conversation, events in groupby(in_order, key=lambda event: event["conversation_id"]):
        lines += ["", f"### {conversation}", ""]
        lines += [f"- {e['ts'][:16]} {e['actor_type']}: {_words(e['content'])}" for e in events]
    lines += ["", "## Everything else", ""]
    lines += [f"- {name}: {len(rows)}" for name, rows in sorted(tables.items()) if name not in {"events", "facts"}]
    return "\n".join(lines) + "\n"


def _facts(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[str]:
    versions = {
        fact_id: sorted(group, key=lambda version: version["version"])
        for fact_id, group in groupby(
            sorted(tables["fact_versions"], key=lambda version: version["fact_id"]),
            key=lambda version: version["fact_id"],
        )
    }
    lines = []
    for fact in sorted(tables["facts"], key=lambda fact: (fact["category"], fact["created_at"], fact["id"])):
        *earlier, last = versions[fact["id"]]
        marks = [mark for mark in (fact["visibility"], "deleted" if fact["deleted_at"] else "") if mark]
        lines += ["", f"- **{_words(last)}** [{fact['id']}] ({fact['category']}, {', '.join(marks)})"]
        lines += [f"  - {version['created_at'][:10]}: {_words(version)}" for version in earlier]
    return lines or ["", "None."]


def _words(content: Mapping[str, Any]) -> str:
    words = content.get("content", content.get("text", content.get("excerpt_text")))
    return " ".join(str(words).split()) if isinstance(words, str) else str({k: v for k, v in content.items() if v})


async def _open_row(unit: Unit, table: str, row: dict[str, Any]) -> dict[str, Any]:
    """Decrypt the sealed words of a row. Without the key they stay sealed."""
    if table == "events":
        row["content"] = await open_content(unit, unit.viewer.person, row["id"], row["content"]) or row["content"]
    elif table in SEALED_FOR and row["sealed"] is not None:
        sealed = b64decode(row["sealed"]["base64"])
        words = await unit.vault.open(unit.viewer.person, row[SEALED_FOR[table]], sealed)
        row |= {**words, "sealed": None} if words else {}
    elif table == "artifacts" and row["sensitivity"] == Sensitivity.HIGH:
        content = await unit.vault.open(unit.viewer.person, row["id"], b64decode(row["bytes"]["base64"]))
        row |= {"bytes": {"base64": content["base64"]}, "meta": content["meta"]} if content else {"bytes": None}
    return row
