"""Cuts what was said into the units that recall finds: at sentence ends, with their terms and a token estimate."""

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

LONGEST = 1200  # characters: about what an embedder reads to its end
MOST_TOKENS = 260  # or no part of a long text in Thai would fit into the evidence of a chat, where 800 are for all
ROOM = MOST_TOKENS - 1  # a word costs one more when the white space behind it is gone
BLOCK = 60  # characters of a sentence that is too long are priced at a time
SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？؟।])\s*|\n+")
JOINER, SKIN_TONES = "\u200d", re.compile("[\U0001f3fb-\U0001f3ff]")
MOST_MARKS = 16  # on one letter
PAGE = 200
# What a chunk weighs by its kind, before anybody says otherwise: decisions over tasks over words.
IMPORTANCE = {EventKind.DECISION: 1.0, EventKind.TASK_UPDATE: 0.7, EventKind.ARTIFACT: 0.4, EventKind.MESSAGE: 0.3}
LEAST_IMPORTANCE = 0.2
# By name, because the database keeps the fields of a content in an order of its own.
TOLD_OF_ARTIFACTS = ("title", "name", "description", "summary", "caption", "excerpt_text", "text")


def cut(text: str) -> list[str]:
    """The parts of a text that say something, none longer than `LONGEST` or dearer than `MOST_TOKENS`, cut at sentence
    ends, else between words, else anywhere."""
    return list(parts_of(text))


def parts_of(text: str) -> Iterator[str]:
    """The same, one after the other: of a book nobody may want to wait for the end."""
    for part, _ in _joined(_pieces(text)):
        if any(map(str.isalnum, part)):
            yield part.strip()


def words_of(kind: EventKind, content: Mapping[str, Any]) -> str:
    """What there is to find in an event; nothing of a call of a tool, nor of a result that repeats what is kept."""
    match kind:
        case EventKind.MESSAGE:
            told = [content.get("text"), content.get("caption")]
        case EventKind.TOOL_RESULT if content.get("recalled") is not True:
            told = [content.get("excerpt_text", content.get("text"))]
        case EventKind.DECISION:
            told = [content.get("decision"), *content.get("rationale", ()), *content.get("constraints", ())]
        case EventKind.TASK_UPDATE:
            told = [content.get("title"), content.get("details")]
        case EventKind.ARTIFACT:
            told = [content.get(name) for name in TOLD_OF_ARTIFACTS]
        case _:
            told = []
    return "\n".join(part for part in told if isinstance(part, str) and part.strip())


def chunks_of(source_id: str, text: str, importance: float) -> list[NewChunk]:
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
        for part, words in enumerate(cut(text))
    ]


def chunks_of_event(event_id: str, kind: EventKind, content: Mapping[str, Any]) -> list[NewChunk]:
    return chunks_of(event_id, words_of(kind, content), IMPORTANCE.get(kind, LEAST_IMPORTANCE))


async def cut_missing(unit: Unit, source_ids: Sequence[str] | None = None) -> int:
    """Cut the viewer's own events and documents that have no chunk: those written before there were chunks, given or
    loaded just now, where their author stood when they could not be loaded, or of which a part was forgotten. Gives
    how many were made."""
    made = await _cut_events(unit, source_ids) + await _cut_documents(unit, source_ids)
    return made if source_ids is not None else made + await _cut_summaries(unit)


async def _cut_events(unit: Unit, ids: Sequence[str] | None) -> int:
    made, before = 0, None
    while True:
        page = await queries.uncut_events(unit.session, unit.viewer, before=before, limit=PAGE, ids=ids)
        for event in page:
            fresh = await asyncio.to_thread(chunks_of_event, event.id, event.kind, event.content)
            await queries.add_chunks_of_events(unit.session, unit.viewer, fresh)
            made += len(fresh)
        if len(page) < PAGE:
            return made
        before = page[-1].id


async def _cut_documents(unit: Unit, ids: Sequence[str] | None) -> int:
    made = 0
    for document_id in await queries.uncut_documents(unit.session, unit.viewer, ids=ids):
        document = await artifact(unit.session, unit.viewer, document_id)
        if document is not None and document.data is not None:
            text = document.data.decode(errors="replace")
            fresh = await asyncio.to_thread(chunks_of, document_id, text, IMPORTANCE[EventKind.ARTIFACT])
            await queries.add_chunks_of_documents(unit.session, unit.viewer, fresh)
            made += len(fresh)
    return made


async def _cut_summaries(unit: Unit) -> int:
    made = 0
    for summary_id, words in await queries.uncut_summaries(unit.session, unit.viewer):
        fresh = chunks_of(summary_id, words, LEAST_IMPORTANCE)
        await queries.add_chunks_of_summary(unit.session, unit.viewer, fresh)
        made += len(fresh)
    return made


def _joined(pieces: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """As many pieces in a row as fit into a part. Each was priced by itself, which together costs no less than the
    whole, and takes no longer however long the text is."""
    part, cost = "", 0
    for piece, price in pieces:
        if part and (len(part) + len(piece) > LONGEST or cost + price > ROOM):
            yield part, cost
            part, cost = "", 0
        part, cost = part + piece, cost + price
    if part:
        yield part, cost


def _pieces(text: str) -> Iterator[tuple[str, int]]:
    """Sentences with the white space behind them, and what they cost; one that is too long comes in pieces."""
    start = 0
    for end in (*(match.end() for match in SENTENCE_END.finditer(text)), len(text)):
        sentence, start = text[start:end], end
        price = estimate(sentence) if len(sentence) <= LONGEST else MOST_TOKENS
        if price <= ROOM:
            yield sentence, price
        else:
            yield from _joined((block, estimate(block)) for block in _blocks(sentence))


def _blocks(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = min(start + BLOCK, len(text))
        if end < len(text):
            end = text.rfind(" ", start, end) + 1 or _after_marks(text, end)
        yield text[start:end]
        start = end


def _after_marks(text: str, at: int) -> int:
    """The same place, or a bit later, so that a letter keeps its marks and an emoji stays one."""
    signs = range(at, min(at + MOST_MARKS, len(text)))
    return at + sum(1 for _ in takewhile(lambda place: _goes_on(text[place - 1], text[place]), signs))


def _goes_on(before: str, sign: str) -> bool:
    return JOINER in (before, sign) or category(sign).startswith("M") or SKIN_TONES.match(sign) is not None
