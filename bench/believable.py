"""Two months of somebody's memory, made up: enough to see what the review page looks like when it is lived in."""

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

STORY = json.loads((Path(__file__).parent / "data" / "believable.json").read_text(encoding="utf-8"))
NOW = datetime.now(UTC)
BUSY = 12  # days ago, when much changed


@dataclass(frozen=True, slots=True)
class Believable:
    mara: Viewer
    changed: str
    """A fact with a history to look at."""
    busy_day: datetime


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


async def lived_in(daemon: Daemon) -> Believable:
    memory = daemon.memory
    mara, ines = await met(daemon, "Mara", timezone="Europe/Lisbon"), await met(daemon, "Ines")
    ids: dict[str, str] = {}
    for told in STORY["told"]:
        ids[told.get("subject", told["fact"])] = await remembered(memory, mara, told)
    for change in STORY["changes"]:
        await changed(memory, mara, ids[change["subject"]], change)
    await deleted(memory, mara, ids["train card"], now=ago(BUSY) + timedelta(minutes=9))
    space = await space_of_two(memory, mara, ines, "Family")
    for name in ("Inês turns 40 on 3 December", "Eats no meat, fish is fine"):
        await shared(memory, mara, ids[name], space)
    for card in STORY["cards"]:
        await asked(memory, mara, card, ids)
    for number, reply in enumerate(STORY["replies"], 1):
        resting = [ids[name] for name in reply["resting_on"]]
        await replied(memory, mara, reply["asked"], reply["said"], now=ago(number), resting_on=resting)
    await paid(memory, mara)
    return Believable(mara, ids["Alec"], ago(BUSY))


async def remembered(memory: Memory, viewer: Viewer, told: dict[str, Any]) -> str:
    """A fact with the message that it came from, and how often it was recalled since; gives its id."""
    now = ago(told["days"])
    draft = await drafted(memory, viewer, told, now)
    async with memory.unit(viewer, now=now) as unit:
        receipt = await facts.remember(unit, draft, Approval.CARD, separate=True)
    await recalled(memory, viewer, receipt.row.id, told.get("recalls", 0), now=ago(min(told["days"], 1)))
    return receipt.row.id


async def changed(memory: Memory, viewer: Viewer, fact_id: str, change: dict[str, Any]) -> None:
    """A fact gets other words, from another message."""
    now = ago(change["days"])
    event = await said(memory, viewer, change["said"], now=now)
    draft = FactDraft(
        change["fact"], Category.OTHER, source_event_id=event, span=(0, len(change["said"])), author="assistant"
    )
    async with memory.unit(viewer, now=now) as unit:
        await facts.revise(unit, fact_id, draft, Approval.WORDS)


async def asked(memory: Memory, viewer: Viewer, card: dict[str, Any], ids: dict[str, str]) -> None:
    """What waits for her word: something new, or a change of what is known."""
    now = ago(0.05)
    draft = await drafted(memory, viewer, card, now)
    async with memory.unit(viewer, now=now) as unit:
        if "changes" in card:
            row = await facts.own_fact(unit, ids[card["changes"]])
            await proposals.propose(unit, ProposalKind.UPDATE, draft, row)
        else:
            await proposals.propose(unit, ProposalKind.ADD, draft, None)


async def drafted(memory: Memory, viewer: Viewer, told: dict[str, Any], now: datetime) -> FactDraft:
    event = await said(memory, viewer, told["said"], now=now)
    start = told["said"].index(told["words"])
    return FactDraft(
        told["fact"],
        Category(told["category"]),
        subject=told.get("subject"),
        source_event_id=event,
        span=(start, start + len(told["words"])),
        author="assistant",
    )


async def paid(memory: Memory, viewer: Viewer) -> None:
    """A month of calls: some days busier than others, a smaller model for what happens after the replies."""
    for day in range(30):
        for call in range(day * 7 % 5 + (1 if day % 6 else 3)):
            cost, sent = 9_000 + 1_700 * ((day + call) % 4), 900 + 150 * (day % 5)
            await spent(memory, viewer, now=ago(day + call / 50), microdollars=cost, sent=sent, cache_read=5_200)
        if day % 2 == 0:
            small, cost = "claude-haiku-5-5", 4_500
            await spent(memory, viewer, now=ago(day), model=small, microdollars=cost, sent=2_600, cache_read=3_900)
