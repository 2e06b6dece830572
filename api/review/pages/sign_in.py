"""The way in and out: a link that opens once, Telegram's word for who it is, and the end of a visit."""

from datetime import UTC, datetime
from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.dependencies import runtime_of
from api.problems import Problem
from api.review.forms import Sent, read_form
from api.review.init_data import user_of
from api.review.rendering import page
from api.review.web_session import Visiting, base_path, let_in, show_out, visit_of
from memory import Viewer
from memory.errors import NotFound
from memory.people import links
from memory.people.allowlist import is_expected
from memory.people.people import has_left_since, is_known
from memory.wiring import Runtime

router = APIRouter()


@router.get("/open/{token}")
async def knock(request: Request, token: str) -> Response:
    """A button and nothing else: what only looks at a link, as previews do, must not use it up."""
    return page(request, None, "open.html", link=token, other=await _somebody_else(request, token))


@router.post("/open/{token}")
async def open_page(request: Request, token: str) -> Response:
    await read_form(request)
    runtime = runtime_of(request)
    try:
        cookie = await links.open_link(runtime.memory, token, datetime.now(UTC))
    except NotFound:
        return page(request, None, "link_gone.html", status=HTTPStatus.GONE)
    answer = RedirectResponse(base_path(runtime), HTTPStatus.SEE_OTHER)
    let_in(answer, runtime, cookie)
    return answer


async def _somebody_else(request: Request, token: str) -> str:
    """Whose page is open in this browser, where the link is not theirs: nobody shall take another's page for theirs."""
    try:
        visit = await visit_of(request)
    except Problem:
        return ""
    async with visit.unit(read_only=True) as unit:
        return "" if await links.is_own(unit, token) else visit.name


@router.get("/telegram")
async def begin_mini_app(request: Request) -> Response:
    """Where a Mini App begins. Who it is stands in a part of the address that only its script can read; whoever was
    here before, in another account of the same Telegram, is not."""
    runtime = runtime_of(request)
    _token(runtime)
    answer = page(request, None, "telegram.html")
    show_out(answer, runtime)
    return answer


@router.post("/telegram")
async def enter_mini_app(request: Request) -> Response:
    """Telegram's word for who it is; known and allowed here, they are let in."""
    form = await read_form(request)
    runtime, now = runtime_of(request), datetime.now(UTC)
    user = user_of(form.get("data"), _token(runtime), now)
    if user is None or not is_expected(runtime.settings.allowed_users, user.id, user.username):
        raise Problem(HTTPStatus.UNAUTHORIZED, "Telegram does not vouch for this, or you are not expected here.")
    viewer = Viewer.in_private(runtime.settings.tenant, f"telegram:{user.id}")
    async with runtime.memory.unit(viewer, now=now) as unit:
        if not await is_known(unit):
            raise Problem(HTTPStatus.UNAUTHORIZED, "I do not know you yet.")
        if await has_left_since(unit, user.vouched_at):
            raise Problem(HTTPStatus.UNAUTHORIZED, "You left since. Open the page once more in Telegram.")
        cookie = await links.begin_session(unit)
    answer = Response(status_code=HTTPStatus.NO_CONTENT)
    let_in(answer, runtime, cookie, framed=form.get("framed") == "1")
    return answer


def _token(runtime: Runtime) -> str:
    if (token := runtime.settings.telegram_bot_token) is None:
        raise Problem(HTTPStatus.NOT_FOUND, "There is no bot here.")
    return token.get_secret_value()


@router.post("/leave")
async def leave(request: Request, visit: Visiting, _: Sent) -> Response:
    async with visit.unit() as unit:
        await links.end_session(unit, visit.web.session_id)
    answer = page(request, None, "left.html")
    show_out(answer, visit.runtime)
    return answer
