"""How the tools are offered: with the fields that mean something to whoever calls, and no others."""

from functools import cache
from typing import Any

from mcp.types import Tool as Offered
from pydantic import BaseModel

from api.caller import ApiCaller
from api.mcp.tools import TOOLS, McpTool
from api.schemas.shared import ScopedIn
from memory.model.tools.base import without_titles


def hidden_from(caller: ApiCaller) -> frozenset[str]:
    """What the key tells by itself need not be asked."""
    admission = caller.bearer.admission
    told = {"user_id": admission.user, "agent_id": admission.agent}
    return frozenset({"tenant_id", *(name for name, value in told.items() if value is not None)})


@cache
def offered(hidden: frozenset[str], *, plain_names: bool) -> tuple[Offered, ...]:
    return tuple(_offered(tool, hidden, plain_names=plain_names) for tool in TOOLS)


def _offered(tool: McpTool, hidden: frozenset[str], *, plain_names: bool) -> Offered:
    asked = _schema(tool.wish, "validation")
    asked["properties"] = _ordered({name: part for name, part in asked["properties"].items() if name not in hidden})
    return Offered(
        name=tool.plain_name if plain_names else tool.name,
        title=tool.title,
        description=asked.pop("description"),
        input_schema=asked,
        output_schema=_schema(tool.answer, "serialization"),
        annotations=tool.hints,
    )


def _ordered(properties: dict[str, Any]) -> dict[str, Any]:
    """What is asked first, for whom last."""
    return dict(sorted(properties.items(), key=lambda each: each[0] in ScopedIn.model_fields))


def _schema(model: type[BaseModel], mode: Any) -> dict[str, Any]:
    """In one piece: not every client follows references."""
    schema = without_titles(model.model_json_schema(mode=mode))
    inlined: dict[str, Any] = _inlined(schema, schema.pop("$defs", {}))
    return inlined


def _inlined(part: Any, known: dict[str, Any]) -> Any:
    match part:
        case {"$ref": str(place), **more}:
            return {**_inlined(known[place.rpartition("/")[2]], known), **_inlined(more, known)}
        case dict():
            kept = {name: value for name, value in part.items() if name != "examples" or not isinstance(value, list)}
            return {name: _inlined(value, known) for name, value in kept.items()}
        case list():
            return [_inlined(each, known) for each in part]
        case _:
            return part
