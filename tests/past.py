"""What happened to a memory earlier: facts that changed and went, replies and what they rested on, calls that cost."""

from collections.abc import Sequence
from datetime import datetime

from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.facts.facts import mark_recalled
from db.queries.model.bundles import add_call
from db.queries.model.usage import UsageRow, add_usage
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, EventKind
from memory.events.record import EventDraft, prepare, record
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.model.brain import AGENT
from memory.unit import Memory


async def revised(memory: Memory, viewer: Viewer, fact_id: str, words: str, *, now: datetime) -> None:
    async with memory.unit(viewer, now=now) as unit:
        await facts.revise(unit, fact_id, FactDraft(words, Category.OTHER), Approval.COMMAND)


async def deleted(memory: Memory, viewer: Viewer, fact_id: str, *, now: datetime) -> None:
    async with memory.unit(viewer, now=now) as unit:
        await facts.hide(unit, fact_id, Approval.COMMAND)


async def recalled(memory: Memory, viewer: Viewer, fact_id: str, times: int, *, now: datetime) -> None:
    async with memory.unit(viewer) as unit:
        for _ in range(times):
            await mark_recalled(unit.session, unit.viewer, [fact_id], now)


async def replied(
    memory: Memory,
    viewer: Viewer,
    question: str,
    reply: str,
    *,
    now: datetime,
    resting_on: Sequence[str] = (),
    looking_at: Sequence[str] = (),
    agent: str = AGENT,
) -> str:
    """An exchange whose reply names its bundle, with the facts and old messages that stood in it; gives its id."""
    async with memory.unit(viewer, now=now) as unit:
        conversation, call = timed_id("cnv", now), timed_id("acb", now)
        await start_conversation(unit.session, viewer, conversation_id=conversation, agent_id=agent, now=now)
        asked = prepare(EventDraft(ActorType.HUMAN, viewer.person, EventKind.MESSAGE, {"text": question}), now)
        said = EventDraft(ActorType.AGENT, agent, EventKind.MESSAGE, {"text": reply}, refs=(call,))
        answered = prepare(said, now)
        await record(unit, conversation, [asked, answered])
        manifest = {
            "message": {"event": asked.event.id},
            "sections": {
                "memory": [{"fact": fact, "version": 1} for fact in resting_on],
                "retrieved_evidence": [{"source": event, "part": 0} for event in looking_at],
            },
        }
        await add_call(
            unit.session,
            unit.viewer,
            id=call,
            conversation_id=conversation,
            ts=now,
            manifest=manifest,
            hashes={},
            provenance={},
            token_est=1,
            token_used=1,
        )
        return answered.event.id


async def spent(
    memory: Memory,
    viewer: Viewer,
    *,
    now: datetime,
    model: str = "claude-sonnet-5-5",
    microdollars: int | None = 12_000,
    sent: int = 1_000,
    cache_read: int = 3_000,
) -> None:
    row = UsageRow(timed_id("use", now), now, model, "reply", sent, cache_read, 0, 200, microdollars, 900)
    async with memory.unit(viewer, now=now) as unit:
        await add_usage(unit.session, viewer, None, [row])
