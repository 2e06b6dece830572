"""Signing in to the review page, and out of it."""

import asyncio
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import httpx

from db.queries.people.web_sessions import add_session
from memory.people.links import LINK_LASTS, SESSION_LASTS, make_link
from tests.daemon import KEYRING, Daemon, running
from tests.integration.api.conftest import AtOnce
from tests.tables import table
from tests.visitor import enter, link_for, met, shown, stranger
from tests.waiting import STUCK

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


async def test_a_link_opens_the_page_of_its_person(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "7")) as ada:
        answer = await ada.get()

    assert answer.status_code == 200
    assert "No questions for you" in shown(answer.text)


async def test_looking_at_a_link_does_not_use_it_up(daemon: Daemon) -> None:
    """As previews of messengers do, and browsers that load ahead."""
    token = await link_for(daemon, await met(daemon, "7"))
    async with stranger(daemon) as somebody:
        looks = [await somebody.get(f"/review/open/{token}") for _ in range(3)]
        opened = await somebody.post(f"/review/open/{token}", headers=FORM)

    assert {each.status_code for each in looks} == {200}
    assert all("set-cookie" not in each.headers for each in looks)
    assert all("Open my page" in shown(each.text) for each in looks)
    assert opened.status_code == 200
    assert opened.url.path == "/review"


async def test_every_page_says_whose_memory_it_is(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "<b>Ada</b>")) as ada:
        pages = [await ada.get(path) for path in ("", "/memory", "/data/erase")]

    assert all("<bdi>&lt;b&gt;Ada&lt;/b&gt;</bdi>&#39;s memory" in page.text for page in pages)


async def test_a_link_to_someone_elses_page_says_so_before_it_opens(daemon: Daemon) -> None:
    """Or whoever sends their own link could make another person write into their memory."""
    ada, eve = await met(daemon, "Ada"), await met(daemon, "Eve")
    async with await enter(daemon, ada) as visitor, stranger(daemon) as somebody:
        own = await visitor.read(f"/open/{await link_for(daemon, ada)}")
        others = await visitor.read(f"/open/{await link_for(daemon, eve)}")
        nobody = await somebody.get(f"/review/open/{await link_for(daemon, eve)}")

    assert "Ada 's page is open in this browser, and this link opens someone else's page" in others
    assert "someone else's page" not in own + shown(nobody.text)


async def test_a_link_opens_once_and_then_nothing(daemon: Daemon) -> None:
    token = await link_for(daemon, await met(daemon, "7"))
    async with stranger(daemon) as first, stranger(daemon) as second:
        once = await first.post(f"/review/open/{token}", headers=FORM)
        twice = await second.post(f"/review/open/{token}", headers=FORM)
        after = await second.get("/review")

    assert once.status_code == 200
    assert twice.status_code == 410
    assert "set-cookie" not in twice.headers
    assert after.status_code == 401


async def test_of_ten_who_open_a_link_at_once_one_gets_in(daemon: Daemon, at_once: AtOnce) -> None:
    token = await link_for(daemon, await met(daemon, "7"))
    people = [stranger(daemon) for _ in range(10)]
    opening = (each.post(f"/review/open/{token}", headers=FORM) for each in people)
    answers = await at_once(*opening, table="web_sessions")
    pages = await asyncio.gather(*(each.get("/review") for each in people))
    for each in people:
        await each.aclose()

    assert sorted(answer.status_code for answer in answers) == [200] + [410] * 9
    assert sorted(page.status_code for page in pages) == [200] + [401] * 9


async def test_used_old_and_made_up_links_look_the_same(daemon: Daemon) -> None:
    ada = await met(daemon, "7")
    used = await link_for(daemon, ada)
    long_ago = datetime.now(UTC) - LINK_LASTS - timedelta(seconds=1)
    async with daemon.memory.unit(ada, now=long_ago) as unit:
        old = await make_link(unit, KEYRING)
    fresh = await link_for(daemon, ada)
    forged = fresh[:-1] + ("0" if fresh[-1] != "0" else "1")
    async with stranger(daemon) as somebody:
        await somebody.post(f"/review/open/{used}", headers=FORM)
    async with stranger(daemon) as somebody:
        answers = [
            await somebody.post(f"/review/open/{token}", headers=FORM)
            for token in (used, old, forged, "nothing", "a.b.c", "é%00", "x" * 500)
        ]

    assert {answer.status_code for answer in answers} == {410}
    assert len({answer.text for answer in answers}) == 1
    assert all("set-cookie" not in answer.headers for answer in answers)


