"""Makes pages from templates: everything a person or a model wrote is escaped, and no page may reach outside."""

from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from babel import Locale
from babel.dates import format_date, format_datetime
from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from api.dependencies import runtime_of
from api.problems import Problem
from api.review.language import texts
from api.review.static_files import static_path
from api.review.web_session import Visit, base_path
from memory.errors import NotFound, Refused
from memory.translation import Plural, speak, spoken, spoken_language

HERE = Path(__file__).parent
# Telegram shows Mini Apps in frames of these pages, where it is not an application itself.
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
# The sections by their names in `texts.SECTIONS`, with their addresses below the page's own.
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


def filled(sentence: str | Plural, **gaps: Any) -> Markup:
    """Fill in a sentence's gaps, each kept in its own direction of writing."""
    if isinstance(sentence, Plural):
        sentence = sentence.form(int(gaps[sentence.gap]))
    around = {name: Markup("<bdi>{}</bdi>").format(value) for name, value in gaps.items()}
    return Markup.escape(sentence).format(**around)


environment = Environment(
    autoescape=True,
    loader=FileSystemLoader(HERE / "templates"),
    undefined=StrictUndefined,
    auto_reload=False,
    trim_blocks=True,
    lstrip_blocks=True,
)
environment.filters["filled"] = filled
environment.globals.update(texts=texts, sections=SECTIONS, static_path=static_path)


def page(
    request: Request,
    visit: Visit | None,
    name: str,
    *,
    section: str = "",
    status: int = HTTPStatus.OK,
    **values: Any,
) -> HTMLResponse:
    """A template with what it shows; `section` is the one that the navigation marks. Without a visit, nobody's page."""
    if visit is None:
        speak(request.headers.get("Accept-Language"))
    language = spoken_language()
    given = {
        "visit": visit,
        "section": section,
        "back": section,
        "language": language,
        "direction": Locale(language).text_direction,
        "base": base_path(runtime_of(request)),
        **_clock(visit, language),
        **values,
    }
    return HTMLResponse(environment.get_template(name).render(given), status, HEADERS)


def problem_page(request: Request, problem: Problem) -> HTMLResponse:
    """What went wrong, to a person; never an exception's text."""
    speak(request.headers.get("Accept-Language"))
    refusal = problem.__cause__
    told = spoken(refusal) if isinstance(refusal, Refused) and not isinstance(refusal, NotFound) else ""
    sentence = told or texts.PROBLEMS.get(problem.status, texts.PROBLEM_ELSE)
    asks = problem.status == HTTPStatus.UNAUTHORIZED
    answer = page(request, None, "problem.html", status=problem.status, sentence=sentence, asks_for_link=asks)
    answer.headers.update({name: value for name, value in problem.headers.items() if name == "Retry-After"})
    return answer


def _clock(visit: Visit | None, language: str) -> Mapping[str, object]:
    """Moments as the person counts them."""
    zone = visit.zone if visit is not None else None

    def day(moment: datetime) -> str:
        return format_date(moment.astimezone(zone), "d MMMM y", locale=language)

    def moment(at: datetime) -> str:
        return format_datetime(at.astimezone(zone), "d MMMM y, HH:mm", locale=language)

    return {"day": day, "moment": moment}
