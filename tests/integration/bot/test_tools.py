"""The tools of the agent in a turn: what they find, what they note, and what they refuse."""

import json
import re
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from db.queries.people.people import choices_of
from db.viewer import Viewer
from db.vocabulary import Approval, ArtifactKind, Category, Channel, DecisionStatus, ProposalKind, TaskStatus
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.ledgers import artifacts, decisions, tasks
from memory.model.brain import ToolResult, ToolUse
from memory.model.tools import TOOLS, Caller
from memory.model.tools.base import AWAY, NOT_KEPT, run_tool
from memory.people import spaces
from memory.refusals import SENTENCES, Refusal
from memory.unit import Memory
from tests.conftest import NOON, Converse
from tests.integration.bot.conftest import Conversation, Scripted
from tests.scripted_model import Calls, Says, ScriptedModel

KNOWN = {tool.name: tool for tool in TOOLS}


def results(model: ScriptedModel) -> list[dict[str, Any]]:
    """What the model was told by its tools in the last request."""
    said = [block for message in model.requests[-1]["messages"] for block in message["content"]]
    return [block for block in said if block["type"] == "tool_result"]


async def chunk_shown(conversation: Conversation, words: str) -> str:
    """The id of the chunk with these words, which a question about them will show."""
    found = await conversation.rows("SELECT id FROM chunks WHERE text LIKE :w", w=f"%{words}%")
    return str(found[0])


async def test_a_decision_is_an_event_and_stands_in_the_ledger_with_what_it_rests_on(scripted: Scripted) -> None:
    async with scripted(Says(("Noted.",))) as (conversation, model):
        await conversation.say("The parser is slow because of the regular expressions")
        await conversation.chat.new_conversation()
        chunk = await chunk_shown(conversation, "regular expressions")
        wish = {"decision": "Rewrite the parser by hand", "rationale": ["it is slow"], "refs": [chunk]}
        model.script += [Calls("record_decision", wish), Says(("Done.",)), Says(("By hand.",))]
        await conversation.say("What do we do about the slow parser?")
        told = results(model)
        await conversation.say("How shall we write the parser?")
        tail = model.requests[-1]["messages"][-1]["content"][0]["text"]
        [decision] = await conversation.chat.do(lambda unit: decisions.active_decisions(unit, limit=9))
        kinds = [kind for _, kind, _ in await conversation.events()]

    assert (decision.words, list(decision.refs), decision.rationale) == (wish["decision"], [chunk], ["it is slow"])
    assert told == [{**told[0], "content": f"Decided: [{decision.id}]", "is_error": False}]
    assert kinds[:4] == ["message", "decision", "tool_call", "tool_result"]
    assert f"- [{decision.id}]" in tail


async def test_a_decision_without_refs_rests_on_the_message_it_was_made_in(scripted: Scripted) -> None:
    wish = {"decision": "Use tabs, not spaces"}
    async with scripted(Calls("record_decision", wish), Says(("Done.",))) as (conversation, _):
        await conversation.say("Tabs it is")
        [decision] = await conversation.chat.do(lambda unit: decisions.active_decisions(unit, limit=9))
        [message] = await conversation.rows("SELECT id FROM events WHERE kind = 'message' AND actor_type = 'human'")

    assert list(decision.refs) == [message]


async def test_what_was_not_shown_cannot_be_cited(scripted: Scripted) -> None:
    tried = [(tool, ref) for tool in ("record_decision", "update_task") for ref in ("chk_01JNOTHING", "evt_x", "space")]
    wish = {"decision": "Use tabs, not spaces", "title": "Use tabs"}
    calls = [Calls(tool, {**wish, "refs": [ref]}) for tool, ref in tried]
    async with scripted(*calls, Says(("Sorry.",))) as (conversation, model):
        await conversation.say("Tabs it is")
        told = [(each["is_error"], each["content"]) for each in results(model)]
        assert await conversation.rows("SELECT id FROM decisions UNION ALL SELECT id FROM tasks") == []

    assert len(told) == len(tried)
    for (tool, ref), (is_error, content) in zip(tried, told, strict=True):
        assert (is_error, f"{ref} did not appear in this turn" in content) == (True, True), (tool, ref)


async def test_what_a_search_found_can_be_cited(scripted: Scripted) -> None:
    def cites(request: dict[str, Any]) -> Calls:
        found = json.loads(request["messages"][-1]["content"][0]["content"])["said"]
        return Calls("record_decision", {"decision": "Paint it green", "refs": [found[0]["id"]]})

    async with scripted(Says(("Noted.",))) as (conversation, model):
        await conversation.say("Green paint was on sale in the harbour")
        model.script += [Calls("search_memory", {"query": "paint"}), cites, Says(("Done.",))]
        await conversation.say("ok")
        [decision] = await conversation.chat.do(lambda unit: decisions.active_decisions(unit, limit=9))

        assert list(decision.refs) == [await chunk_shown(conversation, "Green paint")]


