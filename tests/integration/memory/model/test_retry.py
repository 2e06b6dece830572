"""Chat and background work fail alike: the same tries, the same pauses, the same words, over real HTTP."""

import json
import logging
from collections.abc import Awaitable, Callable

import pytest
from pydantic import BaseModel

from memory.errors import ModelAway
from memory.model.brain import Message, Request, Text, TextDelta
from memory.model.claude.brain import claude
from memory.model.claude.structured import claude_structured
from memory.model.structured import StructuredResult
from memory.settings import Settings
from tests.scripted_model import Fails, Says, ScriptedModel, Step, Writes, scripted_model
from tests.waiting import STUCK


class Note(BaseModel):
    words: str


def settings_for(model: ScriptedModel) -> Settings:
    return Settings.model_validate(
        {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url, "KEEPSAKE_MODEL_SECONDS": STUCK}
    )


async def chat(model: ScriptedModel) -> str:
    brain = claude(settings_for(model))
    request = Request("Be kind.", "", (Message("user", (Text("Hello"),)),))
    try:
        return "".join([delta.text async for delta in brain.answer(request) if isinstance(delta, TextDelta)])
    finally:
        await brain.close()


async def background(model: ScriptedModel, written: StructuredResult[Note] | None = None) -> str:
    llm = claude_structured(settings_for(model))
    try:
        return (await llm.write("Keep notes.", "Hello", Note, written or StructuredResult())).words
    finally:
        await llm.close()


Call = Callable[[ScriptedModel], Awaitable[str]]
both = pytest.mark.parametrize(
    ("call", "whole"), [(chat, Says(("whole",))), (background, Writes({"words": "whole"}))], ids=["chat", "background"]
)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of the failed try before each pause; the pauses themselves take no time."""
    numbers: list[int] = []

    def backoff(number: int) -> float:
        numbers.append(number)
        return 0.0

    monkeypatch.setattr("memory.model.claude.retry.backoff", backoff)
    return numbers


@both
async def test_a_busy_server_is_asked_again_with_growing_pauses_until_it_answers(
    call: Call, whole: Step, waits: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "memory.model.claude.retry")
    async with scripted_model(*[Fails("529")] * 3, whole) as model:
        assert await call(model) == "whole"
        assert len(model.requests) == 4

    assert waits == [0, 1, 2]
    assert caplog.text.count("the model is asked again in 0.0 seconds: The model is busy right now") == 3


@both
async def test_the_pause_that_a_server_asks_for_is_kept_to_where_there_is_time(
    call: Call, whole: Step, waits: list[int]
) -> None:
    async with scripted_model(Fails("429", retry_after="0.01"), whole) as model:
        assert await call(model) == "whole"
    async with scripted_model(Fails("429", retry_after=str(2 * STUCK))) as model:
        with pytest.raises(ModelAway, match="busy"):
            await call(model)
        assert len(model.requests) == 1

    assert waits == []


@both
async def test_a_refusal_is_told_at_once(call: Call, whole: Step) -> None:
    for status, words in (("401", "ANTHROPIC_API_KEY was refused"), ("400", "status 400")):
        async with scripted_model(Fails(status), whole) as model:
            with pytest.raises(ModelAway, match=words):
                await call(model)
            assert len(model.requests) == 1


@both
async def test_a_server_that_does_not_know_the_extras_is_asked_plainly_and_without_a_pause(
    call: Call, whole: Step, waits: list[int]
) -> None:
    no = Fails("400", message="output_config and cache_control: Extra inputs are not permitted")
    async with scripted_model(no, Fails("529"), whole) as model:
        assert await call(model) == "whole"
        first, *plain = (json.dumps(request) for request in model.requests)

    assert "cache_control" in first or "output_config" in first
    assert len(plain) == 2
    assert not any("cache_control" in request or "output_config" in request for request in plain)
    assert waits == [1]  # the plain try was the second


async def test_every_try_in_the_background_is_counted_also_one_that_failed(waits: list[int]) -> None:
    written = StructuredResult[Note]()
    async with scripted_model(Fails("529"), Fails("500"), Writes({"words": "whole"})) as model:
        await background(model, written)

    assert [spending.usage.get("input_tokens") for spending in written.attempts] == [None, None, 10]
    assert all(spending.milliseconds is not None for spending in written.attempts)
    assert waits == [0, 1]
