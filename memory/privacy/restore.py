"""Restores an exported document into an empty user, with versions, times and words intact.

A document may have been edited. One that does not look like our export is refused as a whole, and nothing comes in that
could not have been written here.
"""

import asyncio
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from db.ids import short_id, timed_id
from db.queries.people.people import choose_categories, choose_mode
from db.queries.privacy.audit import audit_of, note
from db.queries.privacy.erasure import TombstoneRow, tombstones_of
from db.queries.privacy.transfer import is_empty, typed, writable_columns, write_rows
from db.table_registry import TABLE_OWNERSHIP, tables_in_order
from db.viewer import personal_space
from db.vocabulary import Approval, Attribute, Category, Channel, Mode, Sensitivity
from memory.errors import Refused
from memory.events.contents import texts_in
from memory.facts.facts import LONGEST, SHORTEST, sensitivity_of
from memory.privacy import restore_ledgers
from memory.privacy.classify import classify
from memory.privacy.export import FORMAT
from memory.privacy.forgetting.tombstones import matches_tombstone
from memory.privacy.redaction import redact
from memory.refusals import Refusal
from memory.retrieval.chunks import chunk_missing
from memory.unit import Unit

Row = dict[str, Any]
Tables = Mapping[str, list[Row]]
Progress = Callable[[int, int], None]
"""Called with the number of written rows and the total."""

SHORT_ID = re.compile(r"^[A-Za-z0-9]{8}$")
TIMED_ID = re.compile(r"^([a-z]{3})_[0-9A-Z]{26}$")
SPEAKER_COLUMNS = frozenset({"agent_id", "actor_id", "from_agent", "to_agent"})  # ids of speakers, not of rows
DOCUMENT_HASH = "document"  # field of the audit log entry that identifies an imported document


async def load_export(unit: Unit, document: Any, progress: Progress = lambda done, of: None) -> int | None:
    """Write the document's rows, except what was forgotten in it or here.

    Returns the number of facts, or None if this very document was loaded before.
    """
    document_hash = await asyncio.to_thread(_hash_document, document)
    if not await is_empty(unit.session, unit.viewer):
        if any(row.details.get(DOCUMENT_HASH) == document_hash for row in await audit_of(unit.session, unit.viewer)):
            return None
        raise Refused(Refusal.IMPORT_NOT_EMPTY)
    try:
        tables = await asyncio.to_thread(_validate, document)
        tombstones = [*map(_tombstone, tables["tombstones"]), *await tombstones_of(unit.session, unit.viewer)]
        forgotten = {
            version["fact_id"]
            for version in tables["fact_versions"]
            if matches_tombstone(version["content"], tombstones)
        }
        ids = _IdMap(unit, document["user"], tables)
        rows = {table: await _prepare_rows(unit, table, tables, ids) for table in tables_in_order()}
        choices = [(Mode(user["mode"]), frozenset(map(Category, user["never_remember"]))) for user in tables["users"]]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Refused(Refusal.IMPORT_NOT_OURS) from error
    skipped = {ids.new_id(fact_id) for fact_id in forgotten}
    in_order = [*_order_rows(rows, skipped)]
    for done, (table, row) in enumerate(in_order, start=1):
        await write_rows(unit.session, table, [row])
        progress(done, len(in_order))
    for mode, never in choices:
        await choose_mode(unit.session, unit.viewer, mode)
        await choose_categories(unit.session, unit.viewer, never)
    await chunk_missing(unit)
    await note(unit.session, unit.viewer, "imported", unit.viewer.person, unit.now, **{DOCUMENT_HASH: document_hash})
    return len({row["id"] for row in rows["facts"]} - skipped)


def _hash_document(document: Any) -> str:
    try:
        return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    except RecursionError as error:
        raise Refused(Refusal.IMPORT_NOT_OURS) from error


