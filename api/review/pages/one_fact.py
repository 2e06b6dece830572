"""The page of one fact: its text, its history as diffs, the source of each version, and its actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from api.review.display.diff import DiffPart, diff
from api.review.list_query import SHORT_ID, space_of
from api.review.pages.fact_list import names_of
from api.review.rendering import page
from api.review.web_session import CurrentSession, ReviewSession
from memory import FactRow
from memory.concurrency.in_thread import in_thread
from memory.errors import NotFound
from memory.events.sources import MessageSource, source_of
from memory.facts import history
from memory.facts.receipts import ReceiptKind
from memory.people import spaces
from memory.refusals import Refusal
from memory.unit import Unit

MAX_SHOWN = 20

router = APIRouter()


def fact_id_of(fact_id: str) -> str:
    if not SHORT_ID.fullmatch(fact_id):
        raise NotFound(Refusal.FACT_NOT_FOUND)
    return fact_id


FactId = Annotated[str, Depends(fact_id_of)]


@dataclass(frozen=True, slots=True)
class VersionStep:
    """A version with its change and its source."""

    row: FactRow
    change: ReceiptKind
    parts: Sequence[DiffPart]
    """The diff; empty for the first version and if the text did not change."""
    source: MessageSource | None
    can_return: bool
    """Whether this version can be restored."""


@dataclass(frozen=True, slots=True)
class EditError:
    """Why a change was not made, and what was typed."""

    wrong: str
    typed: str = ""


@router.get("/memory/{fact_id}")
async def one_fact(request: Request, session: CurrentSession, fact_id: FactId) -> Response:
    return await show(request, session, fact_id)


async def show(
    request: Request,
    session: ReviewSession,
    fact_id: str,
    *,
    error: EditError | None = None,
    status: int = HTTPStatus.OK,
) -> Response:
    space, earlier = space_of(request.query_params), request.query_params.get("all") == "1"
    async with session.unit(space=space or None, read_only=True) as unit:
        versions = await history.history(unit, fact_id)
        is_own = versions[-1].owner == session.person
        if not is_own and versions[-1].forgotten:
            raise NotFound(Refusal.FACT_NOT_FOUND)
        first = 0 if earlier else max(len(versions) - MAX_SHOWN, 0)
        sources = await _sources(unit, versions[first:])
        undoable = await history.undoable_version(unit, fact_id) if is_own else None
        own_spaces = await spaces.shared_spaces(unit)
        names = await names_of(unit, own_spaces)
    steps = [
        await _step(versions, index, source, is_own)
        for index, source in zip(range(first, len(versions)), sources, strict=True)
    ]
    return page(
        request,
        session,
        "one_fact.html",
        section="remembered",
        status=status,
        fact=versions[-1],
        created=versions[0].updated_at,
        steps=steps[::-1],
        more=first,
        is_own=is_own,
        undoable=undoable,
        spaces=own_spaces,
        names=names,
        space=space,
        error=error,
        back="fact",
    )


async def _sources(unit: Unit, versions: Sequence[FactRow]) -> list[MessageSource | None]:
    """Return the source of each version, or None if it is the same as the previous version's."""
    sources: list[MessageSource | None] = []
    previous: object = None
    for row in versions:
        key = (row.source_event_id, row.span)
        sources.append(None if key == previous else await source_of(unit, *key))
        previous = key
    return sources


async def _step(versions: Sequence[FactRow], index: int, source: MessageSource | None, is_own: bool) -> VersionStep:
    row, present = versions[index], versions[-1]
    before = versions[index - 1] if index else None
    changed = before is not None and before.words != row.words
    parts = await in_thread(2 * len(row.words), diff, before.words, row.words) if before and changed else []
    can_return = is_own and row.content is not None and (row.words, row.subject) != (present.words, present.subject)
    return VersionStep(row, history.change_of(before, row), parts, source, can_return)
