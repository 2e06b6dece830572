"""Commands in the private chat: what they answer, and the pages of /memory with their buttons."""

import json

import pytest

from bot import texts
from bot.telegram.sending.keyboards import PAGE_SIZE
from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.facts import facts
from memory.facts.facts import FactDraft
from tests.integration.bot.telegram.conftest import Bot, of
from tests.telegram import Person, Sent

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def remember(bot: Bot, person: Person, *facts: str) -> None:
    for words in facts:
        [answer] = await bot.ask(person, f"remember that {words}")
        assert f"]: {words}" in answer.text


async def opened(bot: Bot, person: Person, label: str) -> Sent:
    """The page of one fact."""
    [page] = await bot.ask(person, "/memory")
    await bot.tap(person, page, label)
    return bot.now(page)


def id_in(message: Sent) -> str:
    return message.text.partition("[")[2].partition("]")[0]


async def test_start_greets_by_name_and_help_lists_every_command(offline: Bot, ada: Person) -> None:
    [welcome] = await offline.ask(ada, "/start")
    [told] = await offline.ask(ada, "/help")

    assert welcome.text.startswith("Hello Ada!")
    assert [name for name in texts.MENU_LINES if name != "help" and f"/{name}" not in told.text] == []


async def test_new_ends_the_conversation_and_what_is_remembered_stays(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "my boss is called Alec")
    [told] = await offline.ask(ada, "/new")

    first, second = offline.of(ada, "conversations", "started_at")
    assert told.text == texts.NEW_CONVERSATION
    assert first["ended_at"] is not None
    assert second["ended_at"] is None
    assert offline.facts(ada) == ["my boss is called Alec"]


async def test_an_unknown_command_is_said_to_be_unknown(offline: Bot, ada: Person) -> None:
    [told] = await offline.ask(ada, "/nonsense now")

    assert told.text == texts.UNKNOWN_COMMAND.format(command="/nonsense")
    assert offline.of(ada, "events") == []


async def test_a_memory_command_that_makes_no_sense_is_explained(offline: Bot, ada: Person) -> None:
    for command in ("/memory nonsense", "/memory show", "/memory edit", "/memory asof tomorrow"):
        [told] = await offline.ask(ada, command)

        assert "/memory" in told.text, command


async def test_the_list_is_turned_page_by_page_and_back(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "number 0 is a nice number")
    async with offline.runtime.memory.unit(Viewer.in_private(offline.tenant, of(ada))) as unit:
        for number in range(1, PAGE_SIZE + 2):
            await facts.remember(unit, FactDraft(f"number {number} is a nice number", Category.OTHER), Approval.ORDER)
    [page] = await offline.ask(ada, "/memory")

    assert page.text.startswith(texts.MEMORY_PAGE_TITLE.format(count=PAGE_SIZE + 2, page=1, pages=2))
    assert page.labels[-1] == "›"
    assert len(page.labels) == PAGE_SIZE + 1
    await offline.tap(ada, page, "›")
    assert offline.now(page).labels[-1] == "‹"
    assert len(offline.now(page).labels) == 3
    await offline.tap(ada, page, "‹")
    assert offline.now(page).text == page.text
    assert len(ada.answers()) == 2  # pages are turned in place


async def test_a_fact_is_opened_its_history_shown_and_the_list_come_back_to(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "my boss is called Alec")
    page = await opened(offline, ada, "my boss is called Alec")

    assert texts.APPROVALS["order"] in page.text  # type: ignore[index]
    assert page.labels == [texts.BUTTON_HISTORY, texts.BUTTON_EDIT, texts.BUTTON_SHARE, texts.BUTTON_DELETE, "‹ List"]
    await offline.tap(ada, page, texts.BUTTON_HISTORY)
    assert offline.now(page).text.startswith("History of [")
    await offline.tap(ada, page, texts.BUTTON_BACK)
    assert offline.now(page).labels == ["my boss is called Alec"]


async def test_edit_asks_for_words_and_the_reply_gives_them(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "my boss is called Alec")
    page = await opened(offline, ada, "my boss is called Alec")
    await offline.tap(ada, page, texts.BUTTON_EDIT)
    question = ada.answers()[-1]

    assert question.markup == {"force_reply": True, "selective": True}
    [told] = await offline.ask(ada, "my boss is called\nAlexandra", reply_to=question)
    assert offline.facts(ada) == ["my boss is called Alexandra"]
    assert told.labels == [texts.BUTTON_UNDO]
    [version] = [row for row in offline.versions(ada) if row["version"] == 2]
    assert (version["author"], version["approval"]) == (of(ada), "command")
    await offline.tap(ada, told, texts.BUTTON_UNDO)
    assert offline.facts(ada) == ["my boss is called Alec"]


