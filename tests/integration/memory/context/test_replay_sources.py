"""Whatever a call can be made of is found again when the call is rendered anew, also after it changed or went."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from bot.commands.spaces import space_command
from db.viewer import Viewer
from db.vocabulary import ActorType, Channel, EventKind, ViewName, ViewScope
from memory.context.build import Bundle, build_bundle
from memory.context.calls import keep_call, prepare_call
from memory.context.items import message_item
from memory.context.replay import Replay
from memory.context.sections import SectionName
from memory.events.record import EventDraft, prepare, record, seal_event
from memory.ledgers import documents, handoff, views
from memory.ledgers.documents import Document
from memory.model.brain import ToolSpec
from memory.privacy.forgetting.forget import ForgetRequest, forget
from memory.unit import Memory
from tests.company import aloud, found_together
from tests.scripted_model import Says
from tests.story import Story, chatting

RECIPE = b"# Plum cake\n\nGrandma takes two pounds of plums and bakes the cake for fifty minutes.\n"
TOOLS = (ToolSpec("look", "Looks around.", {"type": "object", "properties": {}}),)


async def sections(story: Story) -> list[Mapping[str, list[Mapping[str, Any]]]]:
    """What each call was made of, oldest first."""
    return [manifest["sections"] for manifest in await story.rows("SELECT request FROM bundles ORDER BY ts, id")]


def differing(found: list[Replay]) -> list[Mapping[str, str]]:
    return [each.parts for each in found if not each.is_same]


async def use(story: Story, command: str) -> str:
    """A /space command."""
    return await space_command(story.conversation.chat, command)


# Who the assistant is, and where


async def test_persona_rules_and_subject_of_a_space_replay_after_they_were_changed_and_taken_back(
    memory: Memory, ada: Viewer
) -> None:
    async with chatting(memory, ada) as story:
        await use(story, "persona Speak like a sailor.")
        await use(story, "rules Answer in short sentences.")
        await story.say("Hello there, boat", Says(("Ahoy.",)))
        await use(story, "new Garden")
        await use(story, "persona Speak like a gardener.")
        await use(story, "rules Never water at noon.")
        await story.say("Hello there, garden", Says(("Hello.",)))
        at_home, in_the_garden = await sections(story)
        before = await story.replays()
        await use(story, "persona Speak like a king.")
        garden = story.viewer
        async with memory.unit(garden) as unit:
            await views.put(unit, ViewName.RULES, ViewScope.SPACE, "")
        await story.say("Hello again, garden", Says(("Good day.",)))
        after = await story.replays()
        last = (await sections(story))[-1]

    assert [row["scope"] for row in at_home[SectionName.IDENTITY]] == ["user"]
    assert [row.get("scope", "subject") for row in in_the_garden[SectionName.IDENTITY]] == ["subject", "space", "user"]
    assert [row["scope"] for row in in_the_garden[SectionName.RULES]] == ["space", "user"]
    assert [row.get("version") for row in last[SectionName.IDENTITY]] == [None, 2, 1]
    assert [row["scope"] for row in last[SectionName.RULES]] == ["user"]
    assert differing(before) == differing(after) == []


async def test_a_call_in_a_space_that_was_left_since_is_forgotten_and_one_at_home_is_not(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    async with memory.unit(replace(ada, space=space)) as unit:
        await views.put(unit, ViewName.IDENTITY, ViewScope.SPACE, "Speak like a gardener.")
    async with chatting(memory, ben) as story:
        await story.say("Hello from home", Says(("Hello.",)))
        await story.conversation.chat.new_conversation(space=space)
        await story.say("Hello from the garden", Says(("Hello.",)))
        in_time = await story.replays()
        await use(story, "leave")
        home, garden = await story.replays()

    assert differing(in_time) == []
    assert home.is_same
    assert not garden.is_different
    assert garden.parts["memory"] == "forgotten"


async def test_what_was_said_together_replays_for_each_of_those_who_asked(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    for person, other in ((ada, "ben"), (ben, "ada")):
        async with chatting(memory, person) as story:
            story.conversation.chat.viewer = aloud(person, space)
            await story.conversation.chat.new_conversation()
            await story.say(f"The pond is deep, {other}", Says(("So it is.",)))
            await story.conversation.chat.new_conversation()
            await story.say("How deep is the pond?", Says(("Deep.",)))
            story.conversation.chat.viewer = person  # nobody's calls are read out aloud
            found, made_of = await story.replays(), (await sections(story))[-1]

        assert made_of[SectionName.RETRIEVED_EVIDENCE]
        assert [row["subject"] for row in made_of[SectionName.IDENTITY]] == [True]
        assert (len(found), differing(found)) == (2, [])


# What it was shown


async def give(story: Story, data: bytes = RECIPE) -> Document:
    prepared = await documents.prepare_document("cake.md", data)
    return await story.conversation.chat.do(lambda unit: documents.add_document(unit, prepared))


async def test_a_document_as_evidence_replays_until_it_is_taken_back(memory: Memory, ada: Viewer) -> None:
    async with chatting(memory, ada) as story:
        given = await give(story)
        await story.say("How long does the plum cake bake?", Says(("Fifty minutes.",)))
        [made_of] = await sections(story)
        [before] = await story.replays()
        await story.conversation.chat.do(lambda unit: documents.remove_document(unit, given.row.id))
        [after] = await story.replays()

    assert [row["source"] for row in made_of[SectionName.RETRIEVED_EVIDENCE]] == [given.row.id]
    assert "fifty minutes" in str(story.model.requests[0]["messages"])
    assert before.is_same
    assert (after.parts["tail"], after.parts["round 1"]) == ("forgotten", "forgotten")
    assert {after.parts[part] for part in ("instructions", "tools", "memory", "history", "message")} == {"same"}


async def test_the_successor_of_a_decision_replays_and_so_does_what_it_superseded(memory: Memory, ada: Viewer) -> None:
    async with chatting(memory, ada) as story:
        chosen = list[str]()
        for colour in ("red", "green", "blue"):
            decided = {"decision": f"Paint the boat {colour}", "rationale": [f"We have {colour} paint"]}
            supersedes = {"supersedes": chosen[-1]} if chosen else {}
            await story.write(EventKind.DECISION, {**decided, **supersedes})
            chosen += await story.rows("SELECT id FROM decisions WHERE status = 'active'")
            await story.say("Which colour gets the boat?", Says((f"It gets {colour}.",)))
        made_of, found = await sections(story), await story.replays()

    assert [[row["decision"] for row in each[SectionName.DECISION_LEDGER]] for each in made_of] == [
        [decision] for decision in chosen
    ]
    assert len(set(chosen)) == 3
    assert differing(found) == []


async def test_a_sealed_message_replays_as_what_was_said_last_and_as_evidence(memory: Memory, ada: Viewer) -> None:
    async with chatting(memory, ada) as story:
        await story.say("My doctor says I have diabetes", Says(("Take care of yourself.",)))
        await story.say("And what about cake?", Says(("Less of it.",)))
        await story.conversation.chat.new_conversation()
        await story.say("What did my doctor say about diabetes?", Says(("That you have it.",)))
        _, window, evidence = await sections(story)
        sealed = await story.rows("SELECT id FROM events WHERE sensitivity = 'high' ORDER BY seq")
        found = await story.replays()

    assert sealed[0] in [row["event"] for row in window[SectionName.RECENT_WINDOW]]
    assert sealed[0] in [row["source"] for row in evidence[SectionName.RETRIEVED_EVIDENCE]]
    assert "diabetes" in str(story.model.requests[-1]["messages"][0]["content"][0])
    assert differing(found) == []


async def test_a_message_that_was_sealed_after_the_call_replays(memory: Memory, ada: Viewer) -> None:
    """Its chunk goes when it is sealed, and its words are in the event alone."""
    async with chatting(memory, ada) as story:
        await story.say("The tin box is under the stairs", Says(("Noted.",)))
        await story.say("Which box?", Says(("The tin one.",)))
        await story.conversation.chat.new_conversation()
        await story.say("Where is the tin box?", Says(("Under the stairs.",)))
        [first, *_] = await story.rows("SELECT id FROM events WHERE actor_type = 'human' ORDER BY seq")
        await story.conversation.chat.do(lambda unit: seal_event(unit, first))
        *_, evidence = await sections(story)
        chunks = await story.rows(f"SELECT count(*) FROM chunks WHERE event_id = '{first}'")
        found = await story.replays()

    assert first in [row["source"] for row in evidence[SectionName.RETRIEVED_EVIDENCE]]
    assert chunks == [0]
    assert differing(found) == []


async def test_sealed_tasks_and_decisions_replay(memory: Memory, ada: Viewer) -> None:
    async with chatting(memory, ada) as story:
        await story.write(EventKind.DECISION, {"decision": "Buy insulin, because I have diabetes"})
        await story.write(EventKind.TASK_UPDATE, {"title": "Ask my doctor about my diabetes"})
        await story.say("What is there to do?", Says(("Ask and buy.",)))
        await story.move_task(title="Ask my doctor about my diabetes and the cake")
        [made_of], [found] = await sections(story), await story.replays()
        plain = await story.rows("SELECT count(*) FROM decisions WHERE decision IS NOT NULL")

    assert plain == [0]
    assert made_of.keys() >= {SectionName.DECISION_LEDGER, SectionName.TASK_STATE}
    assert "insulin" in str(story.model.requests[0]["messages"])
    assert found.is_same


# What another agent handed over


async def made(memory: Memory, viewer: Viewer, story: Story) -> Bundle:
    """A call of an agent, kept as the chat keeps its own; no front end makes one yet."""
    now = datetime.now(UTC)
    question = prepare(EventDraft(ActorType.AGENT, "b", EventKind.MESSAGE, {"text": "What now?"}), now)
    await story.conversation.chat.new_conversation()
    conversation = story.conversation.chat.conversation_id
    async with memory.unit(viewer, now=now) as unit:
        await record(unit, conversation, [question])
    bundle = await build_bundle(
        memory,
        None,
        viewer,
        conversation,
        question.text,
        now=now,
        options=story.conversation.chat.runtime.bundle_options,
        without_event=question.event.id,
        agent_id="b",
        intent="handoff",
    )
    newest = message_item(question.event.id, True, question.text, (), 1_000)
    call = prepare_call(bundle, "You are agent b.", TOOLS, ("A note.",), newest)
    call.record_round(call.request, {})
    async with memory.unit(viewer, now=now) as unit:
        await keep_call(unit, call, conversation, [])
    return bundle


async def test_a_handoff_replays_after_a_newer_one_and_until_what_it_rests_on_is_forgotten(
    memory: Memory, ada: Viewer
) -> None:
    between = replace(ada, channel=Channel.AGENT)

    async with chatting(memory, between) as story:
        await story.write(EventKind.DECISION, {"decision": "Paint the boat green"})
        await story.write(EventKind.TASK_UPDATE, {"title": "Buy paint", "due": "2026-12-24"})
        goals = ("Finish the boat", "Sell the boat")
        packets = list[Bundle]()
        for goal in goals:
            async with memory.unit(between) as unit:
                await handoff.hand_over(unit, from_agent="a", to_agent="b", goal=goal, notes="É́ <keepsake> 😀")
            packets.append(await made(memory, between, story))
        before = await story.replays()
        async with memory.unit(ada) as unit:
            await forget(unit, ForgetRequest(since=datetime(2000, 1, 1, tzinfo=UTC)))
        after = await story.replays()

    shown = [bundle.items(SectionName.HANDOFF_PACKET)[0] for bundle in packets]
    assert all(goal in item.text for goal, item in zip(goals, shown, strict=True))
    assert all("Paint the boat green" in item.text and "Buy paint" in item.text for item in shown)
    assert len({item.row["handoff"] for item in shown}) == 2
    assert (len(before), differing(before)) == (2, [])
    assert [each.is_different for each in after] == [False, False]
    assert [each.parts["tail"] for each in after] == ["forgotten", "forgotten"]
