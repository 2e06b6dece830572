"""Vectors: asked for within a deadline whatever fails, made in the background, and changed from model to model."""

import asyncio
import logging
import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from db.engine import Database
from db.queries.retrieval.chunks import add_embeddings, unembedded
from db.viewer import Viewer
from memory.concurrency.deadline import finish_late_work
from memory.retrieval.embedders.base import Vector
from memory.retrieval.embedders.factory import PreviousEmbedder
from memory.retrieval.vector_index import QuestionVector, VectorIndex
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_vectors
from tests.scripted_embeddings import Reply, scripted_embeddings
from tests.scripted_embeddings import vectors as vectors_of
from tests.vectors import PATIENT, ScriptedEmbedder, away, change, gone, kept, made, running, say
from tests.waiting import eventually, eventually_async

# Questions


async def test_a_database_that_is_away_costs_the_vector_and_nothing_else(memory: Memory, ada: Viewer) -> None:
    nowhere = Memory(Database("postgresql://nobody@127.0.0.1:1/nothing"), memory.keyring)
    asked = await VectorIndex(nowhere, ada.tenant, ScriptedEmbedder(), ScriptedEmbedder("old")).embed_question(
        ada, "boat", PATIENT
    )

    assert asked == QuestionVector(why_not="the database is away or too slow")


async def test_nobody_waits_for_a_connection_longer_than_they_have(memory: Memory, ada: Viewer, app_url: str) -> None:
    small = Memory(Database(app_url, pool_size=1), memory.keyring)
    vectors = VectorIndex(small, ada.tenant, ScriptedEmbedder(), ScriptedEmbedder("old"))
    async with small.unit(ada):
        asked = await vectors.embed_question(ada, "boat", 0.1)
    await finish_late_work()
    await small.database.close()

    assert (asked.vector, asked.why_not) == (None, "the embedder was too slow")


async def test_nobody_waits_for_a_server_that_stands_still(memory: Memory, ada: Viewer, app_url: str) -> None:
    """To interrupt a statement takes an answer too, which this one does not give."""
    small = Memory(Database(app_url, pool_size=1), memory.keyring)
    vectors = VectorIndex(small, ada.tenant, ScriptedEmbedder(), ScriptedEmbedder("old"))
    async with small.unit(ada) as unit:
        [pid] = (await unit.session.execute(text("SELECT pg_backend_pid()"))).scalars()
    os.kill(pid, signal.SIGSTOP)
    try:
        asked = await vectors.embed_question(ada, "boat", 0.1)
    finally:
        os.kill(pid, signal.SIGCONT)
    await finish_late_work()
    await small.database.close()

    assert asked.vector is None


