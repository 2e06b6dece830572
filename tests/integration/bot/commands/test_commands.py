"""Commands: /memory, /space and /forget, what they answer and what they do not tell."""

import json
import os
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot import formatting, texts
from bot.commands.memory import COMMANDS
from bot.commands.privacy import ForgetDialog
from bot.commands.registry import Where, help_text
from bot.commands.spaces import space_command
from bot.commands.web import MINUTES
from bot.language import OFFLINE_LOCALE
from db.viewer import Viewer
from db.vocabulary import Approval, Category, ProposalKind
from memory.errors import Refused
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.model.offline import OfflineBrain
from memory.people.links import find_session, open_link
from memory.turn.chat import Chat
from memory.unit import Limits, Memory, Unit
from tests.integration.bot.conftest import Conversation, Scripted, begin
from tests.scripted_model import Calls, Says


async def keep(conversation: Conversation, content: str, category: Category = Category.OTHER) -> str:
    async def store(unit: Unit) -> str:
        return (await facts.remember(unit, FactDraft(content, category), Approval.COMMAND)).row.id

    return await conversation.chat.do(store)


@pytest.fixture
async def ben(memory: Memory, tenant: str) -> Conversation:
    return await begin(memory, Viewer.in_private(tenant, "test:ben"), OfflineBrain(OFFLINE_LOCALE))


TAKE_AN_ID = [name for name, usage in texts.MEMORY_USAGE.items() if usage.startswith("ID")]


async def test_wrong_ids_missing_words_and_other_peoples_ids_get_the_same_helpful_line(
    offline: Conversation, ben: Conversation
) -> None:
    theirs = await keep(ben, "Ben likes tea")
    gone = await keep(offline, "I like coffee")
    await offline.type(f"delete {gone}")
    wrong = [theirs, "nothing0", "", "x", "'; DROP TABLE facts", "█" * 8]
    answers = {}
    for command in TAKE_AN_ID:
        words = " new words" if command == "edit" else ""
        ids = wrong if command in ("restore", "history") else [*wrong, gone]
        answers[command] = {await offline.type(f"{command} {fact_id}{words}") for fact_id in ids}
        assert [fact.words for fact in await ben.facts()] == ["Ben likes tea"], command

    assert answers == {command: {formatting.memory_usage(command)} for command in TAKE_AN_ID}
    assert [name for name in TAKE_AN_ID if f"/memory {name}" not in formatting.memory_usage(name)] == []


async def test_edit_without_words_gets_that_line_too(offline: Conversation) -> None:
    fact_id = await keep(offline, "I like coffee")

    assert await offline.type(f"edit {fact_id}") == await offline.type("edit nothing0 x y z")


def test_every_command_that_needs_something_says_how_it_goes() -> None:
    assert set(texts.MEMORY_USAGE) == set(COMMANDS) - {"list", "export", "web"}
    for name in (
        "show",
        "history",
        "edit",
        "delete",
        "search",
        "asof",
        "undo",
        "mode",
        "share",
        "unshare",
        "export",
        "web",
    ):
        assert name in help_text(Where.TERMINAL)


async def test_the_list_shows_categories_ids_what_is_shared_and_what_waits(offline: Conversation) -> None:
    await space_command(offline.chat, "new family")
    tea = await keep(offline, "I like tea", Category.PREFERENCE)
    await offline.type(f"share {tea}")
    await offline.say("Alec is my boss by the way")
    [card] = await offline.cards()

    assert (await offline.type("")).splitlines() == [
        "What I remember about you (1):",
        "Preferences",
        f"  [{tea}] I like tea (shared)",
        texts.MEMORY_LIST_WAITING,
        f"  ▸ Should I remember this? [{card.row.id}] Alec is my boss",
    ]


async def test_edit_delete_undo_restore_history_and_show_tell_what_they_did(offline: Conversation) -> None:
    fact_id = await keep(offline, "I like tea")
    edited = await offline.type(f"edit {fact_id} I like green tea")
    deleted = await offline.type(f"delete {fact_id}")
    restored = await offline.type(f"restore {fact_id}")
    earlier = await offline.type(f"restore {fact_id} 1")

    assert edited == f"✓ Changed [{fact_id}]: I like green tea (was: I like tea) · undo: /memory undo {fact_id}"
    assert deleted == f"✓ Deleted [{fact_id}]: I like green tea · undo: /memory undo {fact_id}"
    assert restored == f"✓ Remembered again [{fact_id}]: I like green tea · undo: /memory undo {fact_id}"
    assert earlier.startswith(f"✓ Changed [{fact_id}]: I like tea")
    history = (await offline.type(f"history {fact_id}")).splitlines()
    assert [line.split(": ", 1)[1] for line in history[1:]] == [
        "I like tea; you typed it",
        "I like green tea; you typed it",
        "I like green tea (deleted); you typed it",
        "I like green tea; you typed it",
        "I like tea; you typed it",
    ]
    assert "version 5" in await offline.type(f"show {fact_id}")


