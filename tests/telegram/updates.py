"""The updates that wait for the bot: rising ids, confirmed by offset, offered again until then."""

import asyncio
from typing import Any

from tests.telegram.request import Refused

FIRST_ID = 1000
MAX_AT_ONCE = 100
ON_REQUEST_ONLY = frozenset(("chat_member", "message_reaction", "message_reaction_count"))

Update = dict[str, Any]


class Updates:
    """Filled from any thread under the lock of the fake, read by polls on its loop."""

    def __init__(self) -> None:
        self.waiting: dict[int, Update] = {}
        self.ever: dict[int, Update] = {}
        self.next_id = FIRST_ID
        self.allowed: frozenset[str] | None = None
        self.reoffered: set[int] = set()
        self.poll: asyncio.Future[Refused | None] | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.wake_webhook: asyncio.Event | None = None

    def allow(self, kinds: list[str] | None) -> None:
        """None keeps the former choice, an empty list is the default one, as in the Bot API."""
        if kinds is not None:
            self.allowed = frozenset(kinds) or None

    def wanted(self, kind: str) -> bool:
        return kind not in ON_REQUEST_ONLY if self.allowed is None else kind in self.allowed

    def add(self, kind: str, content: dict[str, Any]) -> int | None:
        """The id of the update, or None if the bot does not want this kind."""
        if not self.wanted(kind):
            return None
        update_id = self.next_id
        self.next_id += 1
        self.waiting[update_id] = self.ever[update_id] = {"update_id": update_id, kind: content}
        self.wake()
        return update_id

    def reoffer(self, update_id: int) -> None:
        """Once more, whatever the offset says, as after a crash that lost the confirmation."""
        self.waiting[update_id] = self.ever[update_id]
        self.waiting = dict(sorted(self.waiting.items()))
        self.reoffered.add(update_id)
        self.wake()

    def confirm(self, offset: int) -> None:
        if offset < 0:
            offset = next(iter(list(self.waiting)[offset:]), 0)
        # Ids rise in the queue, so the first that stays ends the walk.
        gone = []
        for update_id in self.waiting:
            if update_id >= offset:
                break
            if update_id not in self.reoffered:
                gone.append(update_id)
        for update_id in gone:
            del self.waiting[update_id]

    def taken(self, update_id: int) -> None:
        """By a webhook, which confirms each by itself."""
        self.waiting.pop(update_id, None)
        self.reoffered.discard(update_id)

    def clear(self) -> None:
        self.waiting.clear()
        self.reoffered.clear()

    def offered(self, offset: int, limit: int) -> list[Update]:
        batch = []
        for update_id, update in self.waiting.items():
            if update_id >= offset or update_id in self.reoffered:
                batch.append(update)
                if len(batch) == limit:
                    break
        self.reoffered.difference_update(update["update_id"] for update in batch)
        return batch

    def wake(self) -> None:
        """Never only when somebody waits: a poll on the loop may be about to."""
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.end_poll, None)

    def end_poll(self, how: Refused | None) -> None:
        """On the loop only."""
        if self.wake_webhook is not None:
            self.wake_webhook.set()
        if self.poll is not None and not self.poll.done():
            self.poll.set_result(how)

    async def wait(self, mine: asyncio.Future[Refused | None], seconds: float) -> None:
        """Until an update comes or the time is over; whoever polls next ends this wait with a conflict."""
        self.poll = mine
        try:
            refused = await asyncio.wait_for(mine, seconds)
        except TimeoutError:
            refused = None
        finally:
            if self.poll is mine:
                self.poll = None
        if refused is not None:
            raise refused

    def hang_up(self) -> None:
        """The former poll ends, because there is one line for each bot."""
        self.end_poll(
            Refused(
                409,
                "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
            )
        )
