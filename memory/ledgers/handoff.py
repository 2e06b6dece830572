"""Hands work over from one agent to another: the goal, what is open and decided, and what that rests on, in one packet.

The packet is gathered in channel `agent`, so that the wall leaves out what the receiver may not load.
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
from memory.unit import Unit

MOST_TOKENS = 6000
AROUND = 28  # tokens of them for the heading of its section and the frame of what stands in it
LONGEST_GOAL, LONGEST_NOTES = 2000, 8000
MOST_TASKS, MOST_DECISIONS, MOST_REFS_EACH = 100, 100, 10
PARTS = ("refs", "tasks", "decisions")


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing that may go into a packet, and in which of its parts."""

    part: str
    content: Any
    refs: tuple[str, ...]
    sensitivity: Sensitivity = Sensitivity.NONE


async def hand_over(
    unit: Unit, *, from_agent: str, to_agent: str, goal: str, notes: str = "", refs: Sequence[str] = ()
) -> HandoffRow:
    """Write a packet down: goal and notes, then as much as fits of the ids that were given, of open tasks and of the
    decisions that hold. `left_out` counts what did not fit, and ids that lead this viewer to nothing."""
    if unit.viewer.channel != Channel.AGENT:
        raise Refused("Work is handed over in the channel `agent` only.", field="channel")
    sender, receiver = _said(from_agent, "from_agent", LONGEST_REF), _said(to_agent, "to_agent", LONGEST_REF)
    told = {"goal": _said(goal, "goal", LONGEST_GOAL), "notes": _said(notes, "notes", LONGEST_NOTES)}
    if not (sender and receiver and told["goal"]):
        raise Refused("A handoff needs a goal, and the names of both agents.", field="goal")
    pieces, unseen = await _pieces(unit, refs_of({"refs": list(refs)}))
    packet, packed = pack(sender, told, pieces, unseen=unseen)
    careful = Sensitivity.most(classify("\n".join(told.values())), *(piece.sensitivity for piece in packed))
    handoff_id = timed_id("hnd", unit.now)
    await queries.add_handoff(
        unit.session,
        unit.viewer,
        id=handoff_id,
        ts=unit.now,
        from_agent=sender,
        to_agent=receiver,
        packet=packet,
        token_est=estimate(rendered(packet)),
        refs=list(dict.fromkeys(ref for piece in packed for ref in piece.refs)),
        sensitivity=careful,
    )
    found = await queries.handoff(unit.session, unit.viewer, handoff_id)
    assert found is not None, "who wrote a handoff can read it"
    return found


async def latest_for(unit: Unit, to_agent: str) -> HandoffRow | None:
    """The newest packet for an agent."""
    return await queries.latest_for(unit.session, unit.viewer, to_agent)


def pack(
    sender: str, told: dict[str, str], pieces: Sequence[Piece], *, unseen: int
) -> tuple[dict[str, Any], list[Piece]]:
    """The packet within its tokens, and the pieces that are in it; an earlier piece is the more important one."""
    taken = list[Piece]()
    room = MOST_TOKENS - AROUND - estimate(shown(sender, _packet(told, [], pieces, unseen)))
    if room < 0:
        raise Refused(
            f"The goal and the notes alone are longer than a packet of {MOST_TOKENS:,} tokens.", field="notes"
        )
    for piece in pieces:
        cost = estimate(f"{one_line(rendered(piece.content))}, ")
        if cost <= room:
            room -= cost
            taken.append(piece)
    while estimate(shown(sender, packet := _packet(told, taken, pieces, unseen))) > MOST_TOKENS - AROUND:
        taken.pop()
    return packet, taken


def shown(sender: str, packet: Any) -> str:
    """A packet as it stands in the receiver's prompt."""
    return f"From {one_line(sender)}: {one_line(rendered(packet))}"


def rendered(packet: Any) -> str:
    """A packet in one order, whichever way it was stored."""
    return json.dumps(packet, ensure_ascii=False, sort_keys=True)


def _packet(told: dict[str, str], taken: Sequence[Piece], pieces: Sequence[Piece], unseen: int) -> dict[str, Any]:
    parts = {part: [piece.content for piece in taken if piece.part == part] for part in PARTS}
    missing = {part: sum(piece.part == part for piece in pieces) - len(parts[part]) for part in PARTS}
    return {**told, **parts, "left_out": {**missing, "refs": missing["refs"] + unseen}}


async def _pieces(unit: Unit, refs: Sequence[str]) -> tuple[list[Piece], int]:
    """What may go into the packet, the most important first, and how many ids the viewer cannot follow."""
    waiting = await tasks.open_tasks(unit, limit=MOST_TASKS)
    holding = await decisions.current(unit, limit=MOST_DECISIONS)
    cited = [row.refs for row in waiting] + [row.refs for row in holding]
    named = {*refs, *(ref for each in cited for ref in each)}
    seen = await queries.visible(unit.session, unit.viewer, sorted(named))
    given = [Piece("refs", ref, (ref,)) for ref in refs if ref in seen]
    pieces = [*given, *(_task(row, seen) for row in waiting), *(_decision(row, seen) for row in holding)]
    return pieces, len(named - seen)


def _task(row: TaskRow, seen: set[str]) -> Piece:
    refs = [ref for ref in row.refs if ref in seen][:MOST_REFS_EACH]
    due = {"due": row.due.isoformat()} if row.due else {}
    content = {"id": row.id, "title": row.words, "status": row.status, "details": row.details, **due, "refs": refs}
    return Piece("tasks", content, (row.id, *refs), row.sensitivity)


def _decision(row: DecisionRow, seen: set[str]) -> Piece:
    refs = [ref for ref in row.refs if ref in seen][:MOST_REFS_EACH]
    grounds = {"rationale": [*row.rationale], "constraints": [*row.constraints]}
    content = {"id": row.id, "decision": row.words, "scope": row.scope, **grounds, "refs": refs}
    return Piece("decisions", content, (row.id, *refs), row.sensitivity)


def _said(text: str, name: str, longest: int) -> str:
    """A text of the sending agent, without secrets; what is sensitive is not handed over."""
    words = redact(clean(text)).text.strip()
    if len(words) > longest:
        raise Refused(f"Not handed over: {name} has more than {longest:,} characters.", field=name)
    if classify(words) == Sensitivity.HIGH:
        raise Refused(
            f"Not handed over: {name} holds something sensitive, and another agent may not load that.", field=name
        )
    return words
