"""The stored and sent form of tool calls and results: the same bytes, so that a call can be replayed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from db.vocabulary import ActorType, EventKind
from memory.events.contents import redact_content
from memory.events.record import EventDraft
from memory.events.tool_results import normalise_tool_result
from memory.model.brain import Block, Message, Text, ToolResult, ToolUse
from memory.model.tokens import estimate, shorten

TRUNCATED = "\n[… this is an excerpt; the rest is kept …]"
TOO_LONG = "\n[… this is an excerpt; the rest is too long, only its beginning is kept …]"
LARGEST_FLOAT = 1e16  # from here on PostgreSQL returns whole floats as integers


def redact_text(words: str) -> str:
    return str(redact_content(words, []))


def redact_call(call: ToolUse) -> ToolUse:
    """Redact the arguments, in the canonical form that the database returns."""
    return ToolUse(call.id, call.name, canonical(redact_content(dict(call.arguments), [])))


def render_result(result: ToolResult) -> ToolResult:
    """Return the result for the model: redacted and within its limit."""
    content = normalise_tool_result({"text": result.content}).content
    return ToolResult(result.tool_use_id, _text_shown(content, result.most), result.is_error, refusal=result.refusal)


def limit_results(results: Sequence[ToolResult], room: int) -> list[ToolResult]:
    """Limit the results of a round to `room` tokens. The next results may use the rest of a short one."""
    limited = []
    for place, result in enumerate(results):
        share = max(room // (len(results) - place), 0)
        tokens = estimate(render_result(result).content)
        limited.append(result if tokens <= share else replace(result, most=share))
        room -= min(tokens, share)
    return limited


def call_draft(call: ToolUse, agent: str, text_before: str) -> EventDraft:
    """A tool call as an event. The first call of a round also stores the text before it."""
    content = {
        "call": call.id,
        "tool": call.name,
        "arguments": dict(call.arguments),
        **({"said": text_before} if text_before else {}),
    }
    return EventDraft(ActorType.AGENT, agent, EventKind.TOOL_CALL, content)


def result_draft(result: ToolResult, agent: str) -> EventDraft:
    content = {"call": result.tool_use_id, "text": result.content, "error": result.is_error}
    if result.most is not None:
        content["most"] = result.most
    if result.recalled:
        content["recalled"] = True
    return EventDraft(ActorType.TOOL, agent, EventKind.TOOL_RESULT, content)


def call_from_event(content: Mapping[str, Any]) -> tuple[str, ToolUse]:
    """The text before a call, and the call, from its event."""
    call = ToolUse(content.get("call", ""), content.get("tool", ""), canonical(content.get("arguments", {})))
    return content.get("said", ""), call


def result_from_event(content: Mapping[str, Any]) -> ToolResult:
    return ToolResult(content.get("call", ""), _text_shown(content, content.get("most")), bool(content.get("error")))


def round_messages(text: str, calls: list[ToolUse], results: list[ToolResult]) -> tuple[Message, Message]:
    """A round as two messages: the calls and their results."""
    words: list[Block] = [Text(text)] if text else []
    return Message("assistant", (*words, *calls)), Message("user", tuple(results))


def canonical(value: Any) -> Any:
    match value:
        case dict():
            return {name: canonical(value[name]) for name in sorted(value)}
        case list():
            return [canonical(item) for item in value]
        case float() if value.is_integer() and abs(value) >= LARGEST_FLOAT:
            return int(value)
        case _:
            return value


def _text_shown(content: Mapping[str, Any], most: int | None) -> str:
    left_out = TOO_LONG if content.get("not_kept_bytes") else TRUNCATED if content.get("truncated") else ""
    text = f"{content.get('excerpt_text', '')}{left_out}"
    return text if most is None else shorten(text, most)
