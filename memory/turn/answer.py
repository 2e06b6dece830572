"""Answers a message: builds the request, runs the tool loop, and handles an unreachable model or database."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from db.queries.people.people import Choices, choices_of
from db.viewer import Viewer
from db.vocabulary import Mode
from memory.concurrency.in_thread import in_thread
from memory.context.build import Bundle, BundleOptions, bare_bundle, build_bundle
from memory.context.calls import ModelCall, prepare_call, request_tokens
from memory.context.gather import WindowLine
from memory.context.items import message_item
from memory.context.sections import SectionName
from memory.errors import DatabaseAway, KeyMissing, ModelAway, WriteRefused
from memory.events.framing import frame
from memory.facts.recalling import facts_used
from memory.language.sentences import MAX_READ
from memory.model.brain import Request, ToolSpec
from memory.model.loop import LoopResult, run_tool_loop
from memory.model.tools import TOOLS, Caller, Tool
from memory.prompts import prompt
from memory.turn.card_answers import CardAnswer
from memory.turn.outcome import NoticeCode
from memory.turn.state import Turn
from memory.turn.write import finish_unsaved, spool, write_reply

NOTICE_BY_ENDING = {
    "rounds": NoticeCode.TOO_MANY_STEPS,
    "refusal": NoticeCode.MODEL_REFUSED,
    "max_tokens": NoticeCode.CUT_OFF,
}

log = logging.getLogger(__name__)


async def answer(turn: Turn, card_answer: CardAnswer | None) -> None:
    """Answer with the full memory. An interrupted reply is stored too."""
    notes = [] if card_answer is None or card_answer.rejected is None else [prompt("note_declined").strip()]
    try:
        bundle = await _bundle(turn, ())
    except DatabaseAway:
        turn.chat.runtime.outage.report()
        await answer_without_memory(turn, recorded=True)
        return
    turn.outcome.recalled = bool(bundle.items(SectionName.RETRIEVED_EVIDENCE))
    call = _call(turn, bundle, notes)
    caller = _caller(turn, bundle, await _choices(turn, bundle))
    result = await _run_loop(turn, call, caller)
    sensitive = turn.prepared.is_sensitive or caller.touched_sensitive or result.repeats_sensitive(bundle.sensitive)
    caller.recalled |= await in_thread(len(result.text), facts_used, bundle, result.text, turn.prepared.text)
    await write_reply(turn, result, call, sensitive=sensitive, recalled=caller.recalled)
    turn.chat.runtime.nudge(turn.chat.viewer)


async def answer_unsaved(turn: Turn) -> None:
    """Answer with the full memory in a conversation that is not kept: only the usage is stored."""
    try:
        bundle = await _bundle(turn, _recent_lines(turn))
    except DatabaseAway:
        turn.chat.runtime.outage.report()
        bundle = _bare_bundle(turn)
    call = _call(turn, bundle, [])
    result = await _run_loop(turn, call, replace(_caller(turn, bundle, bundle.choices), is_kept=False))
    turn.add_to_recent(result)
    await finish_unsaved(turn, call)


async def answer_without_memory(turn: Turn, *, recorded: bool) -> None:
    """Answer from the recent messages in RAM while the database is away. The reply goes into the spool, and so does the
    message unless it is `recorded` already."""
    chat = turn.chat
    if chat.runtime.outage.needs_notice(chat.key):
        turn.outcome.notice(NoticeCode.MEMORY_AWAY)
    with chat.runtime.outage.answering(chat.key):
        bundle = _bare_bundle(turn)
        caller = replace(_caller(turn, bundle, bundle.choices), memory_away=True)
        result = await _run_loop(turn, _call(turn, bundle, [prompt("note_away").strip()]), caller)
        turn.add_to_recent(result)
        recent = chat.runtime.recent.messages(chat.conversation_id)
        unrecorded = [] if recorded else [(turn.prepared.event.id, turn.prepared.event.ts, turn.draft)]
        await spool(turn, result, unrecorded, sensitive=any(each.is_sensitive for each in recent))
    await turn.keep_outcome(None, turn.outcome)


async def _run_loop(turn: Turn, call: ModelCall, caller: Caller) -> LoopResult:
    chat, outcome, result = turn.chat, turn.outcome, LoopResult()
    try:
        with chat.runtime.metrics.measure_turn(call, result):
            await run_tool_loop(chat.runtime.brain, call, chat.tools, caller, turn.show, result)
    except ModelAway as error:
        outcome.fail(NoticeCode.MODEL_AWAY if chat.kept else NoticeCode.MODEL_AWAY_UNSAVED, error=error)
    except KeyMissing as error:
        outcome.fail(NoticeCode.REFUSED, error=error)
    except (DatabaseAway, WriteRefused) as error:
        log.warning("an answer broke off: %s", type(error).__name__)
        outcome.fail(NoticeCode.ANSWER_NOT_KEPT)
    except asyncio.CancelledError:
        if chat.kept and turn.message.update_id is None:  # without an inbox row the turn is not resumed
            sensitive = turn.prepared.is_sensitive
            await asyncio.shield(write_reply(turn, result, call, sensitive=sensitive, recalled=()))
        raise
    if result.ended in NOTICE_BY_ENDING:
        outcome.notice(NOTICE_BY_ENDING[result.ended])
    outcome.text = result.text
    return result


def _bundle_options(turn: Turn) -> BundleOptions:
    return replace(turn.chat.runtime.bundle_options, fixed_tokens=fixed_tokens(turn.chat.tools))


async def _bundle(turn: Turn, recent_lines: Sequence[WindowLine]) -> Bundle:
    chat, options = turn.chat, _bundle_options(turn)
    return await build_bundle(
        chat.runtime.memory,
        chat.runtime.vectors,
        _bundle_viewer(chat.viewer),
        chat.conversation_id,
        turn.prepared.text,
        intent="chat",
        max_tokens=options.max_tokens,
        now=turn.now,
        options=options,
        without_event=turn.prepared.event.id,
        sensitive=turn.prepared.is_sensitive,
        recent_lines=recent_lines,
    )


def _bare_bundle(turn: Turn) -> Bundle:
    return bare_bundle(_recent_lines(turn), _bundle_options(turn), turn.now, Choices("UTC", Mode.CONFIRM, frozenset()))


async def _choices(turn: Turn, bundle: Bundle) -> Choices:
    """The speaker's settings. In a group the bundle has those of the space."""
    if not turn.chat.viewer.is_aloud:
        return bundle.choices
    async with turn.chat.runtime.memory.unit(turn.chat.viewer, read_only=True) as unit:
        return await choices_of(unit.session, unit.viewer)


