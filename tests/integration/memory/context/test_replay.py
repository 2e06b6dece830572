"""Every call can be rendered again from rows, byte for byte; what was forgotten since says so, and the rest matches."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256

import psycopg
import pytest

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, OWNER
from db.engine import Database
from db.migrate import OLDEST, known_revisions, migrate, newest_revision
from db.viewer import Viewer
from db.vocabulary import Approval, Category, EventKind, Sensitivity, ViewName, ViewScope
from memory.context.replay import replay
from memory.context.sections import SectionName
from memory.errors import NotFound
from memory.facts import facts
from memory.ledgers import tasks, views
from memory.ledgers.tasks import TaskDraft
from memory.privacy.encryption import Keyring
from memory.privacy.forgetting.forget import ForgetRequest, forget, purge_own
from memory.retrieval.chunks import chunk_missing
from memory.unit import Memory, Unit
from tests.scripted_model import Calls, Fails, Says
from tests.story import chatting, told

pytestmark = pytest.mark.slow

KEYS = Keyring((b"a key for tests, of 32 bytes ...",))


async def test_every_call_replays_the_same(memory: Memory, ada: Viewer) -> None:
    async with told(memory, ada) as story:
        found = await story.replays()
        manifests = await story.rows("SELECT request FROM bundles ORDER BY ts, id")

    sections = {name for manifest in manifests for name in manifest["sections"]}
    assert sections >= {
        SectionName.RULES,
        SectionName.MEMORY,
        SectionName.MEMORY_CHANGES,
        SectionName.TASK_STATE,
        SectionName.DECISION_LEDGER,
        SectionName.RETRIEVED_EVIDENCE,
        SectionName.RECENT_WINDOW,
    }
    assert any(manifest["notes"] for manifest in manifests)
    assert [len(manifest["steps"]) for manifest in manifests] == [2, 2, 0, 6, 0, 0]
    assert [each.parts for each in found if not each.is_same] == []
    assert len(found) == 6


async def test_the_hash_is_of_what_the_server_received(memory: Memory, ada: Viewer) -> None:
    async with told(memory, ada) as story:
        sent = [
            sha256(
                json.dumps({part: body[part] for part in ("system", "tools", "messages")}, ensure_ascii=False).encode()
            ).hexdigest()
            for body in story.model.requests
        ]
        kept = await story.rows("SELECT hashes FROM bundles ORDER BY ts, id")

    assert [each["sha256"] for hashes in kept for each in hashes["rounds"]] == sent


async def test_a_call_replays_after_a_restart(memory: Memory, ada: Viewer, app_url: str) -> None:
    async with told(memory, ada) as story:
        again = Database(app_url)
        found = await story.replays(Memory(again, KEYS))
        await again.close()

    assert [each.parts for each in found if not each.is_same] == []


async def test_a_call_replays_after_every_migration(
    server: EmbeddedServer, clone: Callable[[], str], tenant: str
) -> None:
    """Down to the base, and up again one by one; there is no step while that is the head. What an older program kept is
    replayed in tests/integration/db/test_schema.py."""
    name, revisions, said = clone(), known_revisions(), list[str]()
    owner, application = server.url(OWNER, name), server.url(APPLICATION, name)
    database = Database(application)
    async with told(Memory(database, KEYS), Viewer.in_private(tenant, "test:ada")) as story:
        await database.close()
        for revision in (*revisions, "head"):
            await migrate(owner, application, to=revision, progress=said.append)
        found = await story.replays()
        await database.close()

    assert (revisions[0], revisions[-1]) == (OLDEST, newest_revision())
    assert len(said) == 2 * (len(revisions) - 1)
    assert len(found) == 6
    assert [each.parts for each in found if not each.is_same] == []


async def test_a_call_replays_after_its_chunks_were_dropped_and_cut_anew(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    async with told(memory, ada) as story:
        with psycopg.connect(superuser_url, autocommit=True) as admin:
            admin.execute("DELETE FROM chunks WHERE tenant_id = %s", (ada.tenant,))
        without = await story.replays()
        await story.conversation.chat.do(chunk_missing)
        anew = await story.replays()

    assert [each.parts for each in (*without, *anew) if not each.is_same] == []


async def test_a_view_a_fact_and_a_decision_that_changed_since_do_not_change_a_call(
    memory: Memory, ada: Viewer
) -> None:
    async with told(memory, ada) as story:
        await story.conversation.chat.do(
            lambda unit: views.put(unit, ViewName.RULES, ViewScope.USER, "Answer at length.")
        )
        [decided] = await story.rows("SELECT id FROM decisions")
        await story.write(EventKind.DECISION, {"decision": "Paint the boat blue", "supersedes": decided})
        [fact] = await story.conversation.facts()
        draft = facts.FactDraft("my boat is called Otter", fact.category)
        await story.conversation.chat.do(lambda unit: facts.revise(unit, fact.id, draft, Approval.COMMAND))
        found = await story.replays()

    assert [each.parts for each in found if not each.is_same] == []


async def test_a_deleted_fact_changes_no_call_before_its_purge(memory: Memory, ada: Viewer) -> None:
    async with told(memory, ada) as story:
        [fact] = await story.conversation.facts()
        await story.conversation.chat.do(lambda unit: facts.hide(unit, fact.id, Approval.COMMAND))
        await story.say("What is my boat called?", Says(("I do not know.",)))
        found = await story.replays()

    assert "Walrus" not in json.dumps(story.model.requests[-1])
    assert [each.parts for each in found if not each.is_same] == []


async def test_after_a_purge_what_was_touched_is_forgotten_and_the_rest_the_same(memory: Memory, ada: Viewer) -> None:
    async with told(memory, ada) as story:
        [fact] = await story.conversation.facts()
        await story.conversation.chat.do(lambda unit: facts.hide(unit, fact.id, Approval.COMMAND))
        async with memory.unit(ada, now=datetime.now(UTC) + timedelta(days=2)) as unit:
            assert await purge_own(unit) == 1
        found = await story.replays()

    assert [each.parts for each in found if each.is_different] == []
    assert all(each.parts["instructions"] == each.parts["tools"] == "same" for each in found)
    assert found[0].parts["message"] == "forgotten"
    assert found[3].parts["memory"] == "forgotten"
    assert found[1].parts["message"] == found[3].parts["message"] == found[4].parts["message"] == "same"


async def test_a_call_that_broke_off_replays(memory: Memory, ada: Viewer) -> None:
    async with chatting(memory, ada) as story:
        await story.say("Hello boat", Calls("search_memory", {"query": "boat"}), Fails("disconnect"))
        [found] = await story.replays()

    assert found.is_same
    assert [name for name in found.parts if name.startswith("round")] == ["round 1"]


async def test_the_manifest_holds_no_word_of_the_person(memory: Memory, ada: Viewer) -> None:
    async with told(memory, ada) as story:
        kept = await story.rows("SELECT concat(request, hashes, provenance) FROM bundles")
        texts = await story.rows("SELECT text FROM program_texts")

    said = ["walrus", "boat", "paint", "green", "sunday", "pots", "sentences", "keepsake>"]
    assert [word for word in said for each in kept if word in each.lower()] == []
    assert [word for word in ("walrus", "sunday", "pots") for each in texts if word in each.lower()] == []


async def test_one_call_is_replayed_by_its_id_and_nobody_elses(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    async with chatting(memory, ada) as story:
        await story.say("Hello boat", Says(("Hello.",)))
        [call] = await story.rows("SELECT id FROM bundles")

    assert [each.call_id for each in await replay(memory, ada, call)] == [call]
    for stranger in (ben, replace(ada, tenant="elsewhere")):
        with pytest.raises(NotFound):
            await replay(memory, stranger, call)


async def test_a_sensitive_call_replays_and_without_the_key_says_so(memory: Memory, ada: Viewer, app_url: str) -> None:
    async with chatting(memory, ada) as story:
        await story.say("My doctor says I have diabetes", Says(("Take care with your diabetes.",)))
        await story.say("What did my doctor say about diabetes?", Says(("That you have it.",)))
        found = await story.replays()
        keyless = Database(app_url)
        closed = await story.replays(Memory(keyless, Keyring(())))
        await keyless.close()

    assert [each.parts for each in found if not each.is_same] == []
    assert not any(each.is_same or each.is_different for each in closed)


async def test_what_was_blank_in_a_call_already_is_not_different_after_its_purge(memory: Memory, ada: Viewer) -> None:
    async with told(memory, ada) as story:
        [fact] = await story.conversation.facts()
        await story.conversation.chat.do(lambda unit: facts.hide(unit, fact.id, Approval.COMMAND))
        await story.say("What is my boat called?", Says(("I do not know.",)))
        await story.conversation.chat.new_conversation()
        await story.say("What was my boat called?", Says(("I do not know.",)))
        async with memory.unit(ada, now=datetime.now(UTC) + timedelta(days=2)) as unit:
            assert await purge_own(unit) == 1
        found = await story.replays()

    assert [each.parts for each in found if each.is_different] == []


async def test_a_second_blank_in_a_message_that_had_one_is_forgotten_and_not_different(
    memory: Memory, ada: Viewer
) -> None:
    boat, oven = "My boat is called Walrus", "My oven is called Bertha"
    async with chatting(memory, ada) as story:
        do = story.conversation.chat.do

        async def keep(unit: Unit, words: str) -> str:
            draft = facts.FactDraft(words, Category.OTHER, source_event_id=told, span=places[words])
            return (await facts.remember(unit, draft, Approval.COMMAND)).row.id

        await story.say(f"{boat}. {oven}", Says(("Fine names.",)))
        [told] = await story.rows("SELECT id FROM events WHERE actor_type = 'human'")
        places = {boat: (0, len(boat)), oven: (len(boat) + 2, len(boat) + 2 + len(oven))}
        first, second = [await do(partial(keep, words=words)) for words in places]
        await do(lambda unit: facts.hide(unit, first, Approval.COMMAND))
        await story.say("Hello again", Says(("Hello.",)))
        await do(lambda unit: facts.hide(unit, second, Approval.COMMAND))
        async with memory.unit(ada, now=datetime.now(UTC) + timedelta(days=2)) as unit:
            assert await purge_own(unit) == 2
        newest = (await story.replays())[-1]

    assert newest.parts["history"] == "forgotten"
    assert not newest.is_different


async def test_a_quote_of_what_was_deleted_stands_in_no_prompt_and_replays(memory: Memory, ada: Viewer) -> None:
    name = {"content": "my boat is called Walrus", "category": "other"}
    quote = {"by": "Ben", "text": "Her boat is called Walrus."}
    async with chatting(memory, ada) as story:
        await story.say("Remember that my boat is called Walrus", Calls("add_to_memory", name), Says(("Done.",)))
        await story.write(EventKind.MESSAGE, {"text": "A fine name", "by": "Eve", "reply_to": quote})
        await story.say("Hm", Says(("Yes?",)))
        before = json.dumps(story.model.requests[-1])
        [fact] = await story.conversation.facts()
        await story.conversation.chat.do(lambda unit: facts.hide(unit, fact.id, Approval.COMMAND))
        await story.say("Hello again", Says(("Hello.",)))
        after = json.dumps(story.model.requests[-1])
        hidden = await story.replays()
        async with memory.unit(ada, now=datetime.now(UTC) + timedelta(days=2)) as unit:
            assert await purge_own(unit) == 1
        purged = await story.replays()

    assert "Her boat is called Walrus" in before
    assert "Walrus" not in after
    assert 'said-by=\\"Eve\\"' in after
    assert [each.parts for each in hidden if not each.is_same] == []
    assert [each.parts for each in purged if each.is_different] == []
    assert [each.parts["history"] for each in purged] == ["same", "forgotten", "same"]


async def test_after_a_day_was_forgotten_no_call_of_it_is_different(memory: Memory, ada: Viewer) -> None:
    async with told(memory, ada) as story:
        since = datetime.now(UTC) - timedelta(hours=1)
        await story.conversation.chat.do(lambda unit: forget(unit, ForgetRequest(since=since)))
        found = await story.replays()

    assert [each.parts for each in found if each.is_different] == []
    assert not any(each.is_same for each in found)


async def test_a_task_that_no_event_opened_replays_after_an_event_reworded_it(memory: Memory, ada: Viewer) -> None:
    async with chatting(memory, ada) as story:
        draft = TaskDraft(title="Buy paint")
        await story.conversation.chat.do(
            lambda unit: tasks.save_task(unit, draft, event_id=None, ts=unit.now, sensitivity=Sensitivity.NONE)
        )
        await story.say("Hi", Says(("Hello.",)))
        await story.move_task(title="Buy green paint")
        [found] = await story.replays()

    assert found.parts["tail"] == "forgotten"  # no event kept the words that it had
    assert found.parts["memory"] == found.parts["history"] == "same"
