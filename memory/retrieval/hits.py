"""The results of a search: candidates for scoring, and hits with their sources and reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from db.queries.facts.facts import FactRow
from db.queries.retrieval.hits import ChunkRow
from db.queries.retrieval.recall import CandidateRow
from memory.language.spans import Span
from memory.privacy.forgetting.repeats import find_repeats
from memory.retrieval.scoring import Candidate, Scored
from memory.retrieval.sealed import UnsealedPart


@dataclass(frozen=True, slots=True)
class Hit:
    """A recalled text, with its score, the parts of the score, and the reason for its choice."""

    chunk_id: str
    event_id: str | None
    artifact_id: str | None
    user: str
    actor: str
    speaker: str
    """The speaker's name, or else the actor or the kind."""
    kind: str
    ts: datetime
    text: str
    part: int
    score: float
    parts: Mapping[str, float]
    why: str
    is_sensitive: bool = False
    full_artifact_id: str | None = None
    """The artifact with the whole tool output, if this is an excerpt."""
    is_superseded: bool = False
    summary_id: str | None = None


@dataclass(frozen=True, slots=True)
class RecallResult:
    """Hits, best first, with the numbers of candidates and scores, the method of search, and the duplicates."""

    hits: tuple[Hit, ...] = ()
    candidates: int = 0
    scored: int = 0
    how: str = "nothing"
    why_not: str = ""
    terms: tuple[str, ...] = ()
    decision_event_ids: tuple[str, ...] = ()
    """Events of decisions among the scored candidates, best first."""
    duplicate_ids: tuple[str, ...] = ()
    milliseconds: int = 0


def candidate_of_chunk(row: CandidateRow) -> Candidate:
    return Candidate(
        row.id, row.thread, row.seq, row.part, row.speaker, row.ts, row.importance, row.words, row.similarity
    )


def candidate_of_sealed(part: UnsealedPart) -> Candidate:
    return Candidate(
        part.id, part.thread, part.seq, part.part, part.speaker, part.ts, part.importance, part.words, None
    )


def hit_of_chunk(scored: Scored, chunk: ChunkRow) -> Hit:
    hit = _hit(scored, chunk, actor=chunk.actor_id, part=scored.candidate.part)
    return replace(hit, full_artifact_id=chunk.whole, is_superseded=chunk.is_superseded, summary_id=chunk.summary_id)


def hit_of_sealed(scored: Scored, opened: UnsealedPart) -> Hit:
    return replace(_hit(scored, opened, actor=opened.actor, part=opened.part), is_sensitive=True)


def _hit(scored: Scored, source: ChunkRow | UnsealedPart, *, actor: str, part: int) -> Hit:
    return Hit(
        chunk_id=source.id,
        event_id=source.event_id,
        artifact_id=source.artifact_id,
        user=source.user,
        actor=actor,
        speaker=source.speaker or actor or source.kind,
        kind=source.kind,
        ts=source.ts,
        text=source.text,
        part=part,
        score=scored.score,
        parts=scored.parts,
        why=scored.why,
    )


def sources_before_summaries(best: Sequence[Scored], rows: Mapping[str, CandidateRow]) -> list[Scored]:
    """Keep the order, but put the best source message of each summary before it: a source outranks its summary."""
    event_ids = {
        scored.candidate.id: rows[scored.candidate.id].event_id for scored in best if scored.candidate.id in rows
    }
    ordered, placed = list[Scored](), set[str]()
    for at, scored in enumerate(best):
        row = rows.get(scored.candidate.id)
        if row is not None and row.rests_on:
            sources = set(row.rests_on)
            has_source = any(event_ids.get(other.candidate.id) in sources for other in ordered)
            source = next((other for other in best[at:] if event_ids.get(other.candidate.id) in sources), None)
            if not has_source and source is not None:
                ordered.append(source)
                placed.add(source.candidate.id)
        if scored.candidate.id not in placed:
            ordered.append(scored)
    return ordered


def forgotten_spans(hit: Hit, hidden: Sequence[FactRow]) -> list[Span]:
    """Return the spans that repeat deleted facts. They are hidden at once, before the purge."""
    return sorted({span for fact in hidden for span in _forgotten_in(hit, fact)})


def _forgotten_in(hit: Hit, fact: FactRow) -> list[Span]:
    """Return the spans that repeat one deleted fact. A fact's span counts from the start of its message, so it applies
    only to the first part. In other parts, whole sentences with its words are hidden."""
    is_source = fact.source_event_id is not None and fact.source_event_id == hit.event_id
    spans = find_repeats(hit.text, fact, said_by_human=hit.actor == hit.user and not is_source)
    if is_source and hit.part == 0 and fact.span and fact.span[1] <= len(hit.text):
        spans.append(fact.span)
    elif is_source and fact.span is None and not spans:
        spans.append((0, len(hit.text)))
    return spans
