"""An update that is being answered: what it says, its answer, and the marks that let it be sent once."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.delivery.incoming import Incoming
from bot.delivery.messenger import Sender, Unreachable
from bot.delivery.outgoing import OutgoingAnswer, OutgoingMessage
from memory import Viewer
from memory.errors import DatabaseAway
from memory.events import inbox_store, posts
from memory.events.inbox_store import InboxStore
from memory.facts.proposals import mark_shown
from memory.unit import Unit
from memory.wiring import Runtime

Mark = Callable[[Unit, int, str, int], Awaitable[bool]]


class LeaseLost(Exception):
    """Another process has taken this over; whatever we were about to do is theirs to do now."""


@dataclass(slots=True)
class Delivery:
    """`holder` is empty where there is no row: the database was away when the update came."""

    runtime: Runtime
    sender: Sender
    store: InboxStore
    incoming: Incoming
    holder: str = ""
    resumed: bool = False
    """Whether somebody may have begun with it before."""
    answer: OutgoingAnswer | None = None
    sent: list[int] = field(default_factory=list)
    preview: int | None = None
    is_over: Callable[[], bool] = lambda: False
    """Whether our lease ran out while we were busy."""
    erased: bool = False
    kept: bool = True
    """Whether anything of its conversation may be written down."""
    is_last: bool = False
    """Whether nothing more waits in its chat."""
    shown_at: datetime | None = None
    """When the sending began: whatever is answered below what was sent, was answered after it."""
    viewer: Viewer | None = None
    """As whom the event of the reply was written."""

    @property
    def owner(self) -> Viewer:
        """The sender, alone with the assistant."""
        return Viewer.in_private(self.runtime.settings.tenant, self.incoming.person)

    async def keep(self, unit: Unit | None, answer: OutgoingAnswer) -> None:
        """From here on the update is answered so, whatever happens. It is committed with the reply's events and
        with what a command or a button did; what a tool stored is committed before, by the tool."""
        self.answer = answer
        if unit is None or not self.holder:
            return
        sealed = self.store.sealed(self.incoming.update_id, answer.model_dump_json())
        if not await inbox_store.keep_answer(unit, self.incoming.update_id, self.holder, sealed):
            raise LeaseLost

    def open_answer(self, sealed: bytes | None) -> OutgoingAnswer | None:
        opened = self.store.opened(self.incoming.update_id, sealed) if sealed else None
        return OutgoingAnswer.model_validate_json(opened) if opened else None

    async def keep_preview(self, message_id: int) -> None:
        self.preview = message_id
        await self._mark(inbox_store.keep_preview, message_id)

    async def deliver(self) -> None:
        """Send what has not been sent yet. A kill between being sent and being marked doubles that one message."""
        assert self.answer
        if self.answer.query_id:
            await self.sender.alert(self.answer.query_id, self.answer.alert)
        parts = self.answer.parts
        self.shown_at = datetime.now(UTC)
        for number, part in enumerate(parts):
            if number < len(self.sent):
                continue
            if part.otherwise and 0 in self.sent:
                part = part.model_copy(update={"text": part.otherwise})
            try:
                instead_of = self.preview if number == 0 else None
                message_id = await self.sender.carry(part, instead_of=instead_of, ensure=self._ensure_ours)
            except Unreachable:
                message_id = 0
            self.sent.append(message_id)
            if number + 1 < len(parts):  # the last one is marked by `finish`, which saves a transaction
                await self._mark(inbox_store.keep_sent, self.sent[-1])

    def _ensure_ours(self) -> None:
        if self.is_over():
            raise LeaseLost

    async def finish(self) -> None:
        """The update is done and emptied, and what was sent is known by its number."""
        if self.erased:
            return
        viewer = self.viewer or self.owner
        async with self.runtime.memory.unit(viewer) as unit:
            for part, message_id in zip(self.answer.parts if self.answer else (), self.sent, strict=False):
                if message_id and part.event_id:
                    place = (
                        self.incoming.place if part.chat == self.incoming.chat else self.incoming.place_of(part.chat)
                    )
                    await posts.add_post(unit, place, message_id, part.event_id)
                if message_id and part.cards:
                    await mark_shown(unit, part.cards, self.shown_at or unit.now)
            if self.holder:
                await inbox_store.finish(unit, self.incoming.update_id, self.holder)
                place = self.incoming.place
                self.is_last = not self.incoming.in_group and not await inbox_store.more_waits(unit, place)

    async def _mark(self, mark: Mark, message_id: int) -> None:
        """A mark that cannot be made now is not worth the reply."""
        if not self.holder:
            return
        try:
            async with self.runtime.memory.unit(self.owner) as unit:
                await mark(unit, self.incoming.update_id, self.holder, message_id)
        except DatabaseAway:
            self.runtime.outage.notice()

    def part(self, text: str, **more: object) -> OutgoingMessage:
        """A message into the chat that the update came from."""
        return OutgoingMessage(chat=self.incoming.chat, thread=self.incoming.thread, text=text, **more)  # type: ignore[arg-type]

    def in_private(self, part: OutgoingMessage) -> OutgoingMessage:
        """The same message, into the private chat with its owner."""
        return part.model_copy(update={"chat": self.incoming.user, "thread": None, "reply_to": None})
