"""Writes down what came of a message: steps, reply, cards and costs; without a database, into the spool."""

import asyncio
import logging
from collections.abc import Collection, Iterator
from datetime import UTC, datetime

from db.ids import timed_id
from db.queries.facts.proposals import hang_on
from db.vocabulary import ActorType, EventKind
from memory.concurrency.in_thread import in_thread
from memory.context.calls import Call, keep_call
from memory.errors import DatabaseAway, WriteRefused
from memory.events.record import EventDraft, prepare, record
from memory.facts.recalling import mark
from memory.model.brain import AGENT
from memory.model.loop import LoopResult, Round
from memory.model.prices import read_prices
from memory.model.steps import call_draft, result_draft
from memory.model.usage import keep_usage
from memory.outage.catching_up import later_events
from memory.turn.background_notices import add_notices
from memory.turn.outcome import NoticeCode
from memory.turn.state import Turn
from memory.unit import Unit

log = logging.getLogger(__name__)


async def write_reply(
    turn: Turn, result: LoopResult, call: Call, *, sensitive: bool, recalled: Collection[str]
) -> None:
    """The steps and the reply, the cards that hang on it, and how the call can be rendered again."""
    outcome, chat = turn.outcome, turn.chat
    drafts = [draft for each in result.rounds for draft in _steps(each)]
    steps = len(drafts)
    if result.text or outcome.cards:
        content = {"text": result.text, "ended": result.ended}
        refs = (call.bundle.id,) if call.rounds else ()
        drafts.append(EventDraft(ActorType.AGENT, AGENT, EventKind.MESSAGE, content, refs=refs))
    now = datetime.now(UTC)
    prepared = [await in_thread(len(str(draft.content)), prepare, draft, now, sensitive=sensitive) for draft in drafts]
    turn.hear(result)
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
            await mark(unit, recalled)
            await add_notices(unit, outcome)
            await turn.keep_outcome(unit, outcome)
    except (DatabaseAway, WriteRefused) as trouble:
        log.warning("an answer was not kept: %s", type(trouble).__name__)
        chat.runtime.metrics.failed("answer_not_kept")
        if isinstance(trouble, DatabaseAway):
            chat.runtime.outage.notice()
            with chat.runtime.outage.talking(chat.key):
                reply_id = prepared[-1].event.id if len(prepared) > steps else None
                await spool(turn, result, [], reply_id, sensitive=sensitive)
        outcome.event_id = None
        outcome.fail(NoticeCode.ANSWER_NOT_KEPT)
        await turn.keep_outcome(None, outcome)


async def finish_unkept(turn: Turn, call: Call) -> None:
    """Of a conversation that is not kept: only its costs, and the outcome until it is sent."""
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
    """The reply keeps its id: nobody knows whether a commit whose answer never came took place."""
    now = datetime.now(UTC)
    drafts = list(before)
    if result.text:
        content = {"text": result.text, "ended": result.ended}
        draft = EventDraft(ActorType.AGENT, AGENT, EventKind.MESSAGE, content, sensitive=sensitive)
        drafts.append((reply_id or timed_id("evt", now), now, draft))
    file = turn.chat.runtime.spool
    if file is not None and drafts:
        entry = later_events(turn.chat.viewer, turn.chat.conversation_id, turn.chat.key, drafts)
        await asyncio.to_thread(file.add, entry)


async def _keep_usage(turn: Turn, unit: Unit, call: Call) -> None:
    prices = read_prices(turn.chat.runtime.settings.prices)
    await keep_usage(unit, turn.chat.conversation_id, call.spent, prices)


def _steps(each: Round) -> Iterator[EventDraft]:
    """A round's calls with their results; one that broke off has fewer results than calls."""
    for number, call in enumerate(each.calls):
        yield call_draft(call, AGENT, each.said if number == 0 else "")
    for result in each.results:
        yield result_draft(result, AGENT)
