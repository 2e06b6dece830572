"""One message through the house: written down, taken as the answer to a card or answered, and the answer written."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from bot import formatting, reply
from bot.language import spoken, texts
from db.ids import timed_id
from db.queries.conversations import end_conversation, start_conversation
from db.queries.facts import lock_facts_of
from db.queries.people import welcome
from db.queries.posts import add_post
from db.queries.proposals import mark_shown
from db.viewer import Viewer, personal_space
from db.vocabulary import ActorType, EventKind
from memory import spaces
from memory.agent import Show
from memory.answering import Answered, answer_card, can_answer
from memory.aside import aside
from memory.brain import AGENT
from memory.context.snapshot import pin_snapshot
from memory.errors import DatabaseAway, KeyMissing, Refused, WriteRefused
from memory.privacy.forget import purge_own
from memory.proposals import Card
from memory.receipts import Receipt
from memory.record import Draft, Prepared, prepare, record
from memory.tools import TOOLS, Tool
from memory.unit import Unit
from memory.wiring import House

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Words:
    """What a person says, and what the front end knows of it."""

    text: str
    told: Mapping[str, Any] = field(default_factory=dict)
    """Who spoke, what it answers, whose words it passes on, the file that came with it."""
    refs: tuple[str, ...] = ()
    update_id: int | None = None
    recorded: str | None = None
    """The event that it became when it was taken up before."""
    sent_at: datetime | None = None
    left_out: tuple[str, ...] = ()
    """Kinds of secrets that were taken out of it at the door."""
    post: int | None = None
    """Its number in the chat outside."""
    is_reply: bool = False
    """Whether it was written in answer to a message, which is among its `refs` if it is known."""
    only_named: bool = False
    """Whether nothing was said: a file came, and these words are its name."""

    @property
    def is_own(self) -> bool:
        return not self.told.get("forwarded_from") and not self.only_named


@dataclass(slots=True)
class Said:
    """What the user is told: the words of the answer, and what the program says besides."""

    text: str = ""
    event_id: str | None = None
    """The reply, where it is kept."""
    recalled: bool = False
    """Whether old messages were found for it."""
    receipts: list[Receipt] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    failed: bool = False

    def take_back(self, noticed: Sequence[str]) -> None:
        """What an attempt says that was never committed is not so; before it there were only these notices."""
        self.receipts.clear()
        self.notices[:] = noticed
        self.failed = False

    def fail(self, notice: str) -> None:
        self.failed = True
        self.notices.append(notice)


Finish = Callable[[Unit | None, Said], Awaitable[None]]
"""Called once, when all is said, inside the last transaction; without one when the database is away."""


async def nothing_more(_: Unit | None, __: Said) -> None:
    """Where what is said is shown at once, nobody has to keep it."""


@dataclass(slots=True)
class Chat:
    """One person's conversation with the assistant; in a group, their part in it."""

    house: House
    viewer: Viewer
    conversation_id: str = ""
    kept: bool = True
    """Whether anything of this conversation is written down."""
    place: str | None = None
    """The chat outside that it is held in."""
    is_local: bool = False
    """Whether the person sits at this machine, and may name files of it."""
    upload: tuple[str, bytes] | None = None
    """A file that came with the message."""
    tools: tuple[Tool, ...] = TOOLS
    unit: Unit | None = None
    """The transaction of a command that does several things at once."""

    async def begin(self, *, name: str, timezone: str) -> None:
        """Know the person, and start a conversation."""
        async with self.house.memory.unit(self.viewer) as unit:
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
        self.house.nudge(viewer)
        self.viewer, self.conversation_id, self.kept = viewer, conversation_id, kept

    async def end(self) -> None:
        """Nothing more is said in this conversation."""
        former = self.conversation_id
        await self.do(lambda unit: end_conversation(unit.session, unit.viewer, former, unit.now))
        self.house.recent.forget(former)

    async def do(self, work: Callable[[Unit], Awaitable[T]], *, viewer: Viewer | None = None, safe: bool = True) -> T:
        """One unit of work as this person; if the database was away, it is brought back and the work done again.
        Inside of another it has a savepoint, unless the wall wants to see the transaction itself."""
        if self.unit is not None and not safe:
            return await work(self.unit)
        if self.unit is not None:
            async with self.unit.elsewhere(viewer or self.unit.viewer) as unit:
                return await work(unit)

        async def attempt() -> T:
            async with self.house.memory.unit(viewer or self.viewer) as unit:
                return await work(unit)

        try:
            return await attempt()
        except DatabaseAway:
            await self.house.revive()
            return await attempt()

    @asynccontextmanager
    async def together(self) -> AsyncIterator[Unit]:
        """All that is done inside, as this person and here, is one transaction."""
        async with self.house.memory.unit(self.viewer) as unit:
            self.unit = unit
            try:
                yield unit
            finally:
                self.unit = None

    @property
    def key(self) -> str:
        """What the chat is known by where there is no database."""
        return self.place or self.conversation_id

    def in_space(self, space: str) -> Viewer:
        return replace(self.viewer, space=space)

    @property
    def is_at_home(self) -> bool:
        return self.viewer.place == personal_space(self.viewer.person)

    async def say(self, words: Words | str, show: Show, finish: Finish = nothing_more) -> Said:
        """Take one message and answer it. It is written down before the brain is asked; when the database is away,
        it is answered all the same, and written down later."""
        words = Words(words) if isinstance(words, str) else words
        said, now = Said(), datetime.now(UTC)
        content = {"text": words.text, **words.told}
        draft = Draft(
            ActorType.HUMAN,
            self.viewer.person,
            EventKind.MESSAGE,
            content,
            refs=words.refs,
            update_id=words.update_id,
        )
        message = await aside(len(words.text), prepare, draft, words.sent_at or now, event_id=words.recorded)
        left_out = (*words.left_out, *message.left_out)
        if left_out:
            said.notices.append(formatting.secrets_left_out(left_out))
        turn = reply.Turn(self, words, message, draft, now, said, show, finish)
        if not self.kept:
            await turn.answer_unkept()
        elif self.house.outage.is_on_for(self.key):
            await turn.answer_without_memory(recorded=False)
        else:
            noticed = tuple(said.notices)

            async def take(unit: Unit) -> Answered | None:
                said.take_back(noticed)
                return await self._take(unit, words, message, said, finish)

            try:
                answered = await self.do(take)
            except WriteRefused:
                await self._ensure_place()
                raise
            except DatabaseAway:
                self.house.outage.notice()
                said.take_back(noticed)
                await turn.answer_without_memory(recorded=False)
                return said
            if answered is None or answered.rejected:
                await turn.answer(answered)
        return said

    async def _take(self, unit: Unit, words: Words, message: Prepared, said: Said, finish: Finish) -> Answered | None:
        """Write the message down, and take it as the answer to a card where it is one: a yes is done when it is
        stored; a no is put aside, and what else it says goes to the brain."""
        if words.is_own and can_answer(message.text):
            await lock_facts_of(unit.session, unit.viewer)  # before the conversation, which the message takes
        if words.recorded is None:
            await record(unit, self.conversation_id, [message])
            if self.place and words.post:
                await add_post(unit.session, unit.viewer, self.place, words.post, message.event.id)
        if not words.is_own:
            return None
        receipts, notices = list[Receipt](), list[str]()
        try:
            async with unit.session.begin_nested():
                answers = words.refs if words.is_reply else None
                answered = await answer_card(unit, self.conversation_id, message, post=words.post, answers=answers)
        except (Refused, KeyMissing) as refusal:
            said.failed = True
            answered, notices = Answered(), [spoken(refusal)]
        if answered and answered.receipt:
            receipts = [answered.receipt]
        if answered and answered.rejected:
            notices = [texts.CARD_REJECTED]
        said.receipts[:], said.notices[:] = receipts, [*said.notices, *notices]
        if answered is not None and not answered.rejected:
            await finish(unit, said)
        return answered

    async def _ensure_place(self) -> None:
        """Who was removed from the space they talk in is led home, and told."""
        if self.place is not None and self.viewer.is_aloud:
            return
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
