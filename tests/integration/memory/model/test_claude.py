"""Claude as a brain, over real HTTP: words, tool calls, and all the ways in which a stream can fail."""

import asyncio
import json
import logging
import socket
from typing import Any

import pytest

from memory.errors import ModelAway
from memory.model.brain import (
    UNREADABLE,
    AnswerStarted,
    Delta,
    Finished,
    Message,
    Request,
    Text,
    TextDelta,
    ToolResult,
    ToolSpec,
    ToolUse,
)
from memory.model.claude.brain import claude
from memory.settings import Settings
from tests.deadlines import Deadlines
from tests.scripted_model import Calls, Fails, Says, ScriptedModel, Streams, scripted_model
from tests.waiting import STUCK, eventually

HELLO = Request("Be kind.", "## Your memory", (Message("user", (Text("Hello"),)),))


async def answer(
    model: ScriptedModel,
    request: Request = HELLO,
    seconds: float = STUCK,
    silence: float = 30,
    effort: str | None = None,
) -> list[Delta]:
    """What comes out, but for when the model began."""
    settings = Settings.model_validate(
        {
            "ANTHROPIC_API_KEY": "k",
            "ANTHROPIC_BASE_URL": model.url,
            "KEEPSAKE_MODEL_SECONDS": seconds,
            "KEEPSAKE_EFFORT": effort,
        }
    )
    brain = claude(settings, silence=silence)
    try:
        async with asyncio.timeout(2 * STUCK):
            return [delta async for delta in brain.answer(request) if not isinstance(delta, AnswerStarted)]
    finally:
        await brain.close()


@pytest.fixture
def deadlines(monkeypatch: pytest.MonkeyPatch) -> Deadlines:
    made = Deadlines()
    monkeypatch.setattr("memory.model.claude.brain.timeout_at", made)
    return made


