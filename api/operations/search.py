"""Finds what is remembered about somebody, and what was said before."""

from datetime import timedelta

from api.call import ApiAnswer, ApiCall
from api.schemas.memory import MemoryOut
from api.schemas.search import SaidOut, SearchIn, SearchOut
from memory import FactRow, Sensitivity
from memory.facts import recalling
from memory.facts.listing import deleted_versions
from memory.facts.search import search
from memory.language.spans import blanked
from memory.privacy.classify import classify
from memory.privacy.redaction import redact
from memory.retrieval.hits import Hit, Recalled, forgotten_in
from memory.retrieval.recall import recall
from memory.unit import Unit

PATIENCE = timedelta(seconds=2)  # more than a reply may wait for its memory: this is all that is waited for


async def search_memory(call: ApiCall, wish: SearchIn) -> ApiAnswer:
    """As the assistant's own tool does it: what was deleted is blank at once wherever it was repeated, and facts that
    were looked up fade more slowly."""
    runtime, viewer = call.caller.runtime, call.caller.viewer(wish.scoping)
    asked = redact(wish.query).text  # which may go to an embedder far away

    async def work(unit: Unit) -> list[FactRow]:
        return await search(unit, asked, limit=wish.limit)

    facts = await call.read(viewer, work)
    found = await recall(
        runtime.memory,
        runtime.vectors,
        viewer,
        asked,
        now=call.now,
        limit=wish.limit,
        weights=runtime.shape.weights,
        deadline=max(runtime.shape.deadline, PATIENCE),
        sensitive=classify(asked) == Sensitivity.HIGH,
    )
    async with runtime.memory.unit(viewer, now=call.now) as unit:
        hidden = await deleted_versions(unit)
        await recalling.mark(unit, [row.id for row in facts])
    told = SearchOut(
        facts=[MemoryOut.of(row, viewer.user) for row in facts],
        said=[_said(hit, hidden) for hit in found.hits],
        note=_note(found),
    )
    return ApiAnswer.of(told)


def _said(hit: Hit, hidden: list[FactRow]) -> SaidOut:
    return SaidOut(
        id=hit.chunk_id,
        by=hit.speaker,
        at=hit.ts,
        kind=hit.kind,
        text=blanked(hit.text, forgotten_in(hit, hidden)),
        superseded=hit.is_superseded,
        event_id=hit.event_id,
        artifact_id=hit.whole or hit.artifact_id,
    )


def _note(found: Recalled) -> str | None:
    """Where not all was done to find what was said, what was."""
    if not found.why_not:
        return None
    how = "could not be looked for" if found.how == Recalled().how else f"was looked for by {found.how}"
    return f"What was said {how}: {found.why_not}."
