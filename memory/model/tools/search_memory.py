"""The tool that searches facts and earlier messages."""

import json
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from db.queries.facts.facts import FactRow, hidden_versions
from db.queries.retrieval.recall import RecallFilter
from db.vocabulary import Sensitivity
from memory.facts.search import search
from memory.language.spans import blank_out
from memory.model.tools.base import Caller, Tool
from memory.privacy.classify import classify
from memory.retrieval.hits import Hit, forgotten_spans
from memory.retrieval.recall import recall


class SearchMemory(BaseModel):
    """Search the stored facts about the user (facts) and what was said, decided or read in any conversation (said). \
Both lists are sorted by relevance and have ids and dates."""

    query: str = Field(min_length=1, max_length=2000, description="A question or search terms.")
    limit: int = Field(5, ge=1, le=20, description="The maximum number of results in each list.")


async def search_memory(args: SearchMemory, caller: Caller) -> str:
    """Search facts, and earlier messages within the deadline of recall."""
    async with caller.unit(read_only=True) as unit:
        facts = await search(unit, args.query, limit=args.limit)
        hidden = await unit.vault.open_rows(await hidden_versions(unit.session, unit.viewer))
    found = await recall(
        caller.memory,
        caller.vectors,
        caller.viewer,
        args.query,
        now=caller.now,
        limit=args.limit,
        only=RecallFilter(without_events=[caller.event_id]),
        deadline=caller.recall_deadline,
        sensitive=caller.touched_sensitive or classify(args.query) == Sensitivity.HIGH,
    )
    caller.recalled |= {row.id for row in facts}
    for hit in found.hits:
        caller.citable |= {id for id in (hit.chunk_id, hit.event_id, hit.artifact_id, hit.full_artifact_id) if id}
    caller.touched_sensitive |= any(row.sensitivity == Sensitivity.HIGH for row in facts)
    caller.touched_sensitive |= any(hit.is_sensitive for hit in found.hits)
    timezone = ZoneInfo(caller.choices.timezone)
    results = {
        "facts": [_fact(row, timezone) for row in facts],
        "said": [_said(hit, forgotten_spans(hit, hidden), timezone) for hit in found.hits],
    }
    return json.dumps(results, ensure_ascii=False)


def _fact(row: FactRow, timezone: ZoneInfo) -> dict[str, str]:
    return {"id": row.id, "content": row.words, "told_on": row.updated_at.astimezone(timezone).date().isoformat()}


def _said(hit: Hit, blanks: list[tuple[int, int]], timezone: ZoneInfo) -> dict[str, Any]:
    return {
        "id": hit.chunk_id,
        "by": hit.speaker,
        "on": hit.ts.astimezone(timezone).date().isoformat(),
        "text": blank_out(hit.text, blanks),
        **({"superseded": True} if hit.is_superseded else {}),
        **({"artifact_id": whole} if (whole := hit.full_artifact_id or hit.artifact_id) else {}),
    }


TOOL = Tool("search_memory", SearchMemory, search_memory, writes=False, recalls=True)
