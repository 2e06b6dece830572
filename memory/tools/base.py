"""What a tool is: an input model, a function, and the caller it acts for."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from db.engine import Database
from db.viewer import Viewer
from memory.brain import ToolResult, ToolSpec, ToolUse
from memory.errors import ToolRefused
from memory.receipts import Receipt


@dataclass(slots=True)
class Caller:
    """For whom, when, and on which message of theirs a tool acts; receipts of what it committed gather here."""

    database: Database
    viewer: Viewer
    event_id: str
    message: str
    now: datetime
    timezone: ZoneInfo
    receipts: list[Receipt] = field(default_factory=list)
    orders_used: int = 0

    def transaction(self, *, read_only: bool = False) -> AbstractAsyncContextManager[AsyncSession]:
        return self.database.transaction(self.viewer, read_only=read_only)


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    wish: type[BaseModel]
    act: Callable[[Any, Caller], Awaitable[str]]

    @property
    def spec(self) -> ToolSpec:
        schema = self.wish.model_json_schema()
        schema.pop("title", None)
        return ToolSpec(self.name, schema.pop("description"), schema)


async def run_tool(known: Mapping[str, Tool], call: ToolUse, caller: Caller) -> ToolResult:
    """Whatever a model gets wrong becomes an error result that it can read, never a crash."""
    tool = known.get(call.name)
    if tool is None:
        return ToolResult(call.id, f"There is no tool called {call.name!r}.", is_error=True)
    try:
        return ToolResult(call.id, await tool.act(tool.wish.model_validate(call.arguments), caller))
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, p['loc']))}: {p['msg']}" for p in error.errors())
        return ToolResult(call.id, f"Wrong arguments: {problems}", is_error=True)
    except ToolRefused as refusal:
        return ToolResult(call.id, str(refusal), is_error=True)
