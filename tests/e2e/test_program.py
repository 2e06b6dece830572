"""The program from the outside: what is typed, what is printed, and how it ends."""

import re
import signal
import subprocess
from pathlib import Path

import psycopg
import pytest

from bot import formatting, texts
from bot.commands.registry import Where, help_text
from tests.conftest import wait_until_stopped
from tests.e2e.conftest import PATIENT, PROGRAM, Chatting, Keepsake, told

HOUSE = Path(__file__).resolve().parents[2]


def test_on_an_empty_folder_each_line_of_a_pipe_is_answered(keepsake: Keepsake, tmp_path: Path) -> None:
    ran = keepsake(typed=b"hello\n/memory\n")

    assert ran.returncode == 0
    assert ran.stdout.decode().splitlines() == [texts.START_OFFLINE, texts.OFFLINE.greeting, texts.MEMORY_LIST_EMPTY]
    steps = told(ran)
    assert "Making a database" in steps
    assert "Starting PostgreSQL" in steps
    assert "Creating the schema" in steps
    wait_until_stopped(tmp_path / "data")


@pytest.mark.slow
def test_what_is_kept_is_there_after_a_restart(keepsake: Keepsake, data: Path) -> None:
    first = keepsake(typed=b"remember that Alec is my boss")
    assert re.search(r"✓ Remembered \[[A-Za-z0-9]{8}\]: Alec is my boss", first.stdout.decode())
    wait_until_stopped(data)
    second = keepsake("chat", typed=b"who is my boss?\n/memory list\n")

    assert "you told me: “Alec is my boss”" in second.stdout.decode()
    assert "People\n  [" in second.stdout.decode()
    assert "Creating the schema" not in told(second)


def test_commands_and_mistakes_get_a_helpful_line(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    ran = keepsake(typed=b"/help\n/start\n\n   \n/nonsense\n/memory fly\n/new\n/quit\nnever read\n", **own_database)

    assert ran.returncode == 0
    assert ran.stdout.decode() == "\n".join(
        [
            texts.START_OFFLINE,
            help_text(Where.TERMINAL),
            help_text(Where.TERMINAL),
            texts.LINE_EMPTY,
            texts.LINE_EMPTY,
            texts.UNKNOWN_COMMAND.format(command="/nonsense"),
            texts.MEMORY_UNKNOWN.format(name="fly"),
            texts.NEW_CONVERSATION,
            "",
        ]
    )


@pytest.mark.slow
def test_a_megabyte_broken_bytes_and_nul_are_answered_and_kept(
    keepsake: Keepsake, own_database: dict[str, str], superuser_url: str
) -> None:
    long = b"a long story " * 80_000
    ran = keepsake(typed=long + b"\nbroken \xff\xfe bytes\nnul \x00 byte\n\x1b[2J\nlast without end", **own_database)

    assert ran.returncode == 0
    told(ran)
    assert ran.stdout.decode().count(texts.OFFLINE.heard) == 5
    assert ran.stdout.decode().count(texts.LINE_NOT_TEXT) == 1
    with psycopg.connect(superuser_url) as admin:
        kept = admin.execute(
            "SELECT content ->> 'text' FROM events WHERE tenant_id = %s AND actor_type = 'human' ORDER BY seq",
            (own_database["KEEPSAKE_TENANT"],),
        ).fetchall()
    assert [words for (words,) in kept] == [
        long.decode().strip(),
        "broken �� bytes",
        "nul ␀ byte",
        "␛[2J",
        "last without end",
    ]


def test_a_message_over_the_limit_is_refused_and_the_next_one_answered(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    ran = keepsake(typed=b"x" * 300_000 + b"\nhello\n", KEEPSAKE_MESSAGE_BYTES="1000", **own_database)

    assert ran.returncode == 1
    assert ran.stdout.decode().splitlines()[1:] == [texts.LINE_TOO_LONG.format(limit=1000), texts.OFFLINE.greeting]


def test_a_secret_is_left_out_and_the_user_is_told(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    ran = keepsake(typed=b"password=hunter2\n", **own_database)

    assert formatting.secrets_left_out(["password"]) in ran.stdout.decode()


@pytest.mark.slow
def test_no_input_at_all_is_a_quiet_end(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    ran = subprocess.run(
        ["sh", "-c", f"exec {' '.join(PROGRAM)} <&-"],
        env={**environment, **own_database, **PATIENT},
        cwd=folder,
        capture_output=True,
    )

    assert ran.returncode == 0
    assert ran.stdout.decode().splitlines() == [texts.START_OFFLINE]


def test_a_reader_that_goes_away_ends_the_chat_without_a_traceback(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, command: dict[str, str]
) -> None:
    ran = subprocess.run(
        ["sh", "-c", "yes hello | head -n 500 | $PROGRAM | head -n 1"],
        env={**environment, **own_database, **command},
        cwd=folder,
        capture_output=True,
    )

    assert ran.stdout.decode().splitlines() == [texts.START_OFFLINE]
    assert b"Traceback" not in ran.stderr


@pytest.mark.slow
def test_no_output_and_a_full_one_are_told(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, command: dict[str, str]
) -> None:
    for line in (f"echo hello | {' '.join(PROGRAM)} >&-", "echo hello | $PROGRAM >/dev/full"):
        ran = subprocess.run(
            ["sh", "-c", line],
            env={**environment, **own_database, **command, **PATIENT},
            cwd=folder,
            capture_output=True,
        )
        assert ran.returncode == 1
        assert told(ran).count("\n") == 1, told(ran)


def test_the_log_holds_no_words_of_a_message_even_when_it_tells_all(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    model = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "KEEPSAKE_LOG_LEVEL": "debug"}
    ran = keepsake(typed=b"canary words\n", **model, **own_database, KEEPSAKE_MODEL_SECONDS="1")

    assert ran.returncode == 1
    assert texts.MODEL_AWAY.split("{")[0] in ran.stdout.decode()
    assert "canary" not in told(ran)


def test_make_alone_lists_the_targets_with_a_line_each() -> None:
    listed = subprocess.run(["make", "-C", str(HOUSE), "--no-print-directory"], capture_output=True, text=True).stdout
    targets = dict(re.findall(r"^  make (\w+) +(.+)$", listed, re.M))

    assert targets.keys() >= {"run", "test", "check", "setup", "bench", "fmt", "clean"}


def test_make_run_reads_from_a_pipe_and_answers_each_line(
    environment: dict[str, str], own_database: dict[str, str]
) -> None:
    """Without installing: the tests run in that environment, and a linked one belongs to somebody else, too."""
    ran = subprocess.run(
        ["make", "-s", "-C", str(HOUSE), "-o", ".venv/installed", "run"],
        input=b"hello\n/memory\n",
        env={**environment, **own_database, **PATIENT},
        capture_output=True,
    )

    assert ran.returncode == 0, told(ran)
    answers = [texts.START_OFFLINE, texts.OFFLINE.greeting, texts.MEMORY_LIST_EMPTY]
    assert ran.stdout.decode().splitlines() == answers


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_chat_without_a_traceback(
    chatting: Chatting, own_database: dict[str, str], number: signal.Signals, status: int
) -> None:
    with chatting(**own_database) as chat:
        assert chat.say("hello") == texts.OFFLINE.greeting

        assert chat.process.end(number) == status
        assert chat.errors.read() == b""


def test_version_and_help_are_there(keepsake: Keepsake) -> None:
    assert keepsake("--version").stdout.startswith(b"keepsake ")
    assert b"doctor" in keepsake("--help").stdout
    assert keepsake("nonsense").returncode == 2
