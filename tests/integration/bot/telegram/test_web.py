"""/memory web: a link that opens one's own page, once, by buttons where Telegram takes its address."""

import re
from datetime import UTC, datetime

import pytest

from bot import texts
from bot.commands.web import MINUTES
from db.viewer import Viewer
from memory.errors import NotFound
from memory.people.links import find_session, open_link
from tests.integration.bot.telegram.conftest import Bot, Running, of
from tests.telegram import Person, Sent, fake_telegram
from tests.waiting import eventually

pytestmark = pytest.mark.asyncio(loop_scope="module")

HTTPS = "https://keepsake.example.org"
APP = f"{HTTPS}/review/telegram"
TOKEN = re.compile(r"/review/open/(\S+)")
OWN = {"type": "web_app", "text": "Shop", "web_app": {"url": "https://shop.example.org"}}


def token_in(message: Sent) -> str:
    """From the button to the browser, or from the text."""
    addresses = [address for row in message.buttons for _, address in row]
    found = [each[1] for text in (message.text, *addresses) if (each := TOKEN.search(text))]
    assert len(found) == 1, message
    return found[0]


async def opens_for(bot: Bot, token: str) -> Viewer | None:
    """Whose page it opens."""
    now = datetime.now(UTC)
    visit = await find_session(bot.runtime.memory, await open_link(bot.runtime.memory, token, now), now)
    return visit.viewer if visit else None


async def test_without_a_page_the_owner_is_told_what_to_set(offline: Bot, ada: Person) -> None:
    [told] = await offline.ask(ada, "/memory web")

    assert told.text == texts.WEB_NOT_SERVED
    assert all(name in told.text for name in ("`keepsake serve`", "KEEPSAKE_SERVE=1", "KEEPSAKE_WEB_URL"))
    assert offline.of(ada, "web_sessions") == []


@pytest.mark.parametrize("served", [{"KEEPSAKE_SERVE": "1"}, {"KEEPSAKE_WEB_URL": "http://localhost:8080"}])
async def test_a_page_on_this_machine_has_its_link_in_the_text(begin: Running, served: dict[str, str]) -> None:
    async with begin(**served) as bot:
        ada = bot.person()
        [told] = await bot.ask(ada, "/memory web")
        token = token_in(told)

        assert told.text == texts.WEB_LINK.format(url=f"{bot.runtime.web_url}/review/open/{token}", minutes=MINUTES)
        assert (told.buttons, told.protected, told.previewed) == ([], False, False)
        assert await opens_for(bot, token) == Viewer.in_private(bot.tenant, of(ada))
        with pytest.raises(NotFound):
            await opens_for(bot, token)
        assert bot.telegram.calls_of("setChatMenuButton") == []


async def test_a_page_on_the_internet_is_opened_by_a_button_and_cannot_be_passed_on(begin: Running) -> None:
    async with begin(KEEPSAKE_WEB_URL="http://keepsake.example.org:8080/") as bot:
        ada, ben = bot.person(), bot.person("Ben")
        [told], [other] = await bot.ask(ada, "/memory web"), await bot.ask(ben, "/memory web please")

        assert (told.text, told.labels) == (texts.WEB_BUTTONS.format(minutes=MINUTES), [texts.BUTTON_BROWSER])
        assert (told.protected, told.previewed) == (True, False)
        assert told.buttons[0][0][1].startswith("http://keepsake.example.org:8080/review/open/")
        for person, message in ((ben, other), (ada, told)):
            assert await opens_for(bot, token_in(message)) == Viewer.in_private(bot.tenant, of(person))


async def test_over_https_the_page_is_a_mini_app_and_beside_the_text_field(begin: Running) -> None:
    async with begin(KEEPSAKE_WEB_URL=HTTPS) as bot:
        ada = bot.person()
        [told] = await bot.ask(ada, "/memory web")

        assert told.labels == [texts.BUTTON_APP, texts.BUTTON_BROWSER]
        assert told.markup is not None
        assert told.markup["inline_keyboard"][0] == [{"text": texts.BUTTON_APP, "web_app": {"url": APP}}]
        assert await opens_for(bot, token_in(told)) == Viewer.in_private(bot.tenant, of(ada))
        shown = await eventually(lambda: bot.telegram.menu_buttons.get(None))
        assert shown == {"type": "web_app", "text": texts.WEB_MENU, "web_app": {"url": APP}}