async def test_a_link_of_another_tenant_does_not_open_with_this_one(daemon: Daemon) -> None:
    token = await link_for(daemon, await met(daemon, "7"))
    _, link, signature = token.split(".")
    async with stranger(daemon) as somebody:
        answer = await somebody.post(f"/review/open/somebody-else.{link}.{signature}", headers=FORM)

    assert answer.status_code == 410


async def test_the_cookie_is_short_and_no_script_can_read_it(daemon: Daemon) -> None:
    token = await link_for(daemon, await met(daemon, "7"))
    async with httpx.AsyncClient(base_url=daemon.url, timeout=STUCK) as somebody:
        answer = await somebody.post(f"/review/open/{token}", headers=FORM)
    name, *traits = answer.headers["set-cookie"].split("; ")

    assert (answer.status_code, answer.headers["location"]) == (303, "/review")
    assert name.startswith(f"keepsake={daemon.tenant}.")
    assert {trait.lower() for trait in traits} == {"httponly", "path=/review", "samesite=lax", "max-age=3600"}


async def test_behind_https_the_cookie_never_travels_in_the_clear(app_url: str, tenant: str, tmp_path: Path) -> None:
    url = "https://keepsake.example.org/memories"
    async with running(app_url, tenant, tmp_path, KEEPSAKE_WEB_URL=url) as daemon:
        token = await link_for(daemon, await met(daemon, "7"))
        async with httpx.AsyncClient(base_url=daemon.url, timeout=STUCK) as somebody:
            page = await somebody.get(f"/review/open/{token}")
            answer = await somebody.post(
                f"/review/open/{token}", headers={**FORM, "Origin": "https://keepsake.example.org"}
            )
            cookie = answer.headers["set-cookie"].partition(";")[0]
            inside = await somebody.get("/review", headers={"Cookie": cookie})
            unprefixed = await somebody.get("/review", headers={"Cookie": cookie.removeprefix("__Secure-")})
    name, *traits = answer.headers["set-cookie"].split("; ")

    assert f'action="/memories/review/open/{token}"' in page.text
    assert answer.headers["location"] == "/memories/review"
    assert name.startswith("__Secure-keepsake=")
    assert {"secure", "httponly", "path=/memories/review", "samesite=lax"} <= {trait.lower() for trait in traits}
    assert (inside.status_code, unprefixed.status_code) == (200, 401)
    assert 'href="/memories/review/memory"' in inside.text


async def test_without_a_cookie_one_is_told_how_to_get_in(daemon: Daemon) -> None:
    async with stranger(daemon) as somebody:
        answers = [await somebody.get(path) for path in ("/review", "/review/memory", "/review/memory/abcdefgh")]

    assert {answer.status_code for answer in answers} == {401}
    assert all("/memory web" in shown(answer.text) for answer in answers)


@table("cookie", ["", "x", "a.b", "é", "test." + "A" * 43, "%00", "x" * 5000])
async def test_a_cookie_that_was_made_up_opens_nothing(daemon: Daemon, cookie: str) -> None:
    async with stranger(daemon) as somebody:
        answer = await somebody.get("/review", headers={b"Cookie": f"keepsake={cookie}".encode()})

    assert answer.status_code == 401


async def test_a_cookie_holds_for_an_hour(daemon: Daemon) -> None:
    """The same session with the end of its time behind it."""
    async with await enter(daemon, await met(daemon, "7")) as ada:
        async with daemon.memory.unit(ada.viewer) as unit:
            now = datetime.now(UTC)
            over = now - timedelta(seconds=1)
            await add_session(
                unit.session,
                ada.viewer,
                id="web_0000000000000000000000000A",
                hash=sha256(f"{daemon.tenant}.{'B' * 43}".encode()).digest(),
                expires_at=over,
                now=over - SESSION_LASTS,
            )
        async with stranger(daemon) as somebody:
            late = await somebody.get("/review", headers={"Cookie": f"keepsake={daemon.tenant}.{'B' * 43}"})
        present = await ada.get()

    assert late.status_code == 401
    assert present.status_code == 200


async def test_signing_out_ends_the_session_and_its_cookie(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "7")) as ada:
        kept = dict(ada.http.cookies)
        left = await ada.post("/leave")
        gone = dict(ada.http.cookies)
        async with stranger(daemon) as thief:
            stolen = await thief.get("/review", headers={"Cookie": f"keepsake={kept['keepsake']}"})

    assert left.status_code == 200
    assert "You're signed out" in shown(left.text)
    assert gone == {}
    assert stolen.status_code == 401


async def test_two_visits_of_one_person_end_apart(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    async with await enter(daemon, viewer) as phone, await enter(daemon, viewer) as desk:
        await phone.post("/leave")

        assert (await phone.get()).status_code == 401
        assert (await desk.get()).status_code == 200
