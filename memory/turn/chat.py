"""A person's chat with the assistant: what a front end holds, begins, and says messages to."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar

from db.ids import timed_id
from db.queries.events.conversations import end_conversation, start_conversation
from db.queries.people.people import welcome
from db.viewer import Viewer, personal_space
from db.vocabulary import ActorType, EventKind
from memory.concurrency.in_thread import in_thread
from memory.context.snapshot import pin_snapshot
from memory.errors import DatabaseAway, WriteRefused
from memory.events.record import EventDraft, prepare
from memory.facts.proposals import Card, mark_shown
from memory.model.brain import AGENT
from memory.model.loop import Show
from memory.people import spaces
from memory.privacy.forgetting.forget import purge_own
from memory.turn.answer import answer, answer_unkept, answer_without_memory
from memory.turn.card_answers import CardAnswer
from memory.turn.outcome import KeepOutcome, NoticeCode, Outcome, nothing_more
from memory.turn.state import ChatState, Turn, UserMessage
from memory.turn.take import take
from memory.unit import Unit

T = TypeVar("T")


@dataclass(slots=True)
class Chat(ChatState):
    """A conversation that one can talk in."""

    is_local: bool = False
    """Whether the person sits at this machine, and may name files of it."""
    upload: tuple[str, bytes] | None = None
    """A file that came with the message."""
    unit: Unit | None = None
    """The transaction of a command that does several things at once."""

    async def begin(self, *, name: str, timezone: str) -> None:
        """Know the person, and start a conversation."""
        async with self.runtime.memory.unit(self.viewer) as unit:
            await welcome(unit.session, self.viewer, name=name, timezone=timezone, now=unit.now)
        await self.begin_anew()

    async def begin_anew(self, *, space: str | None = None, kept: bool | None = None) -> None:
        """A new conversation with its own snapshot, here or in another space of this person's; what they deleted long
        enough ago is purged on the way. Whether anything is kept changes only when somebody says so."""
        kept = self.kept if kept is None else kept
        viewer = self.viewer if space is None else replace(self.viewer, space=space)
        conversation_id = timed_id("cnv", datetime.now(UTC))

        async def start(unit: Unit) -> None:
            await purge_own(unit)
            await start_conversation(
                unit.session,
                viewer,
                conversation_id=conversation_id,
                agent_id=AGENT,
                now=unit.now,
                chat=self.place,
                kept=kept,
            )
            await pin_snapshot(unit, conversation_id)

        if self.conversation_id:
            await self.end()
        await self.do(start, viewer=viewer)
        self.runtime.nudge(viewer)
        self.viewer, self.conversation_id, self.kept = viewer, conversation_id, kept

    async def end(self) -> None:
        """Nothing more is said in this conversation."""
        former = self.conversation_id
        await self.do(lambda unit: end_conversation(unit.session, unit.viewer, former, unit.now))
        self.runtime.recent.forget(former)

    async def do(self, work: Callable[[Unit], Awaitable[T]], *, viewer: Viewer | None = None, safe: bool = True) -> T:
        """One unit of work as this person; if the database was away, it is brought back and the work done again.
        Inside of another it has a savepoint, unless the wall wants to see the transaction itself."""
        if self.unit is not None and not safe:
            return await work(self.unit)
        if self.unit is not None:
            async with self.unit.as_viewer(viewer or self.unit.viewer) as unit:
                return await work(unit)

        async def attempt() -> T:
            async with self.runtime.memory.unit(viewer or self.viewer) as unit:
                return await work(unit)

        try:
            return await attempt()
        except DatabaseAway:
            await self.runtime.revive()
            return await attempt()

    @asynccontextmanager
    async def together(self) -> AsyncIterator[Unit]:
        """All that is done inside, as this person and here, is one transaction."""
        async with self.runtime.memory.unit(self.viewer) as unit:
            self.unit = unit
            try:
                yield unit
            finally:
                self.unit = None

    def in_space(self, space: str) -> Viewer:
        return replace(self.viewer, space=space)

    @property
    def is_at_home(self) -> bool:
        return self.viewer.place == personal_space(self.viewer.person)

    async def say(self, message: UserMessage | str, show: Show, keep_outcome: KeepOutcome = nothing_more) -> Outcome:
        """Take one message and answer it. It is written down before the brain is asked; when the database is away,
        it is answered all the same, and written down later."""
        message = UserMessage(message) if isinstance(message, str) else message
        turn = await self._turn(message, show, keep_outcome)
        if not self.kept:
            await answer_unkept(turn)
        elif self.runtime.outage.is_on_for(self.key):
            await answer_without_memory(turn, recorded=False)
        else:
            await self._take_and_answer(turn)
        return turn.outcome

    async def _turn(self, message: UserMessage, show: Show, keep_outcome: KeepOutcome) -> Turn:
        """The message, cleaned and without secrets. A front end that writes down what comes has taken them out before;
        the terminal has not, and no front end need be trusted with it."""
        now = datetime.now(UTC)
        draft = EventDraft(
            ActorType.HUMAN,
            self.viewer.person,
            EventKind.MESSAGE,
            {"text": message.text, **message.details},
            refs=message.refs,
            update_id=message.update_id,
        )
        prepared = await in_thread(len(message.text), prepare, draft, message.sent_at or now, event_id=message.recorded)
        turn = Turn(self, message, prepared, draft, now, Outcome(), show, keep_outcome)
        if left_out := (*message.left_out, *prepared.left_out):
            turn.outcome.notice(NoticeCode.SECRETS_LEFT_OUT, kinds=left_out)
        return turn

    async def _take_and_answer(self, turn: Turn) -> None:
        notices = tuple(turn.outcome.notices)

        async def attempt(unit: Unit) -> CardAnswer | None:
            turn.outcome.take_back(notices)
            return await take(unit, turn)

        try:
            card_answer = await self.do(attempt)
        except WriteRefused:
            await self._ensure_place()
            raise
        except DatabaseAway:
            self.runtime.outage.notice()
            turn.outcome.take_back(notices)
            await answer_without_memory(turn, recorded=False)
            return
        if card_answer is None or card_answer.rejected:
            await answer(turn, card_answer)

    async def _ensure_place(self) -> None:
        """Who was removed from the space they talk in is led home, and told."""
        if self.place is not None and self.viewer.is_aloud:
            return
        home = personal_space(self.viewer.person)
        mine = await self.do(spaces.mine, viewer=self.in_space(home))
        if all(space.id != self.viewer.place for space in mine):
            await self.begin_anew(space=home)
            raise spaces.SpaceGone

    async def shown(self, cards: Sequence[Card]) -> None:
        """These cards are in front of the person now: from now on a plain yes can mean them."""
        if cards:
            ids = [card.row.id for card in cards]
            await self.do(lambda unit: mark_shown(unit, ids, unit.now))