async def test_a_decision_supersedes_an_earlier_one_by_its_id(scripted: Scripted) -> None:
    def supersedes(request: dict[str, Any]) -> Calls:
        [id] = set(re.findall(r"\[(dec_\w+)\]", json.dumps(request["messages"])))
        return Calls("record_decision", {"decision": "Use spaces, not tabs", "supersedes": id})

    script = (Calls("record_decision", {"decision": "Use tabs, not spaces"}), Says(("ok",)), supersedes, Says(("ok",)))
    async with scripted(*script) as (conversation, _):
        await conversation.say("Tabs it is")
        await conversation.say("No, spaces")
        rows = await conversation.chat.do(lambda unit: decisions.search_decisions(unit, words="tabs spaces"))

    assert {row.words: row.status for row in rows} == {
        "Use tabs, not spaces": DecisionStatus.SUPERSEDED,
        "Use spaces, not tabs": DecisionStatus.ACTIVE,
    }


async def test_a_task_is_opened_in_one_conversation_and_moved_on_in_the_next(scripted: Scripted) -> None:
    def moves(request: dict[str, Any]) -> Calls:
        [id] = set(re.findall(r"\[(tsk_\w+)\]", request["messages"][-1]["content"][0]["text"]))
        return Calls("update_task", {"task_id": id, "status": "done"})

    opened = Calls("update_task", {"title": "Book the ferry", "due": "2999-01-01"})
    async with scripted(opened, Says(("ok",)), moves, Says(("ok",)), Says(("ok",))) as (conversation, model):
        await conversation.say("I must book the ferry")
        await conversation.chat.new_conversation()
        await conversation.say("The ferry is booked")
        await conversation.say("What is left to do?")
        assert await conversation.chat.do(lambda unit: tasks.open_tasks(unit, limit=9)) == []
        assert await conversation.rows("SELECT status FROM tasks") == [TaskStatus.DONE]
        assert "tsk_" not in model.requests[-1]["messages"][-1]["content"][0]["text"]


NO_SENSE: list[tuple[dict[str, Any], str]] = [
    ({"title": "Book the ferry", "due": "2020-01-01"}, "2020-01-01 has passed"),
    ({"status": "doing"}, "a new task needs a title"),
    ({"task_id": "tsk_none", "status": "done"}, "no such task"),
    ({"title": "Book the ferry", "status": "later"}, "Wrong arguments: status"),
]


async def test_a_task_that_makes_no_sense_is_refused(scripted: Scripted) -> None:
    calls = [Calls("update_task", wish) for wish, _ in NO_SENSE]
    async with scripted(*calls, Says(("ok",))) as (conversation, model):
        _, said = await conversation.say("I must book the ferry")
        told = results(model)

    assert (said.failed, [each["is_error"] for each in told]) == (False, [True] * len(NO_SENSE))
    assert [why for (_, why), each in zip(NO_SENSE, told, strict=True) if why not in each["content"]] == []


async def test_what_was_sensitive_in_a_turn_is_sealed_in_its_notes(scripted: Scripted) -> None:
    notes = (
        Calls("record_decision", {"decision": "Tell nobody before Christmas"}),
        Calls("update_task", {"title": "Ring the clinic in Porto"}),
    )
    async with scripted(*notes, Says(("ok",))) as (conversation, _):
        await conversation.say("I was diagnosed with HIV, and nobody may know before Christmas")
        dump = await conversation.rows(
            "SELECT row_to_json(d)::text FROM decisions d UNION ALL SELECT row_to_json(t)::text FROM tasks t"
            " UNION ALL SELECT row_to_json(e)::text FROM events e UNION ALL SELECT row_to_json(c)::text FROM chunks c"
        )
        [decision] = await conversation.chat.do(lambda unit: decisions.active_decisions(unit, limit=9))

    assert decision.words == "Tell nobody before Christmas"
    assert not any(word in row for row in dump for word in ("Christmas", "Porto", "HIV"))


async def test_a_secret_is_left_out_of_a_note(scripted: Scripted) -> None:
    key = "sk-ant-api03-" + "Zz9-" * 20
    async with scripted(Calls("record_decision", {"decision": f"Use {key} for all"}), Says(("ok",))) as (chat, _):
        await chat.say("Which key do we use?")

        assert await chat.rows("SELECT decision FROM decisions") == ["Use [API key left out] for all"]
        assert key not in str(await chat.events())


