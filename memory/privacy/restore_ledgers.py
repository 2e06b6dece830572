"""Prepares the ledgers of an exported document for restoring: deduplicates, orders and seals their rows."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from db.vocabulary import ArtifactKind, Sensitivity
from memory.ledgers import artifacts
from memory.ledgers.artifacts import prepare_artifact
from memory.ledgers.decisions import GROUNDS, read_decision
from memory.ledgers.tasks import read_task
from memory.ledgers.views import LONGEST as LONGEST_VIEW
from memory.privacy.classify import classify
from memory.unit import Unit

Row = dict[str, Any]

# The text columns of each ledger, with their values once the words are sealed.
SEALED_TEXT: Mapping[str, Row] = {
    "decisions": {"decision": None, **{name: [] for name in GROUNDS}},
    "tasks": {"title": None, "details": ""},
}


def deduplicate_artifacts(rows: list[Row]) -> tuple[list[Row], dict[str, str]]:
    """Keep one row for the same bytes from several spaces. Also returns which id is kept instead of which."""
    first: dict[tuple[str, str], Row] = {}
    kept_instead = {}
    for row in rows:
        kept = first.setdefault((row["kind"], row["bytes"]["base64"]), row)
        if kept is not row:
            kept_instead[row["id"]] = kept["id"]
    return list(first.values()), kept_instead


def renumber_views(rows: list[Row]) -> list[Row]:
    """Number the versions of views from several spaces in order of creation."""
    counts: dict[tuple[str, str], int] = {}
    numbered = []
    for row in sorted(rows, key=lambda row: (row["created_at"], row["version"])):
        key = (row["name"], row["scope"])
        counts[key] = counts.get(key, 0) + 1
        if len(row["content"]) > LONGEST_VIEW or classify(row["content"]) == Sensitivity.HIGH:
            raise ValueError("a view that could not have been written here")
        numbered.append({**row, "version": counts[key]})
    return numbered


def order_decisions(rows: list[Row]) -> list[Row]:
    """Order decisions so that each follows the one it supersedes; the database then marks that one as superseded.

    References to decisions outside the document are dropped. Older documents name the successor instead.
    """
    predecessors = {row["superseded_by"]: row["id"] for row in rows if row["superseded_by"]}
    predecessors |= {row["id"]: row["supersedes"] for row in rows if row.get("supersedes")}
    pending, ordered = {row["id"]: row for row in rows}, list[Row]()
    superseded = {predecessors[id] for id in pending if id in predecessors}
    while ready := [row for row in pending.values() if predecessors.get(row["id"]) not in pending]:
        before = {row["id"] for row in ordered}
        for row in ready:
            status = "active" if row["id"] in superseded else row["status"]
            predecessor = predecessors.get(row["id"])
            link = {"supersedes": predecessor if predecessor in before else None, "superseded_by": None}
            ordered.append({**row, "status": status, **link})
            del pending[row["id"]]
    if pending:
        raise ValueError("decisions that supersede each other in a circle")
    return ordered


async def artifact_columns(unit: Unit, row: Row) -> Row:
    """The content columns of an artifact, prepared and classified anew whatever the document says."""
    data = b64decode(row["bytes"]["base64"])
    prepared = prepare_artifact(data, kind=ArtifactKind(row["kind"]), meta=row["meta"])
    level = Sensitivity.most(Sensitivity(row["sensitivity"]), prepared.sensitivity)
    columns = await artifacts.content_columns(unit, row["id"], prepared.data, prepared.meta, level)
    for name in ("bytes", "sha256"):
        columns[name] = {"base64": b64encode(columns[name]).decode()}
    return {**columns, "sensitivity": level, "is_text": prepared.is_text}


async def text_columns(unit: Unit, table: str, row: Row) -> Row:
    """The text columns of a decision or a task, sealed if sensitive, whatever the document says."""
    words = {name: row[name] for name in SEALED_TEXT[table]}
    read_decision(words) if table == "decisions" else read_task(words)
    texts = [words[name] if isinstance(words[name], str) else "\n".join(words[name]) for name in words]
    level = Sensitivity.most(Sensitivity(row["sensitivity"]), classify("\n".join(texts)))
    if level != Sensitivity.HIGH:
        return {"sensitivity": level}
    sealed = {"base64": b64encode(await unit.vault.seal(row["id"], words)).decode()}
    return {**SEALED_TEXT[table], "sealed": sealed, "sensitivity": level}
