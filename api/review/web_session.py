"""The web session of a person at the review page: from the cookie to who it is, and what every page shows."""

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
from api.review.flash_messages import FlashLine, News
from memory import Choices, Viewer
from memory.facts.proposals import count_waiting
from memory.people import links
from memory.people.links import SESSION_LASTS, WebVisit
from memory.people.people import choices_of
from memory.translation import speak
from memory.unit import Unit
from memory.wiring import Runtime

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Visit:
    """A person at the page. All that is read and written here is done as they."""

    runtime: Runtime
    web: WebVisit
    choices: Choices
    waiting: int
    """How many cards wait for their word."""
    told: Sequence[FlashLine]
    """What the form that led here has done."""
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
        """What every form of theirs carries, in its field `token`."""
        return links.form_token(self.runtime.memory.keyring, self.web)

    def at(self, path: str) -> str:
        """The address of a page, by what follows `/review`."""
        return f"{base_path(self.runtime)}{path}"

    def lead(self, path: str, *news: News) -> RedirectResponse:
        """After a form: to a page, by what follows `/review`, which tells what was done."""
        return flash_messages.redirect(self.at(path), self.runtime.memory.keyring, self.web, *news)

    def unit(self, *, space: str | None = None, read_only: bool = False) -> AbstractAsyncContextManager[Unit]:
        """One transaction as this person, in their own space or in another that they belong to."""
        return self.runtime.memory.unit(self._in(space), read_only=read_only)

    async def write(self, work: Callable[[Unit], Awaitable[T]], *, space: str | None = None) -> T:
        """The same for what may come in the way of another change of theirs, and is then tried once more."""
        return await self.runtime.memory.write(self._in(space), work)

    def _in(self, space: str | None) -> Viewer:
        return replace(self.viewer, space=space) if space is not None else self.viewer


async def visit_of(request: Request) -> Visit:
    """Whose cookie it is; raises where it is nobody's."""
    runtime, now = runtime_of(request), datetime.now(UTC)
    cookie = request.cookies.get(cookie_name(runtime), "")
    web = await links.visit_of(runtime.memory, cookie, now)
    if web is None:
        raise Problem(HTTPStatus.UNAUTHORIZED, "This page needs a link: /memory web.")
    async with runtime.memory.unit(web.viewer, now=now, read_only=True) as unit:
        choices = await choices_of(unit)
        speak(choices.language)
        waiting = await count_waiting(unit)
        told = await flash_messages.lines(
            unit, runtime.memory.keyring, web, request.query_params.get(flash_messages.FIELD, "")
        )
    return Visit(runtime, web, choices, waiting, told, now)


Visiting = Annotated[Visit, Depends(visit_of)]


def base_path(runtime: Runtime) -> str:
    """Where the review page begins, also behind a proxy that has more on its address than us."""
    return f"{urlsplit(runtime.web_url).path}/review"


def cookie_name(runtime: Runtime) -> str:
    """With a prefix that browsers take from an encrypted line only, where there is one."""
    return "__Secure-keepsake" if is_encrypted(runtime) else "keepsake"


def is_encrypted(runtime: Runtime) -> bool:
    return urlsplit(runtime.web_url).scheme == "https"


def let_in(answer: Response, runtime: Runtime, cookie: str, *, framed: bool = False) -> None:
    """Hand out the cookie. In a frame of Telegram's own page only one that is kept for that page apart is sent back."""
    apart = framed and is_encrypted(runtime)
    answer.set_cookie(
        cookie_name(runtime),
        cookie,
        max_age=int(SESSION_LASTS.total_seconds()),
        path=base_path(runtime),
        secure=is_encrypted(runtime),
        httponly=True,
        samesite="none" if apart else "lax",
    )
    if apart:
        _partition(answer)


def show_out(answer: Response, runtime: Runtime) -> None:
    """Take the cookie back, also the one that is kept apart for a frame: that is another one to a browser."""
    name, path, secure = cookie_name(runtime), base_path(runtime), is_encrypted(runtime)
    answer.delete_cookie(name, path=path, secure=secure, httponly=True)
    if secure:
        answer.delete_cookie(name, path=path, secure=True, httponly=True, samesite="none")
        _partition(answer)


def _partition(answer: Response) -> None:
    """Of the cookie that was set last; Python's own cookies know the word from 3.14 on."""
    name, cookie = answer.raw_headers[-1]
    answer.raw_headers[-1] = (name, cookie + b"; Partitioned")
