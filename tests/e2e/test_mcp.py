"""MCP with the real program: over standard input and output, and with the daemon as a process of its own."""

import asyncio
import fcntl
import json
import select
import signal
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from bot import texts
from tests.agents import BOAT, NAMES, call, connected, message, refused, use_every_tool, words
from tests.conftest import wait_until_stopped
from tests.e2e.child import PIPE, UNTRACED, Child, run
from tests.e2e.conftest import PATIENT, PROGRAM, Keepsake, made_key
from tests.e2e.daemon import started
from tests.waiting import STUCK, until

pytestmark = pytest.mark.slow

HOUSE = Path(__file__).resolve().parents[2]
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}}

Starting = Callable[..., AbstractAsyncContextManager[Client]]


def asked(method: str, id: int, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"


def calling(id: int, tool: str, **arguments: Any) -> bytes:
    return asked("tools/call", id, name=f"memory.{tool}", arguments=arguments)


OPENING = asked("initialize", 0, **HELLO) + b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Where an agent works and starts us: a `.env` that is not ours would lead the memory astray, or stop us."""
    made = tmp_path / "project"
    made.mkdir()
    (made / ".env").write_text("DATABASE_URL=postgresql://nobody@127.0.0.1:1/elsewhere\nno setting at all\n")
    return made


@pytest.fixture
def surroundings(environment: dict[str, str], own_database: dict[str, str]) -> dict[str, str]:
    """The program of this very tree, wherever it is installed from."""
    return {**environment, **own_database, **UNTRACED, "PYTHONPATH": str(HOUSE)}


@pytest.fixture
def starting(surroundings: dict[str, str], project: Path, tmp_path: Path, command: dict[str, str]) -> Starting:
    """An agent that starts the program, as Claude does; what the program says besides goes into a file."""

    @asynccontextmanager
    async def start(*options: str, mode: str = "legacy", **variables: str) -> AsyncIterator[Client]:
        program, *arguments = command["PROGRAM"].split()
        environment = {**surroundings, **variables, **command}
        server = StdioServerParameters(
            command=program, args=[*arguments, "mcp", *options], env=environment, cwd=project
        )
        with (tmp_path / "errors").open("a") as errors:
            async with Client(stdio_client(server, errors), mode=mode, read_timeout_seconds=STUCK) as client:
                yield client

    return start


@pytest.fixture
def speaking(surroundings: dict[str, str], project: Path) -> Callable[..., Any]:
    """The bare process, to which a test says what no client would."""

    @contextmanager
    def start(*options: str, **variables: str) -> Iterator[Child]:
        settings = {**surroundings, **variables}
        with Child("mcp", *options, env=settings, cwd=project, stdin=PIPE, stdout=PIPE, stderr=PIPE) as process:
            yield process

    return start


def answers(printed: bytes) -> list[dict[str, Any]]:
    """Every line is a message, and there is nothing else."""
    return [json.loads(line) for line in printed.splitlines()]


def until_it_speaks(process: Child) -> None:
    """When it has answered the handshake."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(OPENING)
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "keepsake"


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_an_agent_that_starts_the_program_uses_every_tool(starting: Starting, tmp_path: Path, era: str) -> None:
    async with starting(mode=era) as agent:
        await use_every_tool(agent)
        unknown = await agent.call_tool("memory.approve", {})
        wrong = await refused(agent, "propose", content="no", category="other")
        [schema] = [tool.input_schema for tool in (await agent.list_tools()).tools if tool.name == "memory.search"]

    assert words(unknown) == "Unknown tool 'memory.approve'."
    assert wrong.splitlines()[1] == "content: String should have at least 5 characters"
    assert {"tenant_id", "user_id", "agent_id"}.isdisjoint(schema["properties"])
    said = (tmp_path / "errors").read_text()
    assert texts.SPEAKING_MCP.partition("{")[0] in said
    assert "Traceback" not in said


async def test_it_shares_the_memory_of_whoever_chats_on_the_machine_and_can_only_ask(
    starting: Starting, keepsake: Keepsake, environment: dict[str, str], data: Path
) -> None:
    """Both at once, on the embedded server."""
    here = {"DATABASE_URL": "", "KEEPSAKE_TENANT": "home"}
    own = {**environment, **UNTRACED, **here, "PYTHONPATH": str(HOUSE)}
    first = await asyncio.to_thread(keepsake, "chat", typed=b"remember that Alec is my boss\n", **own)
    async with starting("--agent", "claude", "--underscores", **here) as agent:
        names = [tool.name for tool in (await agent.list_tools()).tools]
        found = await call(agent, "search", query="who is my boss?")
        asking = await call(agent, "propose", content="My boat is called Rex", category="other")
        listed = await call(agent, "list")
        ran = await asyncio.to_thread(keepsake, "chat", typed=b"/memory\n", **own)
    wait_until_stopped(data)

    assert first.returncode == 0
    assert names == [name.replace(".", "_") for name in NAMES]
    assert [each["content"] for each in found["facts"]] == ["Alec is my boss"]
    assert (asking["proposal"]["author"], asking["stored"], listed["total"]) == ("claude", False, 1)
    assert "My boat is called Rex" in ran.stdout.decode()
    assert asking["proposal"]["id"] in ran.stdout.decode()


def test_nothing_but_messages_is_printed_and_all_is_answered_before_the_end(
    keepsake: Keepsake, surroundings: dict[str, str]
) -> None:
    garbage = b'no json\n\n[1, 2]\n{"jsonrpc": "2.0"}\n\xff\xfe\n'
    typed = OPENING + garbage + calling(1, "record_event", **message(BOAT)) + calling(2, "list") + calling(3, "nothing")

    ran = keepsake("mcp", typed=typed, **surroundings, KEEPSAKE_LOG_LEVEL="debug")

    said = answers(ran.stdout)
    by_id = {each["id"]: each for each in said if each["id"] is not None}
    assert ran.returncode == 0, ran.stderr.decode()
    assert [each["error"]["code"] for each in said if each["id"] is None] == [-32700] * 4
    assert sorted(by_id) == [0, 1, 2, 3]
    assert by_id[1]["result"]["structuredContent"]["event_id"].startswith("evt_")
    assert by_id[3]["result"]["isError"] is True
    assert "Traceback" not in ran.stderr.decode()
    assert BOAT not in ran.stderr.decode()


def test_a_line_that_is_too_long_is_refused_and_the_next_one_is_answered(
    keepsake: Keepsake, surroundings: dict[str, str]
) -> None:
    typed = OPENING + calling(1, "record_event", **message("x" * 20_000)) + calling(2, "list")

    ran = keepsake("mcp", typed=typed, **surroundings, KEEPSAKE_REQUEST_BYTES="10000")

    said = {each["id"]: each for each in answers(ran.stdout)}
    assert said[None]["error"]["message"] == "A message has at most 10,000 bytes."
    assert "result" in said[2]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_once_when_it_is_told_to_though_its_input_stays_open(
    speaking: Callable[..., Any], number: signal.Signals
) -> None:
    with speaking() as process:
        until_it_speaks(process)

        assert process.end(number) == 128 + number
        assert b"Traceback" not in process.stderr.read()


def test_it_ends_when_nobody_reads_its_answers_any_more(speaking: Callable[..., Any]) -> None:
    with speaking() as process:
        until_it_speaks(process)
        process.stdout.close()
        process.stdin.write(calling(1, "list"))
        process.stdin.flush()

        assert process.wait() == 0
        assert b"Traceback" not in process.stderr.read()


def test_it_ends_when_it_is_told_to_though_nobody_reads_and_the_pipe_is_full(speaking: Callable[..., Any]) -> None:
    with speaking() as process:
        until_it_speaks(process)
        for number in range(1, 40):
            process.stdin.write(asked("tools/list", number))
        process.stdin.flush()
        until(lambda: is_full(process.stdout))

        assert process.end() == 128 + signal.SIGTERM, process.stderr.read()


def is_full(pipe: IO[bytes]) -> bool:
    """Whether whoever writes into it has to wait."""
    waiting = fcntl.ioctl(pipe.fileno(), termios.FIONREAD, b"\0" * 4)
    return int.from_bytes(waiting, sys.byteorder) + select.PIPE_BUF > fcntl.fcntl(pipe.fileno(), fcntl.F_GETPIPE_SZ)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--user", "telegram:404"), texts.NO_SUCH_USER.format(user="telegram:404")),
        (("--agent", "a b"), "The name of an agent has 1 to 64 characters"),
    ],
)
def test_somebody_who_is_not_known_and_a_name_that_is_none_are_refused_in_a_line(
    keepsake: Keepsake, surroundings: dict[str, str], options: tuple[str, ...], told: str
) -> None:
    ran = keepsake("mcp", *options, **surroundings)

    assert (ran.returncode, ran.stdout) == (1, b"")
    assert told in ran.stderr.decode()


