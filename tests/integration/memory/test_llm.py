"""Claude as a brain, over real HTTP: words, tool calls, and all the ways in which a stream can fail."""

import asyncio
import time

import pytest

from memory.brain import Delta, Finished, Message, Request, Text, TextDelta, ToolResult, ToolSpec, ToolUse
from memory.errors import ModelAway
from memory.llm import claude
from memory.settings import Settings
from tests.scripted_model import Calls, Fails, Says, ScriptedModel, scripted_model

HELLO = Request("Be kind.", "## Your memory", (Message("user", (Text("Hello"),)),))


async def answer(model: ScriptedModel, request: Request = HELLO, seconds: float = 10) -> list[Delta]:
    settings = Settings.model_validate(
        {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url, "KEEPSAKE_MODEL_SECONDS": seconds}
    )
    brain = claude(settings)
    try:
        return [delta async for delta in brain.answer(request)]
    finally:
        await brain.close()


async def test_words_are_streamed_as_they_come_and_usage_is_kept() -> None:
    async with scripted_model(Says(("Hel", "lo", "!"))) as model:
        deltas = await answer(model)

    assert deltas[:3] == [TextDelta("Hel"), TextDelta("lo"), TextDelta("!")]
    assert isinstance(deltas[3], Finished)
    assert deltas[3].reason == "end_turn"
    assert deltas[3].usage["cache_read_input_tokens"] == 7


async def test_a_tool_call_arrives_whole() -> None:
    async with scripted_model(Calls("search_memory", {"query": "boss", "limit": 3})) as model:
        deltas = await answer(model)

    assert deltas[0] == ToolUse("toolu_search_memory", "search_memory", {"query": "boss", "limit": 3})


async def test_the_request_puts_what_is_stable_first_and_marks_it_for_the_cache() -> None:
    request = Request(
        "Be kind.",
        "## Your memory",
        (
            Message("user", (Text("Hello"),)),
            Message("assistant", (Text("Wait a bit"), ToolUse("t1", "look", {"at": 1}))),
            Message("user", (ToolResult("t1", "nothing", is_error=True),)),
        ),
        (ToolSpec("look", "Looks.", {"type": "object"}),),
    )
    async with scripted_model(Says(("ok",))) as model:
        await answer(model, request)
        [sent] = model.requests

    cached = {"type": "ephemeral"}
    assert [(block["text"], block["cache_control"]) for block in sent["system"]] == [
        ("Be kind.", cached),
        ("## Your memory", cached),
    ]
    assert sent["tools"] == [{"name": "look", "description": "Looks.", "input_schema": {"type": "object"}}]
    assert sent["messages"][1]["content"] == [
        {"type": "text", "text": "Wait a bit"},
        {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}},
    ]
    assert sent["messages"][2]["content"][0]["is_error"] is True


@pytest.mark.parametrize("how", ["disconnect", "bad_chunk", "truncated"])
async def test_a_stream_that_breaks_off_is_told_and_never_taken_for_an_answer(how: str) -> None:
    async with scripted_model(Fails(how)) as model:
        with pytest.raises(ModelAway, match="broke off"):
            await answer(model)


async def test_a_stalled_stream_ends_at_the_deadline() -> None:
    began = time.monotonic()
    async with scripted_model(Fails("stall")) as model:
        with pytest.raises(ModelAway, match="longer than 1 seconds"):
            await answer(model, seconds=1)
    assert time.monotonic() - began < 5


async def test_whoever_shows_the_words_slowly_is_told_of_the_deadline_in_words_too() -> None:
    """The deadline never strikes in the caller's own code, as a bare cancellation would."""
    async with scripted_model(Says(("one", "two"))) as model:
        settings = Settings.model_validate(
            {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url, "KEEPSAKE_MODEL_SECONDS": 1}
        )
        brain = claude(settings)

        async def read_slowly() -> None:
            async for _ in brain.answer(HELLO):
                await asyncio.sleep(1.2)

        with pytest.raises(ModelAway, match="longer than"):
            await read_slowly()
        await brain.close()


async def test_a_busy_server_is_tried_again() -> None:
    async with scripted_model(Fails("529"), Says(("back",))) as model:
        deltas = await answer(model)

    assert deltas[0] == TextDelta("back")


async def test_a_server_that_asks_for_an_hour_of_patience_gets_the_deadline() -> None:
    async with scripted_model(Fails("429", retry_after="3600")) as model:
        with pytest.raises(ModelAway):
            await answer(model, seconds=2)


@pytest.mark.parametrize(
    ("status", "words"), [("401", "ANTHROPIC_API_KEY was refused"), ("400", "status 400"), ("404", "status 404")]
)
async def test_a_refused_call_says_what_to_do(status: str, words: str) -> None:
    async with scripted_model(Fails(status)) as model:
        with pytest.raises(ModelAway, match=words):
            await answer(model)


async def test_no_server_at_all_is_told_kindly() -> None:
    with pytest.raises(ModelAway, match="connection to the model"):
        await answer(ScriptedModel([], "http://127.0.0.1:1"))
