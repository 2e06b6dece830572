"""/space in the private chat: made, entered by invitation, talked in, given documents; and no file of the server."""

import pytest

from bot import texts
from memory.people.spaces import SpaceGone
from tests.integration.bot.telegram.conftest import Bot, of
from tests.telegram import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_second_person_joins_by_a_code_that_works_once(offline: Bot, ada: Person) -> None:
    ben, carl = offline.person("Ben"), offline.person("Carl")
    [founded] = await offline.ask(ada, "/space new Kitchen")
    [invited] = await offline.ask(ada, "/space invite")
    code = invited.text.rpartition(" ")[2]
    [joined] = await offline.ask(ben, f"/space join {code}")
    [refused] = await offline.ask(carl, f"/space join {code}")

    assert founded.text == texts.SPACE_CREATED.format(name="Kitchen")
    assert joined.text == texts.SPACE_SWITCHED.format(name="Kitchen")
    assert "This invitation doesn't work." in refused.text
    [told] = await offline.ask(ben, "/space members")
    assert [of(each) in told.text for each in (ada, ben, carl)] == [True, True, False]


async def test_what_one_shares_the_other_finds_until_they_leave(offline: Bot, ada: Person) -> None:
    ben = offline.person("Ben")
    await offline.ask(ada, "/space new Kitchen")
    [invited] = await offline.ask(ada, "/space invite")
    await offline.ask(ben, f"/space join {invited.text.rpartition(' ')[2]}")
    await offline.ask(ada, "remember that the oven is broken")
    [fact] = offline.of(ada, "facts")
    [hidden] = await offline.ask(ben, "/memory")
    await offline.ask(ada, f"/memory share {fact['id']}")
    [shown] = await offline.ask(ben, "/memory")
    [left] = await offline.ask(ada, "/space leave")
    [gone] = await offline.ask(ben, "/memory")

    assert ["oven" in page.text for page in (hidden, shown, gone)] == [False, True, False]
    assert left.text == texts.SPACE_LEFT


async def test_a_shared_fact_of_another_can_be_looked_at_and_not_touched(offline: Bot, ada: Person) -> None:
    ben = offline.person("Ben")
    await offline.ask(ada, "/space new Kitchen")
    [invited] = await offline.ask(ada, "/space invite")
    await offline.ask(ben, f"/space join {invited.text.rpartition(' ')[2]}")
    await offline.ask(ada, "remember that the oven is broken")
    [fact] = offline.of(ada, "facts")
    await offline.ask(ada, f"/memory share {fact['id']}")
    [page] = await offline.ask(ben, "/memory")
    await offline.tap(ben, page, "the oven is broken")

    assert offline.now(page).labels == [texts.BUTTON_HISTORY, texts.BUTTON_BACK]
    for verb in ("delete", "edit", "unshare", "undo"):
        assert await offline.tap(ben, page, data=f"{verb}|{ben.id}|{fact['id']}||") == texts.BUTTON_OLD
    assert offline.facts(ada) == ["the oven is broken"]


async def test_use_leads_from_space_to_space_and_home(offline: Bot, ada: Person) -> None:
    await offline.ask(ada, "/space new Kitchen")
    await offline.ask(ada, "the oven is hot")
    [home] = await offline.ask(ada, "/space use personal")
    await offline.ask(ada, "I am by myself")
    [back] = await offline.ask(ada, "/space use Kitchen")
    [nowhere] = await offline.ask(ada, "/space use Garden")

    assert (home.text, back.text) == (texts.SPACE_SWITCHED_TO_PERSONAL, texts.SPACE_SWITCHED.format(name="Kitchen"))
    assert "You're in no space with that name" in nowhere.text
    places = {
        e["content"]["text"]: e["space_id"] for e in offline.of(ada, "events", "ts") if e["actor_type"] == "human"
    }
    assert places["the oven is hot"].startswith("spc_")
    assert places["I am by myself"] == f"personal:{of(ada)}"


async def test_a_document_comes_as_a_file_with_the_command_as_its_caption(offline: Bot, ada: Person) -> None:
    await offline.ask(ada, "/space new Kitchen")
    sent = ada.send_document("oven.md", b"# Oven\n\nThe oven wants 230 degrees for bread.", "/space document")
    [kept] = await offline.ask(ada, sent)
    [listed] = await offline.ask(ada, "/space documents")
    [found] = await offline.ask(ada, "how many degrees does the oven want for bread?")

    assert kept.text.startswith("I saved “oven.md” [art_")
    assert "oven.md" in listed.text
    assert "230 degrees" in found.text
    [dropped] = await offline.ask(ada, f"/space drop {kept.text.partition('[')[2].partition(']')[0]}")
    assert dropped.text.endswith("and everything I had taken from it.")


async def test_no_path_of_the_server_is_read_from_telegram(offline: Bot, ada: Person) -> None:
    for path in ("/etc/passwd", "~/.profile", "../../etc/passwd", "file:///etc/passwd", "pyproject.toml", ""):
        [told] = await offline.ask(ada, f"/space document {path}")
        assert told.text == texts.DOCUMENT_SEND_FILE
    [with_photo] = await offline.ask(ada, ada.send_photo("/space document /etc/passwd"))
    [named] = await offline.ask(ada, ada.send_document("/etc/passwd", b"harmless", "/space document /etc/passwd"))

    assert with_photo.text == texts.DOCUMENT_SEND_FILE
    assert named.text.startswith("I saved “")
    assert [bytes(row["bytes"]) for row in offline.of(ada, "artifacts")] == [b"harmless"]


async def test_a_document_that_is_too_large_or_no_text_is_refused_in_words(offline: Bot, ada: Person) -> None:
    limit = offline.runtime.settings.file_bytes
    [large] = await offline.ask(ada, ada.send_document("l.txt", b"x", "/space document", size=limit + 1))
    [longer] = await offline.ask(ada, ada.send_document("m.txt", b"x" * (limit + 1), "/space document", size=5))
    [binary] = await offline.ask(ada, ada.send_document("b.bin", b"\xff\xfe\x00\x81", "/space document"))
    [empty] = await offline.ask(ada, ada.send_document("e.txt", b" \n ", "/space document"))

    assert large.text == texts.FILE_TOO_LARGE.format(name="l.txt", limit=limit)
    assert longer.text == texts.FILE_TOO_LARGE.format(name="m.txt", limit=limit)
    assert "not UTF-8 text" in binary.text
    assert empty.text == texts.FILE_EMPTY.format(name="e.txt")
    assert offline.of(ada, "artifacts") == []


async def test_who_was_removed_is_led_home_and_told(offline: Bot, ada: Person) -> None:
    ben = offline.person("Ben")
    await offline.ask(ada, "/space new Kitchen")
    [invited] = await offline.ask(ada, "/space invite")
    await offline.ask(ben, f"/space join {invited.text.rpartition(' ')[2]}")
    await offline.ask(ada, f"/space remove {of(ben)}")
    [told] = await offline.ask(ben, "the oven is hot")
    [after] = await offline.ask(ben, "hello")

    assert told.text == str(SpaceGone())
    assert after.text == texts.OFFLINE.greeting


async def test_help_of_spaces_and_channels_of_groups_are_explained(offline: Bot, ada: Person) -> None:
    [told] = await offline.ask(ada, "/space help")
    [channel] = await offline.ask(ada, "/space channel team")

    assert told.text == texts.SPACE_HELP
    assert channel.text == texts.CHANNEL_NOT_HERE
