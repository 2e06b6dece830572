"""The other sections of the page in a real browser: every action by hand, by keys alone, and without JavaScript."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from db.queries.people.people import choices_of
from db.queries.people.web_sessions import open_sessions
from db.vocabulary import Category, Mode
from memory.people.keys import list_keys, make_key
from tests.browser import DESKTOP, IN_ONE_LOOP, OVERLAPPING, at_page, follow
from tests.daemon import Daemon
from tests.lived import NOW, Lived, ago, lived
from tests.memories import facts_of, kept, shared
from tests.past import deleted, replied, revised, spent
from tests.visitor import met

pytestmark = [IN_ONE_LOOP, pytest.mark.slow]

REFUSED = ("422",)  # the console says so when a form is answered with what was wrong in it
GONE = ("401",)


def news(page: Page) -> Locator:
    return page.locator(".news")


async def go(page: Page, section: str) -> None:
    """By the navigation, as people do."""
    await follow(page.get_by_role("navigation", name="Sections").get_by_role("link", name=section))
    await page.locator("h1", has_text=section).wait_for()


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
async def test_one_looks_at_another_day(daemon: Daemon, browser: Browser, scripts: bool) -> None:
    ada = await met(daemon, "ada")
    tea = await kept(daemon.memory, ada, "I drink tea", Category.HABIT, now=ago(9))
    await revised(daemon.memory, ada, tea.row.id, "I drink coffee", now=ago(4))
    await kept(daemon.memory, ada, "I sing in a choir", Category.HOBBY, now=ago(4))
    async with at_page(daemon, browser, ada, java_script_enabled=scripts, viewport=DESKTOP) as page:
        await go(page, "Timeline")
        await page.get_by_label("Day", exact=True).fill(ago(5).date().isoformat())
        await follow(page.get_by_role("button", name="Show"))
        await expect(page.locator("main").get_by_text("I drink tea")).to_have_count(1)
        await expect(page.get_by_text("choir")).to_have_count(0)
        await follow(page.get_by_role("link", name="Next change"))
        changed = page.locator("section", has=page.get_by_role("heading", name="What changed that day")).first
        await expect(changed.locator("del", has_text="tea")).to_have_count(1)
        await expect(changed.locator("ins", has_text="coffee")).to_have_count(1)
        await follow(page.get_by_role("link", name="Day before"))
        await expect(page.get_by_text("Nothing changed that day.")).to_have_count(1)
        await follow(page.get_by_role("link", name="Today", exact=True))
        await follow(page.locator(".sheet a.changed, [aria-label='Previous month']").first)
        await follow(page.locator("main a.fact").first)
        await expect(page).to_have_url(re.compile("/review/memory/"))


async def test_charts_open_their_numbers_and_replies_tell_why(story: tuple[Daemon, Lived], browser: Browser) -> None:
    daemon, known = story
    async with at_page(daemon, browser, known.ada, viewport=DESKTOP) as page:
        await go(page, "Insights")
        for name in (
            "Memories over time",
            "Memories by category",
            "Cost of the last 30 days",
            "Share of tokens from the cache",
        ):
            chart = page.get_by_role("img", name=name)
            box = await chart.bounding_box()
            assert box
            assert box["height"] > 90
            assert box["width"] > 280
            card = page.locator("section.card", has=chart)
            table = card.get_by_role("table").first
            await expect(table).to_be_hidden()
            await card.locator("summary").click()
            await expect(table).to_be_visible()
        assert await page.evaluate(OVERLAPPING) == []
        await follow(page.locator(".recalled a.fact").first)
        await expect(page).to_have_url(re.compile(f"/review/memory/{known.fact}"))
        await go(page, "Replies")
        await expect(page.locator(".reply")).to_have_count(10)
        await expect(
            page.locator(".reply").first.get_by_role("link", name="My boss is called Alec Weber")
        ).to_have_count(1)
        await follow(page.get_by_role("link", name="Older replies"))
        await page.get_by_text("question 10").first.wait_for()
        await expect(page.locator(".reply")).to_have_count(1)
        await follow(page.get_by_role("link", name="Newest replies"))
        await follow(page.locator(".reply a.fact").first)
        await expect(page).to_have_url(re.compile(f"/review/memory/{known.fact}$"))


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
async def test_two_people_meet_in_a_space_and_part(daemon: Daemon, browser: Browser, scripts: bool) -> None:
    ada, ben, eve = [await met(daemon, name) for name in ("ada", "ben", "eve")]
    options: dict[str, Any] = {"java_script_enabled": scripts}
    async with (
        at_page(daemon, browser, ada, **options) as owner,
        at_page(daemon, browser, ben, provokes=REFUSED, **options) as member,
        at_page(daemon, browser, eve, **options) as other,
    ):
        await go(owner, "Spaces")
        await owner.get_by_label("Name").fill("Garden 🌻")
        await follow(owner.get_by_role("button", name="Create"))
        await follow(owner.get_by_role("button", name="Get a code"))
        code = await owner.locator("#invitation").inner_text()

        await go(member, "Spaces")
        await member.get_by_label("Invitation code").fill("nonsense")
        await follow(member.get_by_role("button", name="Join"))
        await expect(member.get_by_role("alert")).not_to_be_empty()
        await member.get_by_label("Invitation code").fill(code)
        await follow(member.get_by_role("button", name="Join"))
        await expect(news(member)).to_contain_text("You're in.")
        space = member.url.split("/spaces/")[1].split("?")[0]
        ladder = await kept(daemon.memory, ben, "I bring the ladder")
        await shared(daemon.memory, ben, ladder.row.id, space)

        await go(owner, "Spaces")
        await follow(owner.get_by_role("link", name="Garden"))
        await expect(owner.get_by_text("I bring the ladder")).to_have_count(1)
        await follow(owner.get_by_role("button", name="Make ben an owner"))
        await expect(news(owner)).to_contain_text("an owner now")
        await owner.locator("summary", has_text="Leave this space").click()
        await follow(owner.get_by_role("button", name="Yes, leave"))
        await expect(news(owner)).to_contain_text("You left the space")

        await member.reload()
        await expect(member.get_by_text("telegram:ada")).to_have_count(0)
        await go(other, "Spaces")
        await expect(other.get_by_text("Garden")).to_have_count(0)


async def test_an_owner_removes_somebody_after_one_more_question(daemon: Daemon, browser: Browser) -> None:
    story = await lived(daemon)
    async with at_page(daemon, browser, story.ada) as page:
        await page.goto(f"{daemon.url}/review/spaces/{story.space}")
        await expect(page.get_by_role("button", name="Remove ben")).to_be_hidden()
        await page.locator("summary", has_text="Remove").click()
        await follow(page.get_by_role("button", name="Remove ben"))
        await expect(news(page)).to_contain_text("I removed that member")
        await expect(page.get_by_text("We love")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
async def test_everything_in_the_settings_is_chosen_and_kept(daemon: Daemon, browser: Browser, scripts: bool) -> None:
    ada = await met(daemon, "ada")
    await make_key(daemon.memory, daemon.tenant, user=ada.person, name="Laptop")
    async with at_page(daemon, browser, ada, java_script_enabled=scripts, provokes=REFUSED) as page:
        await go(page, "Settings")
        await page.get_by_label("Remember automatically").check()
        await follow(page.get_by_role("button", name="Save: How I remember"))
        await page.get_by_label("Habits").check()
        await follow(page.get_by_role("button", name="Save: Never remember"))
        await page.get_by_label("Remind me of my important dates").check()
        await follow(page.get_by_role("button", name="Save: Reminders"))
        await page.get_by_label("Time zone").fill("Mars/Olympus")
        await follow(page.get_by_role("button", name="Save: Time and language"))
        await expect(page.get_by_label("Time zone")).to_have_value("Mars/Olympus")
        await expect(page.get_by_role("alert")).to_contain_text("don't know that time zone")
        await expect(page.get_by_label("Remember automatically")).to_be_checked()
        await expect(page.get_by_label("Habits")).to_be_checked()

        await page.locator("summary", has_text="Revoke").click()
        await follow(page.get_by_role("button", name="Revoke the key Laptop"))
        await expect(news(page)).to_contain_text("revoked")

        await page.get_by_label("Time zone").fill("Asia/Kathmandu")
        await page.get_by_label("Language", exact=True).select_option("hi")
        await follow(page.get_by_role("button", name="Save: Time and language"))
        await page.locator("html[lang=hi]").wait_for(state="attached")
        await expect(page.locator(".flash")).to_have_count(1)

    async with daemon.memory.unit(ada, read_only=True) as unit:
        found = await choices_of(unit.session, ada)
    assert (found.mode, found.never_remember, found.reminders) == (Mode.AUTO, frozenset({Category.HABIT}), True)
    assert (found.timezone, found.language) == ("Asia/Kathmandu", "hi")
    assert all(key.revoked_at for key in await list_keys(daemon.memory, daemon.tenant))


async def test_signing_out_everywhere_ends_the_other_window_too(daemon: Daemon, browser: Browser) -> None:
    ada = await met(daemon, "ada")
    async with (
        at_page(daemon, browser, ada, provokes=GONE) as here,
        at_page(daemon, browser, ada, provokes=GONE) as there,
    ):
        await go(here, "Settings")
        await follow(here.get_by_role("button", name="Sign out everywhere"))
        await here.get_by_role("heading", name="You're signed out").wait_for()
        await there.reload()
        await expect(there.get_by_text("I don't know yet who you are")).to_have_count(1)
    async with daemon.memory.unit(ada, read_only=True) as unit:
        assert await open_sessions(unit.session, ada, NOW) == []


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
async def test_both_files_are_downloaded_one_after_the_other(
    daemon: Daemon, browser: Browser, scripts: bool, tmp_path: Path
) -> None:
    ada = await met(daemon, "ada")
    await kept(daemon.memory, ada, "I drink tea 🍵")
    async with at_page(daemon, browser, ada, java_script_enabled=scripts) as page:
        await go(page, "Your data")
        for name, ending in (("Markdown", ".md"), ("JSON", ".json"), ("JSON", ".json")):
            async with page.expect_download() as expected:
                await page.get_by_role("button", name=name).click()
            download = await expected.value
            assert download.suggested_filename.endswith(ending)
            await download.save_as(tmp_path / download.suggested_filename)
            written = (tmp_path / download.suggested_filename).read_text()
            assert "I drink tea 🍵" in written
            if ending == ".json":
                assert json.loads(written)["user"] == "telegram:ada"


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
async def test_what_is_named_is_shown_once_more_and_then_forgotten(
    daemon: Daemon, browser: Browser, scripts: bool
) -> None:
    story = await lived(daemon)
    async with at_page(daemon, browser, story.ada, java_script_enabled=scripts) as page:
        await go(page, "Your data")
        await page.get_by_label("About someone or something", exact=True).fill("alec")
        await follow(page.get_by_role("button", name="Show what would go: About"))
        await expect(page.get_by_text("My boss is called Alec Weber")).to_have_count(1)
        await follow(page.get_by_role("link", name="Cancel"))
        assert "My boss is called Alec Weber" in await facts_of(daemon.memory, story.ada)

        await page.get_by_label("About someone or something", exact=True).fill("alec")
        await follow(page.get_by_role("button", name="Show what would go: About"))
        await follow(page.get_by_role("button", name="Yes, forget this"))
        await expect(news(page)).to_contain_text("I forgot 1 memory for good")

        await page.get_by_label("A topic of our conversations", exact=True).select_option("tea")
        await follow(page.get_by_role("button", name="Show what would go: A topic"))
        await follow(page.get_by_role("button", name="Yes, forget this"))
        await expect(news(page)).to_contain_text("I forgot 1 topic")

        await page.get_by_label("From").fill((NOW - timedelta(days=30)).date().isoformat())
        await page.get_by_label("To (including that day)").fill(NOW.date().isoformat())
        await follow(page.get_by_role("button", name="Show what would go: A period of time"))
        await follow(page.get_by_role("button", name="Yes, forget this"))
        await expect(news(page)).to_contain_text("I removed")
        await go(page, "Replies")
        await expect(page.get_by_text("No replies yet")).to_have_count(1)

    assert await facts_of(daemon.memory, story.ada) == []


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without"])
async def test_everything_is_erased_after_two_questions_and_a_word(
    daemon: Daemon, browser: Browser, scripts: bool
) -> None:
    story = await lived(daemon)
    async with at_page(daemon, browser, story.ada, java_script_enabled=scripts, provokes=(*REFUSED, *GONE)) as page:
        await go(page, "Your data")
        await follow(page.get_by_role("link", name="Erase everything"))
        await follow(page.get_by_role("link", name="Continue"))
        await page.get_by_label("The word").fill("please")
        await follow(page.get_by_role("button", name="Erase everything for good"))
        await expect(page.get_by_role("alert")).to_contain_text("so I erased nothing")
        await page.get_by_label("The word").fill("erase")
        await follow(page.get_by_role("button", name="Erase everything for good"))
        await page.get_by_role("heading", name="I've erased everything about you.").wait_for()
        assert await page.context.cookies() == []
        await page.goto(f"{daemon.url}/review/insights")
        await expect(page.get_by_text("I don't know yet who you are")).to_have_count(1)

    assert await facts_of(daemon.memory, story.ada) == []
    assert len(await facts_of(daemon.memory, story.ben)) == 2


async def test_nobody_sees_the_numbers_the_replies_or_the_spaces_of_another(
    story: tuple[Daemon, Lived], browser: Browser
) -> None:
    daemon, known = story
    eve = await met(daemon, "eve")
    await kept(daemon.memory, eve, "I collect beetles", Category.HOBBY, now=ago(2))
    await replied(daemon.memory, eve, "beetles?", "Beetles!", now=ago(1))
    await spent(daemon.memory, eve, now=ago(1), microdollars=40_000)
    async with at_page(daemon, browser, eve, provokes=("404",)) as page:
        for path in ("/timeline", "/insights", "/replies", "/spaces", "/settings", "/data"):
            await page.goto(f"{daemon.url}/review{path}")
            words = await page.content()
            assert not [word for word in ("stamp", "Alec W", "question", "Garden", "Editor") if word in words], path
        await page.goto(f"{daemon.url}/review/insights")
        await expect(page.locator(".figure", has_text="memories").locator("b")).to_have_text("1")
        await expect(page.locator(".figure", has_text="spent").locator("b")).to_have_text("$0.04")
        await page.goto(f"{daemon.url}/review/spaces/{known.space}")
        await expect(page.get_by_text("There is no such page")).to_have_count(1)


async def test_by_keys_alone_one_chooses_founds_and_forgets(daemon: Daemon, browser: Browser) -> None:
    ada = await met(daemon, "ada")
    fact = await kept(daemon.memory, ada, "Alec plays the trombone", subject="Alec", now=ago(3))
    await deleted(daemon.memory, ada, (await kept(daemon.memory, ada, "I had a car", now=ago(3))).row.id, now=ago(2))
    async with at_page(daemon, browser, ada, viewport=DESKTOP) as page:
        await page.goto(f"{daemon.url}/review/settings")
        await tab_to(page, "input[name=mode]:checked")
        await page.keyboard.press("ArrowDown")
        await tab_to(page, "button[aria-label='Save: How I remember']")
        await press(page, "Enter")
        await tab_to(page, "input[value=hobby]")
        await page.keyboard.press("Space")
        await tab_to(page, "button[aria-label='Save: Never remember']")
        await press(page, "Space")

        await page.goto(f"{daemon.url}/review/spaces")
        await tab_to(page, "#name")
        await page.keyboard.type("Choir")
        await press(page, "Enter")
        await tab_to(page, "summary")
        await page.keyboard.press("Space")
        await tab_to(page, "form[action*='/spaces/'][action$='/leave'] button")
        await press(page, "Enter")
        await expect(news(page)).to_contain_text("You left the space")

        await page.goto(f"{daemon.url}/review/data")
        await tab_to(page, "#subject")
        await page.keyboard.type("Alec")
        await press(page, "Enter")
        await tab_to(page, "main button.danger")
        await press(page, "Enter")
        await expect(news(page)).to_contain_text("I forgot 1 memory for good")

    async with daemon.memory.unit(ada, read_only=True) as unit:
        found = await choices_of(unit.session, ada)
    assert (found.mode, found.never_remember) == (Mode.AUTO, frozenset({Category.HOBBY}))
    assert fact.row.words not in await facts_of(daemon.memory, ada)


async def press(page: Page, key: str) -> None:
    """A key that leads to another page."""
    async with page.expect_navigation():
        await page.keyboard.press(key)


async def tab_to(page: Page, selector: str) -> None:
    for _ in range(120):
        await page.keyboard.press("Tab")
        if await page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never came to {selector} on {page.url}")
