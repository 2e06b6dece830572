"""Hands work over from one agent to another in one packet: the goal, open tasks, decisions, and their references.

The packet is gathered in channel `agent`, so the wall leaves out content that the receiver may not load.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db.ids import timed_id
from db.queries.ledgers import handoffs as queries
from db.queries.ledgers.decisions import DecisionRow
from db.queries.ledgers.handoffs import HandoffRow
from db.queries.ledgers.tasks import TaskRow
from db.vocabulary import Channel, Sensitivity
from memory.cleaning import clean
from memory.context.fencing import one_line
from memory.errors import Refused
from memory.events.contents import LONGEST_REF, refs_of
from memory.ledgers import decisions, tasks
from memory.model.tokens import estimate
from memory.privacy.classify import classify
from memory.privacy.redaction import redact
from memory.refusals import Refusal
from memory.unit import Unit

MAX_TOKENS = 6000
OVERHEAD = 28  # of these tokens, for the section heading and the frame around the packet
LONGEST_GOAL, LONGEST_NOTES = 2000, 8000
MAX_TASKS, MAX_DECISIONS, MAX_REFS_EACH = 100, 100, 10
PARTS = ("refs", "tasks", "decisions")


@dataclass(frozen=True, slots=True)
class PacketItem:
    """A candidate for a packet, and its part of the packet."""

    part: str
    content: Any
    refs: tuple[str, ...]
    sensitivity: Sensitivity = Sensitivity.NONE


async def hand_over(
    unit: Unit, *, from_agent: str, to_agent: str, goal: str, notes: str = "", refs: Sequence[str] = ()
) -> HandoffRow:
    """Store a packet: goal and notes, then as many of the given ids, open tasks and active decisions as fit.

    `left_out` counts items that do not fit and ids that this viewer cannot read.
    """
    if unit.viewer.channel != Channel.AGENT:
        raise Refused(Refusal.HANDOFF_CHANNEL, field="channel")
    sender = _checked_text(from_agent, "from_agent", LONGEST_REF)
    receiver = _checked_text(to_agent, "to_agent", LONGEST_REF)
    message = {
        "goal": _checked_text(goal, "goal", LONGEST_GOAL),
        "notes": _checked_text(notes, "notes", LONGEST_NOTES),
    }
    if not (sender and receiver and message["goal"]):
        raise Refused(Refusal.HANDOFF_EMPTY, field="goal")
    items, unreadable = await _gather_items(unit, refs_of({"refs": list(refs)}))
    packet, packed = build_packet(sender, message, items, unreadable=unreadable)
    sensitivity = Sensitivity.most(classify("\n".join(message.values())), *(item.sensitivity for item in packed))
    handoff_id = timed_id("hnd", unit.now)
    await queries.add_handoff(
        unit.session,
        unit.viewer,
        id=handoff_id,
        ts=unit.now,
        from_agent=sender,
        to_agent=receiver,
        packet=packet,
        token_est=estimate(packet_json(packet)),
        refs=list(dict.fromkeys(ref for item in packed for ref in item.refs)),
        sensitivity=sensitivity,
    )
    found = await queries.handoff(unit.session, unit.viewer, handoff_id)
    assert found is not None, "the sender can read its own handoff"
    return found


async def latest_for(unit: Unit, to_agent: str) -> HandoffRow | None:
    return await queries.latest_for(unit.session, unit.viewer, to_agent)


def build_packet(
    sender: str, message: dict[str, str], items: Sequence[PacketItem], *, unreadable: int
) -> tuple[dict[str, Any], list[PacketItem]]:
    """Build a packet within its token budget, and return it with the items in it. Earlier items are more important."""
    taken = list[PacketItem]()
    room = MAX_TOKENS - OVERHEAD - estimate(packet_line(sender, _packet(message, [], items, unreadable)))
    if room < 0:
        raise Refused(Refusal.HANDOFF_TOO_LARGE, field="notes", most=MAX_TOKENS)
    for item in items:
        cost = estimate(f"{one_line(packet_json(item.content))}, ")
        if cost <= room:
            room -= cost
            taken.append(item)
    while estimate(packet_line(sender, packet := _packet(message, taken, items, unreadable))) > MAX_TOKENS - OVERHEAD:
        taken.pop()
    return packet, taken


def packet_line(sender: str, packet: Any) -> str:
    """Render a packet for the receiver's prompt."""
    return f"From {one_line(sender)}: {one_line(packet_json(packet))}"


def packet_json(packet: Any) -> str:
    """Serialise a packet with sorted keys, so that the order in storage does not matter."""
    return json.dumps(packet, ensure_ascii=False, sort_keys=True)


def _packet(
    message: dict[str, str], taken: Sequence[PacketItem], items: Sequence[PacketItem], unreadable: int
) -> dict[str, Any]:
    parts = {part: [item.content for item in taken if item.part == part] for part in PARTS}
    missing = {part: sum(item.part == part for item in items) - len(parts[part]) for part in PARTS}
    return {**message, **parts, "left_out": {**missing, "refs": missing["refs"] + unreadable}}


async def _gather_items(unit: Unit, refs: Sequence[str]) -> tuple[list[PacketItem], int]:
    """Return the candidates, most important first, and the number of ids that the viewer cannot read."""
    open_tasks = await tasks.open_tasks(unit, limit=MAX_TASKS)
    active = await decisions.active_decisions(unit, limit=MAX_DECISIONS)
    cited = [row.refs for row in open_tasks] + [row.refs for row in active]
    wanted = {*refs, *(ref for row_refs in cited for ref in row_refs)}
    readable = await queries.visible(unit.session, unit.viewer, sorted(wanted))
    ref_items = [PacketItem("refs", ref, (ref,)) for ref in refs if ref in readable]
    items = [
        *ref_items,
        *(_task_item(row, readable) for row in open_tasks),
        *(_decision_item(row, readable) for row in active),
    ]
    return items, len(wanted - readable)


def _task_item(row: TaskRow, readable: set[str]) -> PacketItem:
    refs = [ref for ref in row.refs if ref in readable][:MAX_REFS_EACH]
    due = {"due": row.due.isoformat()} if row.due else {}
    content = {"id": row.id, "title": row.words, "status": row.status, "details": row.details, **due, "refs": refs}
    return PacketItem("tasks", content, (row.id, *refs), row.sensitivity)


def _decision_item(row: DecisionRow, readable: set[str]) -> PacketItem:
    refs = [ref for ref in row.refs if ref in readable][:MAX_REFS_EACH]
    grounds = {"rationale": [*row.rationale], "constraints": [*row.constraints]}
    content = {"id": row.id, "decision": row.words, "scope": row.scope, **grounds, "refs": refs}
    return PacketItem("decisions", content, (row.id, *refs), row.sensitivity)


def _checked_text(text: str, name: str, longest: int) -> str:
    """Redact a text of the sending agent, and refuse it if it is too long or sensitive."""
    words = redact(clean(text)).text.strip()
    if len(words) > longest:
        raise Refused(Refusal.HANDOFF_TOO_LONG, field=name, name=name, most=longest)
    if classify(words) == Sensitivity.HIGH:
        raise Refused(Refusal.HANDOFF_SENSITIVE, field=name, name=name)
    return words
