"""The steps of a loop of tools as they are kept and sent: the same bytes, so that a call can be rendered again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from db.vocabulary import ActorType, EventKind
from memory.events.contents import redact_content
from memory.events.record import EventDraft
from memory.events.tool_results import normalise_tool_result
from memory.model.brain import Block, Message, Text, ToolResult, ToolUse
from memory.model.tokens import estimate, shortened

TRUNCATED = "\n[… this is an excerpt; the rest is kept …]"
TOO_LONG = "\n[… this is an excerpt; the rest is too long, only its beginning is kept …]"
LARGEST_FLOAT = 1e16  # from here on PostgreSQL gives a whole number back as an integer


def fit_words(words: str) -> str:
    """What an assistant said, without secrets."""
    return str(redact_content(words, []))


def fit_call(call: ToolUse) -> ToolUse:
    """The arguments without secrets, in the one order and spelling that also comes out of the database."""
    return ToolUse(call.id, call.name, canonical(redact_content(dict(call.arguments), [])))


def fit_result(result: ToolResult) -> ToolResult:
    """A result as the model gets to see it: no secrets, and not too long."""
    content = normalise_tool_result({"text": result.content}).content
    return ToolResult(result.tool_use_id, _shown(content, result.most), result.is_error)


def with_room(results: Sequence[ToolResult], room: int) -> list[ToolResult]:
    """The results of one round, each told how much of it the model can get: what one leaves over the next may use."""
    told = []
    for place, result in enumerate(results):
        share = max(room // (len(results) - place), 0)
        tokens = estimate(fit_result(result).content)
        told.append(result if tokens <= share else replace(result, most=share))
        room -= min(tokens, share)
    return told


def call_draft(call: ToolUse, agent: str, said: str) -> EventDraft:
    """Words that came before the first call of a round stay with it."""
    content = {
        "call": call.id,
        "tool": call.name,
        "arguments": dict(call.arguments),
        **({"said": said} if said else {}),
    }
    return EventDraft(ActorType.AGENT, agent, EventKind.TOOL_CALL, content)


def result_draft(result: ToolResult, agent: str) -> EventDraft:
    content = {"call": result.tool_use_id, "text": result.content, "error": result.is_error}
    if result.most is not None:
        content["most"] = result.most
    if result.recalled:
        content["recalled"] = True
    return EventDraft(ActorType.TOOL, agent, EventKind.TOOL_RESULT, content)


def kept_call(content: Mapping[str, Any]) -> tuple[str, ToolUse]:
    """What was said before a call, and the call, from the event that keeps it."""
    call = ToolUse(content.get("call", ""), content.get("tool", ""), canonical(content.get("arguments", {})))
    return content.get("said", ""), call


def kept_result(content: Mapping[str, Any]) -> ToolResult:
    return ToolResult(content.get("call", ""), _shown(content, content.get("most")), bool(content.get("error")))


def answered(said: str, calls: list[ToolUse], results: list[ToolResult]) -> tuple[Message, Message]:
    """One round as the two messages that follow it."""
    words: list[Block] = [Text(said)] if said else []
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


def _shown(content: Mapping[str, Any], most: int | None) -> str:
    left_out = TOO_LONG if content.get("not_kept_bytes") else TRUNCATED if content.get("truncated") else ""
    words = f"{content.get('excerpt_text', '')}{left_out}"
    return words if most is None else shortened(words, most)
