"""Splits texts at sentence ends into the chunks that recall searches, each with its terms and a token estimate."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import takewhile
from typing import Any
from unicodedata import category

from db.ids import derived_id
from db.queries.ledgers.artifacts import artifact
from db.queries.retrieval import chunks as queries
from db.queries.retrieval.chunks import NewChunk
from db.vocabulary import EventKind
from memory.language.terms import index_terms
from memory.model.tokens import estimate
from memory.unit import Unit

MAX_LENGTH = 1200  # characters; about as much as an embedder reads
MAX_TOKENS = 260  # so that at least three chunks, even in Thai, fit into the 800 tokens of evidence in a chat
ROOM = MAX_TOKENS - 1  # stripping the trailing white space may add a token
BLOCK = 60  # characters; an overlong sentence is cut into blocks of this size
SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？؟।])\s*|\n+")
JOINER, SKIN_TONES = "\u200d", re.compile("[\U0001f3fb-\U0001f3ff]")
MAX_MARKS = 16  # per letter
PAGE = 200
# The default importance of a chunk by kind: decisions before tasks before messages.
IMPORTANCE = {EventKind.DECISION: 1.0, EventKind.TASK_UPDATE: 0.7, EventKind.ARTIFACT: 0.4, EventKind.MESSAGE: 0.3}
MIN_IMPORTANCE = 0.2
# In this order, because JSONB does not keep the order of fields.
ARTIFACT_FIELDS = ("title", "name", "description", "summary", "caption", "excerpt_text", "text")


def split_text(text: str) -> list[str]:
    """The parts of a text that contain letters or digits, each within `MAX_LENGTH` and `MAX_TOKENS`. They are cut at
    sentence ends, else between words, else anywhere."""
    return list(iter_parts(text))


def iter_parts(text: str) -> Iterator[str]:
    """Like `split_text`, but lazy: a caller may need only the beginning of a book."""
    for part, _ in _join(_pieces(text)):
        if any(map(str.isalnum, part)):
            yield part.strip()


def searchable_text(kind: EventKind, content: Mapping[str, Any]) -> str:
    """The text of an event to search in. Tool calls have none, nor do tool results that repeat stored memory."""
    match kind:
        case EventKind.MESSAGE:
            texts = [content.get("text"), content.get("caption")]
        case EventKind.TOOL_RESULT if content.get("recalled") is not True:
            texts = [content.get("excerpt_text", content.get("text"))]
        case EventKind.DECISION:
            texts = [content.get("decision"), *content.get("rationale", ()), *content.get("constraints", ())]
        case EventKind.TASK_UPDATE:
            texts = [content.get("title"), content.get("details")]
        case EventKind.ARTIFACT:
            texts = [content.get(name) for name in ARTIFACT_FIELDS]
        case _:
            texts = []
    return "\n".join(part for part in texts if isinstance(part, str) and part.strip())


def make_chunks(source_id: str, text: str, importance: float) -> list[NewChunk]:
    return [
        NewChunk(
            derived_id("chk", source_id, part),
            source_id,
            part,
            words,
            sha256(words.encode()).digest(),
            " ".join(index_terms(words)),
            estimate(words),
            importance,
        )
        for part, words in enumerate(split_text(text))
    ]


def make_event_chunks(event_id: str, kind: EventKind, content: Mapping[str, Any]) -> list[NewChunk]:
    return make_chunks(event_id, searchable_text(kind, content), IMPORTANCE.get(kind, MIN_IMPORTANCE))


async def chunk_missing(unit: Unit, source_ids: Sequence[str] | None = None) -> int:
    """Chunk the viewer's own events, documents and, without `source_ids`, summaries that have no chunks. Return the
    number of new chunks.

    Chunks are missing after an import or upload, after a failed load, after a part was forgotten, and for data older
    than the chunks table.
    """
    count = await _chunk_events(unit, source_ids) + await _chunk_documents(unit, source_ids)
    return count if source_ids is not None else count + await _chunk_summaries(unit)


async def _chunk_events(unit: Unit, ids: Sequence[str] | None) -> int:
    count, before = 0, None
    while True:
        page = await queries.uncut_events(unit.session, unit.viewer, before=before, limit=PAGE, ids=ids)
        for event in page:
            chunks = await asyncio.to_thread(make_event_chunks, event.id, event.kind, event.content)
            await queries.add_chunks_of_events(unit.session, unit.viewer, chunks)
            count += len(chunks)
        if len(page) < PAGE:
            return count
        before = page[-1].id


async def _chunk_documents(unit: Unit, ids: Sequence[str] | None) -> int:
    count = 0
    for document_id in await queries.uncut_documents(unit.session, unit.viewer, ids=ids):
        document = await artifact(unit.session, unit.viewer, document_id)
        if document is not None and document.data is not None:
            text = document.data.decode(errors="replace")
            chunks = await asyncio.to_thread(make_chunks, document_id, text, IMPORTANCE[EventKind.ARTIFACT])
            await queries.add_chunks_of_documents(unit.session, unit.viewer, chunks)
            count += len(chunks)
    return count


async def _chunk_summaries(unit: Unit) -> int:
    count = 0
    for summary_id, words in await queries.uncut_summaries(unit.session, unit.viewer):
        chunks = make_chunks(summary_id, words, MIN_IMPORTANCE)
        await queries.add_chunks_of_summary(unit.session, unit.viewer, chunks)
        count += len(chunks)
    return count


def _join(pieces: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Join consecutive pieces while they fit into one part.

    Adding up the tokens of pieces takes linear time, and the sum is never below the tokens of the whole.
    """
    part, tokens = "", 0
    for piece, count in pieces:
        if part and (len(part) + len(piece) > MAX_LENGTH or tokens + count > ROOM):
            yield part, tokens
            part, tokens = "", 0
        part, tokens = part + piece, tokens + count
    if part:
        yield part, tokens


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Sentences with their trailing white space and token count. A sentence that is too long is split."""
    start = 0
    for end in (*(match.end() for match in SENTENCE_END.finditer(text)), len(text)):
        sentence, start = text[start:end], end
        count = estimate(sentence) if len(sentence) <= MAX_LENGTH else MAX_TOKENS
        if count <= ROOM:
            yield sentence, count
        else:
            yield from _join((block, estimate(block)) for block in _blocks(sentence))


def _blocks(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = min(start + BLOCK, len(text))
        if end < len(text):
            end = text.rfind(" ", start, end) + 1 or _after_marks(text, end)
        yield text[start:end]
        start = end


def _after_marks(text: str, at: int) -> int:
    """The nearest index from `at` on that separates neither a letter from its marks nor the parts of an emoji."""
    indexes = range(at, min(at + MAX_MARKS, len(text)))
    return at + sum(1 for _ in takewhile(lambda index: _continues(text[index - 1], text[index]), indexes))


def _continues(before: str, char: str) -> bool:
    return JOINER in (before, char) or category(char).startswith("M") or SKIN_TONES.match(char) is not None
