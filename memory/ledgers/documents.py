"""Documents of a space: text or Markdown files that members added, recalled together with its messages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from db.queries.ledgers import artifacts as queries
from db.queries.ledgers.artifacts import ArtifactRow
from db.queries.retrieval.chunks import pieces_of_document
from db.vocabulary import ArtifactKind
from memory.cleaning import visible
from memory.errors import NotFound, Refused
from memory.ledgers import artifacts
from memory.ledgers.artifacts import PreparedArtifact, prepare_artifact
from memory.refusals import Refusal
from memory.retrieval.chunks import chunk_missing, split_text
from memory.unit import Unit

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Document:
    """A document and its number of indexed chunks. A sensitive document has none; a search decrypts it."""

    row: ArtifactRow
    name: str
    chunks: int


async def prepare_document(name: str, data: bytes) -> PreparedArtifact:
    """Clean, redact and classify. Call before opening a transaction."""
    title = visible(name)[:LONGEST_NAME]
    if not title:
        raise Refused(Refusal.DOCUMENT_UNNAMED)
    return await asyncio.to_thread(prepare_artifact, data, kind=ArtifactKind.DOCUMENT, meta={"name": title})


async def add_document(unit: Unit, prepared: PreparedArtifact) -> Document:
    """Store a document for all readers of the viewer's space. Adding the same one again changes nothing."""
    if not prepared.data.strip():
        raise Refused(Refusal.DOCUMENT_EMPTY)
    row = await artifacts.store(unit, prepared)
    await chunk_missing(unit, [row.id])
    return Document(row, name_of(row), await pieces_of_document(unit.session, unit.viewer, row.id))


def name_of(row: ArtifactRow) -> str:
    return str(row.meta.get("name") or "")


async def list_documents(unit: Unit) -> Sequence[ArtifactRow]:
    """List the documents of the viewer's space, newest first, without their bytes."""
    return await artifacts.open_rows(unit, await queries.documents(unit.session, unit.viewer))


async def document_part(unit: Unit, document_id: str, part: int) -> tuple[str, datetime, str] | None:
    """Return name, time and text of one part, cut from the document itself.

    Chunks are no substitute: sealed documents have none, and others may have been rebuilt since the recall.
    """
    row = await queries.artifact(unit.session, unit.viewer, document_id)
    if row is None or row.kind != ArtifactKind.DOCUMENT:
        return None
    [opened] = await artifacts.open_rows(unit, [row])
    if opened.data is None:
        return None
    parts = await asyncio.to_thread(split_text, opened.data.decode(errors="replace"))
    return (name_of(opened), opened.ts, parts[part]) if part < len(parts) else None


async def remove_document(unit: Unit, document_id: str) -> None:
    """Remove a document that the viewer added, with its chunks."""
    if not await queries.remove_document(unit.session, unit.viewer, document_id):
        raise NotFound(Refusal.DOCUMENT_NOT_FOUND)