async def test_asof_tells_what_was_known_on_a_day_and_nothing_before(offline: Conversation) -> None:
    await keep(offline, "I like tea")

    assert await offline.type("asof 2001-01-01") == texts.AS_OF_NOTHING
    assert "I like tea" in await offline.type("asof 2999-12-31")
    for wrong in ("", "yesterday", "2026-13-01", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+14:00"):
        assert await offline.type(f"asof {wrong}") == formatting.memory_usage("asof")


async def test_mode_and_switches_are_shown_and_kept(offline: Conversation) -> None:
    assert (await offline.type("mode")).startswith("confirm:")
    assert (await offline.type("mode auto")).startswith("auto:")
    assert "I never remember: preference." in await offline.type("never preference")
    _, said = await offline.say("remember that I like tea")
    assert (said.receipts, await offline.facts()) == ([], [])
    assert "never remember" not in await offline.type("allow preference")
    for wrong in ("mode loud", "never everything", "allow x"):
        assert (await offline.type(wrong)).startswith("That didn't work.")


async def test_undo_with_nothing_to_undo_says_so(offline: Conversation) -> None:
    assert await offline.type("undo") == texts.UNDO_NOTHING


async def test_what_is_deleted_is_out_of_the_prompt_at_once_also_where_it_was_said(scripted: Scripted) -> None:
    add = Calls("add_to_memory", {"content": "Alec is my boss", "category": "person", "subject": "Alec"})
    script = (add, Says(("I know now that Alec is your boss.",)), Says(("Hm.",)))
    async with scripted(*script) as (conversation, model):
        _, said = await conversation.say("Hello. Remember that Alec is my boss.")
        await conversation.type(f"delete {said.receipts[0].row.id}")
        await conversation.say("who is my boss?")

        sent = json.dumps(model.requests[-1], ensure_ascii=False)
        assert "Alec" not in sent
        assert "Hello. Remember that ███████████████." in sent


async def test_cards_are_accepted_with_own_words_and_rejected_by_command(offline: Conversation) -> None:
    await offline.say("Alec is my boss by the way")
    [card] = await offline.cards()
    stored = await offline.type(f"accept {card.row.id} Alec was my boss")
    assert stored.startswith("✓ Remembered [")
    assert ": Alec was my boss" in stored
    await offline.say("Sarah is my friend")
    [card] = await offline.cards()
    assert await offline.type(f"reject {card.row.id}") == texts.CARD_REJECTED[ProposalKind.ADD]
    assert await offline.cards() == []


async def test_spaces_by_command_from_founding_to_leaving(offline: Conversation, ben: Conversation) -> None:
    assert (await space_command(offline.chat, "new The family")).startswith("I created the space “The family”")
    invitation = await space_command(offline.chat, "invite")
    code = invitation.rsplit(" ", 1)[1]
    assert await space_command(ben.chat, f"join {code}") == texts.SPACE_SWITCHED.format(name="The family")
    tea = await keep(offline, "the tea is upstairs")
    await offline.type(f"share {tea}")
    assert f"[{tea}] the tea is upstairs (shared by Ada)" in await ben.type("list")
    assert (await ben.type(f"edit {tea} the tea is mine")) == formatting.memory_usage("edit")
    assert "Ada [test:ben] (member" in await space_command(offline.chat, "members")
    assert await space_command(ben.chat, "invite") == "Only an owner of a shared space can do that."
    assert await space_command(ben.chat, "leave") == texts.SPACE_LEFT
    assert await ben.type("list") == texts.MEMORY_LIST_EMPTY
    assert (await space_command(ben.chat, f"join {code}")).startswith("This invitation doesn't work.")
    assert await space_command(ben.chat, "leave") == texts.SPACE_PERSONAL_STAYS
    assert await space_command(offline.chat, "use personal") == texts.SPACE_SWITCHED_TO_PERSONAL
    assert "The family (owner" in await space_command(offline.chat, "")
    assert await space_command(offline.chat, "use The family") == texts.SPACE_SWITCHED.format(name="The family")
    for wrong in ("use nowhere", "remove nobody", "owner nobody", "fly", "new", "join"):
        assert await space_command(offline.chat, wrong)
    home = await keep(offline, "the coffee is downstairs")
    await space_command(offline.chat, "use personal")
    assert (await offline.type(f"share {home} The family")).startswith(f"✓ Shared [{home}]")
    assert (await offline.type(f"unshare {home}")).startswith(f"✓ Private again [{home}]")


async def test_forget_by_name_topic_time_and_attribute_and_nothing_by_accident(offline: Conversation) -> None:
    forgetting = ForgetDialog(offline.chat)
    await offline.say("remember that Alec is my boss")
    assert await forgetting.command("about Alec") == ("Gone for good: 1 memory.", False)
    assert await offline.facts() == []
    for wrong in ("", "about", "attribute shoe", "from yesterday", "yes", "yes, everything", "from 2026-01-01 to x"):
        assert await forgetting.command(wrong) == (texts.FORGET_HELP, False)
    assert (await forgetting.command("attribute location"))[0] == "I found nothing like that to forget."
    card = FactDraft("I like green tea", Category.OTHER)
    await offline.chat.do(lambda unit: proposals.propose(unit, ProposalKind.ADD, card))
    assert "1 question of mine" in (await forgetting.command("from 2020-01-01 to 2999-01-01"))[0]
    await offline.say("hello there")
    answer, _ = await forgetting.command("from 2020-01-01 to 2999-01-01")
    assert answer.startswith("Gone for good: ")
    assert await offline.events() == []


async def test_everything_is_forgotten_only_after_two_questions_in_a_row(offline: Conversation) -> None:
    forgetting = ForgetDialog(offline.chat)
    await offline.say("remember that Alec is my boss")
    assert await forgetting.command("everything") == (texts.FORGET_ALL_FIRST, False)
    assert await forgetting.command("about Nobody") == ("I found nothing like that to forget.", False)
    assert await forgetting.command("yes") == (texts.FORGET_HELP, False)
    await forgetting.command("everything")
    assert await forgetting.command("yes, everything") == (texts.FORGET_HELP, False)
    await forgetting.command("everything")
    assert await forgetting.command("yes") == (texts.FORGET_ALL_SECOND, False)
    assert len(await offline.facts()) == 1
    assert await forgetting.command("yes, everything") == (texts.FORGET_ALL_DONE, True)
    assert await offline.facts() == []


def files_in(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


async def test_export_writes_two_files_for_their_owner_alone(
    offline: Conversation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    offline.chat.is_local = True
    await offline.say("remember that Alec is my boss")
    await offline.type("export")
    document, page = files_in(tmp_path)

    assert [stat.S_IMODE(path.stat().st_mode) for path in (document, page)] == [0o600, 0o600]
    assert "Alec is my boss" in page.read_text()
    assert json.loads(document.read_text())["user"] == "test:ada"


async def test_export_writes_nothing_for_who_sits_at_another_machine(
    offline: Conversation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert await offline.type("export") == texts.EXPORT_ON_PAGE
    assert os.listdir(tmp_path) == []


async def test_a_folder_that_cannot_be_written_is_told(
    offline: Conversation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    offline.chat.is_local = True

    assert await offline.type("export") == texts.EXPORT_FAILED.format(why="No such file or directory")


async def test_what_a_deleted_fact_was_said_in_is_purged_at_the_next_start(memory: Memory, tenant: str) -> None:
    ada, brain = Viewer.in_private(tenant, "test:ada"), OfflineBrain(OFFLINE_LOCALE)
    quick = replace(memory, limits=Limits(undo=timedelta(0)))
    conversation = await begin(quick, ada, brain)
    await conversation.say("remember that Alec is my boss")
    [fact] = await conversation.facts()
    await conversation.type(f"delete {fact.id}")
    again: Conversation = await begin(quick, ada, brain)
    again.chat = Chat(again.chat.runtime, again.chat.viewer, conversation.chat.conversation_id)

    assert "Alec" not in str(await again.events())
    assert await again.type(f"restore {fact.id}") == formatting.memory_usage("restore")


async def test_who_is_removed_from_the_space_they_talk_in_is_led_home(offline: Conversation, ben: Conversation) -> None:
    await space_command(offline.chat, "new family")
    code = (await space_command(offline.chat, "invite")).rsplit(" ", 1)[1]
    await space_command(ben.chat, f"join {code}")
    await space_command(offline.chat, "remove test:ben")
    with pytest.raises(Refused, match="no longer in that space"):
        await ben.say("hello family")

    assert (await ben.say("hello"))[0] == texts.OFFLINE.greeting


async def test_in_the_terminal_the_page_is_on_this_machine_and_somebody_must_serve_it(offline: Conversation) -> None:
    await keep(offline, "I like green tea")
    link, once, hint = (await offline.type("web")).splitlines()
    token = link.rpartition("/")[2]

    assert f"{offline.chat.runtime.web_url}/review/open/" in link
    assert str(MINUTES) in once
    assert hint == texts.WEB_LINK_LOCAL
    memory, now = offline.chat.runtime.memory, datetime.now(UTC)
    visit = await find_session(memory, await open_link(memory, token, now), now)
    assert visit
    assert visit.viewer == offline.chat.viewer


async def test_the_page_is_ones_own_also_from_a_space_of_several(offline: Conversation) -> None:
    await space_command(offline.chat, "new Kitchen")
    token = (await offline.type("web")).splitlines()[0].rpartition("/")[2]
    memory, now = offline.chat.runtime.memory, datetime.now(UTC)
    visit = await find_session(memory, await open_link(memory, token, now), now)

    assert visit
    assert visit.viewer == Viewer.in_private(offline.chat.viewer.tenant, offline.chat.viewer.person)