async def test_the_words_may_name_another_id_and_still_belong_to_the_question(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "Alec is my boss", "Berta wrote [aaaaaaaa] on the wall")
    page = await opened(offline, ada, "Berta wrote [aaaaaaaa] on the wall")
    await offline.tap(ada, page, texts.BUTTON_EDIT)
    await offline.ask(ada, "Berta wrote nothing on the wall", reply_to=ada.answers()[-1])

    assert offline.facts(ada) == ["Alec is my boss", "Berta wrote nothing on the wall"]


async def test_a_quoted_piece_of_the_question_answers_it_too(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "Alec is my boss")
    page = await opened(offline, ada, "Alec is my boss")
    await offline.tap(ada, page, texts.BUTTON_EDIT)
    await offline.ask(ada, "Alec was my boss", reply_to=ada.answers()[-1], quote="Alec is my boss")

    assert offline.facts(ada) == ["Alec was my boss"]


async def test_words_that_cannot_be_kept_are_refused_with_the_reason(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "Alec is my boss")
    for words in ("no", "x" * 600):
        page = await opened(offline, ada, "Alec is my boss")
        await offline.tap(ada, page, texts.BUTTON_EDIT)
        [told] = await offline.ask(ada, words, reply_to=ada.answers()[-1])

        assert "characters" in told.text, words
        assert offline.facts(ada) == ["Alec is my boss"], words


async def test_forwarded_words_and_a_bare_file_are_no_answer_to_the_question(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "Alec is my boss")
    page = await opened(offline, ada, "Alec is my boss")
    await offline.tap(ada, page, texts.BUTTON_EDIT)
    question = ada.answers()[-1]
    await offline.ask(ada, ada.forward("Mallory is my boss", reply_to=question))
    await offline.ask(ada, ada.send_document("notes.txt", b"Mallory is my boss", reply_to=question))

    assert offline.facts(ada) == ["Alec is my boss"]
    assert len(offline.versions(ada)) == 1


async def test_delete_hides_at_once_and_undo_brings_back_once(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "Alec is my boss")
    page = await opened(offline, ada, "Alec is my boss")
    old = [data for row in page.buttons for label, data in row if label == texts.BUTTON_DELETE]
    await offline.tap(ada, page, texts.BUTTON_DELETE)
    receipt = offline.now(page)

    assert receipt.text.startswith("✓ Deleted [")
    assert offline.facts(ada) == []
    assert await offline.tap(ada, page, data=old[0]) == texts.BUTTON_OLD
    await offline.tap(ada, receipt, texts.BUTTON_UNDO)
    assert offline.facts(ada) == ["Alec is my boss"]


async def test_share_has_nobody_one_or_several_spaces_to_share_with(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "Alec is my boss")
    page = await opened(offline, ada, "Alec is my boss")
    assert await offline.tap(ada, page, texts.BUTTON_SHARE) == texts.SHARE_NOWHERE

    await offline.ask(ada, "/space new Kitchen")
    await offline.tap(ada, page, texts.BUTTON_SHARE)
    assert (offline.now(page).text, offline.now(page).labels) == (texts.SHARE_WHERE, ["Kitchen"])
    await offline.tap(ada, page, "Kitchen")
    assert offline.now(page).text.startswith("✓ Shared [")

    page = await opened(offline, ada, "Alec is my boss")
    assert texts.BUTTON_UNSHARE in page.labels
    await offline.tap(ada, page, texts.BUTTON_UNSHARE)
    assert offline.now(page).text.startswith("✓ Private again [")

    await offline.ask(ada, "/space new Garden")
    page = await opened(offline, ada, "Alec is my boss")
    await offline.tap(ada, page, texts.BUTTON_SHARE)
    assert (offline.now(page).text, offline.now(page).labels) == (texts.SHARE_WHERE, ["Kitchen", "Garden"])
    await offline.tap(ada, page, "Garden")
    [garden] = offline.rows(
        "SELECT id FROM spaces WHERE {mine} AND subject = 'Garden' AND created_by = %(u)s", u=of(ada)
    )
    newest = offline.versions(ada)[-1]
    assert (newest["visibility"], newest["space_id"]) == ("shared", garden["id"])


async def test_a_space_that_no_button_named_is_out_of_date(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "Alec is my boss")
    await offline.ask(ada, "/space new Kitchen")
    await offline.ask(ada, "/space new Garden")
    page = await opened(offline, ada, "Alec is my boss")
    fact = id_in(page)
    for number in ("-1", "7", "x", "spc_01J00000000000000000000000"):
        await offline.tap(ada, page, data=f"share|{ada.id}|{fact}@{number}||")

        assert {row["visibility"] for row in offline.versions(ada)} == {"private"}, number


