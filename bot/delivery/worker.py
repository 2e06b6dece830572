"""Works through the durable inbox. Each update is answered once, in order within its chat.

Several processes may share an inbox: a lease on a chat's oldest open update keeps other processes away from that chat.
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
from bot.language import use_language
from memory import Claimed, Viewer
from memory.errors import DatabaseAway
from memory.events.inbox_store import InboxStore
from memory.outage.catching_up import done_entry
from memory.wiring import Runtime

MAX_FAILURES, MAX_ATTEMPTS = 3, 10
POLL_SECONDS = 1.0
MAX_FRESH = 5_000  # stored updates kept in RAM until this or another process claims them
SECONDS_TO_DELIVER = 2.0

Handle = Callable[[Delivery], Awaitable[None]]
"""Sets `delivery.answer`. For Telegram these are `Dispatcher.handle` and `Dispatcher.give_up`."""

log = logging.getLogger(__name__)


class InboxWorker:
    def __init__(self, runtime: Runtime, sender: Sender, handle: Handle, give_up: Handle) -> None:
        self._runtime = runtime
        self.sender = sender
        self._handle = handle
        self._give_up = give_up
        self._tenant = runtime.settings.tenant
        self._lease = timedelta(seconds=runtime.settings.lease_seconds)
        self.store = InboxStore(runtime.memory, self._tenant, self._lease)
        self._wake = asyncio.Event()
        self._fresh: OrderedDict[int, Incoming] = OrderedDict()
        self._working: dict[int, asyncio.Task[None]] = {}
        self._delivering: set[int] = set()
        self._last_in_chat: dict[int, str] = {}
        """Finished updates that were the last in their chat, with that chat: no new claim is needed for it."""
        self._is_full = False
        self._to_release: dict[int, tuple[Claimed, Viewer]] = {}
        self._lease_ends: dict[int, float] = {}
        self.answered_offline: set[int] = set()
        """Updates answered while the database was away and not marked as done yet."""

    async def save(self, incoming: Incoming) -> None:
        """Store the update. Raises `DatabaseAway`."""
        payload = incoming.model_dump_json(exclude_defaults=True)
        is_new = await self.store.add_update(
            incoming.person, incoming.update_id, incoming.place, payload, incoming.received_at
        )
        if is_new:
            self._fresh[incoming.update_id] = incoming
            if len(self._fresh) > MAX_FRESH:
                self._fresh.popitem(last=False)
            self._wake.set()

    def take_fresh(self, place: str) -> list[Incoming]:
        """Remove and return the chat's stored updates that this process has not claimed."""
        in_chat = [incoming for incoming in self._fresh.values() if incoming.place == place]
        return [self._fresh.pop(incoming.update_id) for incoming in in_chat]

    async def run(self) -> None:
        """Claim and process updates, up to `chats_at_once` chats in parallel, until cancelled."""
        renewal = asyncio.create_task(self._renew_leases())
        try:
            while True:
                self._wake.clear()
                free_slots = self._runtime.settings.chats_at_once - len(self._working)
                self._is_full = free_slots <= 0
                if free_slots > 0:
                    await self._claim(free_slots)
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):  # `wait_for` can swallow a cancellation
                        await self._wake.wait()
        finally:
            renewal.cancel()
            await asyncio.gather(renewal, return_exceptions=True)

    async def stop(self, seconds: float) -> None:
        """Wait for running updates, then cancel and release the rest. Those being sent get a little longer, because
        cancelling them could send an answer twice."""
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

    async def _claim(self, limit: int) -> None:
        """Claim up to `limit` updates. Their leases start before the query, so that a slow query cannot extend them."""
        if self._runtime.outage.is_reported:
            return
        started = time.monotonic()
        try:
            for claimed, viewer in list(self._to_release.values()):
                await self._release(claimed, viewer, None)
            claimed_updates = await self.store.claim(limit)
        except DatabaseAway:
            self._runtime.outage.report()
            return
        for claimed in claimed_updates:
            self._lease_ends[claimed.update_id] = started + self._lease.total_seconds()
            if claimed.update_id in self._working:  # our lease ran out and no other process took it
                continue
            task = asyncio.create_task(self._process(claimed))
            self._working[claimed.update_id] = task
            task.add_done_callback(partial(self._on_done, claimed.update_id))

    def _on_done(self, update_id: int, _: "asyncio.Task[None]") -> None:
        self._working.pop(update_id, None)
        self._delivering.discard(update_id)
        self._lease_ends.pop(update_id, None)
        chat = self._last_in_chat.pop(update_id, None)
        if chat is None or self._is_full or any(incoming.place == chat for incoming in self._fresh.values()):
            self._wake.set()

    async def _process(self, claimed: Claimed) -> None:
        viewer = Viewer.in_private(self._tenant, claimed.user)
        delivery: Delivery | None = None
        try:
            delivery = await self._load(claimed, viewer)
            if delivery is None:
                return
            with use_language(delivery.incoming.language):
                if delivery.answer is None:
                    is_hopeless = claimed.attempts > MAX_ATTEMPTS
                    await (self._give_up if is_hopeless else self._handle)(delivery)
                if delivery.answer is not None:
                    self._delivering.add(claimed.update_id)
                    await delivery.deliver()
            await self._finish(delivery)
            if delivery.is_last:
                self._last_in_chat[claimed.update_id] = claimed.chat
        except LeaseLost:
            log.warning("another process has taken over an update")
        except asyncio.CancelledError:
            await asyncio.shield(self._release(claimed, viewer, None))
            raise
        except DatabaseAway:
            self._runtime.outage.report()
            self._to_release[claimed.update_id] = claimed, viewer
        except MessengerAway as error:
            log.warning("the messenger is unreachable: %s", type(error.__cause__).__name__)
            await self._release(claimed, viewer, None)
        except Exception as error:
            log.error("handling an update failed: %s", type(error).__name__)
            await self._retry_or_park(claimed, viewer, delivery, error)

    async def _load(self, claimed: Claimed, viewer: Viewer) -> Delivery | None:
        update_id = claimed.update_id
        if update_id in self.answered_offline:
            await self.store.mark_answered(viewer, update_id)
            self.answered_offline.discard(update_id)
            return None
        incoming, row = self._fresh.pop(update_id, None), None
        if incoming is None or claimed.attempts > 1:
            stored = await self.store.load_update(viewer, update_id)
            if stored is None:
                await self._park(claimed, viewer, "its payload cannot be decrypted")
                return None
            payload, row = stored
            incoming = Incoming.model_validate_json(payload)
        delivery = Delivery(
            self._runtime,
            self.sender,
            self.store,
            incoming,
            self.store.holder,
            is_resumed=row is not None,
            lease_expired=lambda: time.monotonic() > self._lease_ends.get(update_id, 0),
        )
        if row is not None:
            delivery.answer = delivery.open_answer(row.answer)
            delivery.sent, delivery.preview = list(row.sent), row.preview
        return delivery

    async def _finish(self, delivery: Delivery) -> None:
        """Close the update. If the database is away, do so when it is back."""
        try:
            await delivery.finish()
        except DatabaseAway:
            self._runtime.outage.report()
            await self.mark_answered_later(delivery)

    async def mark_answered_later(self, delivery: Delivery, *, spooled: bool = True) -> None:
        """Remember that the update is answered. The spool remembers it too, in case of a crash."""
        update_id, place = delivery.incoming.update_id, delivery.incoming.place
        self.answered_offline.add(update_id)
        if spooled and delivery.is_recorded and self._runtime.spool is not None:
            await asyncio.to_thread(self._runtime.spool.add, done_entry(delivery.owner, update_id, place))

    async def _retry_or_park(
        self, claimed: Claimed, viewer: Viewer, delivery: Delivery | None, error: Exception
    ) -> None:
        """Release the update for a retry. After the last retry, park it and tell its sender."""
        try:
            if claimed.failures + 1 < MAX_FAILURES:
                await asyncio.sleep(0.2 * 4**claimed.failures)
                await self._release(claimed, viewer, type(error).__name__)
                return
            if delivery is not None:
                delivery.answer, delivery.sent = None, []
                with use_language(delivery.incoming.language):
                    await self._give_up(delivery)
                    await delivery.deliver()
        except Exception as notice_error:
            log.error("its sender could not be told: %s", type(notice_error).__name__)
        await self._park(claimed, viewer, type(error).__name__)

    async def _park(self, claimed: Claimed, viewer: Viewer, why: str) -> None:
        log.error("parked an update: %s", why)
        try:
            await self.store.park(viewer, claimed.update_id, why)
        except DatabaseAway:
            self._runtime.outage.report()

    async def _release(self, claimed: Claimed, viewer: Viewer, error: str | None) -> None:
        try:
            await self.store.release(viewer, claimed.update_id, error=error)
            self._to_release.pop(claimed.update_id, None)
        except DatabaseAway:
            self._runtime.outage.report()
            self._to_release[claimed.update_id] = claimed, viewer

    async def _renew_leases(self) -> None:
        """Renew our leases at a third of their duration."""
        while True:
            await asyncio.sleep(self._lease.total_seconds() / 3)
            update_ids = list(self._working)
            if not update_ids:
                continue
            started = time.monotonic()
            try:
                renewed = await self.store.renew(update_ids)
            except DatabaseAway:
                self._runtime.outage.report()
                continue
            for update_id in renewed & self._working.keys():
                self._lease_ends[update_id] = started + self._lease.total_seconds()
