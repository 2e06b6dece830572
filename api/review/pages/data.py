"""A person's data as a whole: taken along, forgotten in part after one more question, erased after two."""

import asyncio
import json
from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from api.review.flash_messages import News
from api.review.forget_form import NotSaid, Wanted, wanted
from api.review.forms import Sent
from api.review.language import texts
from api.review.rendering import page
from api.review.web_session import Visit, Visiting, show_out
from memory import Attribute
from memory.errors import NotFound
from memory.facts.facts import own_facts
from memory.facts.topics import topics_of
from memory.privacy.export import as_markdown, export
from memory.privacy.forgetting.forget import Forgotten, Meant, NotAsShown, erase, forget, meant
from memory.translation import spoken

MOST_SHOWN = 50

router = APIRouter()


@router.get("/data")
async def data(request: Request, visit: Visiting) -> Response:
    return await _shown(request, visit)


@router.post("/data/export")
async def take_along(visit: Visiting, form: Sent) -> Response:
    """A file to keep. It is asked for by a form, so that no other page can have it made."""
    kind = form.get("format")
    if kind not in {"json", "markdown"}:
        raise NotFound
    async with visit.unit() as unit:
        document = await export(unit)
    if kind == "json":
        text = await asyncio.to_thread(json.dumps, document, ensure_ascii=False, indent=1)
        media, ending = "application/json", "json"
    else:
        text = await asyncio.to_thread(as_markdown, document)
        media, ending = "text/markdown; charset=utf-8", "md"
    name = f"keepsake-export-{visit.now:%Y%m%d-%H%M%S}.{ending}"
    return Response(text, media_type=media, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.post("/data/forget/ask")
async def ask_to_forget(request: Request, visit: Visiting, form: Sent) -> Response:
    """What would go, and nothing goes yet."""
    try:
        want = wanted(form, visit.zone)
    except NotSaid as missing:
        return await _shown(request, visit, missing)
    async with visit.unit(read_only=True) as unit:
        going = await meant(unit, want.wish)
    return _asked(request, visit, want, going)


@router.post("/data/forget")
async def forget_it(request: Request, visit: Visiting, form: Sent) -> Response:
    try:
        want = wanted(form, visit.zone)
    except NotSaid as missing:
        return await _shown(request, visit, missing)
    try:
        gone = await visit.write(lambda unit: forget(unit, want.wish, shown=form.get("shown")))
    except NotAsShown as refusal:
        return _asked(request, visit, want, refusal.going, spoken(refusal))
    visit.runtime.recent.forget_person(visit.person)
    return visit.lead("/data", *news_of(gone))


@router.get("/data/erase")
async def ask_to_erase(request: Request, visit: Visiting) -> Response:
    return page(request, visit, "erase.html", section="data")


@router.get("/data/erase/last")
async def ask_once_more(request: Request, visit: Visiting) -> Response:
    return page(request, visit, "erase_last.html", section="data", wrong="")


@router.post("/data/erase/last")
async def erase_all(request: Request, visit: Visiting, form: Sent) -> Response:
    """With the person their visit is over: its row is gone, and the cookie opens nothing."""
    if form.get("word").strip().casefold() != texts.ERASE_WORD.casefold():
        status, wrong = HTTPStatus.UNPROCESSABLE_ENTITY, texts.ERASE_WRONG
        return page(request, visit, "erase_last.html", section="data", status=status, wrong=wrong)
    await erase(visit.runtime.memory, visit.viewer.tenant, visit.person)
    visit.runtime.recent.forget_person(visit.person)
    answer = page(request, None, "erased.html")
    show_out(answer, visit.runtime)
    return answer


def news_of(gone: Forgotten) -> list[News]:
    counted = {
        "forgot_facts": gone.facts,
        "forgot_messages": gone.messages,
        "forgot_topics": len(gone.topics),
        "forgot_summaries": gone.summaries,
        "forgot_cards": gone.cards,
        "forgot_entries": gone.entries,
    }
    return [News(kind, str(number)) for kind, number in counted.items() if number] or [News("forgot_nothing")]


def _asked(request: Request, visit: Visit, want: Wanted, going: Meant, wrong: str = "") -> Response:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    told = {"want": want, "going": going, "wrong": wrong, "most_shown": MOST_SHOWN}
    return page(request, visit, "forget.html", section="data", status=status, **told)


async def _shown(request: Request, visit: Visit, missing: NotSaid | None = None) -> Response:
    async with visit.unit(read_only=True) as unit:
        topics = await topics_of(unit)
        facts = await own_facts(unit)
    subjects = sorted({row.subject for row in facts if row.subject}, key=str.casefold)
    today = visit.now.astimezone(visit.zone).date()
    return page(
        request,
        visit,
        "data.html",
        section="data",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if missing else HTTPStatus.OK,
        subjects=subjects,
        topics=topics,
        attributes=list(Attribute),
        today=today,
        missing=missing,
    )
