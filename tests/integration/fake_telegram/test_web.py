"""What the fake Telegram lets a bot do with addresses: buttons, Mini Apps, the menu button, previews of links."""

import pytest
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MenuButtonCommands,
    MenuButtonDefault,
    MenuButtonWebApp,
    WebAppInfo,
)
from telegram.error import BadRequest

from tests.telegram import FakeTelegram, Person

PAGE = "https://keepsake.example.org/review"


@pytest.fixture
def ada(telegram: FakeTelegram) -> Person:
    person = telegram.person(11, "Ada")
    person.say("hello")
    return person


def app(url: str) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton("Open", web_app=WebAppInfo(url))]])


def browser(url: str) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton("Open", url=url)]])


async def test_a_mini_app_is_opened_over_https_in_private_chats_alone(
    telegram: FakeTelegram, bot: Bot, ada: Person
) -> None:
    group = telegram.group(-100, "Team", members=[ada])
    sent = await bot.send_message(ada.id, "here", reply_markup=app(PAGE))
    with pytest.raises(BadRequest, match="only https links"):
        await bot.send_message(ada.id, "here", reply_markup=app("http://keepsake.example.org/review"))
    with pytest.raises(BadRequest, match="only https links"):
        await bot.edit_message_text("there", ada.id, sent.message_id, reply_markup=app("http://keepsake.example.org"))
    with pytest.raises(BadRequest, match="wrong http url"):
        await bot.send_message(ada.id, "here", reply_markup=app("https://localhost/review"))
    with pytest.raises(BadRequest, match="utton_type_invalid"):
        await bot.send_message(group.id, "here", reply_markup=app(PAGE))

    assert [answer.buttons for answer in ada.answers()] == [[[("Open", PAGE)]]]


async def test_a_button_leads_to_names_of_the_internet_alone(bot: Bot, ada: Person) -> None:
    for url in ("http://localhost:8080/x", "http://127.0.0.1:8080/x", "http://[::1]:8080/x", "file:///x"):
        with pytest.raises(BadRequest, match="invalid"):
            await bot.send_message(ada.id, "here", reply_markup=browser(url))
    await bot.send_message(ada.id, "here", reply_markup=browser("http://example.org:8080/x"))

    assert [answer.buttons for answer in ada.answers()] == [[[("Open", "http://example.org:8080/x")]]]


async def test_a_link_is_looked_behind_unless_the_bot_forbids_it_each_time(bot: Bot, ada: Person) -> None:
    quiet = LinkPreviewOptions(is_disabled=True)
    first = await bot.send_message(ada.id, "https://example.org", link_preview_options=quiet, protect_content=True)
    await bot.send_message(ada.id, "https://example.org")

    assert [(answer.previewed, answer.protected) for answer in ada.answers()] == [(False, True), (True, False)]
    await bot.edit_message_text("https://example.com", ada.id, first.message_id)
    assert ada.answers()[0].previewed
    with pytest.raises(BadRequest, match="link preview options"):
        await bot.send_message(ada.id, "x", api_kwargs={"link_preview_options": {"is_disabled": "yes"}})


async def test_the_menu_button_is_one_for_all_until_a_chat_has_its_own(
    telegram: FakeTelegram, bot: Bot, ada: Person
) -> None:
    assert isinstance(await bot.get_chat_menu_button(), MenuButtonCommands)
    for wrong in (
        MenuButtonWebApp("Memory", WebAppInfo("http://example.org")),
        MenuButtonWebApp(" ", WebAppInfo(PAGE)),
    ):
        with pytest.raises(BadRequest, match="enu button"):
            await bot.set_chat_menu_button(menu_button=wrong)
    with pytest.raises(BadRequest, match="private"):
        await bot.set_chat_menu_button(telegram.group(-100, "Team", members=[ada]).id, MenuButtonCommands())
    await bot.set_chat_menu_button(menu_button=MenuButtonWebApp("Memory", WebAppInfo(PAGE)))

    assert await bot.get_chat_menu_button(ada.id) == MenuButtonWebApp("Memory", WebAppInfo(PAGE))
    await bot.set_chat_menu_button(ada.id, MenuButtonCommands())
    assert isinstance(await bot.get_chat_menu_button(ada.id), MenuButtonCommands)
    await bot.set_chat_menu_button(menu_button=MenuButtonDefault())
    assert isinstance(await bot.get_chat_menu_button(), MenuButtonCommands)