async def test_what_the_user_had_forgotten_does_not_come_back_as_a_note(scripted: Scripted) -> None:
    async with scripted() as (conversation, model):
        await conversation.chat.do(
            lambda unit: facts.remember(unit, FactDraft("Alec is my boss", Category.PERSON), Approval.COMMAND)
        )
        [fact] = await conversation.facts()
        await conversation.type(f"delete {fact.id}")
        model.script += [
            Calls("record_decision", {"decision": "Alec is the user's boss"}),
            Calls("update_task", {"title": "Write to him", "details": "Remember: Alec is the boss of the user."}),
            Says(("ok",)),
        ]
        await conversation.say("Whom shall I write to?")
        told = results(model)

    assert [each["content"] for each in told] == [SENTENCES[Refusal.NOTE_FORGOTTEN]] * 2


async def test_a_note_is_no_way_around_a_card(scripted: Scripted) -> None:
    script = (
        Calls("add_to_memory", {"content": "Alec is my boss", "category": "person"}),
        Says(("Good to know.",)),
        Calls("record_decision", {"decision": "From now on Alec is the user's boss"}),
        Says(("ok",)),
    )
    async with scripted(*script, *script) as (conversation, model):
        for answer in ("no", "What is the weather like?"):
            person = await conversation.somebody_else()
            await person.say("Alec is my boss by the way")
            await person.say(answer)
            [told] = results(model)
            assert await person.rows("SELECT id FROM decisions") == [], answer
            assert "who has not agreed to keep it" in told["content"], answer


async def test_in_manual_mode_only_the_users_own_words_are_noted(scripted: Scripted) -> None:
    script = (
        Calls("update_task", {"title": "Book the ferry"}),
        Calls("update_task", {"title": "Find out what the user earns"}),
        Says(("ok",)),
    )
    async with scripted(*script) as (conversation, model):
        await conversation.type("mode manual")
        await conversation.say("I must book the ferry")
        kept, refused = results(model)

    assert (kept["is_error"], refused["is_error"]) == (False, True)


async def test_search_finds_facts_first_and_then_what_was_said_with_day_and_id(scripted: Scripted) -> None:
    add = Calls("add_to_memory", {"content": "my boat is called Walrus", "category": "other"})
    async with scripted(add, Says(("ok",)), Says(("ok",))) as (conversation, model):
        await conversation.say("Remember that my boat is called Walrus")
        await conversation.say("The boat needs a new mast before the summer")
        await conversation.chat.new_conversation()
        model.script += [Calls("search_memory", {"query": "boat mast"}), Says(("ok",))]
        await conversation.say("What about the boat and its mast, boat, mast?")
        [told] = results(model)
        found = json.loads(told["content"])
        [fact] = await conversation.facts()
        [at] = await conversation.rows("SELECT ts FROM events WHERE content ->> 'text' LIKE 'The boat needs%'")

    assert list(found) == ["facts", "said"]
    assert [each["id"] for each in found["facts"]] == [fact.id]
    assert found["said"][0] == {
        "id": found["said"][0]["id"],
        "by": "test:ada",
        "on": at.astimezone(ZoneInfo("Europe/Lisbon")).date().isoformat(),
        "text": "The boat needs a new mast before the summer",
    }
    assert "What about the boat" not in told["content"]


async def test_what_a_search_said_is_not_found_by_the_next_one(scripted: Scripted) -> None:
    search = Calls("search_memory", {"query": "walrus", "limit": 20})
    async with scripted(Says(("ok",)), search, Says(("ok",)), search, Says(("ok",))) as (conversation, model):
        await conversation.say("I saw a walrus today")
        await conversation.say("Tell me more")
        await conversation.say("And more")
        [told] = results(model)

    texts = [each["text"] for each in json.loads(told["content"])["said"]]
    assert [each for each in texts if "walrus" in each] == ["I saw a walrus today"]


async def test_what_was_deleted_is_not_shown_by_a_search(scripted: Scripted) -> None:
    add = Calls("add_to_memory", {"content": "Alec is my boss", "category": "person"})
    async with scripted(add, Says(("ok",))) as (conversation, model):
        await conversation.say("Remember that Alec is my boss. The office is in Porto")
        [fact] = await conversation.facts()
        await conversation.type(f"delete {fact.id}")
        model.script += [Calls("search_memory", {"query": "office in Porto"}), Says(("ok",))]
        await conversation.say("Where is the office?")
        [told] = results(model)

    assert "Porto" in told["content"]
    assert "Alec" not in told["content"]


