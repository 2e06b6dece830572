"""A person's chat with the assistant. Front ends pass messages to it."""

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
from memory.turn.answer import answer, answer_unsaved, answer_without_memory
from memory.turn.card_answers import CardAnswer
from memory.turn.outcome import KeepOutcome, NoticeCode, Outcome, discard_outcome
from memory.turn.state import ChatState, Turn, UserMessage
from memory.turn.store_message import store_message
from memory.unit import Unit

T = TypeVar("T")


@dataclass(slots=True)
class Chat(ChatState):
    """A conversation, with the operations a front end needs."""

    is_local: bool = False
    """Whether the person uses this machine's terminal and may name local files."""
    upload: tuple[str, bytes] | None = None
    """A file attached to the message."""
    unit: Unit | None = None
    """The transaction that `transaction()` has open, if any."""

    async def begin(self, *, name: str, timezone: str) -> None:
        """Register the person and start a conversation."""
        async with self.runtime.memory.unit(self.viewer) as unit:
            await welcome(unit.session, self.viewer, name=name, timezone=timezone, now=unit.now)
        await self.new_conversation()

    async def new_conversation(self, *, space: str | None = None, kept: bool | None = None) -> None:
        """Start a new conversation with its own snapshot, in this space or another of the person's spaces.

        Purges facts whose undo period has passed. `kept` None leaves it unchanged.
        """
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
        ended_id = self.conversation_id
        await self.do(lambda unit: end_conversation(unit.session, unit.viewer, ended_id, unit.now))
        self.runtime.recent.forget(ended_id)

    async def do(
        self, work: Callable[[Unit], Awaitable[T]], *, viewer: Viewer | None = None, savepoint: bool = True
    ) -> T:
        """Run `work` in a unit as this person. If the database is away, revive it and retry once.

        Inside `transaction()` the work gets a savepoint. Creating a space must pass `savepoint=False`: the founder can
        join only under the transaction id that created the space, and a savepoint has its own.
        """
        if self.unit is not None and not savepoint:
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
    async def transaction(self) -> AsyncIterator[Unit]:
        """Run everything inside, including `do`, in one transaction."""
        async with self.runtime.memory.unit(self.viewer) as unit:
            self.unit = unit
            try:
                yield unit
            finally:
                self.unit = None

    def in_space(self, space: str) -> Viewer:
        return replace(self.viewer, space=space)

    @property
    def is_in_personal_space(self) -> bool:
        return self.viewer.place == personal_space(self.viewer.person)

    async def say(self, message: UserMessage | str, show: Show, keep_outcome: KeepOutcome = discard_outcome) -> Outcome:
        """Store a message, then answer it. While the database is away, answer it anyway and store it later."""
        message = UserMessage(message) if isinstance(message, str) else message
        turn = await self._turn(message, show, keep_outcome)
        if not self.kept:
            await answer_unsaved(turn)
        elif self.runtime.outage.is_active_for(self.key):
            await answer_without_memory(turn, recorded=False)
        else:
            await self._store_and_answer(turn)
        return turn.outcome

    async def _turn(self, message: UserMessage, show: Show, keep_outcome: KeepOutcome) -> Turn:
        """Prepare the message and redact secrets. Front ends with an inbox redact earlier; the terminal relies on
        this."""
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

    async def _store_and_answer(self, turn: Turn) -> None:
        earlier_notices = tuple(turn.outcome.notices)

        async def attempt(unit: Unit) -> CardAnswer | None:
            turn.outcome.reset(earlier_notices)
            return await store_message(unit, turn)

        try:
            card_answer = await self.do(attempt)
        except WriteRefused:
            await self._ensure_membership()
            raise
        except DatabaseAway:
            self.runtime.outage.report()
            turn.outcome.reset(earlier_notices)
            await answer_without_memory(turn, recorded=False)
            return
        if card_answer is None or card_answer.rejected:
            await answer(turn, card_answer)

    async def _ensure_membership(self) -> None:
        """If the person was removed from the current space, move to their personal space and raise `SpaceGone`."""
        if self.place is not None and self.viewer.is_aloud:
            return
        personal = personal_space(self.viewer.person)
        own_spaces = await self.do(spaces.own_spaces, viewer=self.in_space(personal))
        if all(space.id != self.viewer.place for space in own_spaces):
            await self.new_conversation(space=personal)
            raise spaces.SpaceGone

    async def mark_cards_shown(self, cards: Sequence[Card]) -> None:
        """Record that the person sees these cards. From now on a plain yes can accept them."""
        if cards:
            ids = [card.row.id for card in cards]
            await self.do(lambda unit: mark_shown(unit, ids, unit.now))
