"""Renders the pages from templates. All text is escaped, and the content security policy forbids other sites."""

from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from babel import Locale
from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from api.dependencies import runtime_of
from api.problems import Problem
from api.review.language import texts
from api.review.static_files import static_path
from api.review.web_session import ReviewSession, base_path
from memory.errors import NotFound, Refused, translate_error
from memory.translation import Plural, current_language, format_day, set_language

HERE = Path(__file__).parent
# Telegram's web clients show Mini Apps in frames.
TELEGRAM_PAGES = " ".join(f"https://{name}.telegram.org" for name in ("web", "weba", "webk", "webz"))
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    f"base-uri 'none'; frame-ancestors 'self' {TELEGRAM_PAGES}"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
# Keys of `texts.SECTIONS`, with paths below /review.
SECTIONS = {
    "waiting": "",
    "remembered": "/memory",
    "timeline": "/timeline",
    "insights": "/insights",
    "replies": "/replies",
    "spaces": "/spaces",
    "settings": "/settings",
    "data": "/data",
}


def fill_in(sentence: str | Plural, **gaps: Any) -> Markup:
    """Fill the gaps of a sentence. Each value keeps its own writing direction."""
    if isinstance(sentence, Plural):
        sentence = sentence.form(int(gaps[sentence.gap]))
    isolated = {name: Markup("<bdi>{}</bdi>").format(value) for name, value in gaps.items()}
    return Markup.escape(sentence).format(**isolated)


environment = Environment(
    autoescape=True,
    loader=FileSystemLoader(HERE / "templates"),
    undefined=StrictUndefined,
    auto_reload=False,
    trim_blocks=True,
    lstrip_blocks=True,
)
environment.filters["fill_in"] = fill_in
environment.globals.update(texts=texts, sections=SECTIONS, static_path=static_path)


def page(
    request: Request,
    session: ReviewSession | None,
    name: str,
    *,
    section: str = "",
    status: int = HTTPStatus.OK,
    **values: Any,
) -> HTMLResponse:
    """Render a template. With a session, the navigation is shown and marks `section`."""
    if session is None:
        set_language(request.headers.get("Accept-Language"))
    language = current_language()
    context = {
        "session": session,
        "section": section,
        "back": section,
        "language": language,
        "direction": Locale(language).text_direction,
        "base": base_path(runtime_of(request)),
        **_date_formatters(session),
        **values,
    }
    return HTMLResponse(environment.get_template(name).render(context), status, HEADERS)


def problem_page(request: Request, problem: Problem) -> HTMLResponse:
    """Render an error as a page."""
    set_language(request.headers.get("Accept-Language"))
    cause = problem.__cause__
    reason = translate_error(cause) if isinstance(cause, Refused) and not isinstance(cause, NotFound) else ""
    sentence = reason or texts.PROBLEMS.get(problem.status, texts.PROBLEM_ELSE)
    needs_link = problem.status == HTTPStatus.UNAUTHORIZED
    response = page(request, None, "problem.html", status=problem.status, sentence=sentence, asks_for_link=needs_link)
    response.headers.update({name: value for name, value in problem.headers.items() if name == "Retry-After"})
    return response


def _date_formatters(session: ReviewSession | None) -> Mapping[str, object]:
    """Template functions that format times in the person's time zone."""
    zone = session.zone if session is not None else None

    def day(moment: datetime) -> str:
        return format_day(moment.astimezone(zone))

    def moment(at: datetime) -> str:
        local = at.astimezone(zone)
        return f"{format_day(local)}, {local:%H:%M}"

    return {"day": day, "moment": moment}
