"""/private: nothing of the conversation is kept anywhere, and it lasts until /new says otherwise."""

from pathlib import Path

import pytest

from bot import texts
from tests.integration.bot.telegram.conftest import Bot, Running, of
from tests.scripted_model import Calls, Fails, Says, scripted_model
from tests.telegram import Person, fake_telegram

pytestmark = pytest.mark.asyncio(loop_scope="module")

OUTPUT = ("events", "facts", "proposals", "artifacts", "summaries", "bundles", "chunks", "posts", "decisions", "tasks")


def rows_of(bot: Bot, person: Person) -> dict[str, int]:
    """How many rows of what is said and learnt there are of somebody."""
    counted = "SELECT count(*) AS n FROM {} WHERE {{mine}} AND t::text LIKE %(user)s"
    found = {name: bot.rows(counted.format(f"{name} AS t"), user=f"%{of(person)}%") for name in OUTPUT}
    return {name: rows[0]["n"] for name, rows in found.items() if rows[0]["n"]}


def files_holding(folder: Path, words: str) -> list[Path]:
    """Files of the data folder with these words in them; a spool is encrypted, so any is one too many."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if words.encode() in path.read_bytes() or path.suffix == ".spool"]


def texts_seen(bot: Bot) -> str:
    """All that the model was sent with the last call."""
    assert bot.model
    return str(bot.model.requests[-1])


async def test_nothing_that_is_said_in_private_stands_anywhere(scripted: Bot, ada: Person) -> None:
    canary = f"canary{ada.id}"
    [begun] = await scripted.ask(ada, "/private")
    scripted.script[:] = [Says((f"I heard {canary}.",))]
    [told] = await scripted.ask(ada, f"my bird is called {canary}")
    await scripted.ask(ada, ada.send_document(f"{canary}.txt", f"{canary} sings".encode()))
    await scripted.ask(ada, ada.send_document("a.txt", f"{canary} sings".encode(), f"about {canary}"))
    await scripted.ask(ada, ada.forward(f"{canary} flew away", origin=f"Bob {canary}"))
    await scripted.ask(ada, f"{canary}!", reply_to=told)
    await scripted.ask(ada, ada.send_photo(f"look, {canary}"))
    said = ada.say(f"once more {canary}")
    await scripted.done(said)
    await scripted.done(ada.edit(said, f"and again {canary}"))

    assert begun.text == texts.PRIVATE_STARTED
    assert told.text == f"I heard {canary}."
    assert scripted.holding(canary) == set()
    assert rows_of(scripted, ada) == {}
    assert [row for row in scripted.of(ada, "inbox") if row["payload"] or row["answer"]] == []
    assert files_holding(scripted.runtime.settings.data_dir, canary) == []


async def test_while_it_lasts_the_conversation_knows_its_own_last_messages(scripted: Bot, ada: Person) -> None:
    await scripted.ask(ada, "/private")
    scripted.script[:] = [Says(("A nice name.",))]
    await scripted.ask(ada, "my bird is called Hansi")
    await scripted.ask(ada, "what is my bird called?")

    assert "my bird is called Hansi" in texts_seen(scripted)
    assert "A nice name." in texts_seen(scripted)
    await scripted.ask(ada, "/new")
    await scripted.ask(ada, "what is my bird called?")
    assert "Hansi" not in texts_seen(scripted)


async def test_a_file_sent_in_private_is_read_and_not_kept(scripted: Bot, ada: Person) -> None:
    await scripted.ask(ada, "/private")
    await scripted.ask(ada, ada.send_document("a.txt", b"Hansi sings at dawn", "read this"))

    assert "Hansi sings at dawn" in texts_seen(scripted)
    assert scripted.of(ada, "artifacts") == []


async def test_tools_that_write_are_refused_in_private_and_say_why(scripted: Bot, ada: Person) -> None:
    calls = (
        Calls("add_to_memory", {"content": "my bird is called Hansi", "category": "other"}),
        Calls("record_decision", {"decision": "my bird stays"}),
        Calls("update_task", {"title": "feed my bird"}),
    )
    await scripted.ask(ada, "/private")
    for call in calls:
        scripted.script[:] = [call, Says(("Done!",))]
        [told] = await scripted.ask(ada, "remember that my bird is called Hansi, and decide that my bird stays")
        assert scripted.model
        result = scripted.model.requests[-1]["messages"][-1]["content"][0]
        assert (result["type"], result.get("is_error")) == ("tool_result", True), call.tool
        assert "✓" not in told.text
    assert rows_of(scripted, ada) == {}


async def test_new_ends_it_and_from_then_on_messages_are_kept(scripted: Bot, ada: Person) -> None:
    await scripted.ask(ada, "/private")
    [over] = await scripted.ask(ada, "/new")
    await scripted.ask(ada, "my bird is called Hansi")

    assert over.text == texts.PRIVATE_ENDED
    assert rows_of(scripted, ada)["events"] == 2


async def test_going_into_a_space_does_not_end_it_unsaid(scripted: Bot, ada: Person) -> None:
    await scripted.ask(ada, "/space new Kitchen")
    await scripted.ask(ada, "/private")
    await scripted.ask(ada, "/space use personal")
    await scripted.ask(ada, f"canary{ada.id}")
    await scripted.ask(ada, "/space use Kitchen")
    await scripted.ask(ada, f"canary{ada.id}")

    assert scripted.holding(f"canary{ada.id}") == set()


async def test_private_twice_is_private_once(scripted: Bot, ada: Person) -> None:
    for _ in range(2):
        [told] = await scripted.ask(ada, "/private")
        assert told.text == texts.PRIVATE_STARTED
    assert [row["kept"] for row in scripted.of(ada, "conversations", "started_at")] == [True, False]


async def test_a_model_that_fails_in_private_is_not_said_to_have_left_anything_kept(scripted: Bot, ada: Person) -> None:
    await scripted.ask(ada, "/private")
    scripted.script[:] = [Fails("disconnect")]
    [told] = await scripted.ask(ada, "hello")

    assert "Half a sen" in told.text
    assert "kept" not in told.text


async def test_one_s_own_commands_work_in_private(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [Calls("add_to_memory", {"content": "Alec is my boss", "category": "person"}), Says(("Ok.",))]
    await scripted.ask(ada, "remember that Alec is my boss")
    await scripted.ask(ada, "/private")
    [page] = await scripted.ask(ada, "/memory")
    await scripted.tap(ada, page, "Alec is my boss")
    await scripted.tap(ada, page, texts.BUTTON_DELETE)

    assert scripted.facts(ada) == []
    [why] = await scripted.ask(ada, "/why")
    assert why.text == texts.WHY_NOT_SAVED


async def test_it_survives_a_restart_and_never_ends_by_silence(begin: Running) -> None:
    async with fake_telegram() as telegram, scripted_model() as model:
        how = {"telegram": telegram, "model": model, "scripted": True, "KEEPSAKE_IDLE_HOURS": "0.0000001"}
        async with begin(**how) as bot:
            ada = bot.person()
            await bot.ask(ada, "/private")
            await bot.ask(ada, f"canary{ada.id} before")
            tenant = bot.tenant
        async with begin(**how, tenant=tenant) as bot:
            await bot.ask(ada, f"canary{ada.id} after")
            assert bot.holding(f"canary{ada.id}") == set()
            assert [row["kept"] for row in bot.of(ada, "conversations", "started_at")] == [True, False]


async def test_a_silence_of_some_hours_starts_a_new_conversation(begin: Running) -> None:
    async with begin(scripted=True, KEEPSAKE_IDLE_HOURS="0.0000001") as bot:
        ada = bot.person()
        await bot.ask(ada, "my bird is called Hansi")
        await bot.ask(ada, "what is my bird called?")
        first, second = bot.of(ada, "conversations", "started_at")

    assert first["ended_at"] is not None
    assert second["started_at"] >= first["ended_at"]


async def test_without_a_silence_the_conversation_goes_on(scripted: Bot, ada: Person) -> None:
    await scripted.ask(ada, "my bird is called Hansi")
    await scripted.ask(ada, "what is my bird called?")

    assert len(scripted.of(ada, "conversations")) == 1