async def test_an_artifact_is_read_by_the_line(scripted: Scripted) -> None:
    async with scripted() as (conversation, model):
        text = "".join(f"line {number}\n" for number in range(1, 5001))
        row = await conversation.chat.do(
            lambda unit: artifacts.store_bytes(unit, text.encode(), kind=ArtifactKind.TOOL_OUTPUT)
        )
        read = {"artifact_id": row.id}
        model.script += [
            Calls("read_artifact", {**read, "first_line": 4000, "last_line": 4001}),
            Calls("read_artifact", read),
            Calls("read_artifact", {**read, "first_line": 6000}),
            Calls("read_artifact", {"artifact_id": "art_none"}),
            Says(("ok",)),
        ]
        await conversation.say("What is in there?")
        some, many, beyond, none = [result["content"] for result in results(model)]

    head, *lines = some.splitlines()
    assert json.loads(head) == {"artifact_id": row.id, "first_line": 4000, "last_line": 4001, "lines": 5000}
    assert lines == ["line 4000", "line 4001"]
    assert 500 < json.loads(many.splitlines()[0])["last_line"] < 5000
    assert len(many) < 13_000
    assert beyond.endswith("(no such lines)")
    assert none.startswith("There is no such artifact")


async def caller_of(memory: Memory, viewer: Viewer, conversation_id: str, **given: Any) -> Caller:
    async with memory.unit(viewer, read_only=True) as unit:
        choices = await choices_of(unit.session, viewer)
    values = {"event_id": "evt_none", "message": "", "now": NOON, "choices": choices, **given}
    return Caller(memory=memory, viewer=viewer, conversation_id=conversation_id, **values)


WISHES: dict[str, dict[str, Any]] = {
    "add_to_memory": {"content": "Alec is my boss", "category": "person"},
    "update_memory": {"memory_id": "aaaaaaaa", "content": "Alec is my boss"},
    "forget_memory": {"memory_id": "aaaaaaaa"},
    "search_memory": {"query": "boss"},
    "record_decision": {"decision": "Use tabs, not spaces", "refs": ["evt_none"]},
    "update_task": {"title": "Book the ferry"},
    "read_artifact": {"artifact_id": "art_none"},
}


async def run(caller: Caller, name: str) -> ToolResult:
    return await run_tool(KNOWN, ToolUse("t", name, WISHES[name]), caller)


async def test_in_a_private_conversation_nothing_is_written(memory: Memory, ada: Viewer, start: Converse) -> None:
    caller = await caller_of(memory, ada, await start(ada), is_kept=False)
    refused = {name for name in WISHES if (await run(caller, name)).content == NOT_KEPT}

    assert refused == WISHES.keys() - {"search_memory", "read_artifact"}
    async with memory.unit(ada) as unit:
        assert (await proposals.waiting_cards(unit), await tasks.open_tasks(unit, limit=1)) == ([], [])
        assert await decisions.active_decisions(unit, limit=1) == []


async def test_with_the_memory_away_every_tool_says_so(memory: Memory, ada: Viewer, start: Converse) -> None:
    caller = await caller_of(memory, ada, await start(ada), memory_away=True)
    told = {name: await run(caller, name) for name in WISHES}

    assert told == dict.fromkeys(WISHES, ToolResult("t", AWAY, is_error=True))
    assert WISHES.keys() == KNOWN.keys()


async def test_in_a_group_only_what_was_said_aloud_is_found_and_notes_are_for_all(
    memory: Memory, ada: Viewer, ben: Viewer, start: Converse
) -> None:
    async with memory.unit(ada) as unit:
        await facts.remember(unit, FactDraft("my boss is Alec", Category.PERSON), Approval.COMMAND)
        space = await spaces.create_space(unit, "Sailors")
    group = Viewer(ada.tenant, ada.user, space, Channel.TEAM)
    conversation = await start(group)
    caller = await caller_of(memory, group, conversation, citable=frozenset({"evt_none"}))

    assert json.loads((await run(caller, "search_memory")).content)["facts"] == []
    assert not (await run(caller, "update_task")).is_error
    assert not (await run(caller, "record_decision")).is_error
    async with memory.unit(replace(group, user=None), read_only=True) as unit:
        assert [task.words for task in await tasks.open_tasks(unit, limit=9)] == ["Book the ferry"]
    async with memory.unit(ben, read_only=True) as unit:
        assert await tasks.open_tasks(unit, limit=9) == []


async def test_a_card_that_waits_is_no_way_around_for_another_wording(
    memory: Memory, ada: Viewer, start: Converse
) -> None:
    async with memory.unit(ada) as unit:
        await proposals.propose(unit, ProposalKind.ADD, FactDraft("I book the ferry on Sundays", Category.HABIT))
    caller = await caller_of(memory, ada, await start(ada))
    told = await run_tool(KNOWN, ToolUse("t", "update_task", {"title": "On Sundays the user books the ferry"}), caller)

    assert told.is_error
