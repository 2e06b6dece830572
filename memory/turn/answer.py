"""Answers a message: what the brain gets to see, the loop of tools, and what happens when one of them is away."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from db.queries.people.people import Choices, choices_of
from db.viewer import Viewer
from db.vocabulary import Mode
from memory.concurrency.in_thread import in_thread
from memory.context.build import Bundle, Shape, bare_bundle, build_bundle
from memory.context.calls import Call, call_for, request_tokens
from memory.context.gather import WindowLine
from memory.context.items import message_item
from memory.context.sections import SectionName
from memory.errors import DatabaseAway, KeyMissing, ModelAway, WriteRefused
from memory.events.framing import frame
from memory.facts.recalling import used
from memory.language.sentences import LONGEST_READ
from memory.model.brain import Request, ToolSpec
from memory.model.loop import LoopResult, converse
from memory.model.tools import TOOLS, Caller, Tool
from memory.prompts import prompt
from memory.turn.card_answers import CardAnswer
from memory.turn.outcome import NoticeCode
from memory.turn.state import Turn
from memory.turn.write import finish_unkept, spool, write_reply

ENDINGS = {
    "rounds": NoticeCode.TOO_MANY_STEPS,
    "refusal": NoticeCode.MODEL_REFUSED,
    "max_tokens": NoticeCode.CUT_OFF,
}

log = logging.getLogger(__name__)


async def answer(turn: Turn, card_answer: CardAnswer | None) -> None:
    """With everything that is remembered; what there is of an answer is written down, also when it breaks off."""
    notes = [] if card_answer is None or card_answer.rejected is None else [prompt("note_declined").strip()]
    try:
        bundle = await _bundle(turn, ())
    except DatabaseAway:
        turn.chat.runtime.outage.notice()
        await answer_without_memory(turn, recorded=True)
        return
    turn.outcome.recalled = bool(bundle.items(SectionName.RETRIEVED_EVIDENCE))
    call = _call(turn, bundle, notes)
    caller = _caller(turn, bundle, await _choices(turn, bundle))
    result = await _converse(turn, call, caller)
    sensitive = turn.prepared.is_sensitive or caller.touched_sensitive or result.repeats(bundle.sensitive)
    caller.recalled |= await in_thread(len(result.text), used, bundle, result.text, turn.prepared.text)
    await write_reply(turn, result, call, sensitive=sensitive, recalled=caller.recalled)
    turn.chat.runtime.nudge(turn.chat.viewer)


async def answer_unkept(turn: Turn) -> None:
    """With everything that is remembered, and nothing is written down but what it cost."""
    try:
        bundle = await _bundle(turn, _heard(turn))
    except DatabaseAway:
        turn.chat.runtime.outage.notice()
        bundle = _bare_bundle(turn)
    call = _call(turn, bundle, [])
    result = await _converse(turn, call, replace(_caller(turn, bundle, bundle.choices), keeps=False))
    turn.hear(result)
    await finish_unkept(turn, call)


async def answer_without_memory(turn: Turn, *, recorded: bool) -> None:
    """From the last messages in RAM, because the database is away; what is said goes into the spool."""
    chat = turn.chat
    if chat.runtime.outage.tell(chat.key):
        turn.outcome.notice(NoticeCode.MEMORY_AWAY)
    with chat.runtime.outage.talking(chat.key):
        bundle = _bare_bundle(turn)
        caller = replace(_caller(turn, bundle, bundle.choices), memory_away=True)
        result = await _converse(turn, _call(turn, bundle, [prompt("note_away").strip()]), caller)
        turn.hear(result)
        heard = chat.runtime.recent.messages(chat.conversation_id)
        before = [] if recorded else [(turn.prepared.event.id, turn.prepared.event.ts, turn.draft)]
        await spool(turn, result, before, sensitive=any(each.is_sensitive for each in heard))
    await turn.keep_outcome(None, turn.outcome)


async def _converse(turn: Turn, call: Call, caller: Caller) -> LoopResult:
    chat, outcome, result = turn.chat, turn.outcome, LoopResult()
    try:
        with chat.runtime.metrics.turn(call, result):
            await converse(chat.runtime.brain, call, chat.tools, caller, turn.show, result)
    except ModelAway as trouble:
        outcome.fail(NoticeCode.MODEL_AWAY if chat.kept else NoticeCode.MODEL_AWAY_UNKEPT, error=trouble)
    except KeyMissing as trouble:
        outcome.fail(NoticeCode.REFUSED, error=trouble)
    except (DatabaseAway, WriteRefused) as trouble:
        log.warning("an answer broke off: %s", type(trouble).__name__)
        outcome.fail(NoticeCode.ANSWER_NOT_KEPT)
    except asyncio.CancelledError:
        if chat.kept and turn.message.update_id is None:  # nobody takes it up again
            sensitive = turn.prepared.is_sensitive
            await asyncio.shield(write_reply(turn, result, call, sensitive=sensitive, recalled=()))
        raise
    if result.ended in ENDINGS:
        outcome.notice(ENDINGS[result.ended])
    outcome.text = result.text
    return result


def _shape(turn: Turn) -> Shape:
    return replace(turn.chat.runtime.shape, spent=spent_on_every_call(turn.chat.tools))


async def _bundle(turn: Turn, heard: Sequence[WindowLine]) -> Bundle:
    chat, shape = turn.chat, _shape(turn)
    return await build_bundle(
        chat.runtime.memory,
        chat.runtime.vectors,
        _reader(chat.viewer),
        chat.conversation_id,
        turn.prepared.text,
        intent="chat",
        max_tokens=shape.max_tokens,
        now=turn.now,
        shape=shape,
        without_event=turn.prepared.event.id,
        sensitive=turn.prepared.is_sensitive,
        heard=heard,
    )


def _bare_bundle(turn: Turn) -> Bundle:
    return bare_bundle(_heard(turn), _shape(turn), turn.now, Choices("UTC", Mode.CONFIRM, frozenset()))


async def _choices(turn: Turn, bundle: Bundle) -> Choices:
    """What the speaker chose; in a group the bundle is the group's."""
    if not turn.chat.viewer.is_aloud:
        return bundle.choices
    async with turn.chat.runtime.memory.unit(turn.chat.viewer, read_only=True) as unit:
        return await choices_of(unit.session, unit.viewer)


