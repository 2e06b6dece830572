"""Somebody at the review page, with a browser that knows cookies and forms and no JavaScript."""

import re
from dataclasses import dataclass
from html import unescape
from itertools import count
from typing import Any
from urllib.parse import urlencode

import httpx

from db.queries.people.people import welcome
from db.viewer import Viewer
from memory.people.links import make_link
from tests.conftest import NOON
from tests.daemon import Daemon
from tests.waiting import STUCK

SHOWN = re.compile(r'name="shown" value="([0-9a-f]{64})"')
TOKEN = re.compile(r'name="token" value="([0-9a-f]{64})"')
_newcomers = count(1000)


@dataclass(slots=True)
class Visitor:
    """A person whose page is open."""

    viewer: Viewer
    http: httpx.AsyncClient
    token: str = ""

    async def get(self, path: str = "", **query: Any) -> httpx.Response:
        """A page, by what follows `/review`."""
        return await self.http.get(f"/review{path}", params=query)

    async def post(self, path: str, fields: Any = (), *, token: str | None = None) -> httpx.Response:
        """A form as the page sends it, and the page that it leads to."""
        sent = list(fields.items() if isinstance(fields, dict) else fields)
        return await self.http.post(
            f"/review{path}",
            content=urlencode([("token", self.token if token is None else token), *sent]),
            headers={"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"},
        )

    async def forget(self, wish: dict[str, str]) -> httpx.Response:
        """A yes to what would go, as it is shown."""
        asked = await self.post("/data/forget/ask", wish)
        return await self.post("/data/forget", {**wish, "shown": SHOWN.findall(asked.text)[0]})

    async def read(self, path: str = "", **query: Any) -> str:
        """The text of a page, as one reads it: without markup."""
        return shown((await self.get(path, **query)).text)

    async def __aenter__(self) -> "Visitor":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()


def shown(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


async def link_for(daemon: Daemon, viewer: Viewer) -> str:
    async with daemon.memory.unit(viewer) as unit:
        return await make_link(unit, daemon.memory.keyring)


def stranger(daemon: Daemon) -> httpx.AsyncClient:
    """Somebody without a cookie."""
    return httpx.AsyncClient(base_url=daemon.url, follow_redirects=True, timeout=STUCK)


async def enter(daemon: Daemon, viewer: Viewer) -> Visitor:
    """Open the page by a link."""
    visitor = Visitor(viewer, stranger(daemon))
    answer = await visitor.post(f"/open/{await link_for(daemon, viewer)}")
    assert answer.status_code == 200, answer.text
    found = TOKEN.search(answer.text)
    assert found
    visitor.token = found[1]
    return visitor


async def met(daemon: Daemon, number: str = "", *, name: str = "", timezone: str = "UTC") -> Viewer:
    """Make a person known to the daemon; without a number, one who was not here before."""
    number = number or str(next(_newcomers))
    viewer = Viewer.in_private(daemon.tenant, f"telegram:{number}")
    async with daemon.memory.unit(viewer) as unit:
        await welcome(unit.session, viewer, name=name or number, timezone=timezone, now=NOON)
    return viewer
