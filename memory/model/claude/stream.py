"""Reads the stream of one answer, whoever sends it: words as they come, calls of tools when they are whole.

Servers differ. Some send no ids, no usage, no names of events, or whole arguments at once; some think aloud. What is
not there is done without, what is not known is passed over, and only an answer that has an end is taken for one.
"""

import json
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from memory.model.brain import UNREADABLE, Began, Delta, Finished, TextDelta, ToolUse

CUT = frozenset({"max_tokens", "model_context_window_exceeded"})
DEEPEST = 40
LONGEST_UNREADABLE = 1000
PASSING = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})


class StreamBroke(Exception):
    """It ended without an end, or said itself that something is wrong; `passes` when it may be asked again."""

    def __init__(self, kind: str, *, passes: bool = True) -> None:
        super().__init__(kind)
        self.kind = kind
        self.passes = passes


@dataclass(slots=True)
class _Block:
    kind: str
    id: str = ""
    name: str = ""
    given: Any = None
    spelled: str = ""


@dataclass(slots=True)
class AnswerStream:
    """What has come of an answer so far."""

    model: str
    asked_at: float
    words: str = ""
    reason: str | None = None
    usage: dict[str, int] = field(default_factory=dict)
    _blocks: dict[int, _Block] = field(default_factory=dict)
    _is_over: bool = False

    def take(self, data: str) -> Iterator[Delta]:
        """One event of the stream; raises JSONDecodeError or StreamBroke where it is none."""
        if not data or data == "[DONE]":
            return
        event = json.loads(data)
        if not isinstance(event, dict):
            raise StreamBroke("an event that is none")
        match event.get("type"):
            case "message_start":
                self._count(_part(event, "message").get("usage"))
                yield Began(self.model, self.asked_at, dict(self.usage))
            case "content_block_start":
                yield from self._start(self._index(event, opens=True), _part(event, "content_block"))
            case "content_block_delta":
                yield from self._go_on(self._index(event), _part(event, "delta"))
            case "message_delta":
                self._count(event.get("usage"))
                self.reason = _text(_part(event, "delta"), "stop_reason") or self.reason
            case "message_stop":
                self._is_over = True
            case "error":
                kind = _text(_part(event, "error"), "type")
                raise StreamBroke(kind or "error", passes=not kind or kind in PASSING)

    def end(self) -> Iterator[Delta]:
        """After the last event: the calls, and why it ended. Of an answer that was cut the last call may be half of
        one, and a refusal does nothing."""
        calls = [self._call(block) for block in self._blocks.values() if block.kind == "tool_use"]
        if self.reason is None and not self._is_over:
            raise StreamBroke("no end")
        reason = self.reason or ("tool_use" if calls else "end_turn")
        if reason in CUT:
            reason = "max_tokens"
            if self._blocks and list(self._blocks.values())[-1].kind == "tool_use":
                calls.pop()
        yield from () if reason == "refusal" else calls
        yield Finished(reason, dict(self.usage))

    def _index(self, event: Mapping[str, Any], *, opens: bool = False) -> int:
        index = event.get("index")
        return index if isinstance(index, int) else len(self._blocks) - (not opens)

    def _start(self, index: int, given: Mapping[str, Any]) -> Iterator[Delta]:
        block = _Block(_text(given, "type"), _text(given, "id"), _text(given, "name"), given.get("input"))
        self._blocks[index] = block
        if block.kind == "text":
            yield from self._say(_text(given, "text"))

    def _go_on(self, index: int, delta: Mapping[str, Any]) -> Iterator[Delta]:
        match delta.get("type"):
            case "text_delta":
                yield from self._say(_text(delta, "text"))
            case "input_json_delta" if index in self._blocks:
                self._blocks[index].spelled += _text(delta, "partial_json")

    def _say(self, words: str) -> Iterator[Delta]:
        if words:
            self.words += words
            yield TextDelta(words)

    def _call(self, block: _Block) -> ToolUse:
        """Arguments that cannot be read are given as what they are, so that the model can be told."""
        given = block.given if isinstance(block.given, dict) else {}
        try:
            arguments = _sendable(json.loads(block.spelled) if block.spelled.strip() else given)
        except (ValueError, RecursionError):
            arguments = None
        if not isinstance(arguments, dict):
            arguments = {UNREADABLE: block.spelled[:LONGEST_UNREADABLE]}
        return ToolUse(block.id or f"toolu_{secrets.token_hex(8)}", block.name, arguments)

    def _count(self, usage: Any) -> None:
        """Later counts are of the whole answer, so they replace earlier ones."""
        if isinstance(usage, dict):
            self.usage |= {name: value for name, value in usage.items() if type(value) is int and value >= 0}


def _part(event: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = event.get(name)
    return part if isinstance(part, dict) else {}


def _text(part: Mapping[str, Any], name: str) -> str:
    value = part.get(name)
    return value if isinstance(value, str) else ""


def _sendable(value: Any, depth: int = 0) -> Any:
    """NaN and its kind are read from a stream, but cannot be sent back."""
    if depth > DEEPEST:
        raise ValueError("deeper than any argument")
    match value:
        case dict():
            return {name: _sendable(item, depth + 1) for name, item in value.items()}
        case list():
            return [_sendable(item, depth + 1) for item in value]
        case float() if not isfinite(value):
            return str(value)
        case _:
            return value
