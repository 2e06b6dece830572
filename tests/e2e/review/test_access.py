"""Everybody can use the review page: axe finds nothing grave, keys alone reach everything, nothing leaves a phone."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from db.queries.people.people import choose_language
from tests.axe import faults
from tests.browser import DESKTOP, IN_ONE_LOOP, OVERLAPPING, PHONE, at_page, follow, tab
from tests.daemon import Daemon
from tests.lived import SCRIPT, Lived, lived
from tests.visitor import link_for, met

pytestmark = [IN_ONE_LOOP, pytest.mark.slow]

SMALL = {"width": 360, "height": 740}
# Whatever can be reached by Tab, as it stands in the page; of radio buttons one is, of what is folded nothing.
REACHABLE = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((each) => each.type !== 'hidden' && !each.disabled && each.checkVisibility({visibilityProperty: true}))
    .filter((each) => each.type !== 'radio' || each.checked)
    .map((each, place) => { each.dataset.place = place; return each.outerHTML.slice(0, 160); })"""
WATCH_FOCUS = """() => {
    window.reached = [];
    document.addEventListener('focusin', ({target}) => {
        const drawn = getComputedStyle(target);
        window.reached.push({
            place: target.dataset.place ?? null,
            is_shown: parseFloat(drawn.outlineWidth) >= 2 && drawn.outlineStyle !== 'none',
            html: target.outerHTML.slice(0, 160),
        });
    });
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
# What moves has other colours on its way.
STILL: dict[str, Any] = {"color_scheme": "light", "reduced_motion": "reduce"}
WIDTH = "document.documentElement.scrollWidth"
UNFOLD = "for (const each of document.querySelectorAll('details')) each.open = true"


async def all_faults(page: Page) -> list[str]:
    """In light by all rules; in dark nothing is different but the colours."""
    found = await faults(page)
    await page.emulate_media(color_scheme="dark")
    found += await faults(page, "color-contrast")
    await page.emulate_media(color_scheme="light")
    return found


@pytest.mark.first
async def test_axe_finds_nothing_serious_on_any_page(story: tuple[Daemon, Lived], browser: Browser) -> None:
    daemon, known = story
    found: list[str] = []
    async with at_page(daemon, browser, known.ada, **STILL) as page:
        for path in known.paths:
            await page.goto(f"{daemon.url}/review{path}")
            await page.evaluate(UNFOLD)
            found += await all_faults(page)
            await page.set_viewport_size(DESKTOP)
            found += await faults(page)
            await page.set_viewport_size(PHONE)
        await ask_to_forget(page, daemon)
        found += await all_faults(page)
        await page.goto(f"{daemon.url}/review/spaces/{known.space}")
        await follow(page.get_by_role("button", name="Get a code"))
        found += await all_faults(page)

    assert found == []


async def test_axe_finds_nothing_serious_where_there_is_nothing_to_show(daemon: Daemon, browser: Browser) -> None:
    ada = await met(daemon, "ada")
    found: list[str] = []
    async with at_page(daemon, browser, ada, **STILL) as page:
        for path in ("", "/memory", "/timeline", "/insights", "/replies", "/spaces", "/settings", "/data"):
            await page.goto(f"{daemon.url}/review{path}")
            found += await all_faults(page)
    async with tab(daemon, browser, provokes=("401", "404"), **STILL) as page:
        for path in (f"/open/{await link_for(daemon, ada)}", "", "/nothing", "/telegram"):
            await page.goto(f"{daemon.url}/review{path}")
            found += await all_faults(page)

    assert found == []


async def test_axe_finds_nothing_serious_where_one_signs_in_and_out(daemon: Daemon, browser: Browser) -> None:
    ada = await met(daemon, "ada")
    token, found = await link_for(daemon, ada), list[str]()
    async with tab(daemon, browser, provokes=("410",)) as page:
        for _ in "ab":  # it opens the page once
            await page.goto(f"{daemon.url}/review/open/{token}")
            await follow(page.get_by_role("button", name="Open my page"))
            found += await faults(page)
    async with at_page(daemon, browser, ada) as page:
        await follow(page.get_by_role("button", name="Sign out"))
        found += await faults(page)
    async with at_page(daemon, browser, ada) as page:
        await page.goto(f"{daemon.url}/review/data/erase/last")
        await page.get_by_label("The word").fill("erase")
        await follow(page.get_by_role("button", name="Erase everything for good"))
        await expect(page.get_by_role("heading", name="I've erased everything about you.")).to_be_visible()
        found += await faults(page)

    assert found == []


async def test_on_a_small_phone_everything_fits_a_finger_rests_and_nobodys_words_run(
    story: tuple[Daemon, Lived], browser: Browser
) -> None:
    """The watch of the tab would also tell of anything that the page's own rules had to stop."""
    daemon, known = story
    dialogs: list[str] = []
    missed: list[tuple[str, str, object]] = []
    shown = 0
    async with at_page(daemon, browser, known.ada, viewport=SMALL, reduced_motion="reduce") as page:
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        for path in known.paths:
            await page.goto(f"{daemon.url}/review{path}")
            missed += [(path, "too small", each) for each in await page.evaluate(TOO_SMALL)]
            missed += [(path, "moves", each) for each in [await page.evaluate(MOVING)] if each]
            missed += [(path, "runs", each) for each in [await page.title()] if "caught" in each.replace(SCRIPT, "")]
            missed += [(path, "scripts", each) for each in [await page.locator("main script").count()] if each]
            shown += await page.get_by_text(SCRIPT).count()
            await page.evaluate(UNFOLD)
            missed += [(path, "too wide", each) for each in [await page.evaluate(WIDTH)] if each > SMALL["width"]]
        await ask_to_forget(page, daemon)
        missed += [("forget", "too wide", each) for each in [await page.evaluate(WIDTH)] if each > SMALL["width"]]

    assert missed == []
    assert shown > 8
    assert dialogs == []


