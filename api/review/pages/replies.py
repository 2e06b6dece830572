"""The latest replies, each with the facts and messages it is based on."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.review.rendering import page
from api.review.web_session import CurrentSession
from memory.context.provenance import reply_page
from memory.model.brain import AGENT

PAGE_SIZE = 10
LONGEST = 600

router = APIRouter()


@router.get("/replies")
async def replies(
    request: Request, session: CurrentSession, before: Annotated[str, Query(max_length=100)] = ""
) -> Response:
    async with session.unit(read_only=True) as unit:
        shown = await reply_page(unit, before=before, limit=PAGE_SIZE)
    return page(
        request,
        session,
        "replies.html",
        section="replies",
        shown=shown,
        agent=AGENT,
        excerpt=excerpt,
    )


def excerpt(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…"
