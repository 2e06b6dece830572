"""What summaries and extractions cost: conversations replayed through the real passes, SDK and HTTP.

    python -m bench.consolidation [--data FILE.jsonl] [--pace SECONDS] [--mode confirm|auto]

Each conversation in the file is one user's history: its first speaker is the user, the other one the assistant. Each
session is a conversation of its own, with messages at the given pace and replies after 20 seconds at most. The clock is
simulated. The passes run after every exchange, after the quiet time, and when a session has been idle long enough to be
closed. A scripted model answers (bench/background_model.py); tests/caching_model.py defines how tokens are counted.
"""

import argparse
import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import text

from bench.background_model import background_model, open_passes, settings_for
from bench.conversations import FORMAT_HELP, Conversation, default_file, read
from bench.database import bench_memory
from bench.recall import parse_moment
from bench.report import Figure, goal, report
from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.people.people import choose_mode, welcome
from db.tables.events import TELLING
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind, Mode
from memory.consolidation.passes import Passes
from memory.events.record import EventDraft, prepare, record
from memory.settings import Settings
from memory.unit import Memory
from tests.caching_model import CachingModel
from tests.scripted_model import serving

PACE, QUIET_PACE = 20.0, 90.0
SLOWEST_REPLY = 20.0  # seconds
A_SECOND = timedelta(seconds=1)
MAX_CALLS = 12  # per 100 messages
PURPOSES = ("summary", "extraction")


@dataclass(frozen=True, slots=True)
class ScriptedLine:
    at: datetime
    by_human: bool
    words: str


@dataclass(frozen=True, slots=True)
class Pass:
    """A run of the passes."""

    at: datetime


@dataclass(frozen=True, slots=True)
class TokensSpent:
    calls: int = 0
    sent: int = 0
    answered: int = 0
    seconds: float = 0.0

    def __add__(self, other: "TokensSpent") -> "TokensSpent":
        return TokensSpent(
            self.calls + other.calls,
            self.sent + other.sent,
            self.answered + other.answered,
            self.seconds + other.seconds,
        )


@dataclass
class MeasuredPass:
    messages: int = 0
    of_people: int = 0
    telling: int = 0
    conversations: int = 0
    seconds: float = 0.0
    """Time in the passes, including the model."""
    requests: int = 0
    spent: dict[str, TokensSpent] = field(default_factory=lambda: dict.fromkeys(PURPOSES, TokensSpent()))
    versions: int = 0
    found: int = 0
    failures: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.consolidation")
    parser.add_argument("--data", type=Path, help=FORMAT_HELP)
    parser.add_argument("--pace", type=float, default=PACE, help="seconds from one message to the next")
    parser.add_argument("--mode", choices=[Mode.CONFIRM.value, Mode.AUTO.value], default=Mode.CONFIRM.value)
    args = parser.parse_args(arguments)
    path = args.data or default_file()
    conversations, mode, figures = list(read(path)), Mode(args.mode), list[Figure]()
    for pace in dict.fromkeys((args.pace, QUIET_PACE)):
        measured = asyncio.run(measure(conversations, pace, mode))
        figures += figures_of(measured, pace, mode)
    report(f"consolidation {path.stem} {mode}", figures)


def session_steps(
    session: Conversation, person: str, pace: float, *, quiet: timedelta, idle: timedelta
) -> list[ScriptedLine | Pass]:
    """Return the messages of a session, and the passes as the scheduler would run them, in order."""
    steps = list[ScriptedLine | Pass]()
    now, turns = parse_moment(session["ts"]), session["turns"]
    for place, turn in enumerate(turns):
        by_human = turn["speaker"] == person
        if place:
            was_human = turns[place - 1]["speaker"] == person
            gap = timedelta(seconds=min(pace, SLOWEST_REPLY) if was_human and not by_human else pace)
            if gap > quiet:
                steps.append(Pass(now + quiet + A_SECOND))
            now += gap
        steps.append(ScriptedLine(now, by_human, turn["text"]))
        if not by_human:
            steps.append(Pass(now + A_SECOND))
    return [*steps, Pass(now + quiet + A_SECOND), Pass(now + idle + A_SECOND)]


async def measure(conversations: Sequence[Conversation], pace: float, mode: Mode) -> MeasuredPass:
    model, measured = CachingModel([], keeps=background_model(finds_facts=True)), MeasuredPass()
    async with bench_memory() as (memory, _), serving(model):
        settings = settings_for(model)
        async with open_passes(memory, settings) as passes:
            for number, conversation in enumerate(conversations):
                viewer = Viewer.in_private(settings.tenant, f"bench:{number}")
                await replay(memory, passes, viewer, conversation, pace, mode, measured)
                await count(memory, viewer, measured)
    measured.requests = len(model.requests)
    return measured


