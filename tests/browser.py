"""A real browser at the review page: Debian's chromium, driven by Playwright, watched for what it must never do."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    ViewportSize,
    async_playwright,
    expect,
)

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from db.engine import Database
from db.viewer import Viewer
from memory.concurrency.deadline import finish_late_work
from tests.daemon import Daemon
from tests.visitor import link_for
from tests.waiting import STUCK

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
IN_ONE_LOOP = pytest.mark.asyncio(loop_scope="session")
PHONE, DESKTOP = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=900)
# Words of a chart that leave it, or that touch each other.
OVERLAPPING = """() => [...document.querySelectorAll('svg.chart')].flatMap((chart) => {
    const boxes = [...chart.querySelectorAll('text')]
        .map((text) => [text.textContent, text.getBoundingClientRect()]);
    const inside = chart.getBoundingClientRect();
    const outside = boxes.filter(([, box]) => box.left < inside.left - 2 || box.right > inside.right + 2);
    const touching = boxes.flatMap(([one, a], at) => boxes.slice(at + 1).filter(([, b]) =>
        a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2)
        .map(([other]) => `${one} / ${other}`));
    return [...outside.map(([words]) => words), ...touching];
})"""
PATIENCE = STUCK * 1000  # Playwright counts milliseconds
expect.set_options(timeout=PATIENCE)
NO_BROWSER = "there is no chromium on this machine: `apt-get install chromium` brings it"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests that run in the loop of the session: to start it takes longer than many a test."""
    if (chromium := shutil.which("chromium")) is None:
        pytest.skip(NO_BROWSER)
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS, timeout=PATIENCE)
        yield running
        await running.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def database(server: EmbeddedServer, worker_database: str) -> AsyncIterator[Database]:
    """As everywhere, in the loop in which these tests are."""
    opened = Database(server.url(APPLICATION, worker_database))
    yield opened
    await finish_late_work()
    await opened.close()


@dataclass
class Watch:
    """What a page did besides showing itself."""

    origin: str
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def on(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._request)

    def assert_clean(self) -> None:
        assert (self.errors, self.outside) == ([], [])

    def _console(self, message: ConsoleMessage) -> None:
        # Every violation of the CSP is an error of the console too.
        if message.type in {"error", "warning"}:
            self.errors.append(message.text)

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.origin}/", "data:", "blob:")):
            self.outside.append(request.url)


@asynccontextmanager
async def tab(
    daemon: Daemon, browser: Browser, *, provokes: tuple[str, ...] = (), **options: Any
) -> AsyncIterator[Page]:
    """A page in a browser of its own, at nothing yet. At its end nothing was wrong and nobody else was asked anything;
    but a test may provoke errors of the console, of which these are parts."""
    context: BrowserContext = await browser.new_context(**{"viewport": PHONE, **options})
    context.set_default_timeout(PATIENCE)
    context.set_default_navigation_timeout(PATIENCE)
    watch = Watch(daemon.url)
    page = await context.new_page()
    watch.on(page)
    try:
        yield page
    finally:
        await context.close()
    watch.errors = [each for each in watch.errors if not any(part in each for part in provokes)]
    watch.assert_clean()


@asynccontextmanager
async def at_page(
    daemon: Daemon, browser: Browser, viewer: Viewer, *, provokes: tuple[str, ...] = (), **options: Any
) -> AsyncIterator[Page]:
    """The page of this person, opened by a link and its button."""
    async with tab(daemon, browser, provokes=provokes, **options) as page:
        await page.goto(f"{daemon.url}/review/open/{await link_for(daemon, viewer)}")
        await follow(page.locator("main button"))
        await expect(page).to_have_url(f"{daemon.url}/review")
        yield page


async def follow(link: Locator) -> None:
    """A link or a button that leads to another page, until that page is there: a click alone comes back before."""
    async with link.page.expect_navigation():
        await link.click()
