"""What an owner does with a fact: give it other words, share it, delete it, and take any of that back."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from api.review.flash_messages import News
from api.review.forms import Form, Sent
from api.review.language import texts
from api.review.list_query import ListQuery
from api.review.pages import one_fact
from api.review.pages.one_fact import EditTrouble, FactId
from api.review.rendering import SECTIONS
from api.review.web_session import Visit, Visiting
from memory import Approval, Category, FactRow
from memory.errors import KeyMissing, NotFound, Refused
from memory.facts import facts, history
from memory.facts.facts import FactDraft
from memory.facts.lock import lock_facts
from memory.facts.receipts import Receipt, ReceiptKind
from memory.people import spaces
from memory.translation import spoken
from memory.unit import Unit

router = APIRouter(prefix="/memory/{fact_id}")


@router.post("/edit")
async def edit(request: Request, visit: Visiting, fact_id: FactId, form: Sent) -> Response:
    async def change(unit: Unit) -> Receipt:
        ensure_as_shown(await facts.own_fact(unit, fact_id), form.get("version"))
        receipt = await facts.revise(unit, fact_id, FactDraft(form.get("words"), Category.OTHER), Approval.COMMAND)
        if receipt.kind == ReceiptKind.KNOWN:
            raise Refused(texts.EDIT_KNOWN, content=receipt.row.words)
        return receipt

    return await _done(request, visit, fact_id, form, change)


@router.post("/delete")
async def delete(request: Request, visit: Visiting, fact_id: FactId, form: Sent) -> Response:
    async def change(unit: Unit) -> Receipt:
        ensure_as_shown(await facts.own_fact(unit, fact_id), form.get("version"))
        return await facts.hide(unit, fact_id, Approval.COMMAND)

    return await _done(request, visit, fact_id, form, change)


@router.post("/share")
async def share(request: Request, visit: Visiting, fact_id: FactId, form: Sent) -> Response:
    """With a space of one's own; without one it is private again."""
    space = form.get("space")
    if not space:
        return await _done(request, visit, fact_id, form, lambda unit: facts.unshare(unit, fact_id))
    async with visit.unit(read_only=True) as unit:
        if all(each.id != space for each in await spaces.shared(unit)):
            raise NotFound("You are in no such space.")

    async def change(unit: Unit) -> Receipt:
        ensure_as_shown(await facts.own_fact(unit, fact_id), form.get("version"))
        return await facts.share(unit, fact_id)

    return await _done(request, visit, fact_id, form, change, space=space)


@router.post("/restore")
async def restore(request: Request, visit: Visiting, fact_id: FactId, form: Sent) -> Response:
    """A deleted fact, or the words of an earlier version: for those whom the page showed it to be for, not for members
    of a space in which it was shared since."""
    version = int(form.get("version")) if _is_number(form.get("version")) else None

    async def change(unit: Unit) -> Receipt:
        await lock_facts(unit)
        ensure_as_shown((await history.history(unit, fact_id))[-1], form.get("shown"))
        return await history.restore(unit, fact_id, version)

    return await _done(request, visit, fact_id, form, change)


@router.post("/undo")
async def undo(request: Request, visit: Visiting, fact_id: FactId, form: Sent) -> Response:
    """One named change, while nothing was built on it."""
    if not _is_number(form.get("version")):
        raise NotFound("There is nothing to undo.")
    version = int(form.get("version"))
    try:
        return await _done(request, visit, fact_id, form, lambda unit: history.undo(unit, fact_id, version))
    except NotFound:
        return visit.lead(_back(form, fact_id), News("undo_gone"))


def ensure_as_shown(present: FactRow, version: str) -> None:
    """What somebody changes is what they saw."""
    if version != str(present.version):
        raise Refused(texts.CHANGED_MEANWHILE)


async def _done(
    request: Request,
    visit: Visit,
    fact_id: str,
    form: Form,
    change: Callable[[Unit], Awaitable[Receipt]],
    *,
    space: str | None = None,
) -> Response:
    """Make the change, and lead back with its receipt; what is refused is told on the fact's own page."""
    try:
        receipt = await visit.write(change, space=space)
    except NotFound:
        raise
    except (Refused, KeyMissing) as refusal:
        trouble = EditTrouble(spoken(refusal), form.get("words"))
        return await one_fact.show(request, visit, fact_id, trouble=trouble, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if receipt.row.forgotten:
        visit.runtime.recent.forget_person(visit.person)
    where = _back(form, fact_id, is_gone=receipt.row.forgotten)
    return visit.lead(where, News.of(receipt))


def _back(form: Form, fact_id: str, *, is_gone: bool = False) -> str:
    """To the page that the form stood on; that of a fact that is gone says little more."""
    back = form.get("back")
    if back == "fact" and not is_gone:
        return f"/memory/{fact_id}"
    return SECTIONS[back] if back in SECTIONS else ListQuery.named(back).path


def _is_number(told: str) -> bool:
    return told.isascii() and told.isdigit() and len(told) < 10
