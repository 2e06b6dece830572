"""A child process: what it may answer, what it is given, and that it is started anew when it was lost."""

import asyncio
import os
from pathlib import Path

import psutil
import pytest

from memory.concurrency.child_process import ChildLost, ChildProcess, RestartingChild
from tests.deadlines import Deadlines
from tests.waiting import STUCK

HANDLER = """
import os, signal, sys

def handler(*arguments):
    def answer(request):
        print("this is no answer", flush=True)
        match request.decode().split():
            case ["crash"]:
                os._exit(3)
            case ["raise"]:
                raise ValueError("my secret")
            case ["hang"]:
                signal.pause()
            case ["modules"]:
                return " ".join(sys.modules).encode()
            case ["times", count]:
                return b"x" * int(count)
            case ["pid"]:
                return str(os.getpid()).encode()
            case ["arguments"]:
                return " ".join(arguments).encode()
            case ["variable", name]:
                return os.environ.get(name, "").encode()
        return request
    return answer
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    (tmp_path / "handler.py").write_text(HANDLER)
    return str(tmp_path / "handler.py")


async def ask(child: ChildProcess, request: str) -> str:
    return await child.ask(request.encode(), bytes.decode, seconds=STUCK)


async def test_it_answers_one_request_after_another_and_what_it_prints_is_no_answer(program: str) -> None:
    child = await ChildProcess.start(program, "one", "two", longest=1_000_000)
    long = "ü" * 400_000

    assert await ask(child, "") == ""
    assert await ask(child, "arguments") == "one two"
    assert await ask(child, long) == long
    await child.end()


async def test_it_is_given_what_it_needs_and_no_keys_of_ours(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "hunter2")
    child = await ChildProcess.start(program, longest=1_000, environment={"MINE": "yes", "PATH": "not this one"})

    assert await ask(child, "variable ANTHROPIC_API_KEY") == ""
    assert await ask(child, "variable MINE") == "yes"
    assert await ask(child, "variable PATH") == os.environ["PATH"]
    await child.end()


async def test_nothing_of_ours_is_loaded_beside_its_handler(program: str) -> None:
    child = await ChildProcess.start(program, longest=100_000)
    loaded = set((await ask(child, "modules")).split())
    await child.end()

    assert "queue" in loaded
    assert not {"memory", "db", "asyncio", "json", "pydantic", "numpy"} & loaded


@pytest.mark.parametrize("request_", ["crash", "raise", "times 1001"])
async def test_one_that_crashes_or_answers_too_much_is_lost_and_gone(program: str, request_: str) -> None:
    child = await ChildProcess.start(program, longest=1_000)
    pid = int(await ask(child, "pid"))
    assert len(await ask(child, "times 1000")) == 1_000

    with pytest.raises(ChildLost) as lost:
        await ask(child, request_)
    assert "my secret" not in str(lost.value)
    assert not psutil.pid_exists(pid)


async def test_an_answer_that_cannot_be_read_is_the_end_of_it(program: str) -> None:
    child = await ChildProcess.start(program, longest=1_000)
    pid = await child.ask(b"pid", int, seconds=STUCK)

    with pytest.raises(ChildLost):
        await child.ask(b"nonsense", int, seconds=STUCK)
    assert not psutil.pid_exists(pid)


async def test_one_that_hangs_is_ended_by_the_deadline(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    deadlines = Deadlines()
    monkeypatch.setattr("memory.concurrency.child_process.timeout", deadlines)
    child = await ChildProcess.start(program, longest=1_000)
    pid = await child.ask(b"pid", int, seconds=STUCK)
    hanging = await deadlines.next(ask(child, "hang"))
    deadlines.strike()

    with pytest.raises(ChildLost):
        await hanging
    assert not psutil.pid_exists(pid)


async def test_a_lost_one_is_started_anew_for_the_next_request(program: str, caplog: pytest.LogCaptureFixture) -> None:
    started: list[ChildProcess] = []

    async def start() -> ChildProcess:
        started.append(await ChildProcess.start(program, longest=1_000))
        return started[-1]

    child = RestartingChild("The reader", start, seconds=STUCK)
    await child.warm()
    await child.warm()
    first = await asyncio.gather(*(child.ask(b"pid", int) for _ in range(3)))
    with pytest.raises(ChildLost):
        await child.ask(b"crash", int)
    second = await child.ask(b"pid", int)
    await child.close()

    assert len(set(first)) == 1
    assert second not in first
    assert len(started) == 2
    assert "The reader crashed or hung; it will be started anew." in caplog.text
    assert not psutil.pid_exists(second)
