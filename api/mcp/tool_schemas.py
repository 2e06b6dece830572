"""The tool definitions that a client lists, without the fields that its key already determines."""

from functools import cache
from typing import Any

from mcp.types import Tool as ToolDefinition
from pydantic import BaseModel

from api.caller import ApiCaller
from api.mcp.tools import TOOLS, McpTool
from api.schemas.shared import ScopedIn
from memory.model.tools.base import without_titles


def hidden_fields(caller: ApiCaller) -> frozenset[str]:
    """Return the fields that the caller's key determines."""
    admission = caller.bearer.admission
    bound = {"user_id": admission.user, "agent_id": admission.agent}
    return frozenset({"tenant_id", *(name for name, value in bound.items() if value is not None)})


@cache
def tool_definitions(hidden: frozenset[str], *, plain_names: bool) -> tuple[ToolDefinition, ...]:
    return tuple(_definition(tool, hidden, plain_names=plain_names) for tool in TOOLS)


def _definition(tool: McpTool, hidden: frozenset[str], *, plain_names: bool) -> ToolDefinition:
    arguments = _schema(tool.input_model, "validation")
    visible = {name: part for name, part in arguments["properties"].items() if name not in hidden}
    arguments["properties"] = _ordered(visible)
    return ToolDefinition(
        name=tool.plain_name if plain_names else tool.name,
        title=tool.title,
        description=arguments.pop("description"),
        input_schema=arguments,
        output_schema=_schema(tool.output_model, "serialization"),
        annotations=tool.hints,
    )


def _ordered(properties: dict[str, Any]) -> dict[str, Any]:
    """Put the scoping fields last."""
    return dict(sorted(properties.items(), key=lambda each: each[0] in ScopedIn.model_fields))


def _schema(model: type[BaseModel], mode: Any) -> dict[str, Any]:
    """Return the model's schema with references inlined, because not every client follows them."""
    schema = without_titles(model.model_json_schema(mode=mode))
    inlined: dict[str, Any] = _inlined(schema, schema.pop("$defs", {}))
    return inlined


def _inlined(part: Any, definitions: dict[str, Any]) -> Any:
    match part:
        case {"$ref": str(path), **more}:
            return {**_inlined(definitions[path.rpartition("/")[2]], definitions), **_inlined(more, definitions)}
        case dict():
            kept = {name: value for name, value in part.items() if name != "examples" or not isinstance(value, list)}
            return {name: _inlined(value, definitions) for name, value in kept.items()}
        case list():
            return [_inlined(each, definitions) for each in part]
        case _:
            return part
