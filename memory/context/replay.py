"""Renders a past call again from its manifest, without searching, and compares hashes part by part."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from db.queries.model import bundles as queries
from db.queries.model.bundles import CallRow
from db.viewer import Viewer
from db.vocabulary import Channel, EventKind
from memory.context.calls import part_hashes, request_hash
from memory.context.items import Item
from memory.context.render import request
from memory.context.replay_items import ReplayItems
from memory.context.sections import SECTIONS, PromptPart, SectionName
from memory.errors import NotFound
from memory.model.brain import Message, Request, ToolSpec
from memory.model.steps import call_from_event, result_from_event, round_messages
from memory.refusals import Refusal
from memory.unit import Memory, Unit

MAX_CALLS = 1000
PARTS = {PromptPart.STABLE: "memory", PromptPart.CONVERSATION: "history", PromptPart.TAIL: "tail"}


@dataclass(frozen=True, slots=True)
class Replay:
    """The comparison of a call with its replay: each part is `same`, `forgotten` or `different`."""

    call_id: str
    ts: datetime
    parts: Mapping[str, str]

    @property
    def is_same(self) -> bool:
        return all(found == "same" for found in self.parts.values())

    @property
    def is_different(self) -> bool:
        return "different" in self.parts.values()


async def replay(memory: Memory, viewer: Viewer, call_id: str | None = None) -> list[Replay]:
    """Replay one of the viewer's calls, or all of them, newest first."""
    async with memory.unit(viewer, read_only=True) as unit:
        calls = await queries.calls(unit.session, viewer, call_id=call_id, limit=MAX_CALLS)
    if call_id is not None and not calls:
        raise NotFound(Refusal.CALL_NOT_FOUND)
    replays = []
    for call in calls:
        there = replace(viewer, space=call.space, channel=Channel(call.channel))
        async with memory.unit(there, read_only=True) as unit, memory.unit(viewer, read_only=True) as own:
            replays.append(await replay_call(unit, call, own))
    return replays


async def replay_call(unit: Unit, call: CallRow, own: Unit) -> Replay:
    """Replay a call in its own space and channel. The viewer's message and the tool steps are read through `own`, since
    that channel may not load them again if they are sensitive."""
    manifest, rows, mine = call.manifest, ReplayItems(unit), ReplayItems(own)
    sections = {}
    for name, listed in manifest["sections"].items():
        rows.part = PARTS[SECTIONS[SectionName(name)].part]
        sections[SectionName(name)] = [item for row in listed if (item := await rows.item(row))]
    mine.part = "message"
    message = await mine.item(manifest["message"]) or Item("", ("",), {})
    tools = await _text(unit, manifest["tools"])
    replayed = request(
        await _text(unit, manifest["instructions"]),
        tuple(ToolSpec(tool["name"], tool["description"], tool["schema"]) for tool in json.loads(tools or "[]")),
        sections,
        notes=[await _text(unit, note) for note in manifest["notes"]],
        now=datetime.fromisoformat(manifest["now"]),
        timezone=manifest["timezone"],
        message=message,
    )
    parts = {
        name: "same" if found == call.hashes[name] else "different"
        for name, found in part_hashes(replayed, message).items()
    }
    mine.part = "rounds"
    steps = await _rounds(mine, manifest["steps"])
    for number, sent in enumerate(call.hashes["rounds"], 1):
        again = request_hash(_with_rounds(replayed, steps[: number - 1]))
        parts[f"round {number}"] = "same" if again == sent["sha256"] else "different"
    return Replay(
        call.id,
        call.ts,
        {name: _verdict(name, found, rows.forgotten | mine.forgotten) for name, found in parts.items()},
    )


def _verdict(part: str, found: str, forgotten: set[str]) -> str:
    """Report a differing part as `forgotten` if some of its content was. A round contains all parts."""
    gone = forgotten if part.startswith("round") else forgotten & {part}
    return "forgotten" if found == "different" and gone else found


async def _text(unit: Unit, hash: str) -> str:
    return await queries.kept_text(unit.session, unit.viewer, hash) or ""


async def _rounds(rows: ReplayItems, steps: Sequence[str]) -> list[tuple[Message, Message]]:
    """The stored tool steps grouped into rounds: calls, then their results."""
    rounds: list[tuple[str, list[Any], list[Any]]] = []
    for event_id in steps:
        kind, content = await rows.step(event_id)
        if kind == EventKind.TOOL_RESULT:
            rounds[-1][2].append(result_from_event(content))
            continue
        text, use = call_from_event(content)
        if not rounds or rounds[-1][2]:
            rounds.append((text, [], []))
        rounds[-1][1].append(use)
    return [round_messages(*tool_round) for tool_round in rounds]


def _with_rounds(replayed: Request, rounds: Sequence[tuple[Message, Message]]) -> Request:
    for messages in rounds:
        replayed = replayed.followed_by(*messages)
    return replayed
