"""The review page in a real browser: every action by hand, with and without JavaScript; most of them in the soak."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from db.viewer import Viewer
from db.vocabulary import Approval, Category, ProposalKind
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from tests.browser import IN_ONE_LOOP, at_page, follow, tab
from tests.daemon import Daemon, running
from tests.memories import asked, facts_of, kept, said, shared, space_of_two
from tests.mini_app import TOKEN, init_data
from tests.visitor import link_for, met

pytestmark = [IN_ONE_LOOP, pytest.mark.slow]

SCRIPT = "<script>alert(1)</script> is my favourite word"
EMOJI = "🙂" * 500
LONG = "x" * 500
BOTH = pytest.mark.parametrize("scripted", [True, False], ids=["with JavaScript", "without"])


async def agree(page: Page) -> None:
    """To whatever the page asks before it does something."""
    page.on("dialog", lambda dialog: dialog.accept())


async def test_a_link_opens_the_page_once_and_signing_out_ends_it(daemon: Daemon, browser: Browser) -> None:
    token = await link_for(daemon, await met(daemon, "7"))
    async with tab(daemon, browser, provokes=("401", "410")) as page:
        await page.goto(f"{daemon.url}/review/open/{token}")
        await page.get_by_role("button", name="Open my page").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Questions")
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("You're signed out. See you!")
        assert await page.context.cookies() == []
        await page.goto(f"{daemon.url}/review")
        await expect(page.locator("main")).to_contain_text("/memory web")
        await page.goto(f"{daemon.url}/review/open/{token}")
        await page.get_by_role("button", name="Open my page").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("This link doesn't work")


@BOTH
async def test_cards_are_accepted_reworded_and_turned_down(daemon: Daemon, browser: Browser, scripted: bool) -> None:
    viewer = await met(daemon, "7")
    event = await said(daemon.memory, viewer, "We moved to Lisbon in spring and I joined a choir.")
    await asked(daemon.memory, viewer, "You live in Lisbon", Category.CONTEXT, source_event_id=event, span=(0, 28))
    await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)
    await asked(daemon.memory, viewer, "You like spring best", Category.PREFERENCE)
    gone = (await asked(daemon.memory, viewer, "You have a boat", Category.OTHER)).row
    async with at_page(daemon, browser, viewer, java_script_enabled=scripted) as page:
        cards = page.locator("li.card")
        await expect(cards).to_have_count(4)
        async with daemon.memory.unit(viewer) as unit:
            await proposals.reject(unit, gone.id)
        await cards.last.get_by_role("button", name="Remember: ").click()
        await expect(page.locator(".flash.bad")).to_contain_text("no longer open")
        await expect(cards.first.locator("mark")).to_have_text("We moved to Lisbon in spring")
        await cards.first.get_by_role("button", name="Remember: ").click()
        await expect(page.locator(".flash")).to_contain_text("Remembered: You live in Lisbon")
        await expect(page.locator(".flash")).to_be_focused()  # so that it is read out
        await cards.first.locator("summary").click()
        await expect(cards.first.get_by_role("button", name="Remember: ")).to_be_hidden()
        await cards.first.get_by_label("How should it read?").fill("I sing in a choir on Fridays")
        await cards.first.get_by_role("button", name="Save my words").click()
        await expect(page.locator(".flash")).to_contain_text("Remembered: I sing in a choir on Fridays")
        await cards.first.get_by_role("button", name="No: ").click()
        await expect(page.locator(".flash")).to_contain_text("OK, I won't remember that.")
        await expect(page.locator(".empty")).to_contain_text("No questions for you")
        await expect(page.locator(".badge")).to_have_count(0)

    assert await facts_of(daemon.memory, viewer) == ["You live in Lisbon", "I sing in a choir on Fridays"]


@BOTH
async def test_a_change_is_shown_and_made_and_undone(daemon: Daemon, browser: Browser, scripted: bool) -> None:
    viewer = await met(daemon, "7")
    fact = (await kept(daemon.memory, viewer, "My boss works from Hamburg", Category.PERSON)).row
    await asked(daemon.memory, viewer, "My boss works from Munich", kind=ProposalKind.UPDATE, about=fact.id)
    async with at_page(daemon, browser, viewer, java_script_enabled=scripted) as page:
        await expect(page.locator(".diff del")).to_contain_text("Hamburg")
        await expect(page.locator(".diff ins")).to_contain_text("Munich")
        await follow(page.get_by_role("button", name="Change: "))
        assert await facts_of(daemon.memory, viewer) == ["My boss works from Munich"]
        await page.locator(".flash").get_by_role("button", name="Undo").click()
        await expect(page.locator(".flash")).to_contain_text("Changed: My boss works from Hamburg")

    assert await facts_of(daemon.memory, viewer) == ["My boss works from Hamburg"]


@BOTH
async def test_all_are_answered_at_once_after_a_question(daemon: Daemon, browser: Browser, scripted: bool) -> None:
    viewer = await met(daemon, "7")
    async with at_page(daemon, browser, viewer, java_script_enabled=scripted) as page:
        for button, words in (("Yes to all", ("one two three", "four five six")), ("No to all", ("seven", "eight"))):
            for each in words:
                await asked(daemon.memory, viewer, each)
            await page.goto(f"{daemon.url}/review")
            if scripted:
                page.once("dialog", lambda dialog: dialog.dismiss())
                await page.get_by_role("button", name=button).click()
                await expect(page.locator("li.card")).to_have_count(2)
                page.once("dialog", lambda dialog: dialog.accept())
            await page.get_by_role("button", name=button).click()
            await expect(page.locator(".empty")).to_contain_text("No questions for you")
            await expect(page.locator(".flash")).to_have_count(2 if button == "Yes to all" else 1)

    assert await facts_of(daemon.memory, viewer) == ["one two three", "four five six"]


@BOTH
async def test_a_fact_is_edited_deleted_and_brought_back_in_the_list(
    daemon: Daemon, browser: Browser, scripted: bool
) -> None:
    viewer = await met(daemon, "7")
    await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)
    async with at_page(daemon, browser, viewer, java_script_enabled=scripted) as page:
        await page.get_by_role("link", name="Memories").click()
        row = page.locator("[data-row]")
        if scripted:
            page.once("dialog", lambda dialog: dialog.dismiss())
            await row.locator("summary").click()
            await row.get_by_role("button", name="Delete").click()
            assert await facts_of(daemon.memory, viewer) == ["I live in Porto"]
            await row.locator("summary").click()
        await agree(page)
        await row.locator("summary").click()
        await row.get_by_label("How should it read?").fill("I live in Lisbon")
        await row.get_by_role("button", name="Save").click()
        await expect(page.locator(".flash")).to_contain_text("Changed: I live in Lisbon (was: I live in Porto)")
        await row.locator("summary").click()
        await row.get_by_role("button", name="Delete").click()
        await expect(page.locator(".flash")).to_contain_text("Deleted: I live in Lisbon")
        assert await facts_of(daemon.memory, viewer) == []
        await page.locator(".flash").get_by_role("button", name="Undo").click()
        await expect(page.locator(".flash")).to_contain_text("Remembered again: I live in Lisbon")
        await expect(row).to_have_count(1)

    assert await facts_of(daemon.memory, viewer) == ["I live in Lisbon"]


@BOTH
async def test_a_fact_is_shared_and_taken_back(daemon: Daemon, browser: Browser, scripted: bool) -> None:
    memory = daemon.memory
    viewer, ben = await met(daemon, "7"), await met(daemon, "8")
    space = await space_of_two(memory, viewer, ben)
    theirs = (await kept(memory, ben, "I bring the ladder", Category.PROJECT)).row
    await shared(memory, ben, theirs.id, space)
    await kept(memory, viewer, "We water the tomatoes", Category.PROJECT)
    async with at_page(daemon, browser, viewer, java_script_enabled=scripted) as page:
        await agree(page)
        await page.goto(f"{daemon.url}/review/memory")
        await page.locator("[data-row] summary").click()
        await page.get_by_label("Share with the members of").select_option(label="Garden")
        await page.get_by_role("button", name="Share", exact=True).click()
        await expect(page.locator(".flash")).to_contain_text("Shared: We water the tomatoes")
        await page.get_by_role("link", name="Garden").click()
        await expect(page.locator("[data-row]")).to_have_count(2)
        await expect(page.locator("[data-row]", has_text="ladder")).to_contain_text("shared by 8")
        await expect(page.locator("[data-row]", has_text="ladder").locator("summary")).to_have_count(0)
        await page.locator("[data-row]", has_text="tomatoes").locator("summary").click()
        await page.get_by_role("button", name="Make private").click()
        await expect(page.locator(".flash")).to_contain_text("Private again: We water the tomatoes")
        await expect(page.locator("[data-row]")).to_have_count(1)


@BOTH
async def test_what_is_remembered_is_searched(daemon: Daemon, browser: Browser, scripted: bool) -> None:
    viewer = await met(daemon, "7")
    for words in ("I like strong coffee", "I like green tea", "Élise is my niece"):
        await kept(daemon.memory, viewer, words, Category.OTHER)
    async with at_page(daemon, browser, viewer, java_script_enabled=scripted) as page:
        await page.goto(f"{daemon.url}/review/memory")
        field = page.get_by_label("Search your memories")
        if scripted:
            await field.press_sequentially("elise")
            await expect(page.locator("[data-row]:visible")).to_have_count(1)
            await field.fill("delete")  # what is on its buttons is no word of a fact
            await expect(page.locator("[data-filter-none]")).to_be_visible()
            await field.fill("unicorn")
            await expect(page.locator("[data-filter-none]")).to_be_visible()
            await field.fill("")
            await expect(page.locator("[data-row]:visible")).to_have_count(3)
        await field.fill("teas")
        await page.get_by_role("button", name="Search").click()
        await expect(page.locator("[data-row]")).to_have_count(1)
        await expect(page.locator("[data-row]")).to_contain_text("I like green tea")
        await page.get_by_role("link", name="Show everything").click()
        await expect(page.locator("[data-row]")).to_have_count(3)


@BOTH
async def test_the_history_of_a_fact_is_read_and_gone_back_in(daemon: Daemon, browser: Browser, scripted: bool) -> None:
    memory = daemon.memory
    viewer = await met(daemon, "7")
    event = await said(memory, viewer, "Remember that I live in Porto, by the sea.")
    fact = (await kept(memory, viewer, "I live in Porto", Category.CONTEXT, source_event_id=event, span=(14, 29))).row
    async with memory.unit(viewer) as unit:
        await facts.revise(unit, fact.id, FactDraft("I live in Lisbon", Category.CONTEXT), Approval.COMMAND)
    async with at_page(daemon, browser, viewer, provokes=("422",), java_script_enabled=scripted) as page:
        await page.goto(f"{daemon.url}/review/memory")
        await page.get_by_role("link", name="I live in Lisbon").click()
        await expect(page.locator("#version-2 del")).to_contain_text("Porto")
        await expect(page.locator("#version-2 ins")).to_contain_text("Lisbon")
        await expect(page.locator("#version-1 mark")).to_have_text("I live in Porto")
        await page.get_by_role("button", name="Use these words again").click()
        await expect(page.locator("article .words")).to_have_text("I live in Porto")
        await page.locator("article summary", has_text="Edit").click()
        await page.get_by_label("How should it read?").fill("no")
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_role("alert")).to_contain_text("5 to 500 characters")
        await expect(page.get_by_label("How should it read?")).to_have_value("no")

    assert await facts_of(memory, viewer) == ["I live in Porto"]


async def test_two_people_in_two_browsers_do_not_see_each_other(daemon: Daemon, browser: Browser) -> None:
    ada, ben = await met(daemon, "7"), await met(daemon, "8")
    fact = (await kept(daemon.memory, ada, "I live in Porto", Category.CONTEXT)).row
    await asked(daemon.memory, ada, "You sing in a choir", Category.HOBBY)
    async with at_page(daemon, browser, ada) as hers, at_page(daemon, browser, ben, provokes=("404",)) as his:
        await expect(hers.locator("main")).to_contain_text("choir")
        await expect(his.locator("main")).to_contain_text("No questions for you")
        await his.goto(f"{daemon.url}/review/memory")
        await expect(his.locator("main")).not_to_contain_text("Porto")
        await his.goto(f"{daemon.url}/review/memory/{fact.id}")
        await expect(his.locator("main")).to_contain_text("There is no such page")


async def test_script_emoji_and_endless_words_stay_words_and_fit(daemon: Daemon, browser: Browser) -> None:
    memory = daemon.memory
    viewer = await met(daemon, "7")
    for words in (SCRIPT, EMOJI, LONG, "شاي بالنعناع دائما في الصباح"):
        fact = (await kept(memory, viewer, words, Category.OTHER, subject=words[:40])).row
        event = await said(memory, viewer, words)
        await asked(memory, viewer, f"{words[:450]} too", source_event_id=event, span=(0, len(words)))
    async with at_page(daemon, browser, viewer) as page:
        dialogs: list[str] = []
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        for path in ("", "/memory", "/memory?q=favourite", f"/memory/{fact.id}"):
            await page.goto(f"{daemon.url}/review{path}")
            for width in (360, 390, 1280):
                await page.set_viewport_size({"width": width, "height": 844})
                assert await page.evaluate("document.documentElement.scrollWidth") <= width
            assert await page.locator("script").count() == 1
        await page.goto(f"{daemon.url}/review/memory")
        await expect(page.get_by_role("link", name=SCRIPT)).to_be_visible()
        arabic = page.locator("p.words", has_text="شاي")
        assert await arabic.evaluate("element => getComputedStyle(element).direction") == "rtl"

    assert dialogs == []


async def test_everything_can_be_reached_and_done_by_keyboard(daemon: Daemon, browser: Browser) -> None:
    viewer = await met(daemon, "7")
    await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)
    async with at_page(daemon, browser, viewer) as page:
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        await page.keyboard.press("Enter")
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("button", name="Remember: ")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect(page.locator(".flash")).to_contain_text("Remembered: You sing in a choir")

    assert await facts_of(daemon.memory, viewer) == ["You sing in a choir"]


async def test_what_can_be_pressed_is_large_enough_for_a_finger(daemon: Daemon, browser: Browser) -> None:
    viewer = await met(daemon, "7")
    for words in ("one two three", "four five six"):
        await asked(daemon.memory, viewer, words)
        await kept(daemon.memory, viewer, f"kept {words}", Category.PERSON, subject="kept")
    async with at_page(daemon, browser, viewer) as page:
        for path in ("", "/memory"):
            await page.goto(f"{daemon.url}/review{path}")
            for each in await page.locator("button:visible, summary:visible, .nav a, a.chip, input[type=search]").all():
                box = await each.bounding_box()
                assert box is not None
                assert box["height"] >= 43.5, await each.evaluate("element => element.outerHTML")


# --- As a Mini App ---


@pytest_asyncio.fixture(loop_scope="session")
async def beside_a_bot(app_url: str, tenant: str, tmp_path: Path) -> AsyncIterator[Daemon]:
    async with running(app_url, tenant, tmp_path, TELEGRAM_BOT_TOKEN=TOKEN) as daemon:
        yield daemon


def mini_app(daemon: Daemon, viewer: Viewer, token: str = TOKEN, **theme: str) -> str:
    """The address as Telegram opens it."""
    data = init_data({"id": int(viewer.person.rpartition(":")[2])}, datetime.now(UTC), token)
    return (
        f"{daemon.url}/review/telegram#tgWebAppData={quote(data)}&tgWebAppVersion=8.0&tgWebAppPlatform=ios"
        f"&tgWebAppThemeParams={quote(json.dumps(theme))}"
    )


async def test_a_mini_app_opens_the_page_in_telegrams_colours(beside_a_bot: Daemon, browser: Browser) -> None:
    viewer = await met(beside_a_bot, "7")
    await asked(beside_a_bot.memory, viewer, "You sing in a choir", Category.HOBBY)
    theme = {"bg_color": "#101418", "secondary_bg_color": "#0a0c0e", "text_color": "#f0f0f0", "button_color": "#3390ec"}
    async with tab(beside_a_bot, browser, color_scheme="light") as page:
        await page.goto(mini_app(beside_a_bot, viewer, **theme, evil="url(x)"))
        await page.wait_for_url(f"{beside_a_bot.url}/review")
        await expect(page.locator("li.card")).to_contain_text("You sing in a choir")
        paper = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        await page.get_by_role("button", name="Remember: ").click()
        await expect(page.locator(".flash")).to_contain_text("Remembered")
        still = await page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == still == "rgb(10, 12, 14)"
        # What Telegram gave no colour for is as dark as it, on a device that is light.
        link = "getComputedStyle(document.querySelector('.nav a[aria-current]')).color"
        assert await page.evaluate(link) == "rgb(123, 211, 192)"
        assert await page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert "tgWebAppData" not in page.url
        assert "url(x)" not in (await page.locator("html").get_attribute("style") or "")

    assert await facts_of(beside_a_bot.memory, viewer) == ["You sing in a choir"]


async def test_a_mini_app_that_telegram_does_not_vouch_for_stays_outside(
    beside_a_bot: Daemon, browser: Browser
) -> None:
    viewer = await met(beside_a_bot, "7")
    async with tab(beside_a_bot, browser, provokes=("401",)) as page:
        await page.goto(mini_app(beside_a_bot, viewer, "654321:another"))
        await expect(page.locator("[data-not-entered]")).to_contain_text("I couldn't open your page from here.")
        assert await page.context.cookies() == []


async def test_a_mini_app_whose_line_broke_comes_in_when_it_is_opened_again(
    beside_a_bot: Daemon, browser: Browser
) -> None:
    viewer = await met(beside_a_bot, "7")
    async with tab(beside_a_bot, browser, provokes=("ERR_FAILED",)) as page:
        await page.route(lambda url: url.endswith("/review/telegram"), only_get)
        await page.goto(mini_app(beside_a_bot, viewer))
        await expect(page.locator("[data-not-entered]")).to_be_visible()
        await page.unroute_all()
        await page.reload()
        await page.wait_for_url(f"{beside_a_bot.url}/review")


async def only_get(route: Route) -> None:
    await (route.continue_() if route.request.method == "GET" else route.abort())


async def test_another_account_in_the_same_telegram_sees_its_own_page(beside_a_bot: Daemon, browser: Browser) -> None:
    ada, ben = await met(beside_a_bot, "7"), await met(beside_a_bot, "8")
    await asked(beside_a_bot.memory, ada, "You sing in a choir", Category.HOBBY)
    async with tab(beside_a_bot, browser) as page:
        await page.goto(mini_app(beside_a_bot, ada))
        await expect(page.locator("main")).to_contain_text("choir")
        await page.goto("about:blank")
        await page.goto(mini_app(beside_a_bot, ben))
        await page.wait_for_url(f"{beside_a_bot.url}/review")
        await expect(page.locator("main")).to_contain_text("No questions for you")
