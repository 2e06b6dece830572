"""One reply: what the brain gets to see, what it does, and what is written down of it."""

import asyncio
import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from bot.beside import tell_beside
from bot.language import spoken, texts
from db.ids import timed_id
from db.queries.people import Choices, choices_of
from db.queries.proposals import hang_on
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind, Mode
from memory.agent import Outcome, Round, Show, converse
from memory.answering import Answered
from memory.aside import aside
from memory.brain import AGENT, Request, ToolSpec
from memory.catching_up import later_events
from memory.context.build import Bundle, Shape, bare_bundle, build_bundle
from memory.context.calls import Call, call_for, keep_call, request_tokens
from memory.context.gather import Line
from memory.context.items import message_item
from memory.context.sections import SectionName
from memory.errors import DatabaseAway, KeyMissing, ModelAway, WriteRefused
from memory.prices import read_prices
from memory.prompts import prompt
from memory.recalling import mark, used
from memory.recent import Heard
from memory.record import Draft, Prepared, prepare, record
from memory.said import frame
from memory.sentences import LONGEST_READ
from memory.steps import call_draft, result_draft
from memory.tools import TOOLS, Caller, Tool
from memory.unit import Unit
from memory.usage import keep_usage

if TYPE_CHECKING:
    from bot.turn import Chat, Finish, Said, Words

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Turn:
    """A message on its way to its answer."""

    chat: "Chat"
    words: "Words"
    message: Prepared
    draft: Draft
    now: datetime
    said: "Said"
    show: Show
    finish: "Finish"

    async def answer(self, answered: Answered | None) -> None:
        """With everything that is remembered; what there is of an answer is written down, also when it breaks off."""
        notes = [] if answered is None or answered.rejected is None else [prompt("note_declined").strip()]
        try:
            bundle = await self._bundle(())
        except DatabaseAway:
            self.chat.house.outage.notice()
            await self.answer_without_memory(recorded=True)
            return
        self.said.recalled = bool(bundle.items(SectionName.RETRIEVED_EVIDENCE))
        call = self._call(bundle, notes)
        caller = self._caller(bundle, await self._choices(bundle))
        outcome = await self._converse(call, caller)
        sensitive = self.message.is_sensitive or caller.touched_sensitive or outcome.repeats(bundle.sensitive)
        caller.recalled |= await aside(len(outcome.text), used, bundle, outcome.text, self.message.text)
        await self._write_down(outcome, call, sensitive=sensitive, recalled=caller.recalled)
        self.chat.house.nudge(self.chat.viewer)

    async def answer_unkept(self) -> None:
        """With everything that is remembered, and nothing is written down but what it cost."""
        chat = self.chat
        heard = self._heard()
        try:
            bundle = await self._bundle(heard)
        except DatabaseAway:
            chat.house.outage.notice()
            bundle = self._bare_bundle()
        call = self._call(bundle, [])
        outcome = await self._converse(call, replace(self._caller(bundle, bundle.choices), keeps=False))
        self._hear(outcome)
        await self._finished(call)

    async def answer_without_memory(self, *, recorded: bool) -> None:
        """From the last messages in RAM, because the database is away; what is said goes into the spool."""
        chat = self.chat
        if chat.house.outage.tell(chat.key):
            self.said.notices.append(texts.CANNOT_REMEMBER)
        with chat.house.outage.talking(chat.key):
            bundle = self._bare_bundle()
            caller = replace(self._caller(bundle, bundle.choices), memory_away=True)
            outcome = await self._converse(self._call(bundle, [prompt("note_away").strip()]), caller)
            self._hear(outcome)
            heard = chat.house.recent.messages(chat.conversation_id)
            before = [] if recorded else [(self.message.event.id, self.message.event.ts, self.draft)]
            await self._spool(outcome, before, sensitive=any(each.is_sensitive for each in heard))
        await self.finish(None, self.said)

    async def _converse(self, call: Call, caller: Caller) -> Outcome:
        outcome = Outcome()
        try:
            with self.chat.house.metrics.turn(call, outcome):
                await converse(self.chat.house.brain, call, self.chat.tools, caller, self.show, outcome)
        except ModelAway as trouble:
            told = texts.MODEL_AWAY if self.chat.kept else texts.MODEL_AWAY_UNKEPT
            self.said.fail(told.format(why=spoken(trouble)))
        except KeyMissing as trouble:
            self.said.fail(spoken(trouble))
        except (DatabaseAway, WriteRefused) as trouble:
            log.warning("an answer broke off: %s", type(trouble).__name__)
            self.said.fail(texts.ANSWER_NOT_KEPT)
        except asyncio.CancelledError:
            if self.chat.kept and self.words.update_id is None:  # nobody takes it up again
                await asyncio.shield(self._write_down(outcome, call, sensitive=self.message.is_sensitive, recalled=()))
            raise
        if outcome.ended in (endings := _endings()):
            self.said.notices.append(endings[outcome.ended])
        self.said.text = outcome.text
        return outcome

    async def _write_down(self, outcome: Outcome, call: Call, *, sensitive: bool, recalled: Collection[str]) -> None:
        """The steps and the reply, the cards that hang on it, and how the call can be rendered again."""
        said, chat = self.said, self.chat
        drafts = [draft for each in outcome.rounds for draft in _steps(each)]
        steps = len(drafts)
        if outcome.text or said.cards:
            content = {"text": outcome.text, "ended": outcome.ended}
            refs = (call.bundle.id,) if call.rounds else ()
            drafts.append(Draft(ActorType.AGENT, AGENT, EventKind.MESSAGE, content, refs=refs))
        now = datetime.now(UTC)
        prepared = [await aside(len(str(draft.content)), prepare, draft, now, sensitive=sensitive) for draft in drafts]
        self._hear(outcome)
        try:
            async with chat.house.memory.unit(chat.viewer, now=now) as unit:
                if prepared:
                    await record(unit, chat.conversation_id, prepared)
                if len(prepared) > steps:
                    said.event_id = prepared[-1].event.id
                if said.cards:
                    ids = [card.row.id for card in said.cards]
                    await hang_on(unit.session, unit.viewer, ids, prepared[-1].event.id)
                if call.rounds:
                    await keep_call(unit, call, chat.conversation_id, [each.event.id for each in prepared[:steps]])
                await self._keep_usage(unit, call)
                await mark(unit, recalled)
                await tell_beside(unit, said)
                await self.finish(unit, said)
        except (DatabaseAway, WriteRefused) as trouble:
            log.warning("an answer was not kept: %s", type(trouble).__name__)
            chat.house.metrics.failed("answer_not_kept")
            if isinstance(trouble, DatabaseAway):
                chat.house.outage.notice()
                with chat.house.outage.talking(chat.key):
                    reply_id = prepared[-1].event.id if len(prepared) > steps else None
                    await self._spool(outcome, [], reply_id, sensitive=sensitive)
            said.event_id = None
            said.fail(texts.ANSWER_NOT_KEPT)
            await self.finish(None, said)

    async def _keep_usage(self, unit: Unit, call: Call) -> None:
        prices = read_prices(self.chat.house.settings.prices)
        await keep_usage(unit, self.chat.conversation_id, call.spent, prices)

    async def _finished(self, call: Call) -> None:
        """What is said is kept until it is sent, where the database is there to keep it."""
        try:
            async with self.chat.house.memory.unit(self.chat.viewer) as unit:
                await self._keep_usage(unit, call)
                await self.finish(unit, self.said)
        except DatabaseAway:
            await self.finish(None, self.said)

    async def _spool(
        self,
        outcome: Outcome,
        before: list[tuple[str, datetime, Draft]],
        reply_id: str | None = None,
        *,
        sensitive: bool,
    ) -> None:
        """The reply keeps its id: nobody knows whether a commit whose answer never came took place."""
        now = datetime.now(UTC)
        drafts = list(before)
        if outcome.text:
            content = {"text": outcome.text, "ended": outcome.ended}
            draft = Draft(ActorType.AGENT, AGENT, EventKind.MESSAGE, content, sensitive=sensitive)
            drafts.append((reply_id or timed_id("evt", now), now, draft))
        spool = self.chat.house.spool
        if spool is not None and drafts:
            entry = later_events(self.chat.viewer, self.chat.conversation_id, self.chat.key, drafts)
            await asyncio.to_thread(spool.add, entry)

    @property
    def _shape(self) -> Shape:
        return replace(self.chat.house.shape, spent=spent_on_every_call(self.chat.tools))

    async def _bundle(self, heard: Sequence[Line]) -> Bundle:
        chat, shape = self.chat, self._shape
        return await build_bundle(
            chat.house.memory,
            chat.house.vectors,
            _reader(chat.viewer),
            chat.conversation_id,
            self.message.text,
            intent="chat",
            max_tokens=shape.max_tokens,
            now=self.now,
            shape=shape,
            without_event=self.message.event.id,
            sensitive=self.message.is_sensitive,
            heard=heard,
        )

    def _bare_bundle(self) -> Bundle:
        return bare_bundle(self._heard(), self._shape, self.now, Choices("UTC", Mode.CONFIRM, frozenset()))

    async def _choices(self, bundle: Bundle) -> Choices:
        """What the speaker chose; in a group the bundle is the group's."""
        if not self.chat.viewer.is_aloud:
            return bundle.choices
        async with self.chat.house.memory.unit(self.chat.viewer, read_only=True) as unit:
            return await choices_of(unit.session, unit.viewer)

    def _call(self, bundle: Bundle, notes: Sequence[str]) -> Call:
        shape, event = self._shape, self.message.event
        newest = message_item(event.id, True, self.message.text, (), shape.payload, frame=frame(event.content))
        return call_for(
            bundle, prompt("instructions"), specs_of(self.chat.tools), notes, newest, most_tokens=shape.budget
        )

    def _caller(self, bundle: Bundle, choices: Choices) -> Caller:
        chat, own = self.chat, self.message.text[:LONGEST_READ] if self.words.is_own else ""
        return Caller(
            memory=chat.house.memory,
            viewer=chat.viewer,
            event_id=self.message.event.id,
            message=own,
            now=self.now,
            choices=choices,
            receipts=self.said.receipts,
            cards=self.said.cards,
            touched_sensitive=self.message.is_sensitive,
            conversation_id=chat.conversation_id,
            shown=bundle.refs | {self.message.event.id},
            sensitive=bundle.sensitive,
            vectors=chat.house.vectors,
            patience=chat.house.shape.deadline,
        )

    def _hear(self, outcome: Outcome) -> None:
        recent, here, person = self.chat.house.recent, self.chat.conversation_id, self.chat.viewer.person
        sealed = self.message.is_sensitive
        recent.add(here, Heard(True, self.message.text, frame(self.message.event.content), person, sealed))
        if outcome.text:
            recent.add(here, Heard(False, outcome.text, "", person, sealed))

    def _heard(self) -> list[Line]:
        """The last words in RAM, as lines of a window; they have no event."""
        said = self.chat.house.recent.messages(self.chat.conversation_id)
        return [Line("", heard.by_human, heard.text, (), frame=heard.frame) for heard in said]


def _reader(viewer: Viewer) -> Viewer:
    """In a group the viewer is the space, not the speaker."""
    return replace(viewer, user=None) if viewer.is_aloud else viewer


def _endings() -> dict[str, str]:
    return {"rounds": texts.TOO_MANY_STEPS, "refusal": texts.REFUSED, "max_tokens": texts.CUT_OFF}


@cache
def specs_of(tools: tuple[Tool, ...]) -> tuple[ToolSpec, ...]:
    return tuple(tool.spec for tool in tools)


@cache
def spent_on_every_call(tools: tuple[Tool, ...] = TOOLS) -> int:
    """Tokens of the instructions and the tools."""
    return request_tokens(Request(prompt("instructions"), "", (), specs_of(tools)))


def _steps(each: Round) -> Iterator[Draft]:
    """A round's calls with their results; one that broke off has fewer results than calls."""
    for number, call in enumerate(each.calls):
        yield call_draft(call, AGENT, each.said if number == 0 else "")
    for result in each.results:
        yield result_draft(result, AGENT)
