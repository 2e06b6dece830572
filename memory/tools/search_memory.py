"""The tool that looks for remembered facts by their words."""

import json

from pydantic import BaseModel, Field

from memory import facts
from memory.tools.base import Caller, Tool


class SearchMemory(BaseModel):
    """Find what is remembered about the user. Answers with facts, best first, and the day each was told."""

    query: str = Field(min_length=1, max_length=2000, description="The question, or the words to look for.")
    limit: int = Field(5, ge=1, le=20)


async def search_memory(wish: SearchMemory, caller: Caller) -> str:
    async with caller.transaction(read_only=True) as session:
        found = await facts.search(session, caller.viewer, wish.query, limit=wish.limit)
    return json.dumps(
        [
            {
                "id": row.id,
                "content": row.content,
                "told_on": row.updated_at.astimezone(caller.timezone).date().isoformat(),
            }
            for row in found
        ],
        ensure_ascii=False,
    )


TOOL = Tool("search_memory", SearchMemory, search_memory)
