"""Makes the ledgers of an exported document ready to be written: in order, each once, sealed where they must be."""

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

# What stands in words, and what stands there once it is sealed.
WORDS: Mapping[str, Row] = {
    "decisions": {"decision": None, **{name: [] for name in GROUNDS}},
    "tasks": {"title": None, "details": ""},
}


def each_once(rows: list[Row]) -> tuple[list[Row], dict[str, str]]:
    """The same bytes in two spaces are the same at home; and which is kept instead of which."""
    first: dict[tuple[str, str], Row] = {}
    instead = {}
    for row in rows:
        kept = first.setdefault((row["kind"], row["bytes"]["base64"]), row)
        if kept is not row:
            instead[row["id"]] = kept["id"]
    return list(first.values()), instead


def numbered_anew(rows: list[Row]) -> list[Row]:
    """Versions of a view that were numbered in several spaces, in the order of their making."""
    counted: dict[tuple[str, str], int] = {}
    numbered = []
    for row in sorted(rows, key=lambda row: (row["created_at"], row["version"])):
        key = (row["name"], row["scope"])
        counted[key] = counted.get(key, 0) + 1
        if len(row["content"]) > LONGEST_VIEW or classify(row["content"]) == Sensitivity.HIGH:
            raise ValueError("a view that could not have been written here")
        numbered.append({**row, "version": counted[key]})
    return numbered


def predecessors_first(rows: list[Row]) -> list[Row]:
    """A decision names the one that it supersedes, which must be there before it and is then marked by the database;
    one that is not in the document is left out. (Documents of an earlier version name the successor instead.)"""
    before = {row["superseded_by"]: row["id"] for row in rows if row["superseded_by"]}
    before |= {row["id"]: row["supersedes"] for row in rows if row.get("supersedes")}
    waiting, written = {row["id"]: row for row in rows}, list[Row]()
    superseded = {before[name] for name in waiting if name in before}
    while ready := [row for row in waiting.values() if before.get(row["id"]) not in waiting]:
        known = {row["id"] for row in written}
        for row in ready:
            status = "active" if row["id"] in superseded else row["status"]
            earlier = before.get(row["id"])
            link = {"supersedes": earlier if earlier in known else None, "superseded_by": None}
            written.append({**row, "status": status, **link})
            del waiting[row["id"]]
    if waiting:
        raise ValueError("decisions that supersede each other in a circle")
    return written


async def sealed_bytes(unit: Unit, row: Row) -> Row:
    """What replaces the bytes of an artifact and what is said about them, whatever the document calls them."""
    data = b64decode(row["bytes"]["base64"])
    prepared = prepare_artifact(data, kind=ArtifactKind(row["kind"]), meta=row["meta"])
    level = Sensitivity.most(Sensitivity(row["sensitivity"]), prepared.sensitivity)
    columns = await artifacts.sealed(unit, row["id"], prepared.data, prepared.meta, level)
    for name in ("bytes", "sha256"):
        columns[name] = {"base64": b64encode(columns[name]).decode()}
    return {**columns, "sensitivity": level, "is_text": prepared.is_text}


async def sealed_words(unit: Unit, table: str, row: Row) -> Row:
    """What replaces the words of a decision or a task that is sensitive, whatever the document calls it."""
    words = {name: row[name] for name in WORDS[table]}
    read_decision(words) if table == "decisions" else read_task(words)
    spoken = [words[name] if isinstance(words[name], str) else "\n".join(words[name]) for name in words]
    level = Sensitivity.most(Sensitivity(row["sensitivity"]), classify("\n".join(spoken)))
    if level != Sensitivity.HIGH:
        return {"sensitivity": level}
    sealed = {"base64": b64encode(await unit.vault.seal(row["id"], words)).decode()}
    return {**WORDS[table], "sealed": sealed, "sensitivity": level}
