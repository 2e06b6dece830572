"""Loads an exported document into a user who has nothing yet: versions, times and words intact."""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import Any

from db.ids import short_id, timed_id
from db.queries.audit import note
from db.queries.erasure import TombstoneRow
from db.queries.people import choose_categories, choose_mode
from db.queries.transfer import has_facts, writable_columns, write_rows
from db.registry import HOLDINGS, tables_in_order
from db.viewer import personal_space
from db.vocabulary import Approval, Category, Channel, Mode, Sensitivity
from memory.errors import Refused
from memory.facts import LONGEST, SHORTEST
from memory.privacy.export import FORMAT
from memory.privacy.redaction import redact
from memory.privacy.sensitivity import classify
from memory.privacy.tombstones import matches
from memory.record import fit_to_store, texts_in
from memory.unit import Unit

Tables = Mapping[str, list[dict[str, Any]]]

SHORT = re.compile(r"^[A-Za-z0-9]{8}$")
TIMED = re.compile(r"^([a-z]{3})_[0-9A-Z]{26}$")
NOT_OURS = "This is not an export of Keepsake that this version can load."


async def load(unit: Unit, document: Mapping[str, Any]) -> int:
    """Write what the document holds; gives how many facts came in. Of what its owner had forgotten, nothing does."""
    if await has_facts(unit.session, unit.viewer):
        raise Refused("This user remembers things already. An export is loaded into an empty user only.")
    tables = _checked(document)
    stones = [_stone(row) for row in tables.get("tombstones", [])]
    forgotten = {
        version["fact_id"]
        for version in tables.get("fact_versions", [])
        if version["content"] and any(matches(stone, version["content"]) for stone in stones)
    }
    renamed = _Renaming(unit, same_person=document["user"] == unit.viewer.person)
    for table in tables_in_order():
        if table == "fact_versions":
            await _load_facts(unit, tables, forgotten, renamed)
        elif HOLDINGS[table].restored and table != "facts":
            await _write(unit, table, tables.get(table, []), renamed)
    await _load_choices(unit, tables.get("users", []))
    await note(unit.session, unit.viewer, "imported", unit.viewer.person, unit.now)
    return len({row["id"] for row in tables.get("facts", [])} - forgotten)


async def _load_facts(unit: Unit, tables: Tables, forgotten: set[str], renamed: "_Renaming") -> None:
    """Each fact with its versions, the deleted ones first: of an attribute with one value one is alive at a time."""
    for fact in sorted(tables.get("facts", []), key=lambda fact: fact["deleted_at"] is None):
        if fact["id"] not in forgotten:
            versions = [version for version in tables["fact_versions"] if version["fact_id"] == fact["id"]]
            await _write(unit, "facts", [fact], renamed)
            await _write(unit, "fact_versions", sorted(versions, key=lambda version: version["version"]), renamed)


async def _write(unit: Unit, table: str, rows: list[dict[str, Any]], renamed: "_Renaming") -> None:
    await write_rows(unit.session, table, [await _ready(unit, table, row, renamed) for row in rows])


async def _load_choices(unit: Unit, users: list[dict[str, Any]]) -> None:
    for user in users:
        await choose_mode(unit.session, unit.viewer, Mode(user["mode"]))
        never = frozenset(map(Category, user["never_remember"]))
        await choose_categories(unit.session, unit.viewer, never)


def _checked(document: Mapping[str, Any]) -> Tables:
    tables = document.get("tables") if isinstance(document, Mapping) else None
    if document.get("format") != FORMAT or not isinstance(document.get("user"), str) or not isinstance(tables, dict):
        raise Refused(NOT_OURS)
    for name, rows in tables.items():
        if name not in HOLDINGS or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise Refused(NOT_OURS)
    for version in tables.get("fact_versions", []):
        words = version.get("content")
        if not isinstance(words, str) or not SHORTEST <= len(words) <= LONGEST or redact(words).kinds:
            raise Refused("The document holds a fact without readable words, or with a secret in them.")
    return tables


def _stone(row: Mapping[str, Any]) -> TombstoneRow:
    return TombstoneRow(None, None, b64decode(row["salt"]["base64"]), b64decode(row["hash"]["base64"]))


class _Renaming:
    """New ids for another person's copy; the same person's own data keeps its ids."""

    def __init__(self, unit: Unit, *, same_person: bool) -> None:
        self._now = unit.now
        self._same = same_person
        self._names: dict[str, str] = {}

    def of(self, name: str) -> str:
        if self._same:
            return name
        if name not in self._names:
            timed = TIMED.match(name)
            self._names[name] = timed_id(timed[1], self._now) if timed else short_id() if SHORT.match(name) else name
        return self._names[name]

    def refs(self, names: list[str]) -> list[str]:
        return [self.of(name) for name in names]


async def _ready(unit: Unit, table: str, row: Mapping[str, Any], renamed: _Renaming) -> dict[str, Any]:
    """The row as this user may write it: theirs, in their personal space, in private."""
    person, home = unit.viewer.person, personal_space(unit.viewer.person)
    columns = writable_columns(table)
    ours = {name: value for name, value in row.items() if name in columns}
    for name, value in ours.items():
        if (name == "id" or name.endswith("_id")) and isinstance(value, str):
            ours[name] = renamed.of(value)
    given = {"tenant_id": unit.viewer.tenant, "user_id": person, "space_id": home, "channel": Channel.PRIVATE}
    ours |= {name: value for name, value in given.items() if name in columns}
    if ours.get("refs"):
        ours["refs"] = renamed.refs(ours["refs"])
    match table:
        case "facts":
            ours |= {"visibility": "private", "sensitivity": Sensitivity.NONE}
        case "conversations":
            ours |= {"next_seq": 0, "next_message_seq": 0}
        case "fact_versions":
            theirs = ours["author"] in {"assistant", "keepsake"}
            ours |= {"approved_by": person, "author": ours["author"] if theirs else person, "visibility": "private"}
            ours["approval"] = Approval.IMPORT
            ours |= await _sealed_words(unit, ours["fact_id"], ours)
        case "events":
            ours |= await _fit_event(unit, ours)
            ours.pop("update_id", None)
        case "decisions" if ours.get("superseded_by"):
            ours["superseded_by"] = renamed.of(ours["superseded_by"])
    return ours


async def _sealed_words(unit: Unit, place: str, version: Mapping[str, Any]) -> dict[str, Any]:
    words = {name: version.get(name) for name in ("content", "subject", "value")}
    high = classify(str(words["content"])) == Sensitivity.HIGH or version.get("sensitivity") == Sensitivity.HIGH
    if not high:
        return {}
    sealed = {"base64": b64encode(await unit.vault.seal(place, words)).decode()}
    return {"content": None, "subject": None, "value": None, "sealed": sealed, "sensitivity": Sensitivity.HIGH}


async def _fit_event(unit: Unit, event: Mapping[str, Any]) -> dict[str, Any]:
    """A document may have been edited: nothing comes in that would not have been written here."""
    content = fit_to_store(event["content"], [])
    found = classify("\n".join(texts_in(content)))
    if Sensitivity.HIGH not in {found, event.get("sensitivity")}:
        return {"content": content}
    sealed = b64encode(await unit.vault.seal(event["id"], content)).decode()
    return {"content": {"sealed": sealed}, "sensitivity": Sensitivity.HIGH}
