"""The tool that looks for remembered facts by their words."""

import json
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from db.vocabulary import Sensitivity
from memory.retrieval.search import search
from memory.tools.base import Caller, Tool


class SearchMemory(BaseModel):
    """Find what is remembered about the user. Answers with facts, best first, and the day each was told."""

    query: str = Field(min_length=1, max_length=2000, description="The question, or the words to look for.")
    limit: int = Field(5, ge=1, le=20)


async def search_memory(wish: SearchMemory, caller: Caller) -> str:
    async with caller.unit(read_only=True) as unit:
        found = await search(unit, wish.query, limit=wish.limit)
    caller.touched_sensitive |= any(row.sensitivity == Sensitivity.HIGH for row in found)
    timezone = ZoneInfo(caller.choices.timezone)
    return json.dumps(
        [
            {
                "id": row.id,
                "content": row.words,
                "told_on": row.updated_at.astimezone(timezone).date().isoformat(),
            }
            for row in found
        ],
        ensure_ascii=False,
    )


TOOL = Tool("search_memory", SearchMemory, search_memory)