def spoken(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


def calls(deltas: list[Delta]) -> list[ToolUse]:
    return [delta for delta in deltas if isinstance(delta, ToolUse)]


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


BREAKS = ["disconnect", "bad_chunk", "truncated"]


@pytest.mark.parametrize("how", BREAKS)
async def test_a_stream_that_breaks_off_is_told_and_never_taken_for_an_answer(how: str) -> None:
    async with scripted_model(Fails(how), Says(("never asked for",))) as model:
        with pytest.raises(ModelAway, match="broke off"):
            await answer(model)
        assert len(model.requests) == 1


@pytest.mark.parametrize("how", [*BREAKS, "overloaded_error", "api_error"])
async def test_a_stream_that_breaks_before_its_first_word_is_asked_for_again(how: str) -> None:
    async with scripted_model(Fails(how, words=""), Says(("whole",))) as model:
        assert spoken(await answer(model)) == "whole"


async def test_a_stream_that_falls_silent_before_its_first_word_is_asked_for_again(deadlines: Deadlines) -> None:
    async with scripted_model(Fails("stall", words=""), Says(("whole",))) as model:
        # One deadline is for the call, one for its first event, and one for that which does not come.
        asked = await deadlines.next(answer(model), times=3)
        deadlines.strike()
        assert spoken(await asked) == "whole"


async def test_a_stream_that_breaks_in_a_tool_call_is_asked_for_again_and_the_half_call_is_gone() -> None:
    start = {"type": "tool_use", "id": "t0", "name": "look", "input": {}}
    half = Streams((*BEGINNING, {"type": "content_block_start", "index": 0, "content_block": start}))
    async with scripted_model(half, Calls("look", {"at": 1})) as model:
        assert calls(await answer(model)) == [ToolUse("toolu_look", "look", {"at": 1})]


async def test_a_server_that_is_overloaded_in_the_middle_is_told_after_words_were_shown() -> None:
    async with scripted_model(Fails("overloaded_error")) as model:
        with pytest.raises(ModelAway, match="busy"):
            await answer(model)


async def test_a_refusal_inside_the_stream_is_not_asked_for_again() -> None:
    async with scripted_model(Fails("invalid_request_error", words="")) as model:
        with pytest.raises(ModelAway, match="refused"):
            await answer(model)


async def test_a_stream_that_falls_silent_is_noticed_before_the_deadline() -> None:
    async with scripted_model(Fails("stall")) as model:
        with pytest.raises(ModelAway, match="broke off"):
            await answer(model, silence=0.2)
        assert model.thinking  # it would have gone on


async def test_a_stalled_stream_ends_at_the_deadline(deadlines: Deadlines) -> None:
    """The fifth is for the event that does not come."""
    async with scripted_model(Fails("stall")) as model:
        asked = await deadlines.next(answer(model, silence=2 * STUCK), times=5)
        deadlines.strike()
        with pytest.raises(ModelAway, match=f"longer than {STUCK:g} seconds"):
            await asked
        assert model.thinking


async def test_whoever_shows_the_words_slowly_is_told_of_the_deadline_in_words_too() -> None:
    """The deadline never strikes in the caller's own code, as a bare cancellation would."""
    async with scripted_model(Says(("one", "two"))) as model:
        settings = Settings.model_validate(
            {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url, "KEEPSAKE_MODEL_SECONDS": 1}
        )
        brain, loop = claude(settings), asyncio.get_running_loop()
        long_after = loop.time() + 1.2

        async def read_slowly() -> None:
            async for _ in brain.answer(HELLO):
                await eventually(lambda: loop.time() > long_after)

        with pytest.raises(ModelAway, match="longer than"):
            await read_slowly()
        await brain.close()


@pytest.mark.parametrize("status", ["429", "500", "503", "529"])
async def test_a_busy_server_is_tried_again(status: str) -> None:
    async with scripted_model(Fails(status), Says(("back",))) as model:
        assert spoken(await answer(model)) == "back"


async def test_a_server_that_stays_busy_is_waited_for_as_long_as_there_is_time() -> None:
    """The SDK by itself would have given up after its second retry."""
    busy = [Fails("529", retry_after="0.05")] * 5
    async with scripted_model(*busy, Says(("back",))) as model:
        assert spoken(await answer(model)) == "back"
    async with scripted_model(*busy, Fails("529", retry_after=str(2 * STUCK))) as model:
        with pytest.raises(ModelAway, match="busy"):
            await answer(model)
        assert len(model.requests) == 6


@pytest.mark.parametrize("retry_after", ["3600", "Fri, 31 Dec 2100 23:59:59 GMT"])
async def test_a_server_that_asks_for_more_patience_than_there_is_time_is_not_waited_for(retry_after: str) -> None:
    async with scripted_model(Fails("429", retry_after=retry_after)) as model:
        with pytest.raises(ModelAway, match="busy"):
            await answer(model)


@pytest.mark.parametrize(
    ("status", "words"), [("401", "ANTHROPIC_API_KEY was refused"), ("400", "status 400"), ("404", "status 404")]
)
async def test_a_refused_call_says_what_to_do(status: str, words: str) -> None:
    async with scripted_model(Fails(status)) as model:
        with pytest.raises(ModelAway, match=words):
            await answer(model)


async def test_no_server_at_all_is_waited_for_and_told_kindly(
    deadlines: Deadlines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.model.claude.retry.backoff", lambda attempt: 0.0 if attempt == 0 else 2 * STUCK)
    with pytest.raises(ModelAway, match="can't reach the model"):
        await answer(ScriptedModel([], "http://127.0.0.1:1"))
    assert len(deadlines.running) == 2


async def test_a_server_that_starts_late_is_found(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "memory.model.claude.retry")
    late = ScriptedModel([Says(("awake",))])
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        late.url = f"http://127.0.0.1:{place.getsockname()[1]}"
        asked = asyncio.create_task(answer(late))
        await eventually(lambda: "asked again" in caplog.text)
        async with await asyncio.start_server(late.handle, sock=place):
            assert spoken(await asked) == "awake"


BEGINNING = ({"type": "message_start", "message": {}},)
ENDING = ({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}, {"type": "message_stop"})


def block(kind: str, *deltas: dict[str, Any], **given: Any) -> tuple[dict[str, Any], ...]:
    return (
        {"type": "content_block_start", "content_block": {"type": kind, **given}},
        *({"type": "content_block_delta", "delta": delta} for delta in deltas),
        {"type": "content_block_stop"},
    )


async def test_a_server_that_sends_no_ids_no_usage_and_no_numbers_is_understood() -> None:
    """And one that thinks aloud, gives arguments whole, pings, and sends what nobody knows."""
    events: tuple[dict[str, Any] | str, ...] = (
        *BEGINNING,
        {"type": "ping"},
        *block(
            "thinking", {"type": "thinking_delta", "thinking": "Hm."}, {"type": "signature_delta", "signature": "x"}
        ),
        {"type": "something_new", "of": "tomorrow"},
        *block("text", {"type": "text_delta", "text": "Look"}, text=""),
        *block("tool_use", name="look", input={"at": 1}),
        *ENDING,
        "[DONE]",
    )
    async with scripted_model(Streams(events)) as model:
        *rest, finished = await answer(model)

    assert rest[0] == TextDelta("Look")
    [call] = calls(rest)
    assert (call.name, call.arguments) == ("look", {"at": 1})
    assert call.id
    assert finished == Finished("end_turn", {})


async def test_events_without_names_are_understood() -> None:
    events = tuple(json.dumps(event) for event in (*BEGINNING, *block("text", text="Hello"), *ENDING))
    async with scripted_model(Streams(events)) as model:
        assert spoken(await answer(model)) == "Hello"


async def test_an_end_without_a_reason_is_an_end() -> None:
    async with scripted_model(Streams((*BEGINNING, *block("text", text="Hi"), {"type": "message_stop"}))) as model:
        assert (await answer(model))[-1] == Finished("end_turn", {})


@pytest.mark.parametrize("spelled", ['{"at": ', "[1]", "not json", "{}}", "[" * 2000])
async def test_arguments_that_cannot_be_read_are_given_as_what_they_are(spelled: str) -> None:
    delta = {"type": "input_json_delta", "partial_json": spelled}
    async with scripted_model(Streams((*BEGINNING, *block("tool_use", delta, id="t", name="look"), *ENDING))) as model:
        [call] = calls(await answer(model))

    assert call == ToolUse("t", "look", {UNREADABLE: spelled[:1000]})


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
async def test_a_call_that_was_cut_in_its_middle_is_not_made_though_its_json_is_whole(reason: str) -> None:
    events = (
        *BEGINNING,
        *block("tool_use", id="one", name="look", input={"at": 1}),
        *block("tool_use", {"type": "input_json_delta", "partial_json": "{}"}, id="two", name="forget"),
        {"type": "message_delta", "delta": {"stop_reason": reason}},
        {"type": "message_stop"},
    )
    async with scripted_model(Streams(events)) as model:
        *made, finished = await answer(model)

    assert made == [ToolUse("one", "look", {"at": 1})]
    assert finished == Finished("max_tokens", {})


async def test_a_refusal_makes_no_calls() -> None:
    events = (*BEGINNING, *block("tool_use", id="t", name="look", input={}))
    refused = {"type": "message_delta", "delta": {"stop_reason": "refusal"}}
    async with scripted_model(Streams((*events, refused))) as model:
        assert await answer(model) == [Finished("refusal", {})]


async def test_a_paused_answer_goes_on_where_it_stopped_and_is_one_answer() -> None:
    async with scripted_model(Says(("First, ",), "pause_turn"), Says(("second.",))) as model:
        deltas = await answer(model)
        [_, again] = model.requests

    assert spoken(deltas) == "First, second."
    assert [message["role"] for message in again["messages"]] == ["user", "assistant"]
    assert again["messages"][-1]["content"][0]["text"] == "First,"
    [finished] = [delta for delta in deltas if isinstance(delta, Finished)]
    assert (finished.reason, finished.usage["input_tokens"], finished.usage["output_tokens"]) == ("end_turn", 20, 10)


async def test_effort_is_sent_only_where_it_is_set() -> None:
    async with scripted_model(Says(("ok",)), Says(("ok",))) as model:
        await answer(model)
        await answer(model, effort="low")
        plain, easy = model.requests

    assert "output_config" not in plain
    assert easy["output_config"] == {"effort": "low"}


@pytest.mark.parametrize("status", ["400", "422"])
async def test_a_server_that_refuses_what_it_does_not_know_is_asked_plainly(status: str) -> None:
    no = Fails(status, message="messages.0.content.0.cache_control: Extra inputs are not permitted")
    async with scripted_model(no, Says(("ok",))) as model:
        assert spoken(await answer(model, effort="low")) == "ok"
        asked, again = (json.dumps(request) for request in model.requests)

    assert "cache_control" in asked
    assert "cache_control" not in again
    assert "output_config" not in again


async def test_what_an_attempt_cost_that_came_to_nothing_is_known() -> None:
    async with scripted_model(Fails("truncated", words=""), Says(("ok",))) as model:
        settings = Settings.model_validate({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url})
        brain = claude(settings)
        began = [delta async for delta in brain.answer(HELLO) if isinstance(delta, AnswerStarted)]
        await brain.close()

    assert [(each.model, each.usage["input_tokens"]) for each in began] == [("claude-sonnet-5-5", 10)] * 2
