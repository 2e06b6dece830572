"""What axe finds on a page: the rules of accessibility that a program can check."""

from functools import cache
from importlib.resources import files

from playwright.async_api import Page

GRAVE = {"serious", "critical"}


@cache
def _axe() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


async def faults(page: Page, *rules: str) -> list[str]:
    """Whatever is serious or critical, each with where it stands; by these rules alone, where some are named. The
    script is not a part of the page, so the page's own rules for scripts stay as they are."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(_axe())
    wish = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found = await page.evaluate("(wish) => axe.run(document, wish)", wish)
    return [
        f"{page.url} {fault['id']}: {node['html'][:200]} ({node['failureSummary'][:300]})"
        for fault in found["violations"]
        if fault["impact"] in GRAVE
        for node in fault["nodes"]
    ]
