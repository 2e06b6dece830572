"""One update on its way to an answer: the update, the answer, and how much of it was sent."""

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


class LeaseLost(Exception):
    """Another process holds the lease now and will finish the update."""


@dataclass(slots=True)
class Delivery:
    """`holder` is empty when the update has no row because the database was away."""

    runtime: Runtime
    sender: Sender
    store: InboxStore
    incoming: Incoming
    holder: str = ""
    is_resumed: bool = False
    """Whether an earlier attempt may have started on it."""
    answer: OutgoingAnswer | None = None
    sent: list[int] = field(default_factory=list)
    preview: int | None = None
    lease_expired: Callable[[], bool] = lambda: False
    is_erased: bool = False
    is_recorded: bool = True
    """False in a /private conversation, of which nothing may be stored."""
    is_last: bool = False
    """Whether its chat has no further open updates."""
    shown_at: datetime | None = None
    """When sending began. Cards count as shown from this moment on."""
    viewer: Viewer | None = None
    """The viewer that the reply's event belongs to."""

    @property
    def owner(self) -> Viewer:
        """The sender in their private chat."""
        return Viewer.in_private(self.runtime.settings.tenant, self.incoming.person)

    async def save_answer(self, unit: Unit | None, answer: OutgoingAnswer) -> None:
        """Store the answer in the caller's transaction, together with the reply's events or the effect of a command.
        From then on a retry sends this answer and computes no new one. Tools commit their own changes earlier."""
        self.answer = answer
        if unit is None or not self.holder:
            return
        sealed = self.store.seal(self.incoming.update_id, answer.model_dump_json())
        if not await inbox_store.save_answer(unit, self.incoming.update_id, self.holder, sealed):
            raise LeaseLost

    def open_answer(self, sealed: bytes | None) -> OutgoingAnswer | None:
        opened = self.store.open(self.incoming.update_id, sealed) if sealed else None
        return OutgoingAnswer.model_validate_json(opened) if opened else None

    async def save_preview(self, message_id: int) -> None:
        self.preview = message_id
        await self._mark(inbox_store.save_preview, message_id)

    async def deliver(self) -> None:
        """Send the remaining parts. A crash between sending a part and marking it sends that part twice."""
        assert self.answer
        if self.answer.query_id:
            await self.sender.alert(self.answer.query_id, self.answer.alert)
        parts = self.answer.parts
        self.shown_at = datetime.now(UTC)
        for number, part in enumerate(parts):
            if number < len(self.sent):
                continue
            if part.undelivered_text and 0 in self.sent:
                part = part.model_copy(update={"text": part.undelivered_text})
            try:
                preview = self.preview if number == 0 else None
                message_id = await self.sender.send(part, replaces=preview, check_lease=self._check_lease)
            except Unreachable:
                message_id = 0
            self.sent.append(message_id)
            if number + 1 < len(parts):  # `finish` marks the last part, which saves a transaction
                await self._mark(inbox_store.save_sent, self.sent[-1])

    def _check_lease(self) -> None:
        if self.lease_expired():
            raise LeaseLost

    async def finish(self) -> None:
        """Close the update: empty its payload and record which message carries which event."""
        if self.is_erased:
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
                await inbox_store.finish_update(unit, self.incoming.update_id, self.holder)
                place = self.incoming.place
                self.is_last = not self.incoming.in_group and not await inbox_store.has_more_updates(unit, place)

    async def _mark(self, mark: Callable[[Unit, int, str, int], Awaitable[bool]], message_id: int) -> None:
        """Skip the mark while the database is away; the reply matters more."""
        if not self.holder:
            return
        try:
            async with self.runtime.memory.unit(self.owner) as unit:
                await mark(unit, self.incoming.update_id, self.holder, message_id)
        except DatabaseAway:
            self.runtime.outage.report()

    def part(self, text: str, **more: object) -> OutgoingMessage:
        """Return a message to the chat that the update came from."""
        return OutgoingMessage(chat=self.incoming.chat, thread=self.incoming.thread, text=text, **more)  # type: ignore[arg-type]

    def in_private(self, part: OutgoingMessage) -> OutgoingMessage:
        """Return the same message, addressed to the sender's private chat."""
        return part.model_copy(update={"chat": self.incoming.user, "thread": None, "reply_to": None})
