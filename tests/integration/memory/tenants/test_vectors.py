"""Vectors for every tenant: of people and spaces of the same name, each their own."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from sqlalchemy import text

from db.engine import Database
from db.viewer import Viewer
from memory.retrieval.embedders.base import Vector
from memory.retrieval.embedders.factory import PreviousEmbedder
from memory.retrieval.vector_index import QuestionVector, VectorIndex
from memory.unit import Memory
from tests.integration.memory.tenants.conftest import NORTH, Breaking, found
from tests.vectors import PATIENT, ScriptedEmbedder, change, gone, kept, made, running, say
from tests.waiting import eventually, eventually_async

BOAT = "The boat is red"


def everywhere(memory: Memory, wanted: ScriptedEmbedder, **given: Any) -> VectorIndex:
    """As a process has them that belongs to the north."""
    return VectorIndex(memory, NORTH, wanted, tenants=partial(memory.tenants, NORTH), **given)


async def test_the_same_words_of_the_same_name_are_embedded_in_every_tenant(
    memory: Memory, north: Viewer, south: Viewer
) -> None:
    for viewer in (north, south):
        await say(memory, viewer, BOAT, "The garden is wide")
    async with running(everywhere(memory, ScriptedEmbedder())):
        for viewer in (north, south):
            await eventually_async(partial(made, memory, viewer, 2))


async def test_whoever_speaks_is_embedded_in_their_own_tenant(memory: Memory, north: Viewer, south: Viewer) -> None:
    vectors = VectorIndex(memory, NORTH, ScriptedEmbedder())
    async with running(vectors):
        await say(memory, south, BOAT)
        vectors.nudge(south)
        await eventually_async(lambda: made(memory, south, 1))  # so the first look at everybody is over
        await say(memory, north, BOAT)
        await say(memory, south, "The garden is wide")
        vectors.nudge(south)
        await eventually_async(lambda: made(memory, south, 2))
        assert await kept(memory, north, "new") == []
        vectors.nudge(north)
        await eventually_async(lambda: made(memory, north, 1))


async def test_a_tenant_that_appears_later_is_embedded_by_the_next_look(
    memory: Memory, database: Database, north: Viewer
) -> None:
    await say(memory, north, BOAT)
    vectors = everywhere(memory, ScriptedEmbedder())
    async with running(vectors):
        await eventually_async(lambda: made(memory, north, 1))
        west = await found(database, "west")
        await say(memory, west, BOAT)
        vectors.recheck_all()
        await eventually_async(lambda: made(memory, west, 1))


async def test_what_was_never_cut_is_cut_for_each_of_the_same_name(
    memory: Memory, north: Viewer, south: Viewer, superuser_url: str
) -> None:
    vectors = VectorIndex(memory, NORTH, ScriptedEmbedder())
    for viewer in (north, south):
        await say(memory, viewer, BOAT)
        async with memory.unit(viewer) as unit:
            await unit.session.execute(text("DELETE FROM chunks"))

    assert [await vectors.backfill(viewer) for viewer in (north, south)] == [1, 1]


async def test_while_models_change_each_tenant_is_served_by_the_one_that_covers_it(
    memory: Memory, north: Viewer, south: Viewer
) -> None:
    old, new = ScriptedEmbedder("old", (1.0, 0.0)), ScriptedEmbedder("new", (0.0, 1.0, 0.0))
    for viewer in (north, south):
        await change(memory, viewer, old, BOAT)
    vectors = VectorIndex(memory, NORTH, new, old)
    await vectors.backfill(north)

    assert await vectors.embed_question(north, "boat", PATIENT) == QuestionVector("new", new.numbers)
    assert await vectors.embed_question(south, "boat", PATIENT) == QuestionVector("old", old.numbers)
    await vectors.backfill(south)
    assert await vectors.embed_question(south, "boat", PATIENT) == QuestionVector("new", new.numbers)


async def test_vectors_of_other_models_go_from_every_tenant_and_serve_until_then(
    memory: Memory, north: Viewer, south: Viewer
) -> None:
    old, new = ScriptedEmbedder("old"), ScriptedEmbedder("new")
    await say(memory, north, BOAT)
    await change(memory, south, old, BOAT)  # so only another tenant shows which model was set before
    new.gate.clear()
    vectors = everywhere(memory, new, find_previous=lambda model: PreviousEmbedder(old, is_remote=False))
    async with running(vectors):
        await eventually(lambda: vectors.previous is not None)
        assert (await vectors.embed_question(south, "boat", PATIENT)).model == "old"
        new.gate.set()
        await eventually_async(lambda: gone(memory, south, "old"))

    assert await kept(memory, south, "new") == await kept(memory, north, "new") == [True]


@pytest.mark.parametrize("broken", ["north", "south"])
async def test_whatever_befalls_one_tenant_the_others_are_embedded(
    memory: Memory, app_url: str, north: Viewer, south: Viewer, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    well = south if broken == "north" else north
    for viewer in (north, south):
        await change(memory, viewer, ScriptedEmbedder("old"), BOAT)
    breaking = Memory(Breaking(app_url, broken, lambda: ZeroDivisionError("a user's words")), memory.keyring)
    async with running(everywhere(breaking, ScriptedEmbedder())):
        await eventually_async(lambda: gone(memory, well, "old"))
    await breaking.database.close()

    assert await kept(memory, well, "new") == [True]
    assert "words" not in caplog.text


async def test_an_embedder_is_warmed_once_for_all_tenants(memory: Memory, north: Viewer, south: Viewer) -> None:
    class Cold(ScriptedEmbedder):
        warmed = 0

        async def warm(self) -> None:
            self.warmed += 1

        async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
            assert self.warmed
            return await super().passages(texts)

    cold = Cold()
    for viewer in (north, south):
        await say(memory, viewer, BOAT)
    async with running(everywhere(memory, cold)):
        await eventually_async(lambda: made(memory, south, 1))
        await asyncio.sleep(0)

    assert cold.warmed == 1