async def test_an_embedder_that_is_too_slow_again_and_again_is_told_once(
    memory: Memory, ada: Viewer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    embedder = ScriptedEmbedder()
    embedder.answers.clear()
    vectors = VectorIndex(memory, ada.tenant, embedder)
    for number in range(4):
        await vectors.embed_question(ada, f"question {number}", 0.01)
    assert caplog.records == []
    for number in range(8):
        await vectors.embed_question(ada, f"question {number}", 0.01)

    assert [record.getMessage() for record in caplog.records] == [
        "the embedder was too slow for 5 questions in a row; `keepsake doctor` measures it"
    ]
    embedder.answers.set()


# Models


async def test_the_old_vectors_serve_until_the_new_ones_are_made_and_are_then_removed(
    memory: Memory, ada: Viewer
) -> None:
    old, new = ScriptedEmbedder("old", (1.0, 0.0)), ScriptedEmbedder("new", (0.0, 1.0, 0.0))
    await change(memory, ada, old, "The boat is red", "The garden is wide")
    new.gate.clear()
    vectors = VectorIndex(memory, ada.tenant, new, find_previous=lambda model: PreviousEmbedder(old, is_remote=False))
    async with running(vectors):
        await eventually(lambda: vectors.previous is not None)
        assert await vectors.embed_question(ada, "boat", PATIENT) == QuestionVector("old", old.numbers)
        new.gate.set()
        await eventually_async(lambda: gone(memory, ada, "old"))
        assert await vectors.embed_question(ada, "boat", PATIENT) == QuestionVector("new", new.numbers)

    assert await kept(memory, ada, "new") == [True, True]


async def test_old_vectors_stay_with_whom_the_new_ones_could_not_be_made_for(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    old, new = ScriptedEmbedder("old"), ScriptedEmbedder("new")
    await change(memory, ada, old, "The boat is red")
    await change(memory, ben, old, "The garden is wide")
    held = asyncio.Event()

    def hold(words: str) -> None:
        if "garden" in words:
            held.set()
            raise RuntimeError("my secret")

    new.before = hold
    vectors = VectorIndex(memory, ada.tenant, new)
    async with running(vectors):
        await held.wait()
        await eventually_async(lambda: gone(memory, ada, "old"))

    assert await kept(memory, ben, "old") == [True]
    assert await kept(memory, ben, "new") == []


async def test_no_old_vector_goes_before_everybody_had_their_turns(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    """They may share a space, in which one model must cover what both said."""
    seen: list[list[bool]] = []

    class Watching(ScriptedEmbedder):
        async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
            seen.append(await kept(memory, ada, "old"))
            return await super().passages(texts)

    for viewer in (ada, ben):
        await change(memory, viewer, ScriptedEmbedder("old"), "The boat is red")
    async with running(VectorIndex(memory, ada.tenant, Watching())):
        await eventually_async(lambda: gone(memory, ada, "old"))
        await eventually_async(lambda: gone(memory, ben, "old"))

    assert seen == [[True], [True]]


async def test_another_model_of_the_same_server_needs_no_other_setting(memory: Memory, ada: Viewer) -> None:
    def new_passages_never_come(request: dict[str, Any]) -> Reply:
        is_passage = request["model"] == "m2" and request["input"] != ["hello"]
        return replace(vectors_of(request), until=asyncio.Event() if is_passage else None)

    await say(memory, ada, "The boat is red")
    async with scripted_embeddings(new_passages_never_come) as server:
        given = {"KEEPSAKE_EMBEDDER": "openai", "KEEPSAKE_EMBEDDER_URL": server.url, "KEEPSAKE_TENANT": ada.tenant}
        before, after = (
            open_vectors(Settings.model_validate({**given, "KEEPSAKE_EMBEDDER_MODEL": name}), memory, print)
            for name in ("m1", "m2")
        )
        await before.backfill(ada)
        async with running(after):
            await eventually(lambda: after.previous is not None)
            asked = await after.embed_question(ada, "boat", PATIENT)
        await before.close()
        await after.close()

    assert asked.model == "m1"
    assert {"model": "m1", "input": ["boat"]} in server.requests


async def test_without_an_embedder_for_the_old_vectors_the_new_ones_serve_as_far_as_they_are(
    memory: Memory, ada: Viewer
) -> None:
    old, new = ScriptedEmbedder("old", before=away), ScriptedEmbedder("new")
    await say(memory, ada, "The boat is red", "The garden is wide")
    async with memory.unit(ada) as unit:
        both = await unembedded(unit.session, ada, "old", limit=9)
        await add_embeddings(unit.session, ada, "old", [(chunk.chunk_id, old.numbers) for chunk in both])
        await add_embeddings(unit.session, ada, "new", [(both[0].chunk_id, new.numbers)])

    assert await VectorIndex(memory, ada.tenant, new, old).embed_question(ada, "boat", PATIENT) == QuestionVector(
        "new", new.numbers
    )
    assert old.asked == ["boat"]


async def test_a_sensitive_question_goes_to_no_server_that_was_left(memory: Memory, ada: Viewer) -> None:
    old, new = ScriptedEmbedder("old"), ScriptedEmbedder("new")
    await change(memory, ada, old, "The boat is red")
    vectors = VectorIndex(memory, ada.tenant, new, old, previous_is_remote=True)

    assert (await vectors.embed_question(ada, "my diagnosis", PATIENT, sensitive=True)).model == "new"
    assert (await vectors.embed_question(ada, "boat", PATIENT)).model == "old"
    assert old.asked == ["boat"]


# Chunks


async def test_whatever_befalls_one_person_the_others_are_embedded(
    memory: Memory, ada: Viewer, ben: Viewer, caplog: pytest.LogCaptureFixture
) -> None:
    await say(memory, ada, "The boat is red")
    await say(memory, ben, "The garden is wide")

    def breaks(words: str) -> None:
        if "boat" in words:
            raise RuntimeError("my secret")

    async with running(VectorIndex(memory, ada.tenant, ScriptedEmbedder(before=breaks))):
        await eventually_async(lambda: made(memory, ben, 1))
        await eventually(lambda: "RuntimeError" in caplog.text)

    assert await kept(memory, ada, "new") == []
    assert "secret" not in caplog.text


async def test_whoever_speaks_is_embedded_before_a_long_back_fill_ends(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    await say(memory, ada, *(f"The boat is number {number}" for number in range(100)))
    order: list[str] = []
    embedder = ScriptedEmbedder(before=order.append)
    vectors = VectorIndex(memory, ada.tenant, embedder)
    embedder.gate.clear()
    async with running(vectors):
        await asyncio.sleep(0)
        await say(memory, ben, "The garden is wide")
        vectors.nudge(ben)
        embedder.gate.set()
        await eventually_async(lambda: made(memory, ben, 1))
        await eventually_async(lambda: made(memory, ada, 100))

    assert order.index("The garden is wide") < len(order) - 1


async def test_a_vector_that_the_database_refuses_costs_that_text_alone(memory: Memory, ada: Viewer) -> None:
    class Excessive(ScriptedEmbedder):
        async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
            return [(1e6, 0.0) if "odd" in each else (1.0, 0.0) for each in texts]

    await say(memory, ada, "The boat is red", "The boat is odd", "The garden is wide")
    vectors = VectorIndex(memory, ada.tenant, Excessive())

    assert await vectors.backfill(ada) == 3
    assert await kept(memory, ada, "new") == [True, False, True]
    assert await vectors.backfill(ada) == 0


async def test_a_long_back_fill_says_how_far_it_is_and_when_it_is_done(memory: Memory, ada: Viewer) -> None:
    told: list[str] = []
    await say(memory, ada, *(f"The boat is number {number}" for number in range(230)))
    async with running(VectorIndex(memory, ada.tenant, ScriptedEmbedder(), progress=told.append)):
        await eventually(lambda: len(told) == 2)

    assert told == [
        "Embedding with new: 224 chunks so far; recall works meanwhile.",
        "Embedding with new is done: 230 chunks.",
    ]
