"""How many chats one process serves, and how long a reply takes without the model.

    python -m bench.load [--chats 1,10,100,500] [--seconds N] [--embedder] [--profile FILE]

The program, Telegram and the model are separate processes on the same cores. Everybody writes again as soon as they are
answered; the model takes a second. Our own time runs from the moment an update is handed out until its reply arrives at
Telegram, minus the time of the model by its own clock. The first exchange of a chat creates
its rows and is not counted.
"""

import argparse
import asyncio
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil

from bench.database import migrated_database
from bench.report import Figure, goal, percentile, report
from tests.scripted_model import Says, scripted_model
from tests.telegram import FakeTelegram, Person
from tests.telegram.chats import Chat, Json, Standing
from tests.telegram.server import fake_telegram
from tests.telegram.updates import Update, Updates

CHATS, SECONDS = (1, 10, 100, 500), 15.0
MODEL_SECONDS = 1.0
GOAL_CHATS, GOAL_MS = 10, 40.0
SECONDS_TO_START, SECONDS_TO_WARM = 120, 60.0
TOOK = re.compile(r"took (\d+) µs")
# Profiles processor time, which other processes do not affect, and leaves out the imports.
PROFILED = """
import cProfile, sys, time, anthropic, bot.telegram.app
from bot.cli.main import run
profile = cProfile.Profile(time.thread_time)
profile.runcall(run, ["bot"])
profile.dump_stats(sys.argv[1])
"""
WORDS = "this is message {number} of somebody who writes about their day, the weather and a garden with roses"


class TimedUpdates(Updates):
    """Notes when each update was handed out to the bot."""

    def __init__(self) -> None:
        super().__init__()
        self.at: dict[int, float] = {}

    def offered(self, offset: int, limit: int) -> list[Update]:
        batch, now = super().offered(offset, limit), time.time()
        for update in batch:
            self.at.setdefault(update["update_id"], now)
        return batch


@dataclass
class LoadTelegram(FakeTelegram):
    """A fake Telegram whose people write again as soon as they are answered, until the time is over."""

    updates: TimedUpdates = field(default_factory=TimedUpdates)
    unanswered: dict[int, int | None] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    exchanges: dict[int, int] = field(default_factory=dict)
    own: list[float] = field(default_factory=list)
    deadline: float = 0.0
    all_answered: asyncio.Event = field(default_factory=asyncio.Event)

    def post(self, chat: Chat, sender: Json, content: Json, **how: Any) -> Standing:
        standing = super().post(chat, sender, content, **how)
        if sender is self.bot_user and (took := TOOK.search(content.get("text", ""))):
            asyncio.get_running_loop().call_soon(self.answered, chat.id, standing.at, int(took[1]) / 1e6)
        return standing

    def answered(self, chat_id: int, at: float, model: float) -> None:
        handed_out = self.updates.at.pop(self.unanswered.pop(chat_id, None) or 0, None)
        if handed_out is None:
            return
        self.exchanges[chat_id] += 1
        self.people[chat_id].chat.messages.clear()
        if self.exchanges[chat_id] > 1:
            self.own.append(at - handed_out - model)
        if time.time() < self.deadline:
            self.speak(chat_id)
        elif not self.unanswered:
            self.all_answered.set()

    def speak(self, chat_id: int) -> None:
        message = self.people[chat_id].say(WORDS.format(number=self.exchanges[chat_id]))
        self.unanswered[chat_id] = message.update_id

    async def talk(self, chats: int, seconds: float) -> dict[str, Any]:
        """Let everybody exchange a first message, then let all of them talk for `seconds`."""
        first = 1_000_000 * (len(self.people) + 1)
        new = range(first, first + chats)
        for number in new:
            self.people[number], self.exchanges[number] = self.person(number, "Ada"), 0
            self.speak(number)
        await self.wait(SECONDS_TO_WARM)
        self.own.clear()
        began = time.time()
        self.deadline = began + seconds
        for number in new:
            if number not in self.unanswered:  # otherwise their first message is still unanswered
                self.speak(number)
        await self.wait(seconds + SECONDS_TO_WARM)
        self.deadline = 0.0
        left = len(self.unanswered)
        self.unanswered.clear()
        return {"own": self.own, "took": time.time() - began, "left": left}

    async def wait(self, seconds: float) -> None:
        self.all_answered.clear()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.all_answered.wait(), seconds)


def telegram_process(pipe: Connection) -> None:
    async def serve() -> None:
        telegram = LoadTelegram(keep_calls=False)
        async with fake_telegram(telegram=telegram):
            pipe.send((telegram.url, telegram.token))
            while (request := await asyncio.to_thread(pipe.recv)) is not None:
                pipe.send(await telegram.talk(*request))

    asyncio.run(serve())


