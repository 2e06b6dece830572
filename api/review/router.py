"""Collects the routes of the review page."""

from fastapi import APIRouter

from api.review import static_files
from api.review.pages import (
    cards,
    data,
    fact_changes,
    fact_list,
    insights,
    one_fact,
    replies,
    settings,
    sign_in,
    spaces,
    timeline,
)

PREFIX = "/review"

router = APIRouter()
for part in (
    static_files,
    sign_in,
    cards,
    fact_list,
    one_fact,
    fact_changes,
    timeline,
    insights,
    replies,
    spaces,
    settings,
    data,
):
    router.include_router(part.router, prefix=PREFIX)
