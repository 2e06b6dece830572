"""Makes the request to a model from a bundle, and keeps what it was made of, so that it can be rendered again."""

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
from memory.model.brain import Began, Request, Text, ToolResult, ToolUse
from memory.model.claude.wire import wire
from memory.model.tokens import estimate
from memory.model.usage import Spending, begin, end
from memory.unit import Memory, Unit

FORMAT = 1
TOOLS_FRAME = 500  # what a model is told about tools in general, and the frame of each


@dataclass(slots=True)
class Call:
    """A request with what it was made from; the rounds of its tools are added as they come."""

    bundle: Bundle
    request: Request
    notes: tuple[str, ...]
    message: Item
    timezone: str
    most_tokens: int
    """Of a request, as estimated; results of tools are cut to what is left."""
    rounds: list[dict[str, Any]] = field(default_factory=list)
    token_est: int = 0
    token_used: int = 0
    spent: list[Spending] = field(default_factory=list)
    """What the model has taken, attempts that came to nothing with it."""

    def began(self, began: Began) -> None:
        begin(self.spent, began)

    def sent(self, request: Request, usage: Mapping[str, int]) -> None:
        """One round was sent and answered."""
        end(self.spent, usage)
        estimated = request_tokens(request)
        counted = sum(usage.get(name, 0) for name in COUNTED)
        if not self.rounds or counted - estimated > self.token_used - self.token_est:
            self.token_est, self.token_used = estimated, counted
        self.rounds.append({"sha256": hashed(request), "messages": len(request.messages)})


COUNTED = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def call_for(
    bundle: Bundle,
    instructions: str,
    tools: tuple[Any, ...],
    notes: Sequence[str],
    message: Item,
    *,
    most_tokens: int = DEFAULT_TOKENS,
) -> Call:
    timezone = bundle.choices.timezone
    made = request(
        instructions,
        tools,
        {section.name: section.items for section in bundle.sections},
        notes=notes,
        now=bundle.now,
        timezone=timezone,
        message=message,
    )
    return Call(bundle, made, tuple(notes), message, timezone, most_tokens)


async def keep_call(unit: Unit, call: Call, conversation_id: str, steps: Sequence[str]) -> None:
    """Write down how the call can be made again. No word of a person is in it: rows are named, texts of the program are
    kept by their hash. `steps` are the events of its tools, in order."""
    bundle = call.bundle
    sections = {section.name: section.items for section in bundle.sections}
    texts = {_hash(text): text for text in (call.request.instructions, spelled_tools(call.request), *call.notes)}
    await queries.keep_texts(unit.session, unit.viewer, texts)
    manifest = {
        "format": FORMAT,
        "now": bundle.now.isoformat(),
        "timezone": call.timezone,
        "instructions": _hash(call.request.instructions),
        "tools": _hash(spelled_tools(call.request)),
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
    """For everybody, those that are older than they are kept. The texts of the program stay: they are few."""
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
    """A hash for each part of the prompt, so that it can be told which of them is not the same any more."""
    *said, newest = request.messages
    tail = newest.blocks[0]
    return {
        "instructions": _hash(request.instructions),
        "tools": _hash(spelled_tools(request)),
        "memory": _hash(request.memory),
        "history": _hash(json.dumps([[m.role, *map(block_text, m.blocks)] for m in said], ensure_ascii=False)),
        "tail": _hash(block_text(tail)),
        "message": _hash(message.text),
    }


def hashed(request: Request) -> str:
    """A hash of the request as Claude would get it, whichever model answers: what is kept of a call must not depend on
    the vendor of the day."""
    return _hash(json.dumps(wire(request), ensure_ascii=False))


def request_tokens(request: Request) -> int:
    """What a request costs at most: its texts, and the frame around every message and tool."""
    texts = [request.instructions, request.memory, spelled_tools(request)]
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


def spelled_tools(request: Request) -> str:
    tools = [{"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in request.tools]
    return json.dumps(tools, ensure_ascii=False)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
