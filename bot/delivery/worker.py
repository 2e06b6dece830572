"""The durable inbox: an update is written down before it is acknowledged, and dealt with once, in order in its chat.

Any number of processes may share it. A lease on the oldest open update of a chat keeps the others from that chat.
"""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial

from bot.delivery.delivery import Delivery, LeaseLost
from bot.delivery.incoming import Incoming
from bot.delivery.messenger import MessengerAway, Sender
from bot.language import speaking
from memory import Claimed, Viewer
from memory.errors import DatabaseAway
from memory.events.inbox_store import InboxStore
from memory.outage.catching_up import later_number
from memory.wiring import Runtime

MOST_FAILURES, MOST_ATTEMPTS = 3, 10
LOOK_AGAIN = 1.0
MOST_FRESH = 5_000  # updates in RAM that nobody of this process has taken up yet; another one may
SECONDS_TO_DELIVER = 2.0

Handle = Callable[[Delivery], Awaitable[None]]
"""Leaves what an update is answered with in `delivery.answer`; for Telegram `Dispatcher.handle` and `give_up`."""

log = logging.getLogger(__name__)


class InboxWorker:
    def __init__(self, runtime: Runtime, sender: Sender, handle: Handle, give_up: Handle) -> None:
        self._house = runtime
        self.sender = sender
        self._handle = handle
        self._give_up = give_up
        self._tenant = runtime.settings.tenant
        self._lease = timedelta(seconds=runtime.settings.lease_seconds)
        self.store = InboxStore(runtime.memory, self._tenant, self._lease)
        self._woken = asyncio.Event()
        self._fresh: OrderedDict[int, Incoming] = OrderedDict()
        self._working: dict[int, asyncio.Task[None]] = {}
        self._delivering: set[int] = set()
        self._last: dict[int, str] = {}
        """Updates after which nothing waits in their chats, so that nobody need look."""
        self._is_full = False
        self._let_go: dict[int, tuple[Claimed, Viewer]] = {}
        self._held_until: dict[int, float] = {}
        self.settled: set[int] = set()
        """Answered while the database was away."""

    async def write_down(self, incoming: Incoming) -> None:
        """After this it is safe, and will be answered. Raises when the database is away."""
        payload = incoming.model_dump_json(exclude_defaults=True)
        new = await self.store.write_down(
            incoming.person, incoming.update_id, incoming.place, payload, incoming.received_at
        )
        if new:
            self._fresh[incoming.update_id] = incoming
            if len(self._fresh) > MOST_FRESH:
                self._fresh.popitem(last=False)
            self._woken.set()

    def waiting_in(self, place: str) -> list[Incoming]:
        """What is written down of a chat and was taken up by nobody here, for who answers it without the database."""
        waiting = [each for each in self._fresh.values() if each.place == place]
        return [self._fresh.pop(each.update_id) for each in waiting]

    async def run(self) -> None:
        """Take up chat after chat, as many at once as are allowed."""
        holding = asyncio.create_task(self._keep_holding())
        try:
            while True:
                self._woken.clear()
                room = self._house.settings.chats_at_once - len(self._working)
                self._is_full = room <= 0
                if room > 0:
                    await self._take_up(room)
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_AGAIN):  # `wait_for` can lose the word that all shall end
                        await self._woken.wait()
        finally:
            holding.cancel()
            await asyncio.gather(holding, return_exceptions=True)

    async def stop(self, seconds: float) -> None:
        """What is being answered may come to its end, and what is being sent has a little longer, or it might be sent
        twice; the rest is given back for whoever comes next."""
        if self._working:
            await asyncio.wait(self._working.values(), timeout=seconds)
        for update_id, task in list(self._working.items()):
            if update_id not in self._delivering:
                task.cancel()
        if self._working:
            await asyncio.wait(self._working.values(), timeout=SECONDS_TO_DELIVER)
        for task in list(self._working.values()):
            task.cancel()
        await asyncio.gather(*self._working.values(), return_exceptions=True)

    async def _take_up(self, most: int) -> None:
        """The lease counts from before we asked for it: what happens in between must not make it longer."""
        if self._house.outage.has_begun:
            return
        begun = time.monotonic()
        try:
            for claimed, viewer in list(self._let_go.values()):
                await self._give_back(claimed, viewer, None)
            taken = await self.store.claim(most)
        except DatabaseAway:
            self._house.outage.notice()
            return
        for each in taken:
            self._held_until[each.update_id] = begun + self._lease.total_seconds()
            if each.update_id in self._working:  # our own lease had run out, and nobody else took it
                continue
            task = asyncio.create_task(self._work(each))
            self._working[each.update_id] = task
            task.add_done_callback(partial(self._rest, each.update_id))

    def _rest(self, update_id: int, _: "asyncio.Task[None]") -> None:
        self._working.pop(update_id, None)
        self._delivering.discard(update_id)
        self._held_until.pop(update_id, None)
        chat = self._last.pop(update_id, None)
        if chat is None or self._is_full or any(each.place == chat for each in self._fresh.values()):
            self._woken.set()

    async def _work(self, claimed: Claimed) -> None:
        viewer = Viewer.in_private(self._tenant, claimed.user)
        delivery: Delivery | None = None
        try:
            delivery = await self._delivery(claimed, viewer)
            if delivery is None:
                return
            with speaking(delivery.incoming.language):
                if delivery.answer is None:
                    gives_up = claimed.attempts > MOST_ATTEMPTS
                    await (self._give_up if gives_up else self._handle)(delivery)
                if delivery.answer is not None:
                    self._delivering.add(claimed.update_id)
                    await delivery.deliver()
            await self._finish(delivery)
            if delivery.is_last:
                self._last[claimed.update_id] = claimed.chat
        except LeaseLost:
            log.warning("an update was taken over by another process")
        except asyncio.CancelledError:
            await asyncio.shield(self._give_back(claimed, viewer, None))
            raise
        except DatabaseAway:
            self._house.outage.notice()
            self._let_go[claimed.update_id] = claimed, viewer
        except MessengerAway as trouble:
            # Whatever is to be said is kept, and is said when the messenger is there again.
            log.warning("the messenger is away: %s", type(trouble.__cause__).__name__)
            await self._give_back(claimed, viewer, None)
        except Exception as fault:
            log.error("an update broke its handler: %s", type(fault).__name__)
            await self._after_a_fault(claimed, viewer, delivery, fault)

    async def _delivery(self, claimed: Claimed, viewer: Viewer) -> Delivery | None:
        id = claimed.update_id
        if id in self.settled:
            await self.store.settle(viewer, id)
            self.settled.discard(id)
            return None
        fresh, held = self._fresh.pop(id, None), None
        if fresh is None or claimed.attempts > 1:
            found = await self.store.held(viewer, id)
            if found is None:
                await self._park(claimed, viewer, "its payload cannot be opened")
                return None
            payload, held = found
            fresh = Incoming.model_validate_json(payload)
        delivery = Delivery(
            self._house,
            self.sender,
            self.store,
            fresh,
            self.store.holder,
            resumed=held is not None,
            is_over=lambda: time.monotonic() > self._held_until.get(id, 0),
        )
        if held is not None:
            delivery.answer, delivery.sent, delivery.preview = (
                delivery.open_answer(held.answer),
                list(held.sent),
                held.preview,
            )
        return delivery

    async def _finish(self, delivery: Delivery) -> None:
        """Sent is sent: when the database is away now, this is remembered until it is back."""
        try:
            await delivery.finish()
        except DatabaseAway:
            self._house.outage.notice()
            await self.settle_later(delivery)

    async def settle_later(self, delivery: Delivery, *, spooled: bool = True) -> None:
        """It was answered, and the database cannot be told: the spool is, so that it holds after a crash too."""
        id, place = delivery.incoming.update_id, delivery.incoming.place
        self.settled.add(id)
        if spooled and delivery.kept and self._house.spool is not None:
            await asyncio.to_thread(self._house.spool.add, later_number(delivery.owner, id, place))

    async def _after_a_fault(
        self, claimed: Claimed, viewer: Viewer, delivery: Delivery | None, fault: Exception
    ) -> None:
        """Tried three times, then parked, and the sender told."""
        try:
            if claimed.failures + 1 < MOST_FAILURES:
                await asyncio.sleep(0.2 * 4**claimed.failures)
                await self._give_back(claimed, viewer, type(fault).__name__)
                return
            if delivery is not None:
                delivery.answer, delivery.sent = None, []
                with speaking(delivery.incoming.language):
                    await self._give_up(delivery)
                    await delivery.deliver()
        except Exception as another:
            log.error("nor could its sender be told: %s", type(another).__name__)
        await self._park(claimed, viewer, type(fault).__name__)

    async def _park(self, claimed: Claimed, viewer: Viewer, why: str) -> None:
        log.error("an update is parked: %s", why)
        try:
            await self.store.park(viewer, claimed.update_id, why)
        except DatabaseAway:
            self._house.outage.notice()

    async def _give_back(self, claimed: Claimed, viewer: Viewer, failed: str | None) -> None:
        try:
            await self.store.give_back(viewer, claimed.update_id, failed=failed)
            self._let_go.pop(claimed.update_id, None)
        except DatabaseAway:
            self._house.outage.notice()
            self._let_go[claimed.update_id] = claimed, viewer

    async def _keep_holding(self) -> None:
        """Renew our leases in time; what is no longer ours is let go."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            ours = list(self._working)
            if not ours:
                continue
            begun = time.monotonic()
            try:
                held = await self.store.renew(ours)
            except DatabaseAway:
                self._house.outage.notice()
                continue
            for update_id in held & self._working.keys():
                self._held_until[update_id] = begun + self._lease.total_seconds()
