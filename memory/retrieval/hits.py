"""What a search finds: candidates as they are scored, and hits that know where they come from and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from db.queries.facts.facts import FactRow
from db.queries.retrieval.hits import ChunkRow
from db.queries.retrieval.recall import CandidateRow
from memory.language.spans import Span
from memory.privacy.forgetting.repeats import places
from memory.retrieval.scoring import Candidate, Scored
from memory.retrieval.sealed import Opened


@dataclass(frozen=True, slots=True)
class Hit:
    """What was recalled, with its score, the parts of it, and why it was chosen."""

    chunk_id: str
    event_id: str | None
    artifact_id: str | None
    user: str
    actor: str
    speaker: str
    """A name, where there is one; otherwise who or what it came from."""
    kind: str
    ts: datetime
    text: str
    part: int
    score: float
    parts: Mapping[str, float]
    why: str
    is_sensitive: bool = False
    whole: str | None = None
    """The artifact that holds all of a tool's output, of which this is a part."""
    is_superseded: bool = False
    summary_id: str | None = None


@dataclass(frozen=True, slots=True)
class Recalled:
    """Hits, best first; how many candidates and scores it took, how it was searched, and what was the same twice."""

    hits: tuple[Hit, ...] = ()
    candidates: int = 0
    scored: int = 0
    how: str = "nothing"
    why_not: str = ""
    terms: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    """Events among the scored that made a decision, best first."""
    repeated: tuple[str, ...] = ()
    milliseconds: int = 0


def candidate_of_chunk(row: CandidateRow) -> Candidate:
    return Candidate(
        row.id, row.thread, row.seq, row.part, row.speaker, row.ts, row.importance, row.words, row.likeness
    )


def candidate_of_sealed(each: Opened) -> Candidate:
    return Candidate(
        each.id, each.thread, each.seq, each.part, each.speaker, each.ts, each.importance, each.words, None
    )


def hit_of_chunk(each: Scored, chunk: ChunkRow) -> Hit:
    found = _hit(each, chunk, actor=chunk.actor_id, part=each.candidate.part)
    return replace(found, whole=chunk.whole, is_superseded=chunk.is_superseded, summary_id=chunk.summary_id)


def hit_of_sealed(each: Scored, opened: Opened) -> Hit:
    return replace(_hit(each, opened, actor=opened.actor, part=opened.part), is_sensitive=True)


def _hit(each: Scored, found: ChunkRow | Opened, *, actor: str, part: int) -> Hit:
    return Hit(
        chunk_id=found.id,
        event_id=found.event_id,
        artifact_id=found.artifact_id,
        user=found.user,
        actor=actor,
        speaker=found.speaker or actor or found.kind,
        kind=found.kind,
        ts=found.ts,
        text=found.text,
        part=part,
        score=each.score,
        parts=each.parts,
        why=each.why,
    )


def truth_first(best: Sequence[Scored], rows: Mapping[str, CandidateRow]) -> list[Scored]:
    """The same order, but before each summary the best of the messages that it rests on: what was said outranks what
    was made of it."""
    events = {each.candidate.id: rows[each.candidate.id].event_id for each in best if each.candidate.id in rows}
    ordered, placed = list[Scored](), set[str]()
    for at, each in enumerate(best):
        row = rows.get(each.candidate.id)
        if row is not None and row.rests_on:
            under = set(row.rests_on)
            known = any(events.get(other.candidate.id) in under for other in ordered)
            source = next((other for other in best[at:] if events.get(other.candidate.id) in under), None)
            if not known and source is not None:
                ordered.append(source)
                placed.add(source.candidate.id)
        if each.candidate.id not in placed:
            ordered.append(each)
    return ordered


def forgotten_in(hit: Hit, hidden: Sequence[FactRow]) -> list[Span]:
    """Where it repeats what was deleted: gone from all that is shown at once, though its purge is still to come."""
    return sorted({span for fact in hidden for span in _forgotten_in(hit, fact)})


def _forgotten_in(hit: Hit, fact: FactRow) -> list[Span]:
    """Where a part of a message repeats what was deleted. A fact's span counts from the beginning of its message, so it
    holds for the first part only; in the other parts whole sentences go that hold its words."""
    is_source = fact.source_event_id is not None and fact.source_event_id == hit.event_id
    spans = places(hit.text, fact, said_by_human=hit.actor == hit.user and not is_source)
    if is_source and hit.part == 0 and fact.span and fact.span[1] <= len(hit.text):
        spans.append(fact.span)
    elif is_source and fact.span is None and not spans:
        spans.append((0, len(hit.text)))
    return spans
