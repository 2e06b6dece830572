"""The pages, by their addresses."""

from fastapi import APIRouter

from api.review import (
    changes,
    data,
    entrance,
    insights,
    one_fact,
    remembered,
    replies,
    settings,
    spaces,
    statics,
    timeline,
    waiting,
)

PREFIX = "/review"

router = APIRouter()
for part in (
    statics,
    entrance,
    waiting,
    remembered,
    one_fact,
    changes,
    timeline,
    insights,
    replies,
    spaces,
    settings,
    data,
):
    router.include_router(part.router, prefix=PREFIX)