async def test_pages_in_other_scripts_and_directions_fit_too(daemon: Daemon, browser: Browser) -> None:
    story = await lived(daemon)
    missed: list[tuple[str, str, object]] = []
    async with at_page(daemon, browser, story.ada, viewport=SMALL) as page:
        for language, direction in (("ar", "rtl"), ("ru", "ltr"), ("hi", "ltr"), ("zh", "ltr")):
            async with daemon.memory.unit(story.ada) as unit:
                await choose_language(unit.session, story.ada, language)
            for path in story.paths:
                await page.goto(f"{daemon.url}/review{path}")
                said = await page.evaluate("[document.documentElement.lang, document.documentElement.dir]")
                missed += [(language, path, said)] if said != [language, direction] else []
                width = await page.evaluate(WIDTH)
                missed += [(language, path, width)] if width > SMALL["width"] else []
                missed += [(language, path, each) for each in await page.evaluate(OVERLAPPING)]
                if path in {"/timeline", "/insights"}:
                    missed += [(language, path, each) for each in await faults(page)]

    assert missed == []


async def test_keys_alone_reach_everything_in_order_and_it_shows_where_one_is(
    story: tuple[Daemon, Lived], browser: Browser
) -> None:
    daemon, known = story
    missed: list[tuple[str, object, object]] = []
    async with at_page(daemon, browser, known.ada, viewport=DESKTOP) as page:
        for path in known.paths:
            await page.goto(f"{daemon.url}/review{path}")
            await page.locator("body").evaluate("(body) => body.focus()")
            wanted = await page.evaluate(REACHABLE)
            reached = await walked(page, len(wanted))
            missed += [(path, each["html"], "not shown") for each in reached if not each["is_shown"]]
            if [each["place"] for each in reached] != [str(place) for place in range(len(wanted))]:
                missed.append((path, reached, wanted))

    assert missed == []


async def walked(page: Page, most: int) -> list[dict[str, Any]]:
    """The places that Tab comes to, until it was at so many; a date field is one place, and takes Tab more often."""
    await page.evaluate(WATCH_FOCUS)
    reached: list[dict[str, Any]] = []
    for _ in range(6):
        for _ in range(most - len(reached)):
            await page.keyboard.press("Tab")
        reached = await page.evaluate("window.reached")
        if len(reached) >= most:
            break
    return reached


async def ask_to_forget(page: Page, daemon: Daemon) -> None:
    await page.goto(f"{daemon.url}/review/data")
    await page.get_by_label("About someone or something", exact=True).fill("Alec")
    await follow(page.get_by_role("button", name="Show what would go: About someone or something"))
    await expect(page.get_by_role("heading", name="Should I forget this?")).to_be_visible()
