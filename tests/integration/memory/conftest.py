"""Somebody's conversation with the passes over it, and what is recalled of it."""

from collections.abc import AsyncIterator

import pytest

from db.viewer import Viewer
from memory.unit import Memory
from tests.background_jobs import Bench, bench_for
from tests.scripted_model import Thought
from tests.talk import Talk


@pytest.fixture
def talk(memory: Memory, ada: Viewer) -> Talk:
    return Talk(memory, ada)


@pytest.fixture
def whose(ada: Viewer) -> Viewer:
    """Whose conversation it is."""
    return ada


@pytest.fixture
def always() -> Thought | None:
    """What the model answers to everything; a module whose model plays no script says it."""
    return None


@pytest.fixture
async def bench(memory: Memory, whose: Viewer, always: Thought | None) -> AsyncIterator[Bench]:
    async with bench_for(memory, whose) as made:
        made.model.always = always
        yield made
