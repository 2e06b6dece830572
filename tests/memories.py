"""What people have said, keep and are asked, for tests of the review page."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, EventKind, ProposalKind
from memory.events.record import EventDraft, prepare, record
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.people import spaces
from memory.unit import Memory


async def said(memory: Memory, viewer: Viewer, words: str, *, now: datetime | None = None) -> str:
    """A message of theirs, in a conversation of its own; gives its id."""
    async with memory.unit(viewer, now=now) as unit:
        conversation = timed_id("cnv", unit.now)
        await start_conversation(unit.session, viewer, conversation_id=conversation, agent_id="keepsake", now=unit.now)
        message = prepare(EventDraft(ActorType.HUMAN, viewer.person, EventKind.MESSAGE, {"text": words}), unit.now)
        await record(unit, conversation, [message])
        return message.event.id


async def kept(
    memory: Memory,
    viewer: Viewer,
    content: str,
    category: Category = Category.OTHER,
    *,
    now: datetime | None = None,
    **draft: Any,
) -> Receipt:
    """A fact of theirs."""
    async with memory.unit(viewer, now=now) as unit:
        return await facts.remember(unit, FactDraft(content, category, **draft), Approval.ORDER, separate=True)


async def asked(
    memory: Memory,
    viewer: Viewer,
    content: str,
    category: Category = Category.OTHER,
    *,
    kind: ProposalKind = ProposalKind.ADD,
    about: str | None = None,
    **draft: Any,
) -> Card:
    """A card that waits for their word."""
    async with memory.unit(viewer) as unit:
        row = await facts.own_fact(unit, about) if about else None
        return await proposals.propose(unit, kind, FactDraft(content, category, **draft), row)


async def shared(memory: Memory, viewer: Viewer, fact_id: str, space: str) -> Receipt:
    async with memory.unit(replace(viewer, space=space)) as unit:
        return await facts.share(unit, fact_id)


async def space_of_two(memory: Memory, owner: Viewer, member: Viewer, name: str = "Garden") -> str:
    """A space that both are in; gives its id."""
    async with memory.unit(owner) as unit:
        space = await spaces.create_space(unit, name)
    async with memory.unit(replace(owner, space=space)) as unit:
        code = (await spaces.invite(unit)).code
    async with memory.unit(member) as unit:
        await spaces.join_space(unit, code)
    return space


async def facts_of(memory: Memory, viewer: Viewer) -> list[str]:
    """The words of all that they keep."""
    async with memory.unit(viewer, read_only=True) as unit:
        return [row.words for row in await facts.own_facts(unit)]