async def replay(
    memory: Memory,
    passes: Passes,
    viewer: Viewer,
    conversation: Conversation,
    pace: float,
    mode: Mode,
    measured: MeasuredPass,
) -> None:
    async with memory.unit(viewer) as unit:
        await welcome(unit.session, viewer, name=viewer.person, timezone="UTC", now=unit.now)
        await choose_mode(unit.session, viewer, mode)
    for steps in all_steps(conversation, pace, passes.jobs.settings):
        here = timed_id("cnv", steps[0].at)
        measured.conversations += 1
        async with memory.unit(viewer, now=steps[0].at) as unit:
            await start_conversation(unit.session, viewer, conversation_id=here, agent_id="bench", now=steps[0].at)
        for step in steps:
            if isinstance(step, ScriptedLine):
                await record_line(memory, viewer, here, step, measured)
                continue
            started = time.perf_counter()
            await passes.summaries(step.at)
            await passes.extractions(step.at)
            measured.seconds += time.perf_counter() - started


def all_steps(conversation: Conversation, pace: float, settings: Settings) -> Iterator[list[ScriptedLine | Pass]]:
    quiet, idle = timedelta(seconds=settings.extract_quiet), timedelta(hours=settings.idle_hours)
    for session in conversation["sessions"]:
        if session["turns"]:
            yield session_steps(session, conversation["speakers"][0], pace, quiet=quiet, idle=idle)


async def record_line(memory: Memory, viewer: Viewer, here: str, line: ScriptedLine, measured: MeasuredPass) -> None:
    actor, name = (ActorType.HUMAN, viewer.person) if line.by_human else (ActorType.AGENT, "bench")
    event = prepare(EventDraft(actor, name, EventKind.MESSAGE, {"text": line.words}), line.at)
    async with memory.unit(viewer, now=line.at) as unit:
        await record(unit, here, [event])
    measured.messages += 1
    measured.of_people += line.by_human
    measured.telling += TELLING in event.event.tags


async def count(memory: Memory, viewer: Viewer, measured: MeasuredPass) -> None:
    """Add what the passes wrote for one person."""
    async with memory.unit(viewer, read_only=True) as unit:
        used = await unit.session.execute(
            text(
                "SELECT purpose, count(*), sum(input_tokens), sum(output_tokens), sum(milliseconds) / 1000.0"
                " FROM usage GROUP BY purpose"
            )
        )
        for purpose, calls, sent, answered, seconds in used:
            measured.spent[purpose] += TokensSpent(calls, int(sent), int(answered), float(seconds))
        made = await unit.session.execute(text("SELECT status, reason FROM summaries"))
        looked = await unit.session.execute(text("SELECT status, reason, found FROM extractions"))
        summaries, extractions = made.all(), looked.all()
    measured.versions += sum(status == "completed" for status, _ in summaries)
    done = [found for status, _, found in extractions if status == "completed"]
    measured.found += sum(filter(None, done))
    measured.failures += [
        reason or "not ended" for status, reason, *_ in (*summaries, *extractions) if status != "completed"
    ]


def figures_of(measured: MeasuredPass, pace: float, mode: Mode) -> list[Figure]:
    hundreds = measured.messages / 100
    total = sum(measured.spent.values(), TokensSpent())
    calls = total.calls / hundreds
    met = goal(f"<= {MAX_CALLS}", is_met=calls <= MAX_CALLS) if mode == Mode.CONFIRM else ""
    own_share = 100 * total.calls / measured.of_people
    own_seconds = measured.seconds - total.seconds
    who = f"pace {pace:.0f} s"
    figures = [
        Figure(f"{who}: messages", measured.messages, "", f"in {measured.conversations} conversations"),
        Figure(
            f"{who}: share that passes the pre-check",
            measured.telling / measured.messages,
            "",
            f"{measured.telling / measured.of_people:.2f} of the {measured.of_people} that people wrote",
        ),
        Figure(f"{who}: calls in 100 messages", calls, "", f"{met}; {own_share:.1f} in 100 of people's".lstrip("; ")),
    ]
    for purpose in PURPOSES:
        spent = measured.spent[purpose]
        figures += [
            Figure(f"{who}: calls for {purpose} in 100", spent.calls / hundreds, ""),
            Figure(f"{who}: tokens sent for {purpose} in 100", spent.sent / hundreds, ""),
            Figure(f"{who}: tokens answered to {purpose} in 100", spent.answered / hundreds, ""),
        ]
    uncounted = measured.requests - total.calls
    return [
        *figures,
        Figure(f"{who}: summaries made", measured.versions, "", f"{uncounted} CALLS NOT COUNTED" if uncounted else ""),
        Figure(f"{who}: facts stored or asked", measured.found, ""),
        Figure(f"{who}: failures", len(measured.failures), "", ", ".join(sorted(set(measured.failures)))),
        Figure(f"{who}: passes without the model, in 100", 1000 * own_seconds / hundreds, "ms"),
    ]


if __name__ == "__main__":
    main()
