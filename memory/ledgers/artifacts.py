"""Artifacts: content too long for an event. It is stored once, read by lines, and removed when old and uncited."""

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
from memory.events.tool_results import LONGEST_WHOLE, MAX_BYTES, count_lines, cut_at_line
from memory.privacy.channels import ensure_loadable
from memory.privacy.classify import classify
from memory.privacy.redaction import redact
from memory.refusals import Refusal
from memory.unit import Memory, Unit

LONGEST_TEXT, LONGEST_BLOB = LONGEST_WHOLE, 20_000_000
MAX_FIELDS, LONGEST_FIELD = 20, 1000
LINE = re.compile(r"[^\n]*\n|[^\n]+")
# Runs of printable ASCII in binary data, also as UTF-16 with a zero after each byte.
LETTERS = re.compile(rb"(?:[\x20-\x7e]\x00?){8,}")


@dataclass(frozen=True, slots=True)
class PreparedArtifact:
    """Cleaned, redacted and classified bytes, ready to be stored."""

    data: bytes = field(repr=False)
    kind: ArtifactKind
    meta: dict[str, Any]
    refs: tuple[str, ...]
    sensitivity: Sensitivity
    is_text: bool


@dataclass(frozen=True, slots=True)
class ArtifactExcerpt:
    """Some lines of an artifact, numbered from 1. `truncated` is true if not all requested lines fit."""

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
    """Clean, redact and classify. A long text takes a while, so call this before opening a transaction."""
    fields = _fields(meta or {})
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _prepared_blob(data, kind, fields, refs)
    if len(data) > LONGEST_TEXT:
        raise Refused(Refusal.TEXT_TOO_LARGE, most=LONGEST_TEXT)
    words = redact(clean(text)).text
    sensitivity = classify("\n".join([words, *texts_in(fields)]))
    return PreparedArtifact(words.encode(), kind, fields, tuple(refs), sensitivity, is_text=True)


async def store_bytes(
    unit: Unit, data: bytes, *, kind: ArtifactKind, meta: Mapping[str, Any] | None = None, refs: Sequence[str] = ()
) -> ArtifactRow:
    """Store bytes. The same bytes for the same audience and purpose are the same artifact."""
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
        **await content_columns(unit, new_id, prepared.data, prepared.meta, prepared.sensitivity),
    )
    return await find(unit, artifact_id)


async def content_columns(
    unit: Unit, artifact_id: str, data: bytes, meta: Mapping[str, Any], sensitivity: Sensitivity
) -> dict[str, Any]:
    """Return the content columns, sealed if sensitive. Its hash is then keyed, which prevents testing guesses."""
    if sensitivity != Sensitivity.HIGH:
        return {"bytes": data, "meta": dict(meta), "sha256": sha256(data).digest()}
    content = {"base64": b64encode(data).decode(), "meta": dict(meta)}
    hashed = hmac.digest(await unit.vault.own_key(), data, "sha256")
    return {"bytes": await unit.vault.seal(artifact_id, content), "meta": {}, "sha256": hashed}


async def find(unit: Unit, artifact_id: str) -> ArtifactRow:
    row = await queries.artifact(unit.session, unit.viewer, artifact_id)
    if row is None:
        raise NotFound(Refusal.ARTIFACT_NOT_FOUND)
    return (await open_rows(unit, [row]))[0]


async def read_bytes(unit: Unit, artifact_id: str) -> bytes:
    return _data(await find(unit, artifact_id))


async def read_lines(
    unit: Unit, artifact_id: str, *, first_line: int = 1, last_line: int | None = None, most_bytes: int = MAX_BYTES
) -> ArtifactExcerpt:
    """Return the requested lines, as many as fit into `most_bytes`."""
    row = await find(unit, artifact_id)
    try:
        text = _data(row).decode()
    except UnicodeDecodeError:
        raise Refused(Refusal.ARTIFACT_NOT_TEXT) from None
    is_sensitive = row.sensitivity == Sensitivity.HIGH
    return replace(excerpt_lines(row.id, text, first_line, last_line, most_bytes), is_sensitive=is_sensitive)


def excerpt_lines(
    artifact_id: str, text: str, first_line: int, last_line: int | None, most_bytes: int
) -> ArtifactExcerpt:
    """Cut the requested lines out of a text, as many as fit. Pure."""
    lines = LINE.findall(text)
    first = max(first_line, 1)
    requested = "".join(lines[first - 1 : last_line])
    shown = cut_at_line(requested, most_bytes)
    last = first + count_lines(shown) - 1
    return ArtifactExcerpt(artifact_id, shown, first, last, len(lines), len(shown) < len(requested))


async def remove_old(unit: Unit, before: datetime) -> int:
    """Remove the viewer's artifacts last stored before a moment, except documents and cited artifacts.

    Returns the number removed.
    """
    return await queries.remove_old(unit.session, unit.viewer, before)


async def remove_due(memory: Memory, tenant: str, now: datetime) -> int:
    """Remove the expired artifacts of all users of a tenant. Returns the number removed."""
    before = now - memory.limits.artifacts
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        users = await queries.due_artifacts(session, before)
    count = 0
    for user in users:
        async with memory.unit(Viewer.in_private(tenant, user), now=now) as unit:
            count += await remove_old(unit, before)
    return count


async def open_rows(unit: Unit, rows: Sequence[ArtifactRow]) -> list[ArtifactRow]:
    """Return the rows with sealed content opened. `data` is None where the key is not available."""
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
        raise Refused(Refusal.SEALED)
    return row.data


def _prepared_blob(data: bytes, kind: ArtifactKind, fields: dict[str, Any], refs: Sequence[str]) -> PreparedArtifact:
    """Binary data cannot be redacted: it is stored as it is, or refused if it contains a secret."""
    if kind != ArtifactKind.BLOB:
        raise Refused(Refusal.BLOB_ONLY)
    if len(data) > LONGEST_BLOB:
        raise Refused(Refusal.BLOB_TOO_LARGE, most=LONGEST_BLOB)
    letters = b"\n".join(run.replace(b"\0", b"") for run in LETTERS.findall(data)).decode()
    if redact(letters).kinds:
        raise Refused(Refusal.FILE_SECRET)
    sensitivity = classify("\n".join([letters, *texts_in(fields)]))
    return PreparedArtifact(data, kind, fields, tuple(refs), sensitivity, is_text=False)


def _fields(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Validate and redact a flat description: names with texts, numbers or booleans."""
    kept: dict[str, Any] = redact_content({str(name): value for name, value in meta.items()}, [])
    flat = all(isinstance(value, str | int | float | None) for value in kept.values())
    long = any(len(str(part)) > LONGEST_FIELD for pair in kept.items() for part in pair)
    if not flat or long or len(kept) > MAX_FIELDS:
        raise Refused(Refusal.META_TOO_LARGE, most=MAX_FIELDS, longest=LONGEST_FIELD)
    return kept
