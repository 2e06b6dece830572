"""The audit of one person's memory reads it from the database in pages, and nobody else's."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, EventKind
from memory.events.record import EventDraft, prepare, record
from memory.facts import facts
from memory.privacy import memory_audit
from memory.privacy.memory_audit import audit_memory
from memory.unit import Memory
from tests.conftest import NOON, Converse

Say = Callable[..., Awaitable[str]]


@pytest.fixture
async def say(memory: Memory, ada: Viewer, start: Converse) -> Say:
    """Records a message in Ada's conversation and returns the event id."""
    conversation, moment = await start(ada), [NOON]

    async def add(actor: ActorType, content: dict[str, Any], kind: EventKind = EventKind.MESSAGE) -> str:
        moment[0] += timedelta(seconds=1)
        message = prepare(EventDraft(actor, "x", kind, content), moment[0])
        async with memory.unit(ada, now=moment[0]) as unit:
            await record(unit, conversation, [message])
        return message.event.id

    return add


async def remember(
    memory: Memory, viewer: Viewer, content: str, approval: Approval = Approval.CARD, now: datetime | None = None
) -> str:
    later = now or NOON + timedelta(hours=1)
    async with memory.unit(viewer, now=later) as unit:
        kept = await facts.remember(unit, facts.FactDraft(content, Category.OTHER), approval, separate=True)
        return kept.row.id


async def test_a_memory_of_ones_own_words_has_no_findings(memory: Memory, ada: Viewer, say: Say) -> None:
    await say(ActorType.HUMAN, {"text": "My boss is called Alec. I like green tea."})
    await say(ActorType.AGENT, {"text": "Your boss is called Alec, and you like green tea."})
    for words in ("My boss is called Alec", "I like green tea"):
        await remember(memory, ada, words, now=datetime.now(NOON.tzinfo))

    found = await audit_memory(memory, ada)

    assert (found.facts, found.duplicates, found.echoes, found.contradictions, found.never_recalled) == (
        2,
        [],
        [],
        [],
        [],
    )


async def test_every_kind_of_finding_is_reported_across_pages(
    memory: Memory, ada: Viewer, ben: Viewer, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_audit, "PAGE", 2)
    for number in range(5):
        await say(ActorType.HUMAN, {"text": f"Number {number} is about the weather"})
    await say(ActorType.HUMAN, {"text": "The boat is called Rex", "forwarded_from": "Mallory"})
    await say(ActorType.AGENT, {"text": "Your boat is called Rex."})
    await say(ActorType.TOOL, {"call": "1", "text": "The code word of Ada is swordfish"}, EventKind.TOOL_RESULT)
    words = (
        "The boat is called Rex",
        "Ada's code word is swordfish",
        "I eat meat",
        "I do not eat meat",
        "I never eat meat",
    )
    boat, code, meat, no_meat, never = [await remember(memory, ada, each) for each in words]
    again = await remember(memory, ada, "Rex is what the boat is called")
    typed = await remember(memory, ada, "The code word is swordfish", Approval.COMMAND)
    await remember(memory, ben, "I like green tea with Ada")

    found = await audit_memory(memory, ada)

    assert {frozenset(row.id for row in group) for group in found.duplicates} == {
        frozenset({boat, again}),
        frozenset({code, typed}),
    }
    assert {row.id for row in found.echoes} == {boat, code, again}
    [group] = found.contradictions
    assert meat in {row.id for row in group}
    assert {row.id for row in group} & {no_meat, never}
    assert found.facts == 7


async def test_what_is_sensitive_is_opened_and_compared(memory: Memory, ada: Viewer, say: Say) -> None:
    await say(ActorType.AGENT, {"text": "You have diabetes and need insulin."})
    kept = await remember(memory, ada, "I have diabetes and need insulin")

    assert [row.id for row in (await audit_memory(memory, ada)).echoes] == [kept]

    await say(ActorType.HUMAN, {"text": "I have diabetes and need insulin"})
    assert (await audit_memory(memory, ada)).echoes == []


async def test_sharing_an_echo_does_not_make_it_ones_own(memory: Memory, ada: Viewer, say: Say) -> None:
    await say(ActorType.AGENT, {"text": "Your boat is called Rex."})
    boat = await remember(memory, ada, "The boat is called Rex")
    async with memory.unit(ada) as unit:
        row = await facts.own_fact(unit, boat)
        await facts.append_version(
            unit, row, replace(facts.unchanged_version(row, Approval.COMMAND), visibility=row.visibility)
        )

    assert [row.id for row in (await audit_memory(memory, ada)).echoes] == [boat]


async def test_what_was_stored_a_month_ago_and_never_recalled_is_found(memory: Memory, ada: Viewer) -> None:
    old = datetime.now(NOON.tzinfo) - timedelta(days=31)
    kept = await remember(memory, ada, "I like green tea", now=old)

    assert [row.id for row in (await audit_memory(memory, ada)).never_recalled] == [kept]
