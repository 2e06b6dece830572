"""Loads an exported document into a user who has nothing yet: versions, times and words intact.

A document comes from outside and may have been edited: what does not look like an export of ours is refused as a whole,
and nothing comes in that could not have been written here.
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
from db.table_registry import HOLDINGS, tables_in_order
from db.viewer import personal_space
from db.vocabulary import Approval, Attribute, Category, Channel, Mode, Sensitivity
from memory.errors import Refused
from memory.events.contents import texts_in
from memory.facts.facts import LONGEST, SHORTEST, sensitivity_of
from memory.privacy import restore_ledgers
from memory.privacy.classify import classify
from memory.privacy.export import FORMAT
from memory.privacy.forgetting.tombstones import is_forgotten
from memory.privacy.redaction import redact
from memory.retrieval.chunks import cut_missing
from memory.unit import Unit

Row = dict[str, Any]
Tables = Mapping[str, list[Row]]
Notice = Callable[[int, int], None]
"""Told how many rows are written, and of how many."""

SHORT = re.compile(r"^[A-Za-z0-9]{8}$")
TIMED = re.compile(r"^([a-z]{3})_[0-9A-Z]{26}$")
NAMES = frozenset({"agent_id", "actor_id", "from_agent", "to_agent"})  # of speakers, not of rows
DOCUMENT = "document"  # by what its note in the audit log knows one again
NOT_OURS = "This is not an export of Keepsake that this version can load."


async def load(unit: Unit, document: Any, notice: Notice = lambda done, of: None) -> int | None:
    """Write what the document holds, but nothing that was forgotten, there or here. Gives how many facts came in; None,
    where this very document came in before, whatever became of it since."""
    named = await asyncio.to_thread(_name_of, document)
    if not await is_empty(unit.session, unit.viewer):
        if any(row.details.get(DOCUMENT) == named for row in await audit_of(unit.session, unit.viewer)):
            return None
        raise Refused("This user has said or remembered things already. An export is loaded into an empty user only.")
    try:
        tables = await asyncio.to_thread(_checked, document)
        stones = [*map(_stone, tables["tombstones"]), *await tombstones_of(unit.session, unit.viewer)]
        forgotten = {
            version["fact_id"] for version in tables["fact_versions"] if is_forgotten(version["content"], stones)
        }
        renamed = _Renaming(unit, document["user"], tables)
        rows = {table: await _ready_rows(unit, table, tables, renamed) for table in tables_in_order()}
        choices = [(Mode(user["mode"]), frozenset(map(Category, user["never_remember"]))) for user in tables["users"]]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Refused(NOT_OURS) from error
    lost = {renamed.of(fact_id) for fact_id in forgotten}
    in_order = [*_in_order(rows, lost)]
    for done, (table, row) in enumerate(in_order, start=1):
        await write_rows(unit.session, table, [row])
        notice(done, len(in_order))
    for mode, never in choices:
        await choose_mode(unit.session, unit.viewer, mode)
        await choose_categories(unit.session, unit.viewer, never)
    await cut_missing(unit)
    await note(unit.session, unit.viewer, "imported", unit.viewer.person, unit.now, **{DOCUMENT: named})
    return len({row["id"] for row in rows["facts"]} - lost)


def _name_of(document: Any) -> str:
    """By which a document is known again."""
    try:
        return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    except RecursionError as error:
        raise Refused(NOT_OURS) from error


def _checked(document: Any) -> Tables:
    """The tables of a document, each of them there; raises whatever a wrong shape makes Python raise."""
    ours = document["format"] == FORMAT and isinstance(document["user"], str)
    if not ours or not document["tables"].keys() <= HOLDINGS.keys():
        raise ValueError("another format")
    tables: dict[str, list[Row]] = {name: list(document["tables"].get(name, [])) for name in HOLDINGS}
    told = {version["fact_id"] for version in tables["fact_versions"]}
    if told != {fact["id"] for fact in tables["facts"]} or not all(_is_content(row) for row in tables["events"]):
        raise ValueError("facts without words, words without facts, or events without content")
    for version in tables["fact_versions"]:
        if not SHORTEST <= len(version["content"]) <= LONGEST:
            raise ValueError("a fact that is too short or too long")
    for name, rows in tables.items():
        texts = [text for row in rows for text in _words_of(row)] if HOLDINGS[name].restored else []
        "".join(texts).encode()  # half a character is none
        if any(redact(text).kinds for text in texts):
            raise Refused("The document holds what looks like a secret. Take it out, and load it again.")
    known = {conversation["id"] for conversation in tables["conversations"]}
    for event in tables["events"]:
        if event["conversation_id"] not in known:
            if not TIMED.match(event["conversation_id"]):
                raise ValueError("a message of no conversation")
            known.add(event["conversation_id"])
            tables["conversations"].append(_conversation_of(event))
    return tables


def _is_content(event: Row) -> bool:
    return isinstance(event["content"], dict) and "sealed" not in event["content"]


def _conversation_of(event: Row) -> Row:
    """What was said in a conversation that somebody else began comes with one of its own."""
    return {"id": event["conversation_id"], "agent_id": "keepsake", "started_at": event["ts"], "ended_at": event["ts"]}


def _words_of(row: Row) -> Iterable[str]:
    """Every text of a row, what is written in bytes too; not the ids, which look like secrets and are none."""
    for name, value in row.items():
        if name in {"sha256", "hash", "salt", "text_hash"} or name == "id" or name.endswith("_id"):
            continue
        if isinstance(value, dict) and value.keys() == {"base64"}:
            yield b64decode(value["base64"]).decode(errors="replace")
        else:
            yield from texts_in(value)


def _stone(row: Row) -> TombstoneRow:
    return TombstoneRow(None, None, b64decode(row["salt"]["base64"]), b64decode(row["hash"]["base64"]))


class _Renaming:
    """New ids for another person's copy; the same person's own data keeps its ids."""

    def __init__(self, unit: Unit, person: str, tables: Tables) -> None:
        self._now = unit.now
        self._same = person == unit.viewer.person
        self.person = person
        self.attributes = {
            fact["id"]: Attribute(fact["attribute"]) if fact["attribute"] else None for fact in tables["facts"]
        }
        self._names: dict[str, str] = {}

    def of(self, name: str) -> str:
        if name not in self._names:
            timed = TIMED.match(name)
            new = timed_id(timed[1], self._now) if timed else short_id() if SHORT.match(name) else name
            self._names[name] = name if self._same else new
        return self._names[name]

    def as_one(self, name: str, other: str) -> None:
        """What comes in once under the name of another."""
        self._names[name] = self.of(other)


async def _ready_rows(unit: Unit, table: str, tables: Tables, renamed: _Renaming) -> list[Row]:
    if not HOLDINGS[table].restored:
        return []
    rows = tables[table]
    if table == "facts":
        rows = sorted(rows, key=lambda row: row["deleted_at"] or "")
    if table == "fact_versions":
        rows = sorted(rows, key=lambda row: int(row["version"]))
    if table == "artifacts":
        rows, instead = restore_ledgers.each_once(rows)
        for name, kept in instead.items():
            renamed.as_one(name, kept)
    if table == "views":
        rows = restore_ledgers.numbered_anew(rows)
    if table == "decisions":
        rows = restore_ledgers.predecessors_first(rows)
    return [typed(table, await _ready(unit, table, row, renamed)) for row in rows]


async def _ready(unit: Unit, table: str, row: Row, renamed: _Renaming) -> Row:
    """The row as this user may write it: theirs, in their personal space, in private."""
    person, home = unit.viewer.person, personal_space(unit.viewer.person)
    columns = writable_columns(table)
    ours = {name: value for name, value in row.items() if name in columns}
    for name, value in ours.items():
        if (name == "id" or name.endswith("_id") or name == "supersedes") and name not in NAMES and value is not None:
            ours[name] = renamed.of(value)
    given = {"tenant_id": unit.viewer.tenant, "user_id": person, "space_id": home, "channel": Channel.PRIVATE}
    ours |= {name: value for name, value in given.items() if name in columns}
    if "refs" in ours:
        ours["refs"] = [renamed.of(name) for name in ours["refs"]]
    match table:
        case "facts":
            ours |= {"visibility": "private", "sensitivity": Sensitivity.NONE}
        case "conversations":
            ours |= {"next_seq": 0, "next_message_seq": 0}
        case "fact_versions":
            written = ours["author"] if ours["author"] in {"assistant", "keepsake"} else person
            ours |= {"approved_by": person, "author": written, "visibility": "private", "approval": Approval.IMPORT}
            ours |= await _sealed_words(unit, ours, renamed.attributes[row["fact_id"]])
        case "events":
            ours |= {"actor_id": person if ours["actor_id"] == renamed.person else ours["actor_id"], "update_id": None}
            ours |= await _sealed_content(unit, ours)
        case "decisions" | "tasks":
            ours |= await restore_ledgers.sealed_words(unit, table, ours)
        case "artifacts":
            ours |= await restore_ledgers.sealed_bytes(unit, ours)
    return ours


async def _sealed_words(unit: Unit, version: Row, attribute: Attribute | None) -> Row:
    words = {name: version.get(name) for name in ("content", "subject", "value")}
    given = Sensitivity(version["sensitivity"])
    level = Sensitivity.most(given, sensitivity_of(version["content"], attribute))
    if level != Sensitivity.HIGH:
        return {"sensitivity": level}
    sealed = {"base64": b64encode(await unit.vault.seal(version["fact_id"], words)).decode()}
    return {"content": None, "subject": None, "value": None, "sealed": sealed, "sensitivity": Sensitivity.HIGH}


async def _sealed_content(unit: Unit, event: Row) -> Row:
    content = event["content"]
    if Sensitivity.HIGH not in {classify("\n".join(texts_in(content))), event.get("sensitivity")}:
        return {}
    sealed = b64encode(await unit.vault.seal(event["id"], content)).decode()
    return {"content": {"sealed": sealed}, "sensitivity": Sensitivity.HIGH}


def _in_order(rows: Tables, lost: set[str]) -> Iterator[tuple[str, Row]]:
    """Each fact comes with its versions, the deleted ones first: of an attribute with one value one is alive at a
    time."""
    versions: dict[str, list[Row]] = {}
    for version in rows["fact_versions"]:
        versions.setdefault(version["fact_id"], []).append(version)
    for table in tables_in_order():
        if table == "fact_versions":
            for fact in sorted(rows["facts"], key=lambda fact: "deleted_at" not in fact):
                if fact["id"] not in lost:
                    yield "facts", fact
                    yield from ((table, version) for version in versions[fact["id"]])
        elif table != "facts":
            yield from ((table, row) for row in rows[table])
