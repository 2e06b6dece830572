"""Artifacts: what is too long for an event, kept once, read by the line, and removed when it is old and not cited."""

import asyncio
import hmac
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from db.ids import timed_id
from db.queries.ledgers import artifacts as queries
from db.queries.ledgers.artifacts import ArtifactRow
from db.viewer import Viewer
from db.vocabulary import ArtifactKind, Sensitivity
from memory.cleaning import clean
from memory.errors import NotFound, Refused
from memory.events.contents import redact_content, texts_in
from memory.events.tool_results import LONGEST_WHOLE, MOST_BYTES, cut, lines_in
from memory.privacy.channels import ensure_loadable
from memory.privacy.classify import classify
from memory.privacy.redaction import redact
from memory.unit import Memory, Unit

LONGEST_TEXT, LONGEST_BLOB = LONGEST_WHOLE, 20_000_000
MOST_FIELDS, LONGEST_FIELD = 20, 1000
LINE = re.compile(r"[^\n]*\n|[^\n]+")
# Runs of letters in bytes that are no text, also where a zero follows each.
LETTERS = re.compile(rb"(?:[\x20-\x7e]\x00?){8,}")


@dataclass(frozen=True, slots=True)
class PreparedArtifact:
    """Bytes without what must never be stored."""

    data: bytes = field(repr=False)
    kind: ArtifactKind
    meta: dict[str, Any]
    refs: tuple[str, ...]
    sensitivity: Sensitivity
    is_text: bool


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of an artifact, counted from 1; `truncated` when more of those asked for did not fit."""

    artifact_id: str
    text: str
    first_line: int
    last_line: int
    lines: int
    truncated: bool
    is_sensitive: bool = False


def prepare_artifact(
    data: bytes, *, kind: ArtifactKind, meta: Mapping[str, Any] | None = None, refs: Sequence[str] = ()
) -> PreparedArtifact:
    """Clean, redact and classify, before any transaction is open: a long text takes its time."""
    fields = _fields(meta or {})
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _prepared_blob(data, kind, fields, refs)
    if len(data) > LONGEST_TEXT:
        raise Refused("Not kept: a text has at most {most:,} bytes.", most=LONGEST_TEXT)
    words = redact(clean(text)).text
    sensitivity = classify("\n".join([words, *texts_in(fields)]))
    return PreparedArtifact(words.encode(), kind, fields, tuple(refs), sensitivity, is_text=True)


async def keep(
    unit: Unit, data: bytes, *, kind: ArtifactKind, meta: Mapping[str, Any] | None = None, refs: Sequence[str] = ()
) -> ArtifactRow:
    """Keep bytes; the same once more, for the same audience and purpose, are the same artifact."""
    return await store(unit, await asyncio.to_thread(prepare_artifact, data, kind=kind, meta=meta, refs=refs))


async def store(unit: Unit, prepared: PreparedArtifact) -> ArtifactRow:
    ensure_loadable(unit.viewer, prepared.sensitivity)
    new_id = timed_id("art", unit.now)
    artifact_id = await queries.keep_artifact(
        unit.session,
        unit.viewer,
        id=new_id,
        ts=unit.now,
        kind=prepared.kind,
        refs=list(prepared.refs),
        is_text=prepared.is_text,
        sensitivity=prepared.sensitivity,
        **await sealed(unit, new_id, prepared.data, prepared.meta, prepared.sensitivity),
    )
    return await find(unit, artifact_id)


async def sealed(
    unit: Unit, artifact_id: str, data: bytes, meta: Mapping[str, Any], sensitivity: Sensitivity
) -> dict[str, Any]:
    """The columns that hold it. What is sensitive would be known by a plain hash to whoever can guess it."""
    if sensitivity != Sensitivity.HIGH:
        return {"bytes": data, "meta": dict(meta), "sha256": sha256(data).digest()}
    content = {"base64": b64encode(data).decode(), "meta": dict(meta)}
    hashed = hmac.digest(await unit.vault.own_key(), data, "sha256")
    return {"bytes": await unit.vault.seal(artifact_id, content), "meta": {}, "sha256": hashed}


async def find(unit: Unit, artifact_id: str) -> ArtifactRow:
    row = await queries.artifact(unit.session, unit.viewer, artifact_id)
    if row is None:
        raise NotFound("There is no such artifact, or it was old and is gone.")
    return (await opened(unit, [row]))[0]


async def data(unit: Unit, artifact_id: str) -> bytes:
    """All of its bytes."""
    return _data(await find(unit, artifact_id))


async def read(
    unit: Unit, artifact_id: str, *, first_line: int = 1, last_line: int | None = None, most_bytes: int = MOST_BYTES
) -> Excerpt:
    """Some of its lines, as many as fit."""
    row = await find(unit, artifact_id)
    try:
        text = _data(row).decode()
    except UnicodeDecodeError:
        raise Refused("That is no text; only its bytes can be had.") from None
    is_sensitive = row.sensitivity == Sensitivity.HIGH
    return replace(excerpt(row.id, text, first_line, last_line, most_bytes), is_sensitive=is_sensitive)


def excerpt(artifact_id: str, text: str, first_line: int, last_line: int | None, most_bytes: int) -> Excerpt:
    """Some lines of a text, as many as fit. Pure."""
    lines = LINE.findall(text)
    first = max(first_line, 1)
    wanted = "".join(lines[first - 1 : last_line])
    shown = cut(wanted, most_bytes)
    last = first + lines_in(shown) - 1
    return Excerpt(artifact_id, shown, first, last, len(lines), len(shown) < len(wanted))


async def remove_old(unit: Unit, before: datetime) -> int:
    """Remove the viewer's artifacts that were last kept before a moment, but no document and none that a decision
    rests on. Gives how many that were."""
    return await queries.remove_old(unit.session, unit.viewer, before)


async def remove_due(memory: Memory, tenant: str, now: datetime) -> int:
    """The same for everybody, of what is older than artifacts are kept."""
    before = now - memory.limits.artifacts
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        users = await queries.due_artifacts(session, before)
    count = 0
    for user in users:
        async with memory.unit(Viewer.in_private(tenant, user), now=now) as unit:
            count += await remove_old(unit, before)
    return count


async def opened(unit: Unit, rows: Sequence[ArtifactRow]) -> list[ArtifactRow]:
    """The rows with what is sealed in them opened; without `data` where its key is not at hand."""
    found = []
    for row in rows:
        if row.sensitivity == Sensitivity.HIGH and row.data is not None:
            content = await unit.vault.open(row.owner, row.id, row.data)
            plain = {"data": b64decode(content["base64"]), "meta": content["meta"]} if content else {"data": None}
            row = replace(row, **plain)
        found.append(row)
    return found


def _data(row: ArtifactRow) -> bytes:
    if row.data is None:
        raise Refused("That is sealed, and the key that opens it is missing.")
    return row.data


def _prepared_blob(data: bytes, kind: ArtifactKind, fields: dict[str, Any], refs: Sequence[str]) -> PreparedArtifact:
    """What cannot be redacted is kept as it is, or, with a secret in it, not at all."""
    if kind != ArtifactKind.BLOB:
        raise Refused("Not kept: that is no text in UTF-8. Only a blob may be anything.")
    if len(data) > LONGEST_BLOB:
        raise Refused("Not kept: a blob has at most {most:,} bytes.", most=LONGEST_BLOB)
    letters = b"\n".join(run.replace(b"\0", b"") for run in LETTERS.findall(data)).decode()
    if redact(letters).kinds:
        raise Refused("Not kept: the file holds what looks like a secret.")
    sensitivity = classify("\n".join([letters, *texts_in(fields)]))
    return PreparedArtifact(data, kind, fields, tuple(refs), sensitivity, is_text=False)


def _fields(meta: Mapping[str, Any]) -> dict[str, Any]:
    """A flat description: names with texts, numbers or truths."""
    kept: dict[str, Any] = redact_content({str(name): value for name, value in meta.items()}, [])
    flat = all(isinstance(value, str | int | float | None) for value in kept.values())
    long = any(len(str(part)) > LONGEST_FIELD for pair in kept.items() for part in pair)
    if not flat or long or len(kept) > MOST_FIELDS:
        raise Refused(
            "Not kept: a description has at most {most} plain fields of {longest:,} characters.",
            most=MOST_FIELDS,
            longest=LONGEST_FIELD,
        )
    return kept
