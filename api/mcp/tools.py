"""The seven tools: each is a wish, an operation, and how its answer is told.

The operations are those of REST; only to search is there for a model alone.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp.types import ToolAnnotations
from pydantic import BaseModel

from api.call import ApiCall
from api.mcp import plain_text
from api.mcp.inputs import BuildAcb, GetArtifact, ListMemory, Propose, QueryDecisions, RecordEvent, Search
from api.mcp.outputs import AcbOut, AskedOut, PartOut, part_of
from api.operations import events, ledgers, memory, search
from api.paging import Page
from api.schemas.events import EventOut
from api.schemas.ledgers import DecisionsOut
from api.schemas.memory import CreateMemoryIn, MemoriesOut, UpdateMemoryIn
from api.schemas.search import SearchOut
from memory import Scope


@dataclass(frozen=True, slots=True)
class McpTool:
    name: str
    title: str
    wish: type[BaseModel]
    answer: type[BaseModel]
    act: Callable[[ApiCall, Any], Awaitable[dict[str, Any]]]
    tell: Callable[[dict[str, Any]], str]
    scope: Scope = Scope.READ
    is_idempotent: bool = True

    @property
    def plain_name(self) -> str:
        """For clients that take no dots in a name."""
        return self.name.replace(".", "_")

    @property
    def hints(self) -> ToolAnnotations:
        """None of them takes anything away, or reaches beyond this memory."""
        return ToolAnnotations(
            read_only_hint=self.scope == Scope.READ,
            destructive_hint=False,
            idempotent_hint=self.is_idempotent,
            open_world_hint=False,
        )


async def _record_event(call: ApiCall, wish: RecordEvent) -> dict[str, Any]:
    return (await events.record_event(call, wish)).body


async def _build_acb(call: ApiCall, wish: BuildAcb) -> dict[str, Any]:
    return AcbOut.of((await events.build_acb(call, wish)).body).model_dump(mode="json")


async def _get_artifact(call: ApiCall, wish: GetArtifact) -> dict[str, Any]:
    whole = await ledgers.get_artifact(call, wish.scoping, wish.artifact_id)
    return part_of(whole.body, wish.first_line, wish.last_line).model_dump(mode="json")


async def _query_decisions(call: ApiCall, wish: QueryDecisions) -> dict[str, Any]:
    page = Page(wish.limit, wish.cursor)
    found = await ledgers.query_decisions(
        call, wish.scoping, words=wish.query, status=wish.status, scope=wish.scope, page=page
    )
    return found.body


async def _search(call: ApiCall, wish: Search) -> dict[str, Any]:
    return (await search.search_memory(call, wish)).body


async def _list_memory(call: ApiCall, wish: ListMemory) -> dict[str, Any]:
    return (await memory.list_memory(call, wish.scoping, Page(wish.limit, wish.cursor))).body


async def _propose(call: ApiCall, wish: Propose) -> dict[str, Any]:
    """A card, as for any agent: over MCP nobody is the owner, whatever key they have."""
    if wish.memory_id is not None:
        changed = UpdateMemoryIn(content=wish.content)
        card = await memory.update_memory(call, wish.scoping, wish.memory_id, changed)
    else:
        given = wish.model_dump(include={"content", "category", "subject", "attribute"})
        new = CreateMemoryIn.model_validate(given)
        card = await memory.create_memory(call, wish.scoping, new)
    return AskedOut(**card.body).model_dump(mode="json")


TOOLS = (
    McpTool(
        name="memory.record_event",
        title="Record what happened",
        wish=RecordEvent,
        answer=EventOut,
        act=_record_event,
        tell=plain_text.recorded,
        scope=Scope.WRITE,
        is_idempotent=False,
    ),
    McpTool("memory.build_acb", "Gather the context of the work", BuildAcb, AcbOut, _build_acb, plain_text.bundle),
    McpTool("memory.get_artifact", "Read an artifact", GetArtifact, PartOut, _get_artifact, plain_text.artifact),
    McpTool(
        "memory.query_decisions", "Find decisions", QueryDecisions, DecisionsOut, _query_decisions, plain_text.decisions
    ),
    McpTool("memory.search", "Search the memory", Search, SearchOut, _search, plain_text.found),
    McpTool("memory.list", "List what is remembered", ListMemory, MemoriesOut, _list_memory, plain_text.memories),
    McpTool("memory.propose", "Ask to remember something", Propose, AskedOut, _propose, plain_text.asked, Scope.WRITE),
)
KNOWN = {name: tool for tool in TOOLS for name in (tool.name, tool.plain_name)}