def _call(turn: Turn, bundle: Bundle, notes: Sequence[str]) -> Call:
    shape, event = _shape(turn), turn.prepared.event
    newest = message_item(event.id, True, turn.prepared.text, (), shape.payload, frame=frame(event.content))
    tools = specs_of(turn.chat.tools)
    return call_for(bundle, prompt("instructions"), tools, notes, newest, most_tokens=shape.budget)


def _caller(turn: Turn, bundle: Bundle, choices: Choices) -> Caller:
    chat, prepared = turn.chat, turn.prepared
    return Caller(
        memory=chat.runtime.memory,
        viewer=chat.viewer,
        event_id=prepared.event.id,
        message=prepared.text[:LONGEST_READ] if turn.message.is_own else "",
        now=turn.now,
        choices=choices,
        receipts=turn.outcome.receipts,
        cards=turn.outcome.cards,
        touched_sensitive=prepared.is_sensitive,
        conversation_id=chat.conversation_id,
        shown=bundle.refs | {prepared.event.id},
        sensitive=bundle.sensitive,
        vectors=chat.runtime.vectors,
        patience=chat.runtime.shape.deadline,
    )


def _heard(turn: Turn) -> list[WindowLine]:
    """The last words in RAM, as lines of a window; they have no event."""
    messages = turn.chat.runtime.recent.messages(turn.chat.conversation_id)
    return [WindowLine("", heard.by_human, heard.text, (), frame=heard.frame) for heard in messages]


def _reader(viewer: Viewer) -> Viewer:
    """In a group the viewer is the space, not the speaker."""
    return replace(viewer, user=None) if viewer.is_aloud else viewer


@cache
def specs_of(tools: tuple[Tool, ...]) -> tuple[ToolSpec, ...]:
    return tuple(tool.spec for tool in tools)


@cache
def spent_on_every_call(tools: tuple[Tool, ...] = TOOLS) -> int:
    """Tokens of the instructions and the tools."""
    return request_tokens(Request(prompt("instructions"), "", (), specs_of(tools)))