def _validate(document: Any) -> Tables:
    """Return all tables of a document. A wrong shape raises whatever Python raises for it."""
    is_known_format = document["format"] == FORMAT and isinstance(document["user"], str)
    if not is_known_format or not document["tables"].keys() <= TABLE_OWNERSHIP.keys():
        raise ValueError("another format")
    tables: dict[str, list[Row]] = {name: list(document["tables"].get(name, [])) for name in TABLE_OWNERSHIP}
    with_words = {version["fact_id"] for version in tables["fact_versions"]}
    if with_words != {fact["id"] for fact in tables["facts"]} or not all(_is_content(row) for row in tables["events"]):
        raise ValueError("facts without words, words without facts, or events without content")
    for version in tables["fact_versions"]:
        if not SHORTEST <= len(version["content"]) <= LONGEST:
            raise ValueError("a fact that is too short or too long")
    for name, rows in tables.items():
        texts = [text for row in rows for text in _texts_of(row)] if TABLE_OWNERSHIP[name].restored else []
        "".join(texts).encode()  # raises on lone surrogates
        if any(redact(text).kinds for text in texts):
            raise Refused(Refusal.IMPORT_SECRET)
    conversations = {conversation["id"] for conversation in tables["conversations"]}
    for event in tables["events"]:
        if event["conversation_id"] not in conversations:
            if not TIMED_ID.match(event["conversation_id"]):
                raise ValueError("a message of no conversation")
            conversations.add(event["conversation_id"])
            tables["conversations"].append(_conversation_of(event))
    return tables


def _is_content(event: Row) -> bool:
    return isinstance(event["content"], dict) and "sealed" not in event["content"]


def _conversation_of(event: Row) -> Row:
    """A conversation for messages that were said in one that another person began and that is not exported."""
    return {"id": event["conversation_id"], "agent_id": "keepsake", "started_at": event["ts"], "ended_at": event["ts"]}


def _texts_of(row: Row) -> Iterable[str]:
    """Every text of a row, including text in bytes, but not ids and hashes: those look like secrets."""
    for name, value in row.items():
        if name in {"sha256", "hash", "salt", "text_hash"} or name == "id" or name.endswith("_id"):
            continue
        if isinstance(value, dict) and value.keys() == {"base64"}:
            yield b64decode(value["base64"]).decode(errors="replace")
        else:
            yield from texts_in(value)


def _tombstone(row: Row) -> TombstoneRow:
    return TombstoneRow(None, None, b64decode(row["salt"]["base64"]), b64decode(row["hash"]["base64"]))


class _IdMap:
    """Maps exported ids to new ones. Where the exporting person restores their own data, ids stay the same."""

    def __init__(self, unit: Unit, person: str, tables: Tables) -> None:
        self._now = unit.now
        self._keeps_ids = person == unit.viewer.person
        self.exported_person = person
        self.attributes = {
            fact["id"]: Attribute(fact["attribute"]) if fact["attribute"] else None for fact in tables["facts"]
        }
        self._ids: dict[str, str] = {}

    def new_id(self, id: str) -> str:
        if id not in self._ids:
            timed = TIMED_ID.match(id)
            new = timed_id(timed[1], self._now) if timed else short_id() if SHORT_ID.match(id) else id
            self._ids[id] = id if self._keeps_ids else new
        return self._ids[id]

    def merge(self, duplicate: str, kept: str) -> None:
        """Map a removed duplicate to the row that is kept."""
        self._ids[duplicate] = self.new_id(kept)


async def _prepare_rows(unit: Unit, table: str, tables: Tables, ids: _IdMap) -> list[Row]:
    if not TABLE_OWNERSHIP[table].restored:
        return []
    rows = tables[table]
    if table == "facts":
        rows = sorted(rows, key=lambda row: row["deleted_at"] or "")
    if table == "fact_versions":
        rows = sorted(rows, key=lambda row: int(row["version"]))
    if table == "artifacts":
        rows, kept_instead = restore_ledgers.deduplicate_artifacts(rows)
        for duplicate, kept in kept_instead.items():
            ids.merge(duplicate, kept)
    if table == "views":
        rows = restore_ledgers.renumber_views(rows)
    if table == "decisions":
        rows = restore_ledgers.order_decisions(rows)
    return [typed(table, await _prepare_row(unit, table, row, ids)) for row in rows]


