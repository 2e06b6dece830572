"""One fact: its words, its history as differences, where each version came from, and what can be done with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from api.review.display.diff import DiffPart, diff
from api.review.list_query import SHORT_ID, space_of
from api.review.pages.fact_list import names_of
from api.review.rendering import page
from api.review.web_session import Visit, Visiting
from memory import FactRow
from memory.concurrency.in_thread import in_thread
from memory.errors import NotFound
from memory.events.sources import MessageSource, source_of
from memory.facts import history
from memory.facts.receipts import ReceiptKind
from memory.people import spaces
from memory.unit import Unit

MOST_SHOWN = 20

router = APIRouter()


def fact_id_of(fact_id: str) -> str:
    """Whatever does not look like one is none."""
    if not SHORT_ID.fullmatch(fact_id):
        raise NotFound("There is no such fact.")
    return fact_id


FactId = Annotated[str, Depends(fact_id_of)]


@dataclass(frozen=True, slots=True)
class VersionStep:
    """A version, what it changed, and where it came from."""

    row: FactRow
    change: ReceiptKind
    parts: Sequence[DiffPart]
    """What changed in its words; nothing where they stayed or are the first."""
    source: MessageSource | None
    can_return: bool
    """Whether the fact can be given these words again."""


@dataclass(frozen=True, slots=True)
class EditTrouble:
    """Why a change was not made, and what was typed."""

    wrong: str
    typed: str = ""


@router.get("/memory/{fact_id}")
async def one_fact(request: Request, visit: Visiting, fact_id: FactId) -> Response:
    return await show(request, visit, fact_id)


async def show(
    request: Request,
    visit: Visit,
    fact_id: str,
    *,
    trouble: EditTrouble | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    space, earlier = space_of(request.query_params), request.query_params.get("all") == "1"
    async with visit.unit(space=space or None, read_only=True) as unit:
        versions = await history.history(unit, fact_id)
        is_own = versions[-1].owner == visit.person
        if not is_own and versions[-1].forgotten:
            raise NotFound("There is no such fact.")
        first = 0 if earlier else max(len(versions) - MOST_SHOWN, 0)
        sources = await _sources(unit, versions[first:])
        undoable = await history.undoable_version(unit, fact_id) if is_own else None
        mine = await spaces.shared(unit)
        names = await names_of(unit, mine)
    steps = [
        await _step(versions, at, source, is_own)
        for at, source in zip(range(first, len(versions)), sources, strict=True)
    ]
    return page(
        request,
        visit,
        "one_fact.html",
        section="remembered",
        status=status,
        fact=versions[-1],
        created=versions[0].updated_at,
        steps=steps[::-1],
        more=first,
        is_own=is_own,
        undoable=undoable,
        spaces=mine,
        names=names,
        space=space,
        trouble=trouble,
        back="fact",
    )


async def _sources(unit: Unit, versions: Sequence[FactRow]) -> list[MessageSource | None]:
    """Of each version where it came from; what a version only took over from the one before it is told once."""
    found: list[MessageSource | None] = []
    before: object = None
    for row in versions:
        named = (row.source_event_id, row.span)
        found.append(None if named == before else await source_of(unit, *named))
        before = named
    return found


async def _step(versions: Sequence[FactRow], at: int, source: MessageSource | None, is_own: bool) -> VersionStep:
    row, present = versions[at], versions[-1]
    before = versions[at - 1] if at else None
    changed = before is not None and before.words != row.words
    parts = await in_thread(2 * len(row.words), diff, before.words, row.words) if before and changed else []
    can_return = is_own and row.content is not None and (row.words, row.subject) != (present.words, present.subject)
    return VersionStep(row, history.change_of(before, row), parts, source, can_return)
