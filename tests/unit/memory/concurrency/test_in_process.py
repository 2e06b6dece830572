"""Long work is done in a process of its own, and gives the same, or the same no.

The work is from modules that are quickly imported: the other process would read this file, and all that it imports.
"""

import asyncio
import os
import time
from contextlib import ExitStack

import psutil
import pytest

from memory.concurrency.in_process import LONG, MAX_COUNT, MAX_PER_USER, ProcessQueue, _lines, in_process
from memory.errors import Refused, TooBusy
from memory.events.contents import day_of
from memory.privacy.redaction import Redacted, redact
from tests.waiting import until


async def test_only_long_work_goes_elsewhere_and_gives_what_it_would_have_given_here() -> None:
    words = "my password=hunter2-hunter3"

    assert await in_process("key_1", 10, os.getpid) == await in_process("key_1", LONG, os.getpid) == os.getpid()
    assert await in_process("key_1", LONG + 1, os.getpid) != os.getpid()
    assert await in_process("key_1", LONG + 1, redact, words) == Redacted(
        "my password=[password left out]", ("password",)
    )


async def test_a_no_comes_back_as_one() -> None:
    with pytest.raises(Refused, match="Not stored: due must be a date"):
        await in_process("key_1", LONG + 1, day_of, {"due": "soon"}, "due")
    with pytest.raises(Refused, match="reading this failed"):
        await in_process("key_1", LONG + 1, os._exit, 3)


async def test_it_is_given_no_keys_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEEPSAKE_ENCRYPTION_KEY", "very secret")

    assert await in_process("key_1", LONG, os.getenv, "KEEPSAKE_ENCRYPTION_KEY") == "very secret"
    assert await in_process("key_1", LONG + 1, os.getenv, "KEEPSAKE_ENCRYPTION_KEY") is None
    assert await in_process("key_1", LONG + 1, os.getenv, "PATH") == os.environ["PATH"]


async def test_whoever_sends_many_at_once_is_told_so_and_keeps_nobody_else_waiting() -> None:
    line = _lines[asyncio.get_running_loop()] = ProcessQueue()
    with ExitStack() as standing:
        for _ in range(MAX_PER_USER):
            standing.enter_context(line.enter("key_1"))
        with pytest.raises(TooBusy, match="Too many long texts"):
            await in_process("key_1", LONG + 1, os.getpid)
        assert await in_process("key_2", LONG + 1, os.getpid) != os.getpid()
        for number in range(MAX_PER_USER, MAX_COUNT):
            standing.enter_context(line.enter(f"key_{number}"))
        with pytest.raises(TooBusy, match="Too many long texts"):
            await in_process("key_99", LONG + 1, os.getpid)

    assert await in_process("key_1", LONG + 1, os.getpid) != os.getpid()


def other_processes() -> list[psutil.Process]:
    children = psutil.Process().children()
    return [each for each in children if "pickled_work" in " ".join(each.cmdline())]


async def test_whoever_stops_waiting_leaves_nothing_running() -> None:
    waiting = asyncio.create_task(in_process("key_1", LONG + 1, time.sleep, 60))
    await asyncio.to_thread(until, other_processes)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    assert other_processes() == []
    assert await in_process("key_1", LONG + 1, os.getpid) != os.getpid()