async def _prepare_row(unit: Unit, table: str, row: Row, ids: _IdMap) -> Row:
    """Return the row as this user may write it: as their own, in private, in their personal space."""
    person, home = unit.viewer.person, personal_space(unit.viewer.person)
    writable = writable_columns(table)
    columns = {name: value for name, value in row.items() if name in writable}
    for name, value in columns.items():
        is_id = name in {"id", "supersedes"} or name.endswith("_id")
        if is_id and name not in SPEAKER_COLUMNS and value is not None:
            columns[name] = ids.new_id(value)
    owned = {"tenant_id": unit.viewer.tenant, "user_id": person, "space_id": home, "channel": Channel.PRIVATE}
    columns |= {name: value for name, value in owned.items() if name in writable}
    if "refs" in columns:
        columns["refs"] = [ids.new_id(ref) for ref in columns["refs"]]
    match table:
        case "facts":
            columns |= {"visibility": "private", "sensitivity": Sensitivity.NONE}
        case "conversations":
            columns |= {"next_seq": 0, "next_message_seq": 0}
        case "fact_versions":
            author = columns["author"] if columns["author"] in {"assistant", "keepsake"} else person
            columns |= {"approved_by": person, "author": author, "visibility": "private", "approval": Approval.IMPORT}
            columns |= await _fact_words(unit, columns, ids.attributes[row["fact_id"]])
        case "events":
            actor = person if columns["actor_id"] == ids.exported_person else columns["actor_id"]
            columns |= {"actor_id": actor, "update_id": None}
            columns |= await _event_content(unit, columns)
        case "decisions" | "tasks":
            columns |= await restore_ledgers.text_columns(unit, table, columns)
        case "artifacts":
            columns |= await restore_ledgers.artifact_columns(unit, columns)
    return columns


async def _fact_words(unit: Unit, version: Row, attribute: Attribute | None) -> Row:
    words = {name: version.get(name) for name in ("content", "subject", "value")}
    level = Sensitivity.most(Sensitivity(version["sensitivity"]), sensitivity_of(version["content"], attribute))
    if level != Sensitivity.HIGH:
        return {"sensitivity": level}
    sealed = {"base64": b64encode(await unit.vault.seal(version["fact_id"], words)).decode()}
    return {"content": None, "subject": None, "value": None, "sealed": sealed, "sensitivity": Sensitivity.HIGH}


async def _event_content(unit: Unit, event: Row) -> Row:
    content = event["content"]
    if Sensitivity.HIGH not in {classify("\n".join(texts_in(content))), event.get("sensitivity")}:
        return {}
    sealed = b64encode(await unit.vault.seal(event["id"], content)).decode()
    return {"content": {"sealed": sealed}, "sensitivity": Sensitivity.HIGH}


def _order_rows(rows: Tables, skipped: set[str]) -> Iterator[tuple[str, Row]]:
    """Yield rows in insertion order, each fact followed by its versions.

    Deleted facts come first, because a single-valued attribute may have only one active fact at a time.
    """
    versions: dict[str, list[Row]] = {}
    for version in rows["fact_versions"]:
        versions.setdefault(version["fact_id"], []).append(version)
    for table in tables_in_order():
        if table == "fact_versions":
            for fact in sorted(rows["facts"], key=lambda fact: "deleted_at" not in fact):
                if fact["id"] not in skipped:
                    yield "facts", fact
                    yield from ((table, version) for version in versions[fact["id"]])
        elif table != "facts":
            yield from ((table, row) for row in rows[table])
