"""Named points of the program at which a test can end or hold it; and the patience of the program, for a busy machine.

All of it is put into a forked process before the program runs: the program itself knows nothing of tests.
"""

import gc
import importlib
import os
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

# What is taken for trouble after seconds on a machine that has nothing else to do is not trouble on a busy one.
PATIENT: Mapping[str, float] = {
    "db.engine.BEGIN_TIMEOUT": 300.0,
    "db.engine.CONNECT_ARGS.connect_timeout": 300,
    "db.embedded.cluster.KEEPER_SECONDS": 300.0,
    "memory.outage.catching_up.RESTART_SECONDS": 300.0,
    "api.middleware.header_timeout.HeaderTimeout.seconds": 300.0,
    "api.mcp.stdio.SECONDS_TO_ANSWER": 300.0,
    "bot.telegram.client.READ_SECONDS": 300,
    "bot.telegram.client.CONNECT_SECONDS": 300,
    "bot.delivery.worker.SECONDS_TO_DELIVER": 300.0,
    "bot.telegram.sending.preview.MAX_SENDING": 310.0,
    "db.embedded.cluster.MAX_STARTS": 600,
    "db.engine.POOL_SECONDS": 300.0,
    "db.engine.STATEMENT_SECONDS": 300.0,
    "memory.consolidation.scheduler.SECONDS_TO_STOP": 300.0,
    "memory.consolidation.jobs.GIVE_BACK_SECONDS": 300.0,
    "memory.model.claude.brain.claude.__kwdefaults__.silence": 300.0,
    "memory.metrics._Silent.timeout": 300,
}
# For a test of a database that hangs: it is noticed after a quarter of a minute, and not after the 300 seconds above.
NOTICES_HANGING: Mapping[str, float] = {"db.engine.BEGIN_TIMEOUT": 15.0, "db.engine.CONNECT_ARGS.connect_timeout": 15}


@dataclass(frozen=True)
class Point:
    """Before or after a call of one function of the program."""

    where: str
    after: bool = False


# In the order in which an update passes them.
POINTS: Mapping[str, Point] = {
    "received": Point("bot.delivery.worker.InboxWorker.save"),
    "written down": Point("bot.delivery.worker.InboxWorker.save", after=True),
    "claimed": Point("bot.delivery.worker.InboxWorker._process"),
    "entered": Point("bot.telegram.context.HandlerContext.open_chat", after=True),
    "heard": Point("memory.turn.chat.answer"),
    "first words": Point("bot.telegram.sending.preview.Preview.show", after=True),
    "tool used": Point("memory.model.loop.run_tool", after=True),
    "thought": Point("memory.turn.answer.write_reply"),
    "about to keep": Point("bot.delivery.delivery.Delivery.save_answer"),
    "kept in a transaction": Point("bot.delivery.delivery.Delivery.save_answer", after=True),
    "answer kept": Point("bot.delivery.delivery.Delivery.deliver"),
    "told over the chat": Point("bot.telegram.sending.sender.TelegramSender.alert", after=True),
    "taken by Telegram": Point("bot.telegram.sending.sender.TelegramSender.send", after=True),
    "part marked": Point("bot.delivery.delivery.Delivery._mark", after=True),
    "finished": Point("bot.delivery.delivery.Delivery.finish", after=True),
    # Elsewhere.
    "caught up": Point("memory.outage.catching_up.catch_up", after=True),
    "batch in a transaction": Point("memory.importing.write._record", after=True),
    "batch imported": Point("memory.importing.write._write_batch", after=True),
    "page rebuilt": Point("memory.consolidation.rebuild._make_page", after=True),
    "event in a transaction": Point("api.operations.events.record", after=True),
    "event committed": Point("api.operations.events._record", after=True),
}
# Between Telegram's answer and our mark a reply may be doubled, and only there.
DOUBLES = "taken by Telegram"


class Arming:
    """The file in which a test names the next point, and what happens there. A point is hit once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def kill_at(self, point: str, *, time: int = 1) -> None:
        """When it comes there for the first time, or for a later one."""
        self._arm(point, signal.SIGKILL, time)

    def hold_at(self, point: str) -> None:
        """Until SIGCONT."""
        self._arm(point, signal.SIGSTOP, 1)

    def _arm(self, point: str, number: int, times: int) -> None:
        assert point in POINTS
        unfinished = self.path.with_suffix(".new")
        unfinished.write_text(f"{point}\n{int(number)}\n{times}")
        unfinished.rename(self.path)

    @property
    def was_hit(self) -> bool:
        return not self.path.exists()

    @property
    def objects(self) -> Path:
        """Where the program writes at SIGUSR1 how many objects it holds, of those that hold others."""
        return self.path.with_suffix(".objects")

    def note_objects(self) -> None:
        gc.collect()
        unfinished = self.path.with_suffix(".counting")
        unfinished.write_text(str(len(gc.get_objects())))
        unfinished.rename(self.objects)

    def reach(self, point: str) -> None:
        """What the program does at every point."""
        try:
            named, number, times = self.path.read_text().split("\n")
        except FileNotFoundError:
            return
        if named == point and int(times) > 1:
            self._arm(point, int(number), int(times) - 1)
        elif named == point:
            self.path.unlink()
            os.kill(os.getpid(), int(number))


def install(armed: Path) -> None:
    arming = Arming(armed)
    for name, point in POINTS.items():
        owner, attribute = _owner_of(point.where)
        setattr(owner, attribute, _passing(getattr(owner, attribute), arming, name, after=point.after))
    signal.signal(signal.SIGUSR1, lambda *_: arming.note_objects())


def _passing(
    work: Callable[..., Awaitable[Any]], arming: Arming, name: str, *, after: bool
) -> Callable[..., Awaitable[Any]]:
    @wraps(work)
    async def passing(*given: Any, **named: Any) -> Any:
        if not after:
            arming.reach(name)
        result = await work(*given, **named)
        if after:
            arming.reach(name)
        return result

    return passing


def change(values: Mapping[str, Any]) -> None:
    """Constants of the program by their full names; the last part may be a key of a mapping."""
    for where, value in values.items():
        owner, attribute = _owner_of(where)
        if isinstance(owner, dict):
            assert attribute in owner, where
            owner[attribute] = value
        else:
            assert hasattr(owner, attribute), where
            setattr(owner, attribute, value)


def hold_leases_as(holder: str) -> None:
    """The name by which this process holds its leases, so that a test can let those run out and no others."""
    inbox = importlib.import_module("bot.delivery.worker").InboxWorker
    begin = inbox.__init__

    def begin_named(self: Any, *given: Any, **named: Any) -> None:
        begin(self, *given, **named)
        self.store.holder = holder

    inbox.__init__ = begin_named


def _owner_of(where: str) -> tuple[Any, str]:
    *path, attribute = where.split(".")
    for length in range(len(path), 0, -1):
        try:
            owner: Any = importlib.import_module(".".join(path[:length]))
        except ModuleNotFoundError:
            continue
        for name in path[length:]:
            owner = getattr(owner, name)
        return owner, attribute
    raise AssertionError(f"there is no {where}")
