"""Sign-in by one-time link or by Telegram's init data, and sign-out."""

from datetime import UTC, datetime
from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.dependencies import runtime_of
from api.problems import Problem
from api.review.forms import VerifiedForm, read_form
from api.review.init_data import verify_init_data
from api.review.rendering import page
from api.review.web_session import CurrentSession, base_path, delete_session_cookie, load_session, set_session_cookie
from memory import Viewer
from memory.errors import NotFound
from memory.people import links
from memory.people.allowlist import is_allowed
from memory.people.people import is_known, signed_out_since
from memory.wiring import Runtime

router = APIRouter()


@router.get("/open/{token}")
async def confirm_link(request: Request, token: str) -> Response:
    """Show only a button, so that link previews do not use up the link."""
    return page(request, None, "open.html", link=token, other=await _other_user_signed_in(request, token))


@router.post("/open/{token}")
async def open_page(request: Request, token: str) -> Response:
    await read_form(request)
    runtime = runtime_of(request)
    try:
        cookie = await links.open_link(runtime.memory, token, datetime.now(UTC))
    except NotFound:
        return page(request, None, "link_gone.html", status=HTTPStatus.GONE)
    answer = RedirectResponse(base_path(runtime), HTTPStatus.SEE_OTHER)
    set_session_cookie(answer, runtime, cookie)
    return answer


async def _other_user_signed_in(request: Request, token: str) -> str:
    """Return the name of another person who is signed in at this browser, to warn about the switch."""
    try:
        session = await load_session(request)
    except Problem:
        return ""
    async with session.unit(read_only=True) as unit:
        return "" if await links.is_own_link(unit, token) else session.name


@router.get("/telegram")
async def begin_mini_app(request: Request) -> Response:
    """Start the Mini App. Its script reads the init data from the URL fragment, which the server does not see.

    Any existing session is dropped: it may belong to another account of the same Telegram app.
    """
    runtime = runtime_of(request)
    _token(runtime)
    answer = page(request, None, "telegram.html")
    delete_session_cookie(answer, runtime)
    return answer


@router.post("/telegram")
async def enter_mini_app(request: Request) -> Response:
    """Sign in a known and allowed user with Telegram's init data."""
    form = await read_form(request)
    runtime, now = runtime_of(request), datetime.now(UTC)
    user = verify_init_data(form.get("data"), _token(runtime), now)
    if user is None or not is_allowed(runtime.settings.allowed_users, user.id, user.username):
        raise Problem(HTTPStatus.UNAUTHORIZED, "Invalid Telegram sign-in, or you are not allowed here.")
    viewer = Viewer.in_private(runtime.settings.tenant, f"telegram:{user.id}")
    async with runtime.memory.unit(viewer, now=now) as unit:
        if not await is_known(unit):
            raise Problem(HTTPStatus.UNAUTHORIZED, "Unknown user. Start a chat with the bot first.")
        if await signed_out_since(unit, user.vouched_at):
            raise Problem(HTTPStatus.UNAUTHORIZED, "You have signed out since. Open the page again in Telegram.")
        cookie = await links.begin_session(unit)
    answer = Response(status_code=HTTPStatus.NO_CONTENT)
    set_session_cookie(answer, runtime, cookie, framed=form.get("framed") == "1")
    return answer


def _token(runtime: Runtime) -> str:
    if (token := runtime.settings.telegram_bot_token) is None:
        raise Problem(HTTPStatus.NOT_FOUND, "There is no bot here.")
    return token.get_secret_value()


@router.post("/leave")
async def leave(request: Request, session: CurrentSession, _: VerifiedForm) -> Response:
    async with session.unit() as unit:
        await links.end_session(unit, session.web.session_id)
    answer = page(request, None, "left.html")
    delete_session_cookie(answer, session.runtime)
    return answer
