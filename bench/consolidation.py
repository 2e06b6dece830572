"""What the work after the replies costs: conversations replayed through the real passes, SDK and HTTP.

    python -m bench.consolidation [--data FILE.jsonl] [--pace SECONDS] [--mode confirm|auto]

Each conversation of the file is one user's history: its first speaker is the person, the other one the assistant. Each
session is a conversation of its own at its own time; in it messages follow each other by the pace, and a reply comes
after 20 seconds at most. The clock is simulated: the passes run after every exchange, when the quiet after which few
exchanges are looked through is over, and when a session has been idle for so long that it is closed. A scripted record
keeper answers (bench/keeper.py); tokens are counted by the rule of tests/caching_model.py.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import text

from bench.conversations import Conversation, default_files, read
from bench.runtime import bench_memory
from bench.keeper import keeper
from bench.recall import moment
from bench.report import Figure, report
from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.people.people import choose_mode, welcome
from db.tables.events import TELLING
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind, Mode
from memory.consolidation.extraction.likeness import Likeness
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.events.record import EventDraft, prepare, record
from memory.metrics import Metrics
from memory.model.choice import structured_llm_from
from memory.settings import Settings
from memory.settings.environment import load_settings
from memory.unit import Memory
from tests.caching_model import CachingModel
from tests.scripted_model import serving

PACE, QUIET_PACE = 20.0, 90.0
SLOWEST_REPLY = 20.0  # seconds
AFTERWARDS = timedelta(seconds=1)
MOST_CALLS = 12  # in 100 messages
PURPOSES = ("summary", "extraction")


@dataclass(frozen=True, slots=True)
class ScriptedLine:
    at: datetime
    by_human: bool
    words: str


@dataclass(frozen=True, slots=True)
class Pass:
    """A moment at which the passes run."""

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
    """That the passes took, the model's time with it."""
    requests: int = 0
    spent: dict[str, TokensSpent] = field(default_factory=lambda: dict.fromkeys(PURPOSES, TokensSpent()))
    versions: int = 0
    found: int = 0
    failures: list[str] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.consolidation")
    parser.add_argument("--data", type=Path, help="in the format of bench/data/conversations.jsonl")
    parser.add_argument("--pace", type=float, default=PACE, help="seconds from one message to the next")
    parser.add_argument("--mode", choices=[Mode.CONFIRM.value, Mode.AUTO.value], default=Mode.CONFIRM.value)
    chosen = parser.parse_args(arguments)
    path = chosen.data or next(iter(sorted(default_files(), key=lambda path: "locomo" not in path.name)))
    conversations, mode, figures = list(read(path)), Mode(chosen.mode), list[Figure]()
    for pace in dict.fromkeys((chosen.pace, QUIET_PACE)):
        measured = asyncio.run(measure(conversations, pace, mode))
        figures += summed_up(measured, pace, mode)
    report(f"consolidation {path.stem} {mode}", figures)


def course(
    session: Conversation, person: str, pace: float, *, quiet: timedelta, idle: timedelta
) -> list[ScriptedLine | Pass]:
    """What happens in one session, and when: its messages, and the passes as the scheduler would run them."""
    steps = list[ScriptedLine | Pass]()
    now, turns = moment(session["ts"]), session["turns"]
    for place, turn in enumerate(turns):
        by_human = turn["speaker"] == person
        if place:
            was_human = turns[place - 1]["speaker"] == person
            gap = timedelta(seconds=min(pace, SLOWEST_REPLY) if was_human and not by_human else pace)
            if gap > quiet:
                steps.append(Pass(now + quiet + AFTERWARDS))
            now += gap
        steps.append(ScriptedLine(now, by_human, turn["text"]))
        if not by_human:
            steps.append(Pass(now + AFTERWARDS))
    return [*steps, Pass(now + quiet + AFTERWARDS), Pass(now + idle + AFTERWARDS)]


async def measure(conversations: Sequence[Conversation], pace: float, mode: Mode) -> MeasuredPass:
    model, measured = CachingModel([], keeps=keeper(finds=True)), MeasuredPass()
    async with bench_memory() as (memory, _), serving(model):
        settings = load_settings(
            {**os.environ, "ANTHROPIC_API_KEY": "bench", "ANTHROPIC_BASE_URL": model.url}, Path(os.devnull)
        )
        llm = structured_llm_from(settings)
        assert llm is not None
        passes = Passes(Jobs(memory, settings, llm, Likeness(None), Metrics()))
        for number, conversation in enumerate(conversations):
            viewer = Viewer.in_private(settings.tenant, f"bench:{number}")
            await replay(memory, passes, viewer, conversation, pace, mode, measured)
            await count(memory, viewer, measured)
        await llm.close()
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
    for steps in courses(conversation, pace, passes.jobs.settings):
        here = timed_id("cnv", steps[0].at)
        measured.conversations += 1
        async with memory.unit(viewer, now=steps[0].at) as unit:
            await start_conversation(unit.session, viewer, conversation_id=here, agent_id="bench", now=steps[0].at)
        for step in steps:
            if isinstance(step, ScriptedLine):
                await write_down(memory, viewer, here, step, measured)
                continue
            began = time.perf_counter()
            await passes.summaries(step.at)
            await passes.extractions(step.at)
            measured.seconds += time.perf_counter() - began


def courses(conversation: Conversation, pace: float, settings: Settings) -> Iterator[list[ScriptedLine | Pass]]:
    quiet, idle = timedelta(seconds=settings.extract_quiet), timedelta(hours=settings.idle_hours)
    for session in conversation["sessions"]:
        if session["turns"]:
            yield course(session, conversation["speakers"][0], pace, quiet=quiet, idle=idle)


async def write_down(memory: Memory, viewer: Viewer, here: str, said: ScriptedLine, measured: MeasuredPass) -> None:
    actor, name = (ActorType.HUMAN, viewer.person) if said.by_human else (ActorType.AGENT, "bench")
    event = prepare(EventDraft(actor, name, EventKind.MESSAGE, {"text": said.words}), said.at)
    async with memory.unit(viewer, now=said.at) as unit:
        await record(unit, here, [event])
    measured.messages += 1
    measured.of_people += said.by_human
    measured.telling += TELLING in event.event.tags


async def count(memory: Memory, viewer: Viewer, measured: MeasuredPass) -> None:
    """What the passes left in the tables of one person."""
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


def summed_up(measured: MeasuredPass, pace: float, mode: Mode) -> list[Figure]:
    hundreds = measured.messages / 100
    total = sum(measured.spent.values(), TokensSpent())
    calls = total.calls / hundreds
    met = f"goal <= {MOST_CALLS}: {'met' if calls <= MOST_CALLS else 'MISSED'}" if mode == Mode.CONFIRM else ""
    own_share = 100 * total.calls / measured.of_people
    alone = measured.seconds - total.seconds
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
    unkept = measured.requests - total.calls
    return [
        *figures,
        Figure(f"{who}: summaries made", measured.versions, "", f"{unkept} CALLS NOT COUNTED" if unkept else ""),
        Figure(f"{who}: facts stored or asked", measured.found, ""),
        Figure(f"{who}: failures", len(measured.failures), "", ", ".join(sorted(set(measured.failures)))),
        Figure(f"{who}: passes without the model, in 100", 1000 * alone / hundreds, "ms"),
    ]


if __name__ == "__main__":
    main()
