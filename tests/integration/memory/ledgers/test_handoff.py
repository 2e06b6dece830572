"""Handoffs: one packet of at most 6,000 tokens, with what it rests on and without what the receiver may not load."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from db.queries.ledgers.handoffs import HandoffRow
from db.viewer import Viewer
from db.vocabulary import Approval, ArtifactKind, Category, Channel, Sensitivity
from memory.context.build import build_bundle
from memory.context.items import FRAME, handoff_item
from memory.context.sections import CAPS, HEADING, SectionName
from memory.errors import Refused
from memory.facts.facts import FactDraft, remember
from memory.ledgers import artifacts, decisions, handoff, tasks
from memory.ledgers.decisions import DecisionDraft
from memory.ledgers.handoff import MAX_TOKENS, OVERHEAD, build_packet, packet_json, packet_line
from memory.ledgers.tasks import TaskDraft
from memory.model.tokens import estimate
from memory.privacy.forgetting.forget import ForgetRequest, forget
from memory.unit import Memory
from tests.conftest import NOON, Converse

SICK = "My sister Zelda has diabetes"
SECRET = "sk-ant-api03-" + "Zz9-" * 20


async def decide(memory: Memory, viewer: Viewer, words: str, *, day: int = 0, **given: Any) -> str:
    ts, level = NOON + timedelta(days=day), given.pop("sensitivity", Sensitivity.NONE)
    async with memory.unit(viewer, now=ts) as unit:
        row = await decisions.add_decision(unit, DecisionDraft(words, **given), event_id=None, ts=ts, sensitivity=level)
    return row.id


async def plan(memory: Memory, viewer: Viewer, title: str, sensitivity: Sensitivity = Sensitivity.NONE) -> str:
    async with memory.unit(viewer, now=NOON) as unit:
        row = await tasks.save_task(unit, TaskDraft(title=title), event_id=None, ts=NOON, sensitivity=sensitivity)
    return row.id


async def hand_over(memory: Memory, viewer: Viewer, goal: str = "Finish the garden", **given: Any) -> HandoffRow:
    async with memory.unit(replace(viewer, channel=Channel.AGENT), now=NOON + timedelta(days=9)) as unit:
        return await handoff.hand_over(unit, **{"from_agent": "a", "to_agent": "b", "goal": goal, **given})


async def latest(memory: Memory, viewer: Viewer, to_agent: str = "b") -> HandoffRow | None:
    async with memory.unit(replace(viewer, channel=Channel.AGENT), read_only=True) as unit:
        return await handoff.latest_for(unit, to_agent)


async def test_the_receiver_gets_goal_tasks_and_decisions_with_their_refs(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada, now=NOON) as unit:
        plans = await artifacts.store_bytes(unit, b"the plan", kind=ArtifactKind.DOCUMENT)
    old = await decide(memory, ada, "Roses")
    tulips = await decide(memory, ada, "Tulips", day=1, refs=(plans.id,), supersedes=old)
    water = await plan(memory, ada, "Water them")
    row = await hand_over(memory, ada, notes="The hose is blue.", refs=[plans.id])

    assert await latest(memory, ada) == row
    assert (row.packet["goal"], row.packet["notes"]) == ("Finish the garden", "The hose is blue.")
    assert [task["title"] for task in row.packet["tasks"]] == ["Water them"]
    assert [(each["decision"], each["refs"]) for each in row.packet["decisions"]] == [("Tulips", [plans.id])]
    assert row.refs == [plans.id, water, tulips]
    assert row.packet["left_out"] == {"refs": 0, "tasks": 0, "decisions": 0}


async def test_what_the_channel_may_not_load_is_not_in_it(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    hidden = await decide(memory, ada, SICK, sensitivity=Sensitivity.HIGH)
    await plan(memory, ada, f"Ask Zelda: {SICK}", Sensitivity.HIGH)
    await decide(memory, ada, "Call +49 170 1234567", sensitivity=Sensitivity.LOW, refs=(hidden,))
    his = await decide(memory, ben, "his plan")
    row = await hand_over(memory, ada, refs=[hidden, his, "dec_none", "what", ""])

    assert [each["decision"] for each in row.packet["decisions"]] == ["Call +49 170 1234567"]
    assert "Zelda" not in str(row)
    assert (row.packet["refs"], row.packet["left_out"]["refs"]) == ([], 4)
    assert hidden not in str(row)
    assert row.sensitivity == Sensitivity.LOW
    assert await latest(memory, ben) is None


async def test_it_never_holds_more_than_its_tokens_and_counts_what_it_left_out(memory: Memory, ada: Viewer) -> None:
    for day in range(20):
        await decide(memory, ada, f"{day} " + "字" * 600, day=day)
    await plan(memory, ada, "Water them")
    row = await hand_over(memory, ada, notes="The hose is blue. " * 50)

    assert row.token_est == estimate(packet_json(row.packet)) <= MAX_TOKENS
    assert (OVERHEAD, packet_line(row.from_agent, row.packet)) == (HEADING + FRAME, handoff_item(row).text)
    assert HEADING + handoff_item(row).tokens <= CAPS[SectionName.HANDOFF_PACKET].tokens
    told, missing = len(row.packet["decisions"]), row.packet["left_out"]["decisions"]
    assert (told > 0, told + missing) == (True, 20)
    assert row.packet["decisions"][0]["decision"].startswith("19 ")
    assert len(row.packet["tasks"]) == 1


@pytest.mark.parametrize("notes", ["<b>" * 2600, "字" * 8000])
async def test_the_longest_packet_still_stands_in_the_receivers_bundle(
    memory: Memory, ada: Viewer, start: Converse, notes: str
) -> None:
    """What has angle brackets costs more in a prompt than in the packet, and the name of the sender counts too."""
    names = {"from_agent": "字" * 60, "to_agent": "b"}
    least, longest = 0, len(notes)
    while least < longest:
        half = (least + longest + 1) // 2
        try:
            build_packet(names["from_agent"], {"goal": "go", "notes": notes[:half]}, [], unreadable=0)
            least = half
        except Refused:
            longest = half - 1
    row = await hand_over(memory, ada, "go", notes=notes[:least], **names)
    here = replace(ada, channel=Channel.AGENT)
    bundle = await build_bundle(memory, None, here, await start(here), "thanks", now=NOON, agent_id="b")

    assert handoff_item(row).tokens > 5_900
    assert [item.refs[0] for item in bundle.items(SectionName.HANDOFF_PACKET)] == [row.id]


async def test_what_alone_is_too_long_secret_or_sensitive_is_not_handed_over(memory: Memory, ada: Viewer) -> None:
    assert SECRET not in str(await hand_over(memory, ada, notes=f"use {SECRET}"))
    for wrong, word in (
        ({"goal": SICK}, "sensitive"),
        ({"notes": SICK}, "sensitive"),
        ({"goal": " "}, "needs a goal"),
        ({"to_agent": ""}, "names of both"),
        ({"goal": "x" * 2001}, "more than 2,000"),
        ({"goal": "字" * 2000, "notes": "字" * 8000}, "exceed the 6,000 tokens"),
    ):
        with pytest.raises(Refused, match=word):
            await hand_over(memory, ada, **wrong)


@pytest.mark.parametrize("channel", [Channel.PRIVATE, Channel.TEAM, Channel.PUBLIC])
async def test_it_is_gathered_in_no_other_channel(memory: Memory, ada: Viewer, channel: Channel) -> None:
    async with memory.unit(replace(ada, channel=channel)) as unit:
        with pytest.raises(Refused, match="`agent` only"):
            await handoff.hand_over(unit, from_agent="a", to_agent="b", goal="go on")


async def test_a_packet_goes_with_what_is_forgotten(memory: Memory, ada: Viewer) -> None:
    await decide(memory, ada, "Ask Alec, the boss")
    await hand_over(memory, ada)
    await hand_over(memory, ada, goal="Ask Alec, who is the boss", to_agent="c")
    await hand_over(memory, replace(ada), goal="Paint", to_agent="d")
    async with memory.unit(ada, now=NOON) as unit:
        await remember(unit, FactDraft("Alec is my boss", Category.PERSON, subject="Alec"), Approval.COMMAND)
        await forget(unit, ForgetRequest(subject="Alec"))

    assert [await latest(memory, ada, agent) for agent in "bcd"] == [None, None, None]
    await plan(memory, ada, "Water them")
    await hand_over(memory, ada)
    async with memory.unit(ada) as unit:
        await forget(unit, ForgetRequest(until=NOON + timedelta(days=1)))
    assert await latest(memory, ada) is None