def _call(turn: Turn, bundle: Bundle, notes: Sequence[str]) -> ModelCall:
    options, event = _bundle_options(turn), turn.prepared.event
    message = message_item(event.id, True, turn.prepared.text, (), options.message_tokens, frame=frame(event.content))
    tools = tool_specs(turn.chat.tools)
    return prepare_call(bundle, prompt("instructions"), tools, notes, message, most_tokens=options.budget)


def _caller(turn: Turn, bundle: Bundle, choices: Choices) -> Caller:
    chat, prepared = turn.chat, turn.prepared
    return Caller(
        memory=chat.runtime.memory,
        viewer=chat.viewer,
        event_id=prepared.event.id,
        message=prepared.text[:MAX_READ] if turn.message.is_own else "",
        now=turn.now,
        choices=choices,
        receipts=turn.outcome.receipts,
        cards=turn.outcome.cards,
        touched_sensitive=prepared.is_sensitive,
        conversation_id=chat.conversation_id,
        citable=bundle.refs | {prepared.event.id},
        sensitive=bundle.sensitive,
        vectors=chat.runtime.vectors,
        recall_deadline=chat.runtime.bundle_options.deadline,
    )


def _recent_lines(turn: Turn) -> list[WindowLine]:
    """The recent messages in RAM as window lines; they have no event."""
    messages = turn.chat.runtime.recent.messages(turn.chat.conversation_id)
    return [WindowLine("", each.by_human, each.text, (), frame=each.frame) for each in messages]


def _bundle_viewer(viewer: Viewer) -> Viewer:
    """In a group the bundle is built for the space, not for the speaker."""
    return replace(viewer, user=None) if viewer.is_aloud else viewer


@cache
def tool_specs(tools: tuple[Tool, ...]) -> tuple[ToolSpec, ...]:
    return tuple(tool.spec for tool in tools)


@cache
def fixed_tokens(tools: tuple[Tool, ...] = TOOLS) -> int:
    """Tokens of the instructions and the tools, which every call contains."""
    return request_tokens(Request(prompt("instructions"), "", (), tool_specs(tools)))
