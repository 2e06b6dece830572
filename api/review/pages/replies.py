"""The last replies, with why each of them says what it says."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.review.rendering import page
from api.review.web_session import Visiting
from memory.context.provenance import reply_page
from memory.model.brain import AGENT

A_PAGE = 10
LONGEST = 600

router = APIRouter()


@router.get("/replies")
async def replies(request: Request, visit: Visiting, before: Annotated[str, Query(max_length=100)] = "") -> Response:
    async with visit.unit(read_only=True) as unit:
        shown = await reply_page(unit, before=before, limit=A_PAGE)
    return page(
        request,
        visit,
        "replies.html",
        section="replies",
        shown=shown,
        agent=AGENT,
        excerpt=excerpt,
    )


def excerpt(text: str) -> str:
    """What stands there at once; the whole of a longer text folds out below."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…"
