"""The seven tools: each has an input model, an operation and a plain-text rendering of the result.

The operations are those of REST, except for search, which only models use.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp.types import ToolAnnotations
from pydantic import BaseModel

from api.api_call import ApiCall
from api.mcp import plain_text
from api.mcp.inputs import BuildAcb, GetArtifact, ListMemory, Propose, QueryDecisions, RecordEvent, Search
from api.mcp.outputs import AcbOut, ArtifactPartOut, ProposeOut, part_of
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
    input_model: type[BaseModel]
    output_model: type[BaseModel]
    run: Callable[[ApiCall, Any], Awaitable[dict[str, Any]]]
    render: Callable[[dict[str, Any]], str]
    scope: Scope = Scope.READ
    is_idempotent: bool = True

    @property
    def plain_name(self) -> str:
        """The name for clients that reject dots."""
        return self.name.replace(".", "_")

    @property
    def hints(self) -> ToolAnnotations:
        """No tool deletes anything or reaches beyond this memory."""
        return ToolAnnotations(
            read_only_hint=self.scope == Scope.READ,
            destructive_hint=False,
            idempotent_hint=self.is_idempotent,
            open_world_hint=False,
        )


async def _record_event(call: ApiCall, request: RecordEvent) -> dict[str, Any]:
    return (await events.record_event(call, request)).body


async def _build_acb(call: ApiCall, request: BuildAcb) -> dict[str, Any]:
    return AcbOut.of((await events.build_acb(call, request)).body).model_dump(mode="json")


async def _get_artifact(call: ApiCall, request: GetArtifact) -> dict[str, Any]:
    whole = await ledgers.get_artifact(call, request.scoping, request.artifact_id)
    return part_of(whole.body, request.first_line, request.last_line).model_dump(mode="json")


async def _query_decisions(call: ApiCall, request: QueryDecisions) -> dict[str, Any]:
    page = Page(request.limit, request.cursor)
    decisions = await ledgers.query_decisions(
        call, request.scoping, words=request.query, status=request.status, scope=request.scope, page=page
    )
    return decisions.body


async def _search(call: ApiCall, request: Search) -> dict[str, Any]:
    return (await search.search_memory(call, request)).body


async def _list_memory(call: ApiCall, request: ListMemory) -> dict[str, Any]:
    return (await memory.list_memory(call, request.scoping, Page(request.limit, request.cursor))).body


async def _propose(call: ApiCall, request: Propose) -> dict[str, Any]:
    """Propose a card. Over MCP nobody counts as the owner, whatever their key."""
    if request.memory_id is not None:
        changed = UpdateMemoryIn(content=request.content)
        card = await memory.update_memory(call, request.scoping, request.memory_id, changed)
    else:
        given = request.model_dump(include={"content", "category", "subject", "attribute"})
        new = CreateMemoryIn.model_validate(given)
        card = await memory.create_memory(call, request.scoping, new)
    return ProposeOut(**card.body).model_dump(mode="json")


TOOLS = (
    McpTool(
        name="memory.record_event",
        title="Record what happened",
        input_model=RecordEvent,
        output_model=EventOut,
        run=_record_event,
        render=plain_text.event,
        scope=Scope.WRITE,
        is_idempotent=False,
    ),
    McpTool("memory.build_acb", "Build a context bundle", BuildAcb, AcbOut, _build_acb, plain_text.bundle),
    McpTool(
        "memory.get_artifact", "Read an artifact", GetArtifact, ArtifactPartOut, _get_artifact, plain_text.artifact
    ),
    McpTool(
        "memory.query_decisions", "Find decisions", QueryDecisions, DecisionsOut, _query_decisions, plain_text.decisions
    ),
    McpTool("memory.search", "Search the memory", Search, SearchOut, _search, plain_text.search_results),
    McpTool("memory.list", "List what is remembered", ListMemory, MemoriesOut, _list_memory, plain_text.memories),
    McpTool(
        "memory.propose", "Ask to remember something", Propose, ProposeOut, _propose, plain_text.proposal, Scope.WRITE
    ),
)
TOOLS_BY_NAME = {name: tool for tool in TOOLS for name in (tool.name, tool.plain_name)}
