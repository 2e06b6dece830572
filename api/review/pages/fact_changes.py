"""An owner's changes to a fact: edit, share, delete, restore and undo."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from api.review.flash_messages import FlashMessage
from api.review.forms import Form, VerifiedForm
from api.review.language import texts
from api.review.list_query import ListQuery
from api.review.pages import one_fact
from api.review.pages.one_fact import EditError, FactId
from api.review.rendering import SECTIONS
from api.review.web_session import CurrentSession, ReviewSession
from memory import Approval, Category, FactRow
from memory.errors import KeyMissing, NotFound, Refused, translate_error
from memory.facts import facts, history
from memory.facts.facts import FactDraft
from memory.facts.lock import lock_facts
from memory.facts.receipts import Receipt, ReceiptKind
from memory.people import spaces
from memory.refusals import Refusal
from memory.unit import Unit

router = APIRouter(prefix="/memory/{fact_id}")


@router.post("/edit")
async def edit(request: Request, session: CurrentSession, fact_id: FactId, form: VerifiedForm) -> Response:
    async def change(unit: Unit) -> Receipt:
        ensure_unchanged(await facts.own_fact(unit, fact_id), form.get("version"))
        receipt = await facts.revise(unit, fact_id, FactDraft(form.get("words"), Category.OTHER), Approval.COMMAND)
        if receipt.kind == ReceiptKind.KNOWN:
            raise Refused(texts.FACT_EDIT_KNOWN.format(content=receipt.row.words))
        return receipt

    return await _apply(request, session, fact_id, form, change)


@router.post("/delete")
async def delete(request: Request, session: CurrentSession, fact_id: FactId, form: VerifiedForm) -> Response:
    async def change(unit: Unit) -> Receipt:
        ensure_unchanged(await facts.own_fact(unit, fact_id), form.get("version"))
        return await facts.hide(unit, fact_id, Approval.COMMAND)

    return await _apply(request, session, fact_id, form, change)


@router.post("/share")
async def share(request: Request, session: CurrentSession, fact_id: FactId, form: VerifiedForm) -> Response:
    """Share the fact with a space, or make it private again if none is given."""
    space = form.get("space")
    if not space:
        return await _apply(request, session, fact_id, form, lambda unit: facts.unshare(unit, fact_id))
    async with session.unit(read_only=True) as unit:
        if all(each.id != space for each in await spaces.shared_spaces(unit)):
            raise NotFound(Refusal.SPACE_NOT_FOUND)

    async def change(unit: Unit) -> Receipt:
        ensure_unchanged(await facts.own_fact(unit, fact_id), form.get("version"))
        return await facts.share(unit, fact_id)

    return await _apply(request, session, fact_id, form, change, space=space)


@router.post("/restore")
async def restore(request: Request, session: CurrentSession, fact_id: FactId, form: VerifiedForm) -> Response:
    """Restore a deleted fact, or an earlier version. Refused if the fact changed since the page was shown: it might be
    shared with other people by now."""
    version = int(form.get("version")) if _is_number(form.get("version")) else None

    async def change(unit: Unit) -> Receipt:
        await lock_facts(unit)
        ensure_unchanged((await history.history(unit, fact_id))[-1], form.get("shown"))
        return await history.restore(unit, fact_id, version)

    return await _apply(request, session, fact_id, form, change)


@router.post("/undo")
async def undo(request: Request, session: CurrentSession, fact_id: FactId, form: VerifiedForm) -> Response:
    """Undo one change, unless a later one followed."""
    if not _is_number(form.get("version")):
        raise NotFound(Refusal.NOTHING_TO_UNDO)
    version = int(form.get("version"))
    try:
        return await _apply(request, session, fact_id, form, lambda unit: history.undo(unit, fact_id, version))
    except NotFound:
        return session.redirect(_back_path(form, fact_id), FlashMessage("undo_gone"))


def ensure_unchanged(present: FactRow, version: str) -> None:
    """Refuse to change a version that the page did not show."""
    if version != str(present.version):
        raise Refused(texts.FACT_CHANGED_MEANWHILE)


async def _apply(
    request: Request,
    session: ReviewSession,
    fact_id: str,
    form: Form,
    change: Callable[[Unit], Awaitable[Receipt]],
    *,
    space: str | None = None,
) -> Response:
    """Make the change and redirect back with its receipt. A refusal is shown on the fact's own page."""
    try:
        receipt = await session.write(change, space=space)
    except NotFound:
        raise
    except (Refused, KeyMissing) as refusal:
        error = EditError(translate_error(refusal), form.get("words"))
        return await one_fact.show(request, session, fact_id, error=error, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if receipt.row.forgotten:
        session.runtime.recent.forget_person(session.person)
    path = _back_path(form, fact_id, is_deleted=receipt.row.forgotten)
    return session.redirect(path, FlashMessage.of(receipt))


def _back_path(form: Form, fact_id: str, *, is_deleted: bool = False) -> str:
    """The page that the form was on, or the list if it was the page of a fact that is now deleted."""
    back = form.get("back")
    if back == "fact" and not is_deleted:
        return f"/memory/{fact_id}"
    return SECTIONS[back] if back in SECTIONS else ListQuery.parse(back).path


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
