"""Everybody can use the review page: axe finds nothing grave, keys alone reach everything, nothing leaves a phone."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page

from db.queries.people import choose_language
from tests.axe import faults
from tests.browser import DESKTOP, IN_ONE_LOOP, OVERLAPPING, PHONE, at_page, follow, tab
from tests.daemon import Daemon
from tests.lived import SCRIPT, lived
from tests.visitor import link_for, met

pytestmark = [IN_ONE_LOOP, pytest.mark.slow]

SMALL = {"width": 360, "height": 740}
# Whatever can be reached by Tab, as it stands in the page; of radio buttons one is, of what is folded nothing.
REACHABLE = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((each) => each.type !== 'hidden' && !each.disabled && each.checkVisibility({visibilityProperty: true}))
    .filter((each) => each.type !== 'radio' || each.checked)
    .map((each, place) => { each.dataset.place = place; return each.outerHTML.slice(0, 160); })"""
FOCUSED = """() => {
    const each = document.activeElement, drawn = getComputedStyle(each);
    return {
        place: each.dataset.place ?? null,
        is_shown: parseFloat(drawn.outlineWidth) >= 2 && drawn.outlineStyle !== 'none',
        html: each.outerHTML.slice(0, 160),
    };
}"""


# Targets that a finger misses, and what moves though nobody wants it to.
TOO_SMALL = """() => [...document.querySelectorAll('button, .button, summary, .sheet a, select, input')]
    .filter((each) => each.type !== 'hidden' && each.checkVisibility())
    .map((each) => [each.closest('label') ?? each, each])
    .filter(([target]) => target.getBoundingClientRect().height < 36 || target.getBoundingClientRect().width < 36)
    .map(([, each]) => each.outerHTML.slice(0, 120))"""
MOVING = """() => [...document.querySelectorAll('*')].filter((each) => {
    const drawn = getComputedStyle(each);
    return parseFloat(drawn.transitionDuration) > 0 || parseFloat(drawn.animationDuration) > 0;
}).length"""
UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_serious_on_any_page(daemon: Daemon, browser: Browser, scheme: str) -> None:
    story = await lived(daemon)
    found: list[str] = []
    async with at_page(daemon, browser, story.ada, color_scheme=scheme) as page:
        for path in story.paths:
            await page.goto(f"{daemon.url}/review{path}")
            await page.evaluate(UNFOLD)
            for size in (PHONE, DESKTOP):
                await page.set_viewport_size(size)
                found += await faults(page)
        await ask_to_forget(page, daemon)
        found += await faults(page)
        await page.goto(f"{daemon.url}/review/spaces/{story.space}")
        await follow(page.get_by_role("button", name="Make a code"))
        found += await faults(page)

    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing_serious_where_there_is_nothing_to_show(
    daemon: Daemon, browser: Browser, scheme: str
) -> None:
    ada = await met(daemon, "ada")
    found: list[str] = []
    async with at_page(daemon, browser, ada, color_scheme=scheme) as page:
        for path in ("", "/memory", "/timeline", "/insights", "/replies", "/spaces", "/settings", "/data"):
            await page.goto(f"{daemon.url}/review{path}")
            found += await faults(page)
    async with tab(daemon, browser, color_scheme=scheme, expect=("401", "404")) as page:
        for path in (f"/open/{await link_for(daemon, ada)}", "", "/nothing", "/telegram"):
            await page.goto(f"{daemon.url}/review{path}")
            found += await faults(page)

    assert found == []


