"""Documents of a space: a text or Markdown file that its members gave it, recalled beside what was said there."""

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
from memory.retrieval.chunks import cut, cut_missing
from memory.unit import Unit

LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Document:
    """A document, and how many pieces of it are indexed: none where it is sensitive, and is opened to be searched."""

    row: ArtifactRow
    name: str
    pieces: int


async def prepare_document(name: str, data: bytes) -> PreparedArtifact:
    """Cleaned, redacted and classified, before any transaction is open."""
    title = visible(name)[:LONGEST_NAME]
    if not title:
        raise Refused("A document needs a name.")
    return await asyncio.to_thread(prepare_artifact, data, kind=ArtifactKind.DOCUMENT, meta={"name": title})


async def give(unit: Unit, prepared: PreparedArtifact) -> Document:
    """Keep a document in the viewer's space, for everybody who may read there. The same one again changes nothing."""
    if not prepared.data.strip():
        raise Refused("Not kept: the document is empty.")
    row = await artifacts.store(unit, prepared)
    await cut_missing(unit, [row.id])
    pieces = await pieces_of_document(unit.session, unit.viewer, row.id)
    return Document(row, name_of(row), pieces)


def name_of(row: ArtifactRow) -> str:
    return str(row.meta.get("name") or "")


async def here(unit: Unit) -> Sequence[ArtifactRow]:
    """The documents of the viewer's space, newest first, without their bytes."""
    return await artifacts.opened(unit, await queries.documents(unit.session, unit.viewer))


async def document_part(unit: Unit, document_id: str, part: int) -> tuple[str, datetime, str] | None:
    """Name, time and words of a part that was recalled once, from the document itself: what is sealed has no piece that
    is kept, and pieces are made anew."""
    row = await queries.artifact(unit.session, unit.viewer, document_id)
    if row is None or row.kind != ArtifactKind.DOCUMENT:
        return None
    [opened] = await artifacts.opened(unit, [row])
    if opened.data is None:
        return None
    parts = await asyncio.to_thread(cut, opened.data.decode(errors="replace"))
    return (name_of(opened), opened.ts, parts[part]) if part < len(parts) else None


async def take_back(unit: Unit, document_id: str) -> None:
    """Remove a document that the viewer gave; its pieces go with it."""
    if not await queries.remove_document(unit.session, unit.viewer, document_id):
        raise NotFound("There is no such document of yours here.")