def model_process(pipe: Connection, seconds: float) -> None:
    async def serve() -> None:
        async with scripted_model() as model:
            model.requests = DiscardingList()

            async def think(request: dict[str, Any]) -> Says:
                began = time.perf_counter()
                await asyncio.sleep(seconds)
                took = (time.perf_counter() - began) * 1e6
                return Says(("That sounds like a good day. ", f"(took {took:.0f} µs)"))

            model.ponders = think
            pipe.send(model.url)
            await asyncio.to_thread(pipe.recv)

    asyncio.run(serve())


class DiscardingList(list[dict[str, Any]]):
    def append(self, _: dict[str, Any]) -> None:
        return


@contextmanager
def run_process(target: Any, *arguments: Any) -> Iterator[tuple[Connection, int]]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=target, args=(theirs, *arguments), daemon=True)
    process.start()
    try:
        yield ours, process.pid or 0
    finally:
        ours.send(None)
        process.join(10)


@contextmanager
def program(environment: dict[str, str], folder: Path, profile: str | None) -> Iterator[int]:
    command = [sys.executable, *(["-c", PROFILED, profile] if profile else ["-m", "bot", "bot"])]
    log = folder / "log"
    with log.open("wb") as errors:
        started = subprocess.Popen(command, env=environment, stderr=errors)
    try:
        deadline = time.monotonic() + SECONDS_TO_START
        while b"keepsake_test_bot" not in log.read_bytes():
            if time.monotonic() > deadline or started.poll() is not None:
                raise SystemExit(f"The program did not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield started.pid
    finally:
        started.terminate()
        started.wait(30)


def peak_of(pid: int) -> float:
    """Peak memory of a process in megabytes."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        found = None
    return int(found[1]) / 1000 if found else psutil.Process(pid).memory_info().rss / 1e6


def measure(args: argparse.Namespace, *, embedder: str) -> list[Figure]:
    figures: list[Figure] = []
    named = "" if embedder == "off" else f", embedder {embedder}"
    with (
        tempfile.TemporaryDirectory() as place,
        migrated_database(Path(place) / "server") as url,
        run_process(telegram_process) as (telegram, _),
        run_process(model_process, MODEL_SECONDS) as (model, _),
    ):
        address, token = telegram.recv()
        settings = {
            **os.environ,
            "KEEPSAKE_DATA_DIR": f"{place}/data",
            "DATABASE_URL": url,
            "TELEGRAM_BOT_TOKEN": token,
            "TELEGRAM_BASE_URL": address,
            "ANTHROPIC_API_KEY": "k",
            "ANTHROPIC_BASE_URL": model.recv(),
            "KEEPSAKE_MESSAGES_PER_SECOND": "0",
            "KEEPSAKE_EMBEDDER": embedder,
        }
        with program(settings, Path(place), args.profile) as pid:
            for chats in args.chats:
                busy = psutil.Process(pid).cpu_times()
                telegram.send((chats, args.seconds))
                results = telegram.recv()
                figures += figures_of(chats, results, named, psutil.Process(pid).cpu_times(), busy, peak_of(pid))
    return figures


def figures_of(chats: int, results: dict[str, Any], named: str, after: Any, before: Any, peak: float) -> list[Figure]:
    own = [1000 * seconds for seconds in results["own"]] or [0.0]
    spent = (after.user + after.system) - (before.user + before.system)
    who = f"{chats} chats{named}"
    own_p95 = percentile(own, 95)
    note = goal(f"<= {GOAL_MS:.0f}", is_met=own_p95 <= GOAL_MS) if chats == GOAL_CHATS else ""
    lost = f"{results['left']} never answered" if results["left"] else ""
    return [
        Figure(f"{who}: messages per second", len(own) / results["took"], "/s", lost),
        Figure(f"{who}: our own time, p50", percentile(own, 50), "ms"),
        Figure(f"{who}: our own time, p95", own_p95, "ms", note),
        Figure(f"{who}: processor time of ours a message", 1000 * spent / (len(own) + chats), "ms"),
        Figure(f"{who}: peak memory so far", peak, "MB"),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="bench.load")
    parser.add_argument("--chats", type=lambda sizes: tuple(map(int, sizes.split(","))), default=CHATS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each number of chats")
    parser.add_argument("--embedder", action="store_true", help="also run with the bundled embedder")
    parser.add_argument("--profile", help="file for a cProfile profile of the program")
    args = parser.parse_args(arguments)
    before = os.getloadavg()[0]
    figures = measure(args, embedder="off")
    if args.embedder:
        figures += measure(args, embedder="bundled")
    cores = os.cpu_count() or 1
    note = f"{before:.1f} before; Telegram, the model and PostgreSQL share {cores} cores with the program"
    report("load", [*figures, Figure("load of the machine at the end", os.getloadavg()[0], "", note)])


if __name__ == "__main__":
    main()
