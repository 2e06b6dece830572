"""Links to the review page and the sessions that they become: for one person, once, for a while."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import text

from db.engine import NOBODY, Database
from db.queries.people import web_sessions as queries
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.errors import NotFound
from memory.people import links
from memory.people.links import LINK_LASTS, SESSION_LASTS
from memory.privacy.encryption import Keyring
from memory.privacy.forgetting.forget import erase
from memory.unit import Memory
from tests.conftest import NOON

OLD, NEW = b"a key for tests, of 32 bytes ...", b"the key that comes after that ..."[:32]


async def link_for(memory: Memory, viewer: Viewer) -> str:
    async with memory.unit(viewer, now=NOON) as unit:
        return await links.make_link(unit, memory.keyring)


async def session_for(memory: Memory, viewer: Viewer) -> str:
    async with memory.unit(viewer, now=NOON) as unit:
        return await links.begin_session(unit)


async def opens(memory: Memory, token: str, after: timedelta = timedelta()) -> str | None:
    """The cookie that a link becomes; nothing, where it opens nothing."""
    try:
        return await links.open_link(memory, token, NOON + after)
    except NotFound:
        return None


async def who(memory: Memory, cookie: str, after: timedelta = timedelta()) -> Viewer | None:
    visit = await links.find_session(memory, cookie, NOON + after)
    return visit.viewer if visit else None


async def test_a_link_opens_ones_own_page_once(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    hers, his = await link_for(memory, ada), await link_for(memory, ben)
    first, second = await opens(memory, hers), await opens(memory, hers)

    assert first
    assert await who(memory, first) == ada
    assert second is None
    his_cookie = await opens(memory, his)
    assert his_cookie
    assert await who(memory, his_cookie) == ben
    assert await who(memory, first) == ada  # still


async def test_of_two_who_open_it_at_once_one_is_let_in(memory: Memory, ada: Viewer, app_url: str) -> None:
    other = replace(memory, database=Database(app_url))
    token = await link_for(memory, ada)
    cookies = await asyncio.gather(*(opens((memory, other)[number % 2], token) for number in range(12)))
    await other.database.close()

    [cookie] = [each for each in cookies if each]
    assert await who(memory, cookie) == ada


async def test_a_link_lasts_ten_minutes_and_no_moment_longer(memory: Memory, ada: Viewer) -> None:
    late, last = await link_for(memory, ada), await link_for(memory, ada)

    assert timedelta(minutes=10) == LINK_LASTS
    assert await opens(memory, late, LINK_LASTS) is None
    assert await opens(memory, last, LINK_LASTS - timedelta(microseconds=1))


async def test_a_session_lasts_from_its_opening_and_then_is_over(memory: Memory, ada: Viewer) -> None:
    cookie = await opens(memory, await link_for(memory, ada), timedelta(minutes=9))
    assert cookie

    assert await who(memory, cookie, timedelta(minutes=9) + SESSION_LASTS - timedelta(microseconds=1)) == ada
    assert await who(memory, cookie, timedelta(minutes=9) + SESSION_LASTS) is None


async def test_after_a_new_key_the_links_of_the_former_one_open_as_long_as_it_is_known(
    memory: Memory, ada: Viewer
) -> None:
    before = replace(memory, keyring=Keyring((OLD,)))
    both, after = replace(memory, keyring=Keyring((NEW, OLD))), replace(memory, keyring=Keyring((NEW,)))
    old, lost, new = await link_for(before, ada), await link_for(before, ada), await link_for(both, ada)

    assert await opens(after, lost) is None
    assert await opens(both, old)
    assert await opens(before, new) is None
    assert await opens(after, new)


async def test_a_token_that_was_tampered_with_opens_nothing_and_uses_nothing_up(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    token, his = await link_for(memory, ada), await link_for(memory, ben)
    tenant, link, signature = token.split(".")
    _, other_link, other_signature = his.split(".")
    flipped = "0" if signature[0] != "0" else "1"
    tampered = [
        f"{tenant}x.{link}.{signature}",
        f"{tenant}-other.{link}.{signature}",
        f"{tenant}.{other_link}.{signature}",
        f"{tenant}.{link}.{other_signature}",
        f"{tenant}.{link}.{flipped}{signature[1:]}",
        f"{tenant}.{link}.{signature.upper()}",
        f"{tenant}.{link}.{signature[:-1]}",
        f"{tenant}.{link}.{'0' * 64}",
        f"{tenant}.{link}.",
        f"{tenant}.{link}",
        f".{link}.{signature}",
        link,
        "",
        f"{token}\n",
        f" {token}",
        f"{token}.{token}",
        f"{tenant}\0.{link}.{signature}",
        f"{tenant}.{link}.{'é' * 64}",
        "\ud800",
        "a" * 1_000_000,
    ]
    assert [each for each in tampered if await opens(memory, each)] == []
    cookie = await opens(memory, token)
    assert cookie
    assert await who(memory, cookie) == ada


async def test_a_link_of_one_tenant_is_none_in_another(memory: Memory, ada: Viewer) -> None:
    _, link, _ = (await link_for(memory, ada)).split(".")
    for viewer in (Viewer.nobody(f"{ada.tenant}-other"), NOBODY, ada):
        async with memory.database.transaction(viewer) as session:
            opened = await queries.open_link(session, link, b"x" * 32, now=NOON, until=NOON + SESSION_LASTS)
        assert opened is None, viewer
    async with memory.database.transaction(Viewer.nobody(ada.tenant)) as session:
        opened = await queries.open_link(session, link, b"x" * 32, now=NOON, until=NOON + SESSION_LASTS)
    assert opened == ada.person


async def test_what_is_no_cookie_is_nobodys(memory: Memory, ada: Viewer, tenant: str) -> None:
    cookie = await session_for(memory, ada)
    own = cookie.partition(".")[2]
    wrong = [
        "",
        own,
        f"{tenant}.",
        f"{tenant}-other.{own}",
        f"{tenant}.{own[:-1]}",
        f"{tenant}.{'A' * 43}",
        f"{cookie}\n",
        f"{cookie};",
        cookie.upper(),
        await link_for(memory, ada),
        "\ud800" * 50,
        "a" * 1_000_000,
    ]
    assert [each for each in wrong if await who(memory, each)] == []
    assert await who(memory, cookie) == ada


async def test_a_link_that_nobody_opened_is_no_session(memory: Memory, ada: Viewer) -> None:
    await link_for(memory, ada)
    async with memory.database.transaction(Viewer.nobody(ada.tenant), read_only=True) as session:
        assert await queries.session_of(session, b"", NOON) is None
        assert await queries.session_of(session, b"\0" * 32, NOON) is None


async def test_a_session_ends_when_its_person_says_so_and_by_nobody_else(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    first, second = await session_for(memory, ada), await session_for(memory, ada)
    visit = await links.find_session(memory, first, NOON)
    assert visit
    for viewer in (ben, replace(ada, tenant=f"{ada.tenant}-other"), replace(ada, channel=Channel.TEAM)):
        async with memory.unit(viewer) as unit:
            await links.end_session(unit, visit.session_id)
        assert await who(memory, first) == ada
    async with memory.unit(ada) as unit:
        await links.end_session(unit, visit.session_id)

    assert await who(memory, first) is None
    assert await who(memory, second) == ada


async def test_who_is_erased_has_no_link_and_no_session(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    token, cookie, his = await link_for(memory, ada), await session_for(memory, ada), await session_for(memory, ben)
    await erase(memory, ada.tenant, ada.person)

    assert await opens(memory, token) is None
    assert await who(memory, cookie) is None
    assert await who(memory, his) == ben


async def test_the_database_holds_nothing_that_opens_a_page(memory: Memory, ada: Viewer) -> None:
    token, cookie = await link_for(memory, ada), await session_for(memory, ada)
    opened = await opens(memory, token)
    assert opened
    async with memory.database.transaction(ada, read_only=True) as session:
        rows = str((await session.execute(text("SELECT w::text FROM web_sessions AS w"))).all())

    secrets = [token.rpartition(".")[2], cookie.partition(".")[2], opened.partition(".")[2]]
    assert [each for each in secrets if each in rows or each.encode().hex() in rows] == []


async def test_sessions_are_seen_by_whom_they_belong_to_and_found_by_nobody_else_than_nobody(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    cookie = await session_for(memory, ada)
    hash = links._hash(cookie)
    for viewer, rows, is_found in (
        (ada, 1, False),
        (ben, 0, False),
        (replace(ada, channel=Channel.TEAM), 0, False),
        (Viewer.nobody(ada.tenant), 0, True),
        (Viewer.nobody(f"{ada.tenant}-other"), 0, False),
        (NOBODY, 0, False),
    ):
        async with memory.database.transaction(viewer, read_only=True) as session:
            assert (await session.execute(text("SELECT count(*) FROM web_sessions"))).scalar_one() == rows, viewer
            assert (await queries.session_of(session, hash, NOON) is not None) is is_found, viewer
