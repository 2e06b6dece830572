"""A person's data as a whole: export, forgetting a part after one confirmation, erasure after two."""

import asyncio
import json
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from api.review.flash_messages import FlashMessage
from api.review.forget_form import ForgetForm, InvalidForgetForm, parse_forget_form
from api.review.forms import VerifiedForm
from api.review.language import texts
from api.review.rendering import page
from api.review.web_session import CurrentSession, ReviewSession, delete_session_cookie
from memory import Attribute
from memory.errors import NotFound, translate_error
from memory.facts.facts import own_facts
from memory.facts.topics import topics_of
from memory.privacy.export import export_as_markdown, export_data
from memory.privacy.forgetting.forget import ForgetPreview, ForgetResult, PreviewChanged, erase, forget, preview_forget

MAX_SHOWN = 50

router = APIRouter()


@router.get("/data")
async def data(request: Request, session: CurrentSession) -> Response:
    return await _data_page(request, session)


@router.post("/data/export")
async def download_export(session: CurrentSession, form: VerifiedForm) -> Response:
    """Download the export. It is a POST, so that no other site can trigger it."""
    kind = form.get("format")
    if kind not in {"json", "markdown"}:
        raise NotFound
    async with session.unit() as unit:
        document = await export_data(unit)
    if kind == "json":
        text = await asyncio.to_thread(json.dumps, document, ensure_ascii=False, indent=1)
        media, ending = "application/json", "json"
    else:
        text = await asyncio.to_thread(export_as_markdown, document)
        media, ending = "text/markdown; charset=utf-8", "md"
    name = f"keepsake-export-{session.now:%Y%m%d-%H%M%S}.{ending}"
    return Response(text, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post("/data/forget/ask")
async def ask_to_forget(request: Request, session: CurrentSession, form: VerifiedForm) -> Response:
    """Show what would be forgotten, and ask for confirmation."""
    try:
        wanted = parse_forget_form(form, session.zone)
    except InvalidForgetForm as error:
        return await _data_page(request, session, error)
    async with session.unit(read_only=True) as unit:
        preview = await preview_forget(unit, wanted.request)
    return _confirmation_page(request, session, wanted, preview)


@router.post("/data/forget")
async def forget_it(request: Request, session: CurrentSession, form: VerifiedForm) -> Response:
    try:
        wanted = parse_forget_form(form, session.zone)
    except InvalidForgetForm as error:
        return await _data_page(request, session, error)
    try:
        result = await session.write(lambda unit: forget(unit, wanted.request, fingerprint=form.get("shown")))
    except PreviewChanged as refusal:
        return _confirmation_page(request, session, wanted, refusal.preview, translate_error(refusal))
    session.runtime.recent.forget_person(session.person)
    return session.redirect("/data", *flashes_of(result))


@router.get("/data/erase")
async def ask_to_erase(request: Request, session: CurrentSession) -> Response:
    return page(request, session, "erase.html", section="data")


@router.get("/data/erase/last")
async def ask_once_more(request: Request, session: CurrentSession) -> Response:
    return page(request, session, "erase_last.html", section="data", wrong="")


@router.post("/data/erase/last")
async def erase_all(request: Request, session: CurrentSession, form: VerifiedForm) -> Response:
    """Erase the person, including this session's row, so that the cookie is void."""
    if form.get("word").strip().casefold() != texts.ERASE_WORD.casefold():
        status, wrong = HTTPStatus.UNPROCESSABLE_ENTITY, texts.ERASE_WRONG
        return page(request, session, "erase_last.html", section="data", status=status, wrong=wrong)
    await erase(session.runtime.memory, session.viewer.tenant, session.person)
    session.runtime.recent.forget_person(session.person)
    answer = page(request, None, "erased.html")
    delete_session_cookie(answer, session.runtime)
    return answer


def flashes_of(result: ForgetResult) -> list[FlashMessage]:
    counted = {
        "forgot_facts": result.facts,
        "forgot_messages": result.messages,
        "forgot_topics": len(result.topics),
        "forgot_summaries": result.summaries,
        "forgot_cards": result.cards,
        "forgot_entries": result.ledger_entries,
    }
    return [FlashMessage(kind, str(number)) for kind, number in counted.items() if number] or [
        FlashMessage("forgot_nothing")
    ]


def _confirmation_page(
    request: Request, session: ReviewSession, form: ForgetForm, preview: ForgetPreview, wrong: str = ""
) -> Response:
    return page(
        request,
        session,
        "forget.html",
        section="data",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        form=form,
        preview=preview,
        wrong=wrong,
        most_shown=MAX_SHOWN,
    )


async def _data_page(request: Request, session: ReviewSession, error: InvalidForgetForm | None = None) -> Response:
    async with session.unit(read_only=True) as unit:
        topics = await topics_of(unit)
        facts = await own_facts(unit)
    subjects = sorted({row.subject for row in facts if row.subject}, key=str.casefold)
    today = session.now.astimezone(session.zone).date()
    return page(
        request,
        session,
        "data.html",
        section="data",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK,
        subjects=subjects,
        topics=topics,
        attributes=list(Attribute),
        today=today,
        error=error,
    )
