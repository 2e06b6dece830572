"""What is remembered: by category and subject, found by words, a page at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from fastapi import APIRouter, Request, Response

from api.review.list_query import ListQuery
from api.review.rendering import page
from api.review.web_session import Visiting
from memory import Category, FactRow, ListingSection, SpaceRow
from memory.errors import NotFound
from memory.facts.listing import all_on_shelf, deleted, shelf
from memory.facts.search import matching
from memory.people import spaces
from memory.unit import Unit

MOST_SHOWN = 100
MOST_SEARCHED = 10_000

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Group:
    """Facts of one category, those about one subject together."""

    category: Category
    subjects: Sequence[tuple[str, Sequence[FactRow]]]


@router.get("/memory")
async def remembered(request: Request, visit: Visiting) -> Response:
    look = ListQuery.of(request.query_params)
    async with visit.unit(read_only=True) as unit:
        mine = await spaces.shared(unit)
        gone = await deleted(unit)
    if look.space and all(each.id != look.space for each in mine):
        raise NotFound("You are in no such space.")
    async with visit.unit(space=look.space or None, read_only=True) as unit:
        held = await shelf(unit, ListingSection(look.category, look.about or None), look.page)
        names = await names_of(unit, mine)
        looked_through = await all_on_shelf(unit, MOST_SEARCHED) if look.words else []
    found = await matching(looked_through, look.words) if look.words else None
    listed = gone if look.deleted else found
    return page(
        request,
        visit,
        "fact_list.html",
        section="remembered",
        look=look.at(held.page),
        held=held,
        total=sum(held.counts.values()),
        listed=listed,
        most_shown=MOST_SHOWN,
        groups=list(groups(held.rows)) if listed is None else [],
        gone=len(gone),
        spaces=mine,
        names=names,
        back=look.query or "remembered",
    )


async def names_of(unit: Unit, mine: Sequence[SpaceRow]) -> dict[str, str]:
    """What one's spaces are called, and the people in the one that is looked at."""
    return {each.id: each.subject for each in mine} | await spaces.names(unit)


def groups(rows: Sequence[FactRow]) -> Iterator[Group]:
    """By category as they come, then by subject, which of what is sealed the database could not sort by."""
    for category, together in groupby(rows, key=lambda row: row.category):
        by_subject = sorted(together, key=lambda row: (not row.subject, (row.subject or "").casefold()))
        subjects = groupby(by_subject, key=lambda row: (row.subject or "").casefold())
        listed = [(found[0].subject or "", found) for found in (list(each) for _, each in subjects)]
        yield Group(category, listed)
