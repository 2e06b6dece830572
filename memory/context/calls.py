"""Turns a bundle into a model request, and stores a manifest that can render the request again."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

from db.queries.model import bundles as queries
from db.viewer import Viewer
from memory.context.build import Bundle
from memory.context.items import FRAME, Item
from memory.context.render import request
from memory.context.sections import DEFAULT_TOKENS
from memory.model.brain import AnswerStarted, Request, Text, ToolResult, ToolUse
from memory.model.claude.wire import wire
from memory.model.tokens import estimate
from memory.model.usage import CallUsage, begin_call, end_call
from memory.unit import Memory, Unit

FORMAT = 1
TOOLS_FRAME = 500  # the model's own preamble about tools, and the framing of each


@dataclass(slots=True)
class ModelCall:
    """A model call in progress: its request, the parts of the request, and the rounds so far."""

    bundle: Bundle
    request: Request
    notes: tuple[str, ...]
    message: Item
    timezone: str
    most_tokens: int
    """The limit of a request in estimated tokens. Tool results are truncated to the rest of it."""
    rounds: list[dict[str, Any]] = field(default_factory=list)
    token_est: int = 0
    token_used: int = 0
    attempts: list[CallUsage] = field(default_factory=list)
    """The usage of every attempt, including failed ones."""

    def record_start(self, started: AnswerStarted) -> None:
        begin_call(self.attempts, started)

    def record_round(self, request: Request, usage: Mapping[str, int]) -> None:
        """Note that a request was answered, with the usage the model reported."""
        end_call(self.attempts, usage)
        estimated = request_tokens(request)
        counted = sum(usage.get(name, 0) for name in INPUT_TOKENS)
        if not self.rounds or counted - estimated > self.token_used - self.token_est:
            self.token_est, self.token_used = estimated, counted
        self.rounds.append({"sha256": request_hash(request), "messages": len(request.messages)})


INPUT_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def prepare_call(
    bundle: Bundle,
    instructions: str,
    tools: tuple[Any, ...],
    notes: Sequence[str],
    message: Item,
    *,
    most_tokens: int = DEFAULT_TOKENS,
) -> ModelCall:
    timezone = bundle.choices.timezone
    model_request = request(
        instructions,
        tools,
        {section.name: section.items for section in bundle.sections},
        notes=notes,
        now=bundle.now,
        timezone=timezone,
        message=message,
    )
    return ModelCall(bundle, model_request, tuple(notes), message, timezone, most_tokens)


async def keep_call(unit: Unit, call: ModelCall, conversation_id: str, steps: Sequence[str]) -> None:
    """Store the manifest of a call. It contains no personal content: rows are named by id, the program's own texts by
    hash. `steps` are the events of its tool calls and results, in order."""
    bundle = call.bundle
    sections = {section.name: section.items for section in bundle.sections}
    texts = {_hash(text): text for text in (call.request.instructions, tools_json(call.request), *call.notes)}
    await queries.keep_texts(unit.session, unit.viewer, texts)
    manifest = {
        "format": FORMAT,
        "now": bundle.now.isoformat(),
        "timezone": call.timezone,
        "instructions": _hash(call.request.instructions),
        "tools": _hash(tools_json(call.request)),
        "notes": [_hash(note) for note in call.notes],
        "sections": {name: [dict(item.row) for item in items] for name, items in sections.items() if items},
        "message": dict(call.message.row),
        "steps": list(steps),
        "budget": bundle.budget_tokens,
    }
    await queries.add_call(
        unit.session,
        unit.viewer,
        id=bundle.id,
        conversation_id=conversation_id,
        ts=bundle.now,
        manifest=manifest,
        hashes={**part_hashes(call.request, call.message), "rounds": call.rounds},
        provenance={name: value for name, value in bundle.provenance.items() if name != "query_terms"},
        token_est=call.token_est,
        token_used=call.token_used,
    )


async def remove_due_calls(memory: Memory, tenant: str, now: datetime) -> int:
    """Delete the manifests of all users that are past their retention period. The program's few texts stay."""
    if memory.limits.bundles is None:
        return 0
    before, count = now - memory.limits.bundles, 0
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        users = await queries.due_calls(session, before)
    for user in users:
        async with memory.unit(Viewer.in_private(tenant, user), now=now) as unit:
            count += await queries.remove_calls(unit.session, unit.viewer, before)
    return count


def part_hashes(request: Request, message: Item) -> dict[str, str]:
    """Hash each part of the prompt, so that a replay shows which part differs."""
    *earlier, newest = request.messages
    tail = newest.blocks[0]
    return {
        "instructions": _hash(request.instructions),
        "tools": _hash(tools_json(request)),
        "memory": _hash(request.memory),
        "history": _hash(json.dumps([[m.role, *map(block_text, m.blocks)] for m in earlier], ensure_ascii=False)),
        "tail": _hash(block_text(tail)),
        "message": _hash(message.text),
    }


def request_hash(request: Request) -> str:
    """Hash the request in Claude's wire format, for every model, so that stored calls do not depend on the vendor."""
    return _hash(json.dumps(wire(request), ensure_ascii=False))


def request_tokens(request: Request) -> int:
    """Return an upper bound on the tokens of a request, including the framing of messages and tools."""
    texts = [request.instructions, request.memory, tools_json(request)]
    for message in request.messages:
        texts += [block_text(block) for block in message.blocks]
    return sum(estimate(text) + FRAME for text in texts) + (TOOLS_FRAME if request.tools else 0)


def block_text(block: Text | ToolUse | ToolResult) -> str:
    match block:
        case Text(text):
            return text
        case ToolUse(id, name, arguments):
            return f"{id} {name} {json.dumps(dict(arguments), ensure_ascii=False)}"
        case ToolResult(id, content):
            return f"{id} {content}"


def tools_json(request: Request) -> str:
    tools = [{"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in request.tools]
    return json.dumps(tools, ensure_ascii=False)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
