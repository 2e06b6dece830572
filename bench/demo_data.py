"""Two months of an invented person's memory, for screenshots of the review page."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from db.viewer import Viewer
from db.vocabulary import Approval, Category, ProposalKind
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.unit import Memory
from tests.daemon import Daemon
from tests.memories import said, shared, space_of_two
from tests.past import deleted, recalled, replied, spent
from tests.visitor import met

DATA = json.loads((Path(__file__).parent / "data" / "demo_data.json").read_text(encoding="utf-8"))
NOW = datetime.now(UTC)
BUSY_DAY = 12  # days ago, with many changes


@dataclass(frozen=True, slots=True)
class DemoData:
    mara: Viewer
    changed: str
    """A fact with several versions."""
    busy_day: datetime


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


async def fill_demo_data(daemon: Daemon) -> DemoData:
    memory = daemon.memory
    mara, ines = await met(daemon, "Mara", timezone="Europe/Lisbon"), await met(daemon, "Ines")
    ids: dict[str, str] = {}
    for row in DATA["facts"]:
        ids[row.get("subject", row["fact"])] = await add_fact(memory, mara, row)
    for change in DATA["changes"]:
        await change_fact(memory, mara, ids[change["subject"]], change)
    await deleted(memory, mara, ids["train card"], now=ago(BUSY_DAY) + timedelta(minutes=9))
    space = await space_of_two(memory, mara, ines, "Family")
    for name in ("Inês turns 40 on 3 December", "Eats no meat, fish is fine"):
        await shared(memory, mara, ids[name], space)
    for card in DATA["cards"]:
        await add_card(memory, mara, card, ids)
    for number, reply in enumerate(DATA["replies"], 1):
        resting = [ids[name] for name in reply["resting_on"]]
        await replied(memory, mara, reply["asked"], reply["said"], now=ago(number), resting_on=resting)
    await add_usage(memory, mara)
    return DemoData(mara, ids["Alec"], ago(BUSY_DAY))


async def add_fact(memory: Memory, viewer: Viewer, row: dict[str, Any]) -> str:
    """Store a fact with its message and its recalls, and return its id."""
    now = ago(row["days"])
    draft = await record_source(memory, viewer, row, now)
    async with memory.unit(viewer, now=now) as unit:
        receipt = await facts.remember(unit, draft, Approval.CARD, separate=True)
    await recalled(memory, viewer, receipt.row.id, row.get("recalls", 0), now=ago(min(row["days"], 1)))
    return receipt.row.id


async def change_fact(memory: Memory, viewer: Viewer, fact_id: str, change: dict[str, Any]) -> None:
    """Change the words of a fact, because of another message."""
    now = ago(change["days"])
    event = await said(memory, viewer, change["said"], now=now)
    draft = FactDraft(
        change["fact"], Category.OTHER, source_event_id=event, span=(0, len(change["said"])), author="assistant"
    )
    async with memory.unit(viewer, now=now) as unit:
        await facts.revise(unit, fact_id, draft, Approval.WORDS)


async def add_card(memory: Memory, viewer: Viewer, card: dict[str, Any], ids: dict[str, str]) -> None:
    """Propose a new fact, or a change to one."""
    now = ago(0.05)
    draft = await record_source(memory, viewer, card, now)
    async with memory.unit(viewer, now=now) as unit:
        if "changes" in card:
            current = await facts.own_fact(unit, ids[card["changes"]])
            await proposals.propose(unit, ProposalKind.UPDATE, draft, current)
        else:
            await proposals.propose(unit, ProposalKind.ADD, draft, None)


async def record_source(memory: Memory, viewer: Viewer, row: dict[str, Any], now: datetime) -> FactDraft:
    event = await said(memory, viewer, row["said"], now=now)
    start = row["said"].index(row["words"])
    return FactDraft(
        row["fact"],
        Category(row["category"]),
        subject=row.get("subject"),
        source_event_id=event,
        span=(start, start + len(row["words"])),
        author="assistant",
    )


async def add_usage(memory: Memory, viewer: Viewer) -> None:
    """Add a month of model calls, with busy and quiet days, and a smaller model for background jobs."""
    for day in range(30):
        for call in range(day * 7 % 5 + (1 if day % 6 else 3)):
            cost, sent = 9_000 + 1_700 * ((day + call) % 4), 900 + 150 * (day % 5)
            await spent(memory, viewer, now=ago(day + call / 50), microdollars=cost, sent=sent, cache_read=5_200)
        if day % 2 == 0:
            small, cost = "claude-haiku-5-5", 4_500
            await spent(memory, viewer, now=ago(day), model=small, microdollars=cost, sent=2_600, cache_read=3_900)
