"""Takes screenshots of the review page for the documentation: `python -m bench.screenshots` writes to docs/images."""

import asyncio
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

from bench.cover_picture import take_cover
from bench.database import bench_memory
from bench.demo_data import DemoData, fill_demo_data
from db.embedded.own_database import APPLICATION, DATABASE
from tests.browser import ARGUMENTS, NO_BROWSER, at_page
from tests.daemon import Daemon, running

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
MAX_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Screenshot:
    """The size is in CSS pixels; `scale` is the number of image pixels per CSS pixel."""

    name: str
    path: str
    width: int
    height: int
    scale: float


def views(data: DemoData) -> tuple[Screenshot, ...]:
    return (
        Screenshot("waiting", "", 400, 860, 1.5),
        Screenshot("remembered", "/memory", 400, 860, 1.5),
        Screenshot("fact", f"/memory/{data.changed}", 400, 860, 1.5),
        Screenshot("timeline", f"/timeline?day={data.busy_day:%Y-%m-%d}", 1000, 900, 1),
        Screenshot("insights", "/insights", 1000, 900, 1),
    )


async def take(daemon: Daemon, browser: Browser, data: DemoData, view: Screenshot, scheme: str) -> None:
    viewport = {"width": view.width, "height": view.height}
    look: dict[str, Any] = {"viewport": viewport, "color_scheme": scheme, "device_scale_factor": view.scale}
    async with at_page(daemon, browser, data.mara, **look) as page:
        await page.goto(f"{daemon.url}/review{view.path}")
        path = IMAGES / f"review-{view.name}-{scheme}.png"
        await page.screenshot(path=path)
    check_size(path)


def check_size(path: Path) -> None:
    size = path.stat().st_size
    print(f"{path.name}: {size / 1000:.0f} kB")
    assert size <= MAX_BYTES, path


async def run() -> None:
    if (chromium := shutil.which("chromium")) is None:
        raise SystemExit(NO_BROWSER)
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        async with (
            bench_memory() as (_, server),
            running(app_url := server.url(APPLICATION, DATABASE), "home", Path(folder)) as daemon,
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            await take_cover(daemon, browser, app_url, IMAGES / "keepsake.png")
            check_size(IMAGES / "keepsake.png")
            data = await fill_demo_data(daemon)
            for view in views(data):
                for scheme in ("light", "dark"):
                    await take(daemon, browser, data, view, scheme)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(run())
