"""Pictures of the review page for the documents: `python -m bench.screenshots` writes them into docs/images."""

import asyncio
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

from bench.believable import Believable, lived_in
from bench.runtime import bench_memory
from db.embedded.own_database import APPLICATION, DATABASE
from tests.browser import ARGUMENTS, NO_BROWSER, at_page
from tests.daemon import Daemon, running

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
MOST_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Screenshot:
    """What is taken, in CSS pixels, and how many of the picture's go into one of them."""

    name: str
    path: str
    width: int
    height: int
    scale: float


def views(story: Believable) -> tuple[Screenshot, ...]:
    return (
        Screenshot("waiting", "", 400, 860, 1.5),
        Screenshot("remembered", "/memory", 400, 860, 1.5),
        Screenshot("fact", f"/memory/{story.changed}", 400, 860, 1.5),
        Screenshot("timeline", f"/timeline?day={story.busy_day:%Y-%m-%d}", 1000, 900, 1),
        Screenshot("insights", "/insights", 1000, 900, 1),
    )


async def take(daemon: Daemon, browser: Browser, story: Believable, view: Screenshot, scheme: str) -> None:
    size = {"width": view.width, "height": view.height}
    look: dict[str, Any] = {"viewport": size, "color_scheme": scheme, "device_scale_factor": view.scale}
    async with at_page(daemon, browser, story.mara, **look) as page:
        await page.goto(f"{daemon.url}/review{view.path}")
        place = IMAGES / f"review-{view.name}-{scheme}.png"
        await page.screenshot(path=place)
    taken = place.stat().st_size
    print(f"{place.name}: {taken / 1000:.0f} kB")
    assert taken <= MOST_BYTES, place


async def run() -> None:
    if (chromium := shutil.which("chromium")) is None:
        raise SystemExit(NO_BROWSER)
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        async with (
            bench_memory() as (_, server),
            running(server.url(APPLICATION, DATABASE), "home", Path(folder)) as daemon,
            async_playwright() as playwright,
        ):
            story = await lived_in(daemon)
            browser = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            for view in views(story):
                for scheme in ("light", "dark"):
                    await take(daemon, browser, story, view, scheme)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(run())