async def test_every_typed_memory_command_does_what_it_says(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "Alec is my boss", "I like green tea")
    [listed] = await offline.ask(ada, "/memory list")
    alec = next(line for line in listed.text.splitlines() if "Alec" in line).partition("[")[2][:8]

    async def typed(command: str) -> str:
        [told] = await offline.ask(ada, f"/memory {command}")
        return told.text

    assert (await typed(f"show {alec}")).startswith(f"[{alec}] Alec is my boss")
    assert (await typed(f"edit {alec} Alec was my boss")).startswith("✓ Changed [")
    assert (await typed(f"history {alec}")).count("\n") == 2
    assert "Alec was my boss" in await typed("search boss")
    assert await typed("search zebra") == texts.SEARCH_NOTHING
    assert "Alec is my boss" in await typed("undo")
    assert await typed("asof 2020-01-01") == texts.AS_OF_NOTHING
    assert "green tea" in await typed("asof 2099-01-01")
    assert (await typed(f"delete {alec}")).startswith("✓ Deleted [")
    assert (await typed(f"restore {alec}")).startswith("✓ Remembered again [")
    assert (await typed("mode auto")).startswith("auto:")
    assert (await typed("mode manual")).startswith("manual:")
    assert (await typed("mode confirm")).startswith("confirm:")
    assert "preference" in await typed("never preference")
    assert "Never" not in await typed("allow preference")
    assert await typed("web") == texts.WEB_NOT_SERVED


async def test_the_export_arrives_as_two_documents_with_everything_in_them(offline: Bot, ada: Person) -> None:
    ben = offline.person("Ben")
    await remember(offline, ben, "Ben's own secret garden is green")
    await remember(offline, ada, "Alec is my boss")
    first, second, told = await offline.ask(ada, "/memory export")

    assert first.document
    assert second.document
    document = json.loads(first.document.content)
    assert document["user"] == of(ada)
    assert [row["content"] for row in document["tables"]["fact_versions"]] == ["Alec is my boss"]
    assert "**Alec is my boss**" in second.document.content.decode()
    assert b"garden" not in first.document.content + second.document.content
    assert told.text == texts.EXPORT_SENT
    assert (first.document.name[-5:], second.document.name[-3:]) == (".json", ".md")


async def test_a_command_for_a_fact_of_somebody_else_finds_nothing(offline: Bot, ada: Person) -> None:
    ben = offline.person("Ben")
    await remember(offline, ben, "Ben's own garden is green")
    [row] = offline.of(ben, "facts")
    page = (await offline.ask(ada, "/memory"))[0]

    for command in ("show", "history", "edit", "delete", "share", "accept", "reject"):
        [told] = await offline.ask(ada, f"/memory {command} {row['id']} words of mine")
        assert "garden" not in told.text
    for verb in ("open", "history", "edit", "delete", "undo", "share", "unshare"):
        told_over = await offline.tap(ada, page, data=f"{verb}|{ada.id}|{row['id']}||")
        assert told_over in {texts.BUTTON_OLD, texts.SHARE_NOWHERE}
    assert offline.facts(ben) == ["Ben's own garden is green"]


ODD = (
    "yes",
    "old:format:1",
    "yes|me|x|y",
    "yes|-5|x|y",
    "fly|{ada}|x|y",
    "page|{ada}|-1|",
    "page|{ada}|many|",
    "page|{ada}|999999999999999999999|",
    "open|{ada}||",
    "yes|{ada}|nosuchid|",
    "yes|{ada}|nosuchid|abc",
    "all|{ada}||",
    "all|{ada}||abcdef",
    "own|{ada}|nosuchid|",
    "no|{ada}|nosuchid|",
    "forget|{ada}|1|",
    "forget|{ada}|2|",
    "forget|{ada}||",
    "why|{ada}|evt_nonsense|",
    "open|{ada}|a\0b|",
    "open|{ada}|\ud800|",
    "x" * 300,
)


async def test_odd_data_of_a_button_changes_nothing_and_breaks_nothing(offline: Bot, ada: Person) -> None:
    await remember(offline, ada, "Alec is my boss")
    [page] = await offline.ask(ada, "/memory")
    for data in ODD:
        await offline.tap(ada, page, data=data.replace("{ada}", str(ada.id)))

    assert offline.facts(ada) == ["Alec is my boss"]
    assert [row for row in offline.of(ada, "inbox") if row["state"] != "done" or row["failures"]] == []


async def test_a_button_of_somebody_else_is_refused_politely(offline: Bot, ada: Person) -> None:
    ben = offline.person("Ben")
    await remember(offline, ada, "Alec is my boss")
    [fact] = offline.of(ada, "facts")
    [page] = await offline.ask(ben, "/memory")

    assert await offline.tap(ben, page, data=f"delete|{ada.id}|{fact['id']}||") == texts.BUTTON_NOT_YOURS
    assert offline.facts(ada) == ["Alec is my boss"]
