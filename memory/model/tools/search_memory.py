"""The tool that looks for remembered facts, and for what was said before."""

import json
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from db.queries.facts.facts import FactRow, hidden_versions
from db.queries.retrieval.recall import Only
from db.vocabulary import Sensitivity
from memory.facts.search import search
from memory.language.spans import blanked
from memory.model.tools.base import Caller, Tool
from memory.privacy.classify import classify
from memory.retrieval.hits import Hit, forgotten_in
from memory.retrieval.recall import recall


class SearchMemory(BaseModel):
    """Find what is remembered about the user (facts), and what was said, decided or read before, in any conversation \
(said). Both come best first, with id and day."""

    query: str = Field(min_length=1, max_length=2000, description="The question, or the words to look for.")
    limit: int = Field(5, ge=1, le=20, description="Most of each.")


async def search_memory(wish: SearchMemory, caller: Caller) -> str:
    """What was said is looked for no longer than recall may take; without it the facts are still there."""
    async with caller.unit(read_only=True) as unit:
        facts = await search(unit, wish.query, limit=wish.limit)
        hidden = await unit.vault.opened(await hidden_versions(unit.session, unit.viewer))
    found = await recall(
        caller.memory,
        caller.vectors,
        caller.viewer,
        wish.query,
        now=caller.now,
        limit=wish.limit,
        only=Only(without_events=[caller.event_id]),
        deadline=caller.patience,
        sensitive=caller.touched_sensitive or classify(wish.query) == Sensitivity.HIGH,
    )
    caller.recalled |= {row.id for row in facts}
    for hit in found.hits:
        caller.shown |= {each for each in (hit.chunk_id, hit.event_id, hit.artifact_id, hit.whole) if each}
    caller.touched_sensitive |= any(row.sensitivity == Sensitivity.HIGH for row in facts)
    caller.touched_sensitive |= any(hit.is_sensitive for hit in found.hits)
    timezone = ZoneInfo(caller.choices.timezone)
    told = {
        "facts": [_fact(row, timezone) for row in facts],
        "said": [_said(hit, forgotten_in(hit, hidden), timezone) for hit in found.hits],
    }
    return json.dumps(told, ensure_ascii=False)


def _fact(row: FactRow, timezone: ZoneInfo) -> dict[str, str]:
    return {"id": row.id, "content": row.words, "told_on": row.updated_at.astimezone(timezone).date().isoformat()}


def _said(hit: Hit, blanks: list[tuple[int, int]], timezone: ZoneInfo) -> dict[str, Any]:
    return {
        "id": hit.chunk_id,
        "by": hit.speaker,
        "on": hit.ts.astimezone(timezone).date().isoformat(),
        "text": blanked(hit.text, blanks),
        **({"superseded": True} if hit.is_superseded else {}),
        **({"artifact_id": whole} if (whole := hit.whole or hit.artifact_id) else {}),
    }


TOOL = Tool("search_memory", SearchMemory, search_memory, writes=False, recalls=True)