def test_settings_come_from_a_file_that_is_named_and_there(surroundings: dict[str, str], project: Path) -> None:
    def tried(path: str) -> str:
        ran = run("mcp", "--env-file", path, env=surroundings, cwd=project)
        assert (ran.returncode, ran.stdout) == (1, b"")
        return ran.stderr.decode()

    assert tried("nowhere.env") == "· There is no file nowhere.env.\n"
    assert ".env, line 2: this is not NAME=value" in tried(".env")


def test_without_standard_input_it_ends_by_itself(surroundings: dict[str, str], folder: Path) -> None:
    command = " ".join([*PROGRAM, "mcp", "<&-"])
    ran = subprocess.run(["sh", "-c", command], env={**surroundings, **PATIENT}, cwd=folder, capture_output=True)

    assert (ran.returncode, ran.stdout) == (0, b"")


async def test_the_daemon_as_a_process_serves_agents_and_ends_when_it_is_told_to(
    surroundings: dict[str, str], folder: Path, app_url: str, tenant: str
) -> None:
    key = await made_key(app_url, tenant, agent="helper")
    with started(surroundings, folder) as (url, process):
        async with connected(f"{url}/mcp", key) as agent:
            await use_every_tool(agent)
            under_way = [asyncio.create_task(call(agent, "record_event", **message(f"{BOAT} {n}"))) for n in range(5)]
            await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            ended = await asyncio.to_thread(process.end)
            await asyncio.gather(*under_way, return_exceptions=True)

    assert ended == 128 + signal.SIGTERM
