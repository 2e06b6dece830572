"""A person's settings, open sessions and API keys."""

from http import HTTPStatus
from zoneinfo import available_timezones

from babel import Locale
from fastapi import APIRouter, Request, Response

from api.review.flash_messages import FlashMessage
from api.review.forms import VerifiedForm
from api.review.language import texts
from api.review.rendering import page
from api.review.web_session import CurrentSession, ReviewSession, delete_session_cookie
from memory import Category, Mode
from memory.errors import NotFound
from memory.people import keys, links, people
from memory.translation import available_languages, match_language

router = APIRouter()


@router.get("/settings")
async def settings(request: Request, session: CurrentSession) -> Response:
    return await _settings_page(request, session)


@router.post("/settings/mode")
async def choose_mode(session: CurrentSession, form: VerifiedForm) -> Response:
    if form.get("mode") not in set(Mode):
        raise NotFound
    async with session.unit() as unit:
        await people.choose_mode(unit, Mode(form.get("mode")))
    return session.redirect("/settings", FlashMessage("mode_chosen"))


@router.post("/settings/never")
async def choose_categories(session: CurrentSession, form: VerifiedForm) -> Response:
    chosen = frozenset(Category(each) for each in form.every("never") if each in set(Category))
    async with session.unit() as unit:
        await people.choose_categories(unit, chosen)
    return session.redirect("/settings", FlashMessage("never_chosen"))


@router.post("/settings/reminders")
async def choose_reminders(session: CurrentSession, form: VerifiedForm) -> Response:
    wanted = form.get("reminders") == "on"
    async with session.unit() as unit:
        await people.choose_reminders(unit, wanted)
    return session.redirect("/settings", FlashMessage("reminders_on" if wanted else "reminders_off"))


@router.post("/settings/place")
async def choose_locale(request: Request, session: CurrentSession, form: VerifiedForm) -> Response:
    timezone, language = form.get("timezone").strip(), form.get("language")
    if language not in available_languages():
        raise NotFound
    async with session.unit() as unit:
        is_chosen = await people.choose_locale(unit, timezone=timezone, language=language)
    if not is_chosen:
        wrong = texts.SETTINGS_TIMEZONE_WRONG
        return await _settings_page(request, session, timezone=timezone, language=language, wrong=wrong)
    return session.redirect("/settings", FlashMessage("place_chosen"))


@router.post("/settings/sessions")
async def sign_out_everywhere(request: Request, session: CurrentSession, form: VerifiedForm) -> Response:
    """End all sessions, including this one."""
    async with session.unit() as unit:
        await links.end_all_sessions(unit)
    answer = page(request, None, "left.html")
    delete_session_cookie(answer, session.runtime)
    return answer


@router.post("/settings/keys/{key_id}/revoke")
async def revoke_key(session: CurrentSession, form: VerifiedForm, key_id: str) -> Response:
    async with session.unit() as unit:
        was_there = await keys.revoke_own_key(unit, key_id)
    return session.redirect("/settings", FlashMessage("key_revoked" if was_there else "key_gone"))


async def _settings_page(
    request: Request,
    session: ReviewSession,
    *,
    timezone: str | None = None,
    language: str | None = None,
    wrong: str = "",
) -> Response:
    """Render the page. Rejected input is shown again with the reason."""
    async with session.unit(read_only=True) as unit:
        opened = await links.open_sessions(unit)
        own_keys = await keys.own_keys(unit)
    return page(
        request,
        session,
        "settings.html",
        section="settings",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK,
        choices=session.choices,
        modes=list(Mode),
        categories=list(Category),
        timezone=session.choices.timezone if timezone is None else timezone,
        languages={code: str(Locale.parse(code).display_name) for code in available_languages()},
        language_chosen=language or match_language(session.choices.language),
        zones=sorted(available_timezones()),
        wrong=wrong,
        opened=opened,
        keys=own_keys,
    )
