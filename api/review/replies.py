"""The last replies, with why each of them says what it says."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.review.rendering import page
from api.review.visits import Visiting
from db.queries.events import event_row
from memory.brain import AGENT
from memory.provenance import replies as explained

A_PAGE = 10
LONGEST = 600

router = APIRouter()


@router.get("/replies")
async def replies(request: Request, visit: Visiting, before: Annotated[str, Query(max_length=100)] = "") -> Response:
    """Those before one of them, which is named by its id; if it is gone, or none, the newest."""
    async with visit.unit(read_only=True) as unit:
        last = await event_row(unit.session, unit.viewer, before) if before else None
        found = await explained(unit, before=(last.ts, before) if last else None, limit=A_PAGE + 1)
    return page(
        request,
        visit,
        "replies.html",
        section="replies",
        replies=found[:A_PAGE],
        older=found[A_PAGE - 1].id if len(found) > A_PAGE else None,
        is_first=last is None,
        agent=AGENT,
        excerpt=excerpt,
    )


def excerpt(text: str) -> str:
    """What stands there at once; the whole of a longer text folds out below."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…"
