"""What a person chooses about their memory, and who else may come to it: open pages and keys."""

from http import HTTPStatus
from zoneinfo import available_timezones

from babel import Locale
from fastapi import APIRouter, Request, Response

from api.review.flash_messages import News
from api.review.forms import Sent
from api.review.language import texts
from api.review.rendering import page
from api.review.web_session import Visit, Visiting, show_out
from memory import Category, Mode
from memory.errors import NotFound
from memory.people import keys, links, people
from memory.translation import known, known_languages

router = APIRouter()


@router.get("/settings")
async def settings(request: Request, visit: Visiting) -> Response:
    return await _shown(request, visit)


@router.post("/settings/mode")
async def choose_mode(visit: Visiting, form: Sent) -> Response:
    if form.get("mode") not in set(Mode):
        raise NotFound
    async with visit.unit() as unit:
        await people.choose_mode(unit, Mode(form.get("mode")))
    return visit.lead("/settings", News("mode_chosen"))


@router.post("/settings/never")
async def choose_categories(visit: Visiting, form: Sent) -> Response:
    chosen = frozenset(Category(each) for each in form.every("never") if each in set(Category))
    async with visit.unit() as unit:
        await people.choose_categories(unit, chosen)
    return visit.lead("/settings", News("never_chosen"))


@router.post("/settings/reminders")
async def choose_reminders(visit: Visiting, form: Sent) -> Response:
    wanted = form.get("reminders") == "on"
    async with visit.unit() as unit:
        await people.choose_reminders(unit, wanted)
    return visit.lead("/settings", News("reminders_on" if wanted else "reminders_off"))


@router.post("/settings/place")
async def choose_place(request: Request, visit: Visiting, form: Sent) -> Response:
    """A timezone that both the program and the database know, and one of our languages."""
    timezone, language = form.get("timezone").strip(), form.get("language")
    if language not in known_languages():
        raise NotFound
    async with visit.unit() as unit:
        is_chosen = await people.choose_place(unit, timezone=timezone, language=language)
    if not is_chosen:
        return await _shown(request, visit, timezone=timezone, language=language, wrong=texts.SETTINGS_TIMEZONE_WRONG)
    return visit.lead("/settings", News("place_chosen"))


@router.post("/settings/sessions")
async def leave_everywhere(request: Request, visit: Visiting, form: Sent) -> Response:
    """Also here."""
    async with visit.unit() as unit:
        await links.leave_everywhere(unit)
    answer = page(request, None, "left.html")
    show_out(answer, visit.runtime)
    return answer


@router.post("/settings/keys/{key_id}/revoke")
async def revoke_key(visit: Visiting, form: Sent, key_id: str) -> Response:
    async with visit.unit() as unit:
        was_there = await keys.revoke_own_key(unit, key_id)
    return visit.lead("/settings", News("key_revoked" if was_there else "key_gone"))


async def _shown(
    request: Request, visit: Visit, *, timezone: str | None = None, language: str | None = None, wrong: str = ""
) -> Response:
    """What was entered and not taken stands there again, with why."""
    async with visit.unit(read_only=True) as unit:
        opened = await links.open_sessions(unit)
        own_keys = await keys.own_keys(unit)
    return page(
        request,
        visit,
        "settings.html",
        section="settings",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        choices=visit.choices,
        modes=list(Mode),
        categories=list(Category),
        timezone=visit.choices.timezone if timezone is None else timezone,
        languages={code: str(Locale.parse(code).display_name) for code in known_languages()},
        language_chosen=language or known(visit.choices.language),
        zones=sorted(available_timezones()),
        wrong=wrong,
        opened=opened,
        keys=own_keys,
    )
