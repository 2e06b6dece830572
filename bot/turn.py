"""One message through the house: written down, taken as the answer to a card or answered, and the answer written."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from typing import TypeVar

from bot import texts
from db.ids import timed_id
from db.queries.conversations import start_conversation
from db.queries.people import welcome
from db.queries.proposals import hang_on, mark_shown
from db.viewer import Viewer, personal_space
from db.vocabulary import ActorType, EventKind
from memory import spaces
from memory.agent import Outcome, Round, Show, converse
from memory.answering import Answered, answer_card
from memory.brain import Request
from memory.context.build import Bundle, build_bundle
from memory.context.calls import Call, call_for, keep_call, request_tokens
from memory.context.items import message_item
from memory.context.snapshot import pin_snapshot
from memory.errors import DatabaseAway, KeyMissing, ModelAway, Refused, WriteRefused
from memory.privacy.forget import purge_own
from memory.prompts import prompt
from memory.proposals import Card
from memory.receipts import Receipt
from memory.record import Draft, Prepared, prepare, record
from memory.retrieval.languages import telling
from memory.sentences import LONGEST_READ
from memory.steps import call_draft, result_draft
from memory.tools import TOOLS, Caller
from memory.unit import Unit
from memory.wiring import House

AGENT = "keepsake"
SPECS = tuple(tool.spec for tool in TOOLS)
ENDINGS = {"rounds": texts.TOO_MANY_STEPS, "refusal": texts.REFUSED, "max_tokens": texts.CUT_OFF}

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Said:
    """What the user is told besides the words of the answer."""

    receipts: list[Receipt] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    failed: bool = False

    def fail(self, notice: str) -> None:
        self.failed = True
        self.notices.append(notice)


@dataclass(slots=True)
class Chat:
    """One person's conversation with the assistant."""

    house: House
    viewer: Viewer
    conversation_id: str = ""

    async def begin(self, *, name: str, timezone: str) -> None:
        """Know the person, and start a conversation."""
        async with self.house.memory.unit(self.viewer) as unit:
            await welcome(unit.session, self.viewer, name=name, timezone=timezone, now=unit.now)
        await self.begin_anew()

    async def begin_anew(self, *, space: str | None = None) -> None:
        """A new conversation with its own snapshot, here or in another space of this person's; what they deleted long
        enough ago is purged on the way."""
        viewer = self.viewer if space is None else replace(self.viewer, space=space)
        conversation_id = timed_id("cnv", datetime.now(UTC))

        async def start(unit: Unit) -> None:
            await purge_own(unit)
            await start_conversation(
                unit.session, viewer, conversation_id=conversation_id, agent_id=AGENT, now=unit.now
            )
            await pin_snapshot(unit, conversation_id)

        await self.do(start, viewer=viewer)
        self.house.vectors.nudge(viewer)
        self.viewer, self.conversation_id = viewer, conversation_id

    async def do(self, work: Callable[[Unit], Awaitable[T]], *, viewer: Viewer | None = None) -> T:
        """One unit of work as this person; if the database was away, it is brought back and the work done again."""

        async def attempt() -> T:
            async with self.house.memory.unit(viewer or self.viewer) as unit:
                return await work(unit)

        try:
            return await attempt()
        except DatabaseAway:
            await self.house.revive()
            return await attempt()

    def in_space(self, space: str) -> Viewer:
        return replace(self.viewer, space=space)

    @property
    def is_at_home(self) -> bool:
        return self.viewer.place == personal_space(self.viewer.person)

    async def say(self, text: str, show: Show) -> Said:
        """Take one message and answer it. It is written down before the brain is asked, or this raises."""
        now = datetime.now(UTC)
        draft = Draft(ActorType.HUMAN, self.viewer.person, EventKind.MESSAGE, {"text": text})
        message = await asyncio.to_thread(prepare, draft, now)
        try:
            await self.do(lambda unit: record(unit, self.conversation_id, [message]))
        except WriteRefused:
            await self._ensure_place()
            raise
        said = Said()
        if message.left_out:
            said.notices.append(texts.secrets_left_out(message.left_out))
        try:
            answered = await self._answer_card(message, said)
            if answered is None or answered.rejected:
                await self._answer(message, now, said, show, answered)
        except ModelAway as trouble:
            said.fail(texts.MODEL_AWAY.format(why=trouble))
        except KeyMissing as trouble:
            said.fail(str(trouble))
        except (DatabaseAway, WriteRefused) as trouble:
            log.warning("an answer was not kept: %s", type(trouble).__name__)
            said.fail(texts.ANSWER_NOT_KEPT)
        return said

    async def _ensure_place(self) -> None:
        """Who was removed from the space they talk in is led home, and told."""
        home = personal_space(self.viewer.person)
        mine = await self.do(spaces.mine, viewer=self.in_space(home))
        if all(space.id != self.viewer.place for space in mine):
            await self.begin_anew(space=home)
            raise Refused(texts.SPACE_GONE)

    async def shown(self, cards: Sequence[Card]) -> None:
        """These cards are in front of the person now: from now on a plain yes can mean them."""
        if cards:
            ids = [card.row.id for card in cards]
            await self.do(lambda unit: mark_shown(unit.session, unit.viewer, ids, unit.now))

    async def _answer_card(self, message: Prepared, said: Said) -> Answered | None:
        """A yes is done when it is stored; a no is put aside, and what else it says goes to the brain."""
        try:
            answered = await self.do(lambda unit: answer_card(unit, self.conversation_id, message))
        except Refused as refusal:
            said.fail(str(refusal))
            return Answered()
        if answered and answered.receipt:
            said.receipts.append(answered.receipt)
        if answered and answered.rejected:
            said.notices.append(texts.CARD_REJECTED)
        return answered

    async def _answer(
        self, message: Prepared, now: datetime, said: Said, show: Show, answered: Answered | None
    ) -> None:
        """What there is of an answer is written down, also when it breaks off."""
        notes = [] if answered is None or answered.rejected is None else [texts.NOTE_REJECTED]
        shape = replace(self.house.shape, spent=spent_on_every_call())
        bundle = await build_bundle(
            self.house.memory,
            self.house.vectors,
            self.viewer,
            self.conversation_id,
            message.text,
            intent="chat",
            max_tokens=shape.max_tokens,
            now=now,
            shape=shape,
            without_event=message.event.id,
            sensitive=message.is_sensitive,
        )
        newest = message_item(message.event.id, True, message.text, (), shape.payload)
        call = call_for(bundle, prompt("instructions"), SPECS, notes, newest, most_tokens=shape.budget)
        caller = Caller(
            memory=self.house.memory,
            viewer=self.viewer,
            event_id=message.event.id,
            message=message.text[:LONGEST_READ],
            now=now,
            choices=bundle.choices,
            receipts=said.receipts,
            cards=said.cards,
            touched_sensitive=message.is_sensitive,
            conversation_id=self.conversation_id,
            shown=bundle.refs | {message.event.id},
            sensitive=bundle.sensitive,
            vectors=self.house.vectors,
            patience=shape.deadline,
        )
        outcome = Outcome()
        try:
            await converse(self.house.brain, call, TOOLS, caller, show, outcome)
        finally:
            sensitive = message.is_sensitive or caller.touched_sensitive or _repeats(outcome, bundle)
            await self._write_down(outcome, said.cards, call, sensitive=sensitive)
            self.house.vectors.nudge(self.viewer)
        if outcome.ended in ENDINGS:
            said.notices.append(ENDINGS[outcome.ended])

    async def _write_down(self, outcome: Outcome, cards: Sequence[Card], call: Call, *, sensitive: bool) -> None:
        """The steps and the reply, the cards that hang on it, and how the call can be rendered again."""
        drafts = [draft for each in outcome.rounds for draft in _steps(each)]
        steps = len(drafts)
        if outcome.text or cards:
            content = {"text": outcome.text, "ended": outcome.ended}
            drafts.append(Draft(ActorType.AGENT, AGENT, EventKind.MESSAGE, content))
        if not drafts and not call.rounds:
            return
        now = datetime.now(UTC)
        prepared = [await asyncio.to_thread(prepare, draft, now, sensitive=sensitive) for draft in drafts]
        async with self.house.memory.unit(self.viewer, now=now) as unit:
            await record(unit, self.conversation_id, prepared)
            if cards:
                ids = [card.row.id for card in cards]
                await hang_on(unit.session, unit.viewer, ids, prepared[-1].event.id)
            if call.rounds:
                await keep_call(unit, call, self.conversation_id, [each.event.id for each in prepared[:steps]])


@cache
def spent_on_every_call() -> int:
    """Tokens of the instructions and the tools."""
    return request_tokens(Request(prompt("instructions"), "", (), SPECS))


def _repeats(outcome: Outcome, bundle: Bundle) -> bool:
    """Whether the answer, or a call of a tool, has a telling word of something sensitive that stood in the request."""
    said = telling(f"{outcome.text} {outcome.rounds}")
    return any(telling(words) & said for words in bundle.sensitive)


def _steps(each: Round) -> Iterator[Draft]:
    """A round's calls with their results; one that broke off has fewer results than calls."""
    for number, call in enumerate(each.calls):
        yield call_draft(call, AGENT, each.said if number == 0 else "")
    for result in each.results:
        yield result_draft(result, AGENT)
