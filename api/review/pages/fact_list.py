"""The list of remembered facts: by category and subject, searchable, paged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from fastapi import APIRouter, Request, Response

from api.review.list_query import ListQuery
from api.review.rendering import page
from api.review.web_session import CurrentSession
from memory import Category, FactRow, ListingSection, SpaceRow
from memory.errors import NotFound
from memory.facts.listing import deleted_facts, fact_page, listed_facts
from memory.facts.search import matching
from memory.people import spaces
from memory.refusals import Refusal
from memory.unit import Unit

MAX_SHOWN = 100
MAX_SEARCHED = 10_000

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Group:
    """The facts of one category, by subject."""

    category: Category
    subjects: Sequence[tuple[str, Sequence[FactRow]]]


@router.get("/memory")
async def remembered(request: Request, session: CurrentSession) -> Response:
    query = ListQuery.of(request.query_params)
    async with session.unit(read_only=True) as unit:
        own_spaces = await spaces.shared_spaces(unit)
        deleted = await deleted_facts(unit)
    if query.space and all(each.id != query.space for each in own_spaces):
        raise NotFound(Refusal.SPACE_NOT_FOUND)
    async with session.unit(space=query.space or None, read_only=True) as unit:
        listing = await fact_page(unit, ListingSection(query.category, query.about or None), query.page)
        names = await names_of(unit, own_spaces)
        searched = await listed_facts(unit, MAX_SEARCHED) if query.words else []
    matches = await matching(searched, query.words) if query.words else None
    listed = deleted if query.deleted else matches
    return page(
        request,
        session,
        "fact_list.html",
        section="remembered",
        query=query.on_page(listing.page),
        listing=listing,
        total=sum(listing.counts.values()),
        listed=listed,
        most_shown=MAX_SHOWN,
        groups=list(groups(listing.rows)) if listed is None else [],
        deleted_count=len(deleted),
        spaces=own_spaces,
        names=names,
        back=query.query or "remembered",
    )


async def names_of(unit: Unit, own_spaces: Sequence[SpaceRow]) -> dict[str, str]:
    """Display names of the person's spaces and of the members of the current space."""
    return {each.id: each.subject for each in own_spaces} | await spaces.member_names(unit)


def groups(rows: Sequence[FactRow]) -> Iterator[Group]:
    """Group rows that are ordered by category, and sort each group by subject: the database cannot sort by sealed
    subjects."""
    for category, members in groupby(rows, key=lambda row: row.category):
        by_subject = sorted(members, key=lambda row: (not row.subject, (row.subject or "").casefold()))
        subjects = [list(each) for _, each in groupby(by_subject, key=lambda row: (row.subject or "").casefold())]
        yield Group(category, [(facts[0].subject or "", facts) for facts in subjects])
