"""One at a time: whoever is in a hurry goes first, the others as they came."""

import asyncio
from collections import deque


class Turns:
    def __init__(self) -> None:
        self._taken = False
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._patient: deque[asyncio.Future[None]] = deque()

    async def take(self, *, urgent: bool) -> None:
        if not self._taken:
            self._taken = True
            return
        place = asyncio.get_running_loop().create_future()
        (self._urgent if urgent else self._patient).append(place)
        try:
            await place
        except asyncio.CancelledError:
            # The turn may have come in the very moment in which its waiter left.
            if not place.cancelled():
                self.pass_on()
            raise

    def pass_on(self) -> None:
        for line in (self._urgent, self._patient):
            while line:
                place = line.popleft()
                if not place.done():
                    place.set_result(None)
                    return
        self._taken = False
