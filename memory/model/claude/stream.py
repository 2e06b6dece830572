"""Parses the event stream of an answer: text as it arrives, tool calls once they are complete.

Compatible servers differ: some send no ids, no usage or no event names, some send arguments at once or include
thinking. Missing fields are tolerated and unknown events ignored, but an answer must have an end.
"""

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from memory.model.brain import UNREADABLE, AnswerStarted, Delta, Finished, TextDelta, ToolUse

CUT_OFF_REASONS = frozenset({"max_tokens", "model_context_window_exceeded"})
MAX_DEPTH = 40
LONGEST_UNREADABLE = 1000
TRANSIENT_ERRORS = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})


class StreamBroke(Exception):
    """The stream ended early or reported an error. `is_transient` is true if a retry makes sense."""

    def __init__(self, kind: str, *, is_transient: bool = True) -> None:
        super().__init__(kind)
        self.kind = kind
        self.is_transient = is_transient


@dataclass(slots=True)
class _Block:
    kind: str
    id: str = ""
    name: str = ""
    input: Any = None
    partial_json: str = ""


@dataclass(slots=True)
class AnswerStream:
    """The answer as received so far."""

    model: str
    started_at: float
    words: str = ""
    reason: str | None = None
    usage: dict[str, int] = field(default_factory=dict)
    _blocks: dict[int, _Block] = field(default_factory=dict)
    _is_over: bool = False

    def take(self, data: str) -> Iterator[Delta]:
        """Process the data of one event. Raises JSONDecodeError or StreamBroke if it is invalid."""
        if not data or data == "[DONE]":
            return
        event = json.loads(data)
        if not isinstance(event, dict):
            raise StreamBroke("an event that is not an object")
        match event.get("type"):
            case "message_start":
                self._count(_part(event, "message").get("usage"))
                yield AnswerStarted(self.model, self.started_at, dict(self.usage))
            case "content_block_start":
                yield from self._start(self._index(event, opens=True), _part(event, "content_block"))
            case "content_block_delta":
                yield from self._continue(self._index(event), _part(event, "delta"))
            case "message_delta":
                self._count(event.get("usage"))
                self.reason = _text(_part(event, "delta"), "stop_reason") or self.reason
            case "message_stop":
                self._is_over = True
            case "error":
                kind = _text(_part(event, "error"), "type")
                raise StreamBroke(kind or "error", is_transient=not kind or kind in TRANSIENT_ERRORS)

    def end(self) -> Iterator[Delta]:
        """Yield the tool calls and the reason for the end. Call it after the last event. If the answer was cut off, its
        last call may be incomplete and is dropped. A refusal calls nothing."""
        calls = [self._call(block) for block in self._blocks.values() if block.kind == "tool_use"]
        if self.reason is None and not self._is_over:
            raise StreamBroke("no end")
        reason = self.reason or ("tool_use" if calls else "end_turn")
        if reason in CUT_OFF_REASONS:
            reason = "max_tokens"
            if self._blocks and list(self._blocks.values())[-1].kind == "tool_use":
                calls.pop()
        yield from () if reason == "refusal" else calls
        yield Finished(reason, dict(self.usage))

    def _index(self, event: Mapping[str, Any], *, opens: bool = False) -> int:
        index = event.get("index")
        return index if isinstance(index, int) else len(self._blocks) - (not opens)

    def _start(self, index: int, start: Mapping[str, Any]) -> Iterator[Delta]:
        block = _Block(_text(start, "type"), _text(start, "id"), _text(start, "name"), start.get("input"))
        self._blocks[index] = block
        if block.kind == "text":
            yield from self._emit(_text(start, "text"))

    def _continue(self, index: int, delta: Mapping[str, Any]) -> Iterator[Delta]:
        match delta.get("type"):
            case "text_delta":
                yield from self._emit(_text(delta, "text"))
            case "input_json_delta" if index in self._blocks:
                self._blocks[index].partial_json += _text(delta, "partial_json")

    def _emit(self, words: str) -> Iterator[Delta]:
        if words:
            self.words += words
            yield TextDelta(words)

    def _call(self, block: _Block) -> ToolUse:
        """Build a tool call. Unreadable arguments are passed on as text, for the error message to the model."""
        initial = block.input if isinstance(block.input, dict) else {}
        try:
            arguments = _sendable(json.loads(block.partial_json) if block.partial_json.strip() else initial)
        except (ValueError, RecursionError):
            arguments = None
        if not isinstance(arguments, dict):
            arguments = {UNREADABLE: block.partial_json[:LONGEST_UNREADABLE]}
        return ToolUse(block.id or f"toolu_{secrets.token_hex(8)}", block.name, arguments)

    def _count(self, usage: Any) -> None:
        """Update the usage. Later counts cover the whole answer, so they replace earlier ones."""
        if isinstance(usage, dict):
            self.usage |= {name: value for name, value in usage.items() if type(value) is int and value >= 0}


def _part(event: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = event.get(name)
    return part if isinstance(part, dict) else {}


def _text(part: Mapping[str, Any], name: str) -> str:
    value = part.get(name)
    return value if isinstance(value, str) else ""


def _sendable(value: Any, depth: int = 0) -> Any:
    """Replace NaN and infinities: the parser accepts them, but they cannot be sent back."""
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    match value:
        case dict():
            return {name: _sendable(item, depth + 1) for name, item in value.items()}
        case list():
            return [_sendable(item, depth + 1) for item in value]
        case float() if not isfinite(value):
            return str(value)
        case _:
            return value
