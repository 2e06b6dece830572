"""Cuts what was said into the units that recall finds: at sentence ends, with their terms and a token estimate."""

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from db.ids import derived_id
from db.queries import chunks as queries
from db.queries.chunks import NewChunk
from db.vocabulary import EventKind
from memory.retrieval.languages import index_terms
from memory.tokens import estimate
from memory.unit import Unit

LONGEST = 1200  # characters: about what an embedder reads to its end, in any script
SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？؟।])\s*|\n+")
PAGE = 200
# What a chunk weighs by its kind, before anybody says otherwise: decisions over tasks over words.
IMPORTANCE = {EventKind.DECISION: 1.0, EventKind.TASK_UPDATE: 0.7, EventKind.ARTIFACT: 0.4, EventKind.MESSAGE: 0.3}
LEAST_IMPORTANCE = 0.2


def cut(text: str) -> list[str]:
    """The parts of a text that say something, none longer than `LONGEST`, cut at sentence ends, else between words,
    else anywhere."""
    parts, open_part = [], ""
    for piece in _pieces(text):
        if open_part and len(open_part) + len(piece) > LONGEST:
            parts.append(open_part)
            open_part = ""
        open_part += piece
    return [part.strip() for part in (*parts, open_part) if any(map(str.isalnum, part))]


def words_of(kind: EventKind, content: Mapping[str, Any]) -> str:
    """What there is to find in an event; of a call of a tool, nothing."""
    match kind:
        case EventKind.MESSAGE:
            told = [content.get("text"), content.get("caption")]
        case EventKind.TOOL_RESULT:
            told = [content.get("excerpt_text", content.get("text"))]
        case EventKind.DECISION:
            told = [content.get("decision"), *content.get("rationale", ()), *content.get("constraints", ())]
        case EventKind.TASK_UPDATE:
            told = [content.get("title"), content.get("details")]
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


async def cut_missing(unit: Unit, event_ids: Sequence[str] | None = None) -> int:
    """Cut the viewer's own events that have no chunk: those written before there were chunks, where their author stood
    when they could not be loaded, or of which a part was forgotten. Gives how many were made."""
    made, before = 0, None
    while True:
        page = await queries.uncut_events(unit.session, unit.viewer, before=before, limit=PAGE, ids=event_ids)
        for event in page:
            fresh = chunks_of_event(event.id, event.kind, event.content)
            await queries.add_chunks_of_events(unit.session, unit.viewer, fresh)
            made += len(fresh)
        if len(page) < PAGE:
            return made
        before = page[-1].id


def _pieces(text: str) -> Iterator[str]:
    """Sentences with the white space behind them; one that is too long comes in pieces."""
    start = 0
    for end in (*(match.end() for match in SENTENCE_END.finditer(text)), len(text)):
        while end - start > LONGEST:
            middle = text.rfind(" ", start + LONGEST // 2, start + LONGEST) + 1 or start + LONGEST
            yield text[start:middle]
            start = middle
        yield text[start:end]
        start = end
