"""Stores the result of a turn: tool steps, reply, cards and usage; in the spool while the database is away."""

import asyncio
import logging
from collections.abc import Collection, Iterator
from datetime import UTC, datetime

from db.ids import timed_id
from db.queries.facts.proposals import hang_on
from db.vocabulary import ActorType, EventKind
from memory.concurrency.in_thread import in_thread
from memory.context.calls import ModelCall, keep_call
from memory.errors import DatabaseAway, WriteRefused
from memory.events.record import EventDraft, prepare, record
from memory.facts.recalling import mark_recalled
from memory.model.brain import AGENT
from memory.model.loop import LoopResult, Round
from memory.model.prices import read_prices
from memory.model.steps import call_draft, result_draft
from memory.model.usage import keep_usage
from memory.outage.catching_up import events_entry
from memory.turn.background_notices import add_notices
from memory.turn.outcome import NoticeCode
from memory.turn.state import Turn
from memory.unit import Unit

log = logging.getLogger(__name__)


async def write_reply(
    turn: Turn, result: LoopResult, call: ModelCall, *, sensitive: bool, recalled: Collection[str]
) -> None:
    """Store the steps and the reply, its cards, and the manifest of the call."""
    outcome, chat = turn.outcome, turn.chat
    drafts = [draft for each in result.rounds for draft in _steps(each)]
    steps = len(drafts)
    if result.text or outcome.cards:
        content = {"text": result.text, "ended": result.ended}
        refs = (call.bundle.id,) if call.rounds else ()
        drafts.append(EventDraft(ActorType.AGENT, AGENT, EventKind.MESSAGE, content, refs=refs))
    now = datetime.now(UTC)
    prepared = [await in_thread(len(str(draft.content)), prepare, draft, now, sensitive=sensitive) for draft in drafts]
    turn.add_to_recent(result)
    try:
        async with chat.runtime.memory.unit(chat.viewer, now=now) as unit:
            if prepared:
                await record(unit, chat.conversation_id, prepared)
            if len(prepared) > steps:
                outcome.event_id = prepared[-1].event.id
            if outcome.cards:
                ids = [card.row.id for card in outcome.cards]
                await hang_on(unit.session, unit.viewer, ids, prepared[-1].event.id)
            if call.rounds:
                await keep_call(unit, call, chat.conversation_id, [each.event.id for each in prepared[:steps]])
            await _keep_usage(turn, unit, call)
            await mark_recalled(unit, recalled)
            await add_notices(unit, outcome)
            await turn.keep_outcome(unit, outcome)
    except (DatabaseAway, WriteRefused) as trouble:
        log.warning("an answer was not kept: %s", type(trouble).__name__)
        chat.runtime.metrics.count_failure("answer_not_kept")
        if isinstance(trouble, DatabaseAway):
            chat.runtime.outage.report()
            with chat.runtime.outage.answering(chat.key):
                reply_id = prepared[-1].event.id if len(prepared) > steps else None
                await spool(turn, result, [], reply_id, sensitive=sensitive)
        outcome.event_id = None
        outcome.fail(NoticeCode.ANSWER_NOT_KEPT)
        await turn.keep_outcome(None, outcome)


async def finish_unsaved(turn: Turn, call: ModelCall) -> None:
    """For a conversation that is not kept: store only its usage, and the outcome until it is sent."""
    try:
        async with turn.chat.runtime.memory.unit(turn.chat.viewer) as unit:
            await _keep_usage(turn, unit, call)
            await turn.keep_outcome(unit, turn.outcome)
    except DatabaseAway:
        await turn.keep_outcome(None, turn.outcome)


async def spool(
    turn: Turn,
    result: LoopResult,
    before: list[tuple[str, datetime, EventDraft]],
    reply_id: str | None = None,
    *,
    sensitive: bool,
) -> None:
    """Write the exchange to the spool. The reply keeps its id, since a commit that was never confirmed may have taken
    place."""
    now = datetime.now(UTC)
    drafts = list(before)
    if result.text:
        content = {"text": result.text, "ended": result.ended}
        draft = EventDraft(ActorType.AGENT, AGENT, EventKind.MESSAGE, content, sensitive=sensitive)
        drafts.append((reply_id or timed_id("evt", now), now, draft))
    file = turn.chat.runtime.spool
    if file is not None and drafts:
        entry = events_entry(turn.chat.viewer, turn.chat.conversation_id, turn.chat.key, drafts)
        await asyncio.to_thread(file.add, entry)


async def _keep_usage(turn: Turn, unit: Unit, call: ModelCall) -> None:
    prices = read_prices(turn.chat.runtime.settings.prices)
    await keep_usage(unit, turn.chat.conversation_id, call.attempts, prices)


def _steps(each: Round) -> Iterator[EventDraft]:
    """A round's calls and their results; a round that broke off has fewer results than calls."""
    for number, call in enumerate(each.calls):
        yield call_draft(call, AGENT, each.text if number == 0 else "")
    for result in each.results:
        yield result_draft(result, AGENT)
