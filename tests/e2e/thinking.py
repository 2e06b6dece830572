"""A scripted model that thinks until a test lets it answer."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.scripted_model import ScriptedModel, Step, Thought
from tests.waiting import STUCK


@contextmanager
def thinking(model: ScriptedModel, think: Thought) -> Iterator[None]:
    """As long as this lasts, whoever asks the model waits for its answer."""
    over = threading.Event()

    async def hold(request: dict[str, Any]) -> Step:
        await asyncio.to_thread(over.wait, STUCK)
        return think(request)

    model.ponders = hold
    try:
        yield
    finally:
        model.ponders = None
        over.set()