async def test_buttons_that_are_refused_leave_the_link_in_the_text(begin: Running) -> None:
    async with begin(KEEPSAKE_WEB_URL=HTTPS) as bot:
        ada = bot.person()
        await bot.ask(ada, "/start")
        bot.telegram.fail("sendMessage", 1, 400, "Bad Request: BUTTON_URL_INVALID", chat_id=ada.id)
        [told] = await bot.ask(ada, "/memory web")

        assert (told.buttons, told.protected, told.previewed) == ([], False, False)
        assert await opens_for(bot, token_in(told)) == Viewer.in_private(bot.tenant, of(ada))


async def test_a_button_of_ours_that_leads_nowhere_goes_and_that_of_the_owner_stays(begin: Running) -> None:
    async with fake_telegram() as telegram:
        async with begin(telegram=telegram, KEEPSAKE_WEB_URL=HTTPS):
            await eventually(lambda: telegram.menu_buttons)
        async with begin(telegram=telegram):
            await eventually(lambda: not telegram.menu_buttons)
        telegram.menu_buttons[None] = OWN
        async with begin(telegram=telegram) as bot:
            await eventually(lambda: telegram.calls_of("setMyCommands"))
            await bot.ask(bot.person(), "hello")

            assert telegram.menu_buttons == {None: OWN}


@pytest.mark.parametrize("lacking", ["getChatMenuButton", "setChatMenuButton"])
async def test_a_server_without_that_button_still_gets_its_commands(begin: Running, lacking: str) -> None:
    async with fake_telegram() as telegram:
        telegram.forget_method(lacking)
        async with begin(telegram=telegram, KEEPSAKE_WEB_URL=HTTPS):
            await eventually(lambda: telegram.commands)

        assert telegram.menu_buttons == {}


async def test_in_a_group_the_link_comes_in_private_and_the_group_reads_one_line(begin: Running) -> None:
    async with begin(KEEPSAKE_WEB_URL=HTTPS) as bot:
        ada, ben = bot.person(), bot.person("Ben")
        team = bot.telegram.group(-next(bot.numbers), "Team", members=[ada, ben])
        await bot.ask(ada, "/start")
        [told] = await bot.ask(ada, ada.say("/memory web", to=team))
        await bot.done(ben.say("/memory web", to=team))

        assert told.labels == [texts.BUTTON_APP, texts.BUTTON_BROWSER]
        assert await opens_for(bot, token_in(told)) == Viewer.in_private(bot.tenant, of(ada))
        assert [line.text for line in team.answers()] == [texts.ANSWERED_IN_PRIVATE, texts.OPEN_PRIVATE_CHAT]
        assert "/review" not in str([(line.text, line.markup) for line in team.answers()])


async def test_nothing_that_opens_a_page_stays_behind_when_it_was_sent(begin: Running) -> None:
    async with begin(KEEPSAKE_SERVE="1") as bot:
        ada = bot.person()
        await bot.ask(ada, "/private")
        [told] = await bot.ask(ada, "/memory web")

        assert bot.holding(token_in(told)) == set()
        assert bot.holding(token_in(told).rpartition(".")[2]) == set()
        assert await opens_for(bot, token_in(told)) == Viewer.in_private(bot.tenant, of(ada))


async def test_who_is_forgotten_has_no_page_any_more(begin: Running) -> None:
    async with begin(KEEPSAKE_SERVE="1") as bot:
        ada = bot.person()
        [told] = await bot.ask(ada, "/memory web")
        for words in ("/forget everything", "/forget yes", "/forget yes, everything"):
            await bot.ask(ada, words)

        with pytest.raises(NotFound):
            await opens_for(bot, token_in(told))


async def test_help_names_the_page_and_the_reminders(offline: Bot, ada: Person) -> None:
    [told] = await offline.ask(ada, "/help")

    assert "/memory web" in told.text
    assert "/memory remind" in told.text
