"""The session of a signed-in person at the review page, loaded from the cookie for every request."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse

from api.dependencies import runtime_of
from api.problems import Problem
from api.review import flash_messages
from api.review.flash_messages import FlashLine, FlashMessage
from memory import Choices, Viewer
from memory.facts.proposals import count_waiting_cards
from memory.people import links
from memory.people.links import SESSION_LASTS, BrowserSession
from memory.people.people import choices_of
from memory.translation import set_language
from memory.unit import Unit
from memory.wiring import Runtime

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ReviewSession:
    """A signed-in person. Everything is read and written as this person."""

    runtime: Runtime
    web: BrowserSession
    choices: Choices
    waiting: int
    """How many cards wait for the person's decision."""
    flashes: Sequence[FlashLine]
    now: datetime

    @property
    def viewer(self) -> Viewer:
        return self.web.viewer

    @property
    def person(self) -> str:
        return self.viewer.person

    @property
    def name(self) -> str:
        return self.choices.name or self.person

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.choices.timezone)

    @property
    def token(self) -> str:
        """The CSRF token that every form carries in its field `token`."""
        return links.form_token(self.runtime.memory.keyring, self.web)

    def url(self, path: str) -> str:
        """The URL of a page, from its path below `/review`."""
        return f"{base_path(self.runtime)}{path}"

    def redirect(self, path: str, *flashes: FlashMessage) -> RedirectResponse:
        """Redirect after a form to a page, given by its path below `/review`, that shows what was done."""
        return flash_messages.redirect(self.url(path), self.runtime.memory.keyring, self.web, *flashes)

    def unit(self, *, space: str | None = None, read_only: bool = False) -> AbstractAsyncContextManager[Unit]:
        """Open one transaction as this person, in their personal space or in another."""
        return self.runtime.memory.unit(self._in(space), read_only=read_only)

    async def write(self, work: Callable[[Unit], Awaitable[T]], *, space: str | None = None) -> T:
        """Run `work` in one transaction, retried once on a deadlock."""
        return await self.runtime.memory.write(self._in(space), work)

    def _in(self, space: str | None) -> Viewer:
        return replace(self.viewer, space=space) if space is not None else self.viewer


async def load_session(request: Request) -> ReviewSession:
    """Load the session that the cookie names. Raises 401 if there is none."""
    runtime, now = runtime_of(request), datetime.now(UTC)
    cookie = request.cookies.get(cookie_name(runtime), "")
    web = await links.find_session(runtime.memory, cookie, now)
    if web is None:
        raise Problem(HTTPStatus.UNAUTHORIZED, "Open this page with the link from /memory web.")
    async with runtime.memory.unit(web.viewer, now=now, read_only=True) as unit:
        choices = await choices_of(unit)
        set_language(choices.language)
        waiting = await count_waiting_cards(unit)
        flashes = await flash_messages.load_flashes(
            unit, runtime.memory.keyring, web, request.query_params.get(flash_messages.FIELD, "")
        )
    return ReviewSession(runtime, web, choices, waiting, flashes, now)


CurrentSession = Annotated[ReviewSession, Depends(load_session)]


def base_path(runtime: Runtime) -> str:
    """The public path of the review page, including the path prefix of a proxy."""
    return f"{urlsplit(runtime.web_url).path}/review"


def cookie_name(runtime: Runtime) -> str:
    """The cookie's name. Over https it has a prefix that browsers accept only over https."""
    return "__Secure-keepsake" if is_encrypted(runtime) else "keepsake"


def is_encrypted(runtime: Runtime) -> bool:
    return urlsplit(runtime.web_url).scheme == "https"


def set_session_cookie(response: Response, runtime: Runtime, cookie: str, *, framed: bool = False) -> None:
    """Set the cookie. In a frame on Telegram's web page browsers only send back a partitioned one."""
    partitioned = framed and is_encrypted(runtime)
    response.set_cookie(
        cookie_name(runtime),
        cookie,
        max_age=int(SESSION_LASTS.total_seconds()),
        path=base_path(runtime),
        secure=is_encrypted(runtime),
        httponly=True,
        samesite="none" if partitioned else "lax",
    )
    if partitioned:
        _partition_last_cookie(response)


def delete_session_cookie(response: Response, runtime: Runtime) -> None:
    """Delete the cookie, and the partitioned one, which is a separate cookie to a browser."""
    name, path, secure = cookie_name(runtime), base_path(runtime), is_encrypted(runtime)
    response.delete_cookie(name, path=path, secure=secure, httponly=True)
    if secure:
        response.delete_cookie(name, path=path, secure=True, httponly=True, samesite="none")
        _partition_last_cookie(response)


def _partition_last_cookie(response: Response) -> None:
    """Python's http.cookies supports the attribute from 3.14 on."""
    name, cookie = response.raw_headers[-1]
    response.raw_headers[-1] = (name, cookie + b"; Partitioned")
