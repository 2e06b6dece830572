"""Searches facts, and passages of earlier conversations."""

from datetime import timedelta

from api.api_call import ApiCall, ApiResponse
from api.schemas.memory import MemoryOut
from api.schemas.search import PassageOut, SearchIn, SearchOut
from memory import FactRow, Sensitivity
from memory.facts import recalling
from memory.facts.listing import deleted_versions
from memory.facts.search import search
from memory.language.spans import blank_out
from memory.privacy.classify import classify
from memory.privacy.redaction import redact
from memory.retrieval.hits import Hit, RecallResult, forgotten_spans
from memory.retrieval.recall import recall
from memory.unit import Unit

RECALL_DEADLINE = timedelta(seconds=2)  # longer than in chat, where the reply must not wait


async def search_memory(call: ApiCall, request: SearchIn) -> ApiResponse:
    """Search like the assistant's own tool: passages that repeat a deleted fact are blanked, and every fact returned
    counts as recalled."""
    runtime, viewer = call.caller.runtime, call.caller.viewer(request.scoping)
    query = redact(request.query).text  # which may go to an embedder far away

    async def find_facts(unit: Unit) -> list[FactRow]:
        return await search(unit, query, limit=request.limit)

    facts = await call.read(viewer, find_facts)
    recalled = await recall(
        runtime.memory,
        runtime.vectors,
        viewer,
        query,
        now=call.now,
        limit=request.limit,
        weights=runtime.bundle_options.weights,
        deadline=max(runtime.bundle_options.deadline, RECALL_DEADLINE),
        sensitive=classify(query) == Sensitivity.HIGH,
    )
    async with runtime.memory.unit(viewer, now=call.now) as unit:
        hidden = await deleted_versions(unit)
        await recalling.mark_recalled(unit, [row.id for row in facts])
    body = SearchOut(
        facts=[MemoryOut.of(row, viewer.user) for row in facts],
        said=[_passage(hit, hidden) for hit in recalled.hits],
        note=_note(recalled),
    )
    return ApiResponse.of(body)


def _passage(hit: Hit, hidden: list[FactRow]) -> PassageOut:
    return PassageOut(
        id=hit.chunk_id,
        by=hit.speaker,
        at=hit.ts,
        kind=hit.kind,
        text=blank_out(hit.text, forgotten_spans(hit, hidden)),
        superseded=hit.is_superseded,
        event_id=hit.event_id,
        artifact_id=hit.full_artifact_id or hit.artifact_id,
    )


def _note(recalled: RecallResult) -> str | None:
    """Say how passages were searched if the search was incomplete."""
    if not recalled.why_not:
        return None
    how = "could not be searched" if recalled.how == RecallResult().how else f"were searched by {recalled.how} only"
    return f"Earlier messages {how}: {recalled.why_not}."
