"""A request in the wire format of the Messages API. Pure, so that a call can be hashed and replayed."""

from collections.abc import Mapping
from typing import Any

from memory.model.brain import Block, Message, Request, Text, ToolResult, ToolUse


def wire(request: Request) -> dict[str, Any]:
    """Return the request body with four cache breakpoints: after tools and instructions, after the memory, after the
    last finished exchange, and at the end. The last one serves the rounds of a tool loop."""
    system: list[dict[str, Any]] = [
        {"type": "text", "text": text} for text in (request.instructions, request.memory) if text
    ]
    messages = [_wire_message(message) for message in request.messages]
    ends = [request.stable_messages - 1] if request.stable_messages else []
    for block in (*system, *(block for place in (*ends, -1) for block in messages[place]["content"][-1:])):
        block["cache_control"] = {"type": "ephemeral"}
    return {
        "system": system,
        "tools": [{"name": t.name, "description": t.description, "input_schema": t.schema} for t in request.tools],
        "messages": messages,
    }


def without_extras(value: Any) -> Any:
    """Return the request without the fields that only Claude's own server accepts."""
    match value:
        case Mapping():
            kept = (name for name in value if name not in EXTRAS)
            return {name: without_extras(value[name]) for name in kept}
        case list():
            return [without_extras(item) for item in value]
        case _:
            return value


EXTRAS = ("cache_control", "output_config")


def _wire_message(message: Message) -> dict[str, Any]:
    return {"role": message.role, "content": [_wire_block(block) for block in message.blocks]}


def _wire_block(block: Block) -> dict[str, Any]:
    match block:
        case Text(text):
            return {"type": "text", "text": text}
        case ToolUse(id, name, arguments):
            return {"type": "tool_use", "id": id, "name": name, "input": dict(arguments)}
        case ToolResult(id, content, is_error):
            return {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error}