async def test_axe_finds_nothing_serious_where_one_leaves(daemon: Daemon, browser: Browser) -> None:
    ada = await met(daemon, "ada")
    token, found = await link_for(daemon, ada), list[str]()
    async with tab(daemon, browser, expect=("410",)) as page:
        for _ in "ab":  # it opens the page once
            await page.goto(f"{daemon.url}/review/open/{token}")
            await follow(page.get_by_role("button", name="Open my page"))
            found += await faults(page)
    async with at_page(daemon, browser, ada) as page:
        await follow(page.get_by_role("button", name="Leave"))
        found += await faults(page)
    async with at_page(daemon, browser, ada) as page:
        await page.goto(f"{daemon.url}/review/data/erase/last")
        await page.get_by_label("The word").fill("erase")
        await follow(page.get_by_role("button", name="Erase everything for good"))
        await page.get_by_role("heading", name="Everything of yours is gone.").wait_for()
        found += await faults(page)

    assert found == []


async def test_on_a_small_phone_everything_fits_a_finger_rests_and_nobodys_words_run(
    daemon: Daemon, browser: Browser
) -> None:
    """The watch of the tab would also tell of anything that the page's own rules had to stop."""
    story = await lived(daemon)
    async with at_page(daemon, browser, story.ada, viewport=SMALL, reduced_motion="reduce") as page:
        dialogs: list[str] = []
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        shown = 0
        for path in story.paths:
            await page.goto(f"{daemon.url}/review{path}")
            assert await page.evaluate(TOO_SMALL) == [], path
            assert await page.evaluate(MOVING) == 0, path
            assert "caught" not in (await page.title()).replace(SCRIPT, "")
            assert await page.locator("main script").count() == 0
            shown += await page.get_by_text(SCRIPT).count()
            await page.evaluate(UNFOLD)
            assert await page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"], path
        await ask_to_forget(page, daemon)
        assert await page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
        assert shown > 8
        assert dialogs == []


@pytest.mark.parametrize("language", ["ar", "ru", "hi", "zh"])
async def test_pages_in_other_scripts_and_directions_fit_too(daemon: Daemon, browser: Browser, language: str) -> None:
    story = await lived(daemon)
    async with daemon.memory.unit(story.ada) as unit:
        await choose_language(unit.session, story.ada, language)
    async with at_page(daemon, browser, story.ada, viewport=SMALL) as page:
        for path in story.paths:
            await page.goto(f"{daemon.url}/review{path}")
            assert await page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"], path
            assert await page.evaluate(OVERLAPPING) == [], path
        assert await page.locator("html").get_attribute("dir") == ("rtl" if language == "ar" else "ltr")
        await page.goto(f"{daemon.url}/review/timeline")
        assert await faults(page) == []
        await page.goto(f"{daemon.url}/review/insights")
        assert await faults(page) == []


@pytest.mark.parametrize("part", [0, 1])
async def test_keys_alone_reach_everything_in_order_and_it_shows_where_one_is(
    daemon: Daemon, browser: Browser, part: int
) -> None:
    story = await lived(daemon)
    async with at_page(daemon, browser, story.ada, viewport=DESKTOP) as page:
        for path in story.paths[part::2]:
            await page.goto(f"{daemon.url}/review{path}")
            await page.locator("body").evaluate("(body) => body.focus()")
            wanted = await page.evaluate(REACHABLE)
            assert await walked(page, len(wanted)) == [str(place) for place in range(len(wanted))], (path, wanted)


async def walked(page: Page, most: int) -> list[str]:
    """The places that Tab comes to until it begins anew; parts of a date field are one place."""
    places: list[str] = []
    for _ in range(most * 6):
        await page.keyboard.press("Tab")
        focus: dict[str, Any] = await page.evaluate(FOCUSED)
        if focus["place"] is None:
            break
        assert focus["is_shown"], focus
        if not places or places[-1] != focus["place"]:
            places.append(focus["place"])
        if len(places) == most:
            break
    return places


async def ask_to_forget(page: Page, daemon: Daemon) -> None:
    await page.goto(f"{daemon.url}/review/data")
    await page.get_by_label("About somebody or something", exact=True).fill("Alec")
    await follow(page.get_by_role("button", name="Show what would go: About somebody or something"))
    await page.get_by_role("heading", name="Shall this be forgotten?").wait_for()
