"""The review page as a Mini App: Telegram says who the person is, and Keepsake whether they may sign in."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest

from tests.daemon import Daemon, running
from tests.mini_app import TOKEN, init_data
from tests.visitor import enter, met, shown, stranger


@pytest.fixture
async def beside_a_bot(app_url: str, tenant: str, tmp_path: Path) -> AsyncIterator[Daemon]:
    async with running(app_url, tenant, tmp_path, TELEGRAM_BOT_TOKEN=TOKEN) as daemon:
        yield daemon


async def knock(daemon: Daemon, http: httpx.AsyncClient, data: str, **headers: str) -> httpx.Response:
    told = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", **headers}
    return await http.post("/review/telegram", content=urlencode({"data": data}), headers=told)


def now() -> datetime:
    return datetime.now(UTC)


async def test_whom_telegram_vouches_for_comes_in(beside_a_bot: Daemon) -> None:
    await met(beside_a_bot, "7")
    async with stranger(beside_a_bot) as ada:
        answer = await knock(beside_a_bot, ada, init_data({"id": 7}, now()))
        page = await ada.get("/review")

    assert answer.status_code == 204
    assert "samesite=lax" in answer.headers["set-cookie"].lower()
    assert page.status_code == 200


async def test_who_left_everywhere_is_let_in_only_by_what_telegram_says_after_that(beside_a_bot: Daemon) -> None:
    viewer = await met(beside_a_bot, "7")
    before = init_data({"id": 7}, now())
    async with stranger(beside_a_bot) as thief:
        assert (await knock(beside_a_bot, thief, before)).status_code == 204
        async with await enter(beside_a_bot, viewer) as ada:
            await ada.post("/settings/sessions")
        again = await knock(beside_a_bot, thief, before)
        later = await knock(beside_a_bot, thief, init_data({"id": 7}, now() + timedelta(seconds=2)))

    assert (again.status_code, later.status_code) == (401, 204)
    assert "set-cookie" not in again.headers


async def test_who_was_never_here_does_not_come_in(beside_a_bot: Daemon) -> None:
    async with stranger(beside_a_bot) as somebody:
        answer = await knock(beside_a_bot, somebody, init_data({"id": 99}, now()))

    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


async def test_what_telegram_did_not_say_opens_nothing(beside_a_bot: Daemon) -> None:
    await met(beside_a_bot, "7")
    told = {
        "nothing": "",
        "a hash alone": "hash=" + "0" * 64,
        "long ago": init_data({"id": 7}, now() - timedelta(minutes=11)),
        "not yet": init_data({"id": 7}, now() + timedelta(hours=1)),
        "another bot": init_data({"id": 7}, now(), "654321:another"),
        "one field twice": init_data({"id": 7}, now()) + "&user=%7B%22id%22%3A7%7D",
        "no letters of it": "é" * 100,
        "very long": "x" * 100_000,
    }
    answers = {}
    for what, data in told.items():
        async with stranger(beside_a_bot) as somebody:
            answer = await knock(beside_a_bot, somebody, data)
            answers[what] = (answer.status_code, (await somebody.get("/review")).status_code)

    assert answers == dict.fromkeys(told, (401, 401))


async def test_only_those_who_may_talk_to_the_bot_come_in(app_url: str, tenant: str, tmp_path: Path) -> None:
    wishes = {"TELEGRAM_BOT_TOKEN": TOKEN, "KEEPSAKE_ALLOWED_USERS": "8,@ada_l"}
    async with running(app_url, tenant, tmp_path, **wishes) as daemon, stranger(daemon) as somebody:
        await met(daemon, "7")
        answers = {
            name: (await knock(daemon, somebody, init_data({"id": 7, "username": name}, now()))).status_code
            for name in ("Ada_L", "eve")
        }

    assert answers == {"Ada_L": 204, "eve": 401}


async def test_without_a_bot_there_is_no_such_door(daemon: Daemon) -> None:
    await met(daemon, "7")
    async with stranger(daemon) as somebody:
        posted = await knock(daemon, somebody, init_data({"id": 7}, now()))
        asked = await somebody.get("/review/telegram")

    assert (posted.status_code, asked.status_code) == (404, 404)


async def test_another_page_cannot_bring_anybody_in(beside_a_bot: Daemon) -> None:
    await met(beside_a_bot, "7")
    data = init_data({"id": 7}, now())
    async with stranger(beside_a_bot) as somebody:
        crossing = await knock(beside_a_bot, somebody, data, **{"Sec-Fetch-Site": "cross-site"})
        elsewhere = await somebody.post(
            "/review/telegram",
            content=urlencode({"data": data}),
            headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": "https://evil.example"},
        )

    assert (crossing.status_code, elsewhere.status_code) == (403, 403)


async def test_in_a_frame_of_telegrams_page_the_cookie_is_kept_apart(app_url: str, tenant: str, tmp_path: Path) -> None:
    wishes = {"TELEGRAM_BOT_TOKEN": TOKEN, "KEEPSAKE_WEB_URL": "https://keepsake.example.org"}
    async with running(app_url, tenant, tmp_path, **wishes) as daemon, stranger(daemon) as somebody:
        await met(daemon, "7")
        answer = await somebody.post(
            "/review/telegram",
            content=urlencode({"data": init_data({"id": 7}, now()), "framed": "1"}),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        )
    traits = {trait.lower() for trait in answer.headers["set-cookie"].split("; ")[1:]}

    assert {"samesite=none", "secure", "partitioned", "httponly"} <= traits


async def test_who_is_not_let_in_does_not_find_the_page_of_another_account(beside_a_bot: Daemon) -> None:
    """Two accounts in one Telegram have one browser, whose cookie is that of whoever came before."""
    await met(beside_a_bot, "7")
    async with stranger(beside_a_bot) as telegram:
        await knock(beside_a_bot, telegram, init_data({"id": 7}, now()))
        await telegram.get("/review/telegram")
        refused = await knock(beside_a_bot, telegram, init_data({"id": 8}, now()))
        page = await telegram.get("/review")

    assert (refused.status_code, page.status_code) == (401, 401)


async def test_the_cookie_of_a_frame_is_taken_back_too(app_url: str, tenant: str, tmp_path: Path) -> None:
    """To a browser it is another one than that of a page of its own."""
    wishes = {"TELEGRAM_BOT_TOKEN": TOKEN, "KEEPSAKE_WEB_URL": "https://keepsake.example.org"}
    async with running(app_url, tenant, tmp_path, **wishes) as daemon, stranger(daemon) as somebody:
        answer = await somebody.get("/review/telegram")
    plain, framed = answer.headers.get_list("set-cookie")

    assert "SameSite=lax" in plain
    assert "Partitioned" not in plain
    assert framed.endswith("SameSite=none; Secure; Partitioned")
    assert all(each.startswith('__Secure-keepsake=""') and "Max-Age=0" in each for each in (plain, framed))


async def test_the_start_page_of_the_mini_app_needs_no_session(beside_a_bot: Daemon) -> None:
    async with stranger(beside_a_bot) as somebody:
        answer = await somebody.get("/review/telegram")

    assert answer.status_code == 200
    assert "I'm opening your page" in shown(answer.text)
