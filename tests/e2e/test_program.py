"""The program from the outside: what is typed, what is printed, and how it ends."""

import os
import pty
import re
import signal
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import psycopg
import pytest

from bot import formatting, texts
from db.embedded import EmbeddedServer, join_server, keeper
from db.embedded.house import APPLICATION, DATABASE, OWNER, make_database
from db.migrate import newest_revision
from tests.conftest import wait_until_stopped
from tests.e2e.conftest import PROGRAM, Chatting, Keepsake
from tests.telegram import telegram_for_a_process

HOUSE = Path(__file__).resolve().parents[2]


def told(finished: "subprocess.CompletedProcess[bytes]") -> str:
    """What a person reads on the error stream; never a traceback."""
    errors = finished.stderr.decode()
    assert "Traceback" not in errors
    return errors


def test_on_an_empty_folder_each_line_of_a_pipe_is_answered(keepsake: Keepsake, tmp_path: Path) -> None:
    ran = keepsake(typed=b"hello\n/memory\n")

    assert ran.returncode == 0
    assert ran.stdout.decode().splitlines() == [texts.OFFLINE_START, texts.OFFLINE.greeting, texts.NOTHING_REMEMBERED]
    steps = told(ran)
    assert "Making a database" in steps
    assert "Starting PostgreSQL" in steps
    assert "Schema 0001" in steps
    wait_until_stopped(tmp_path / "data")


@pytest.mark.slow
def test_what_is_kept_is_there_after_a_restart(keepsake: Keepsake, tmp_path: Path) -> None:
    first = keepsake(typed=b"remember that Alec is my boss")
    assert re.search(r"✓ Remembered \[[A-Za-z0-9]{8}\]: Alec is my boss", first.stdout.decode())
    began = time.monotonic()
    second = keepsake("chat", typed=b"who is my boss?\n/memory list\n")

    assert time.monotonic() - began < 15
    assert "you told me: “Alec is my boss”" in second.stdout.decode()
    assert "People\n  [" in second.stdout.decode()
    assert "Schema" not in told(second)


@pytest.mark.slow
def test_commands_and_mistakes_get_a_helpful_line(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    ran = keepsake(typed=b"/help\n/start\n\n   \n/nonsense\n/memory fly\n/new\n/quit\nnever read\n", **own_database)

    assert ran.returncode == 0
    assert ran.stdout.decode() == "\n".join(
        [
            texts.OFFLINE_START,
            texts.HELP,
            texts.HELP,
            texts.EMPTY,
            texts.EMPTY,
            texts.UNKNOWN_COMMAND.format(command="/nonsense"),
            texts.UNKNOWN_MEMORY_COMMAND.format(name="fly"),
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
    assert ran.stdout.decode().count(texts.NOT_TEXT) == 1
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


@pytest.mark.slow
def test_a_message_over_the_limit_is_refused_and_the_next_one_answered(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    ran = keepsake(typed=b"x" * 300_000 + b"\nhello\n", KEEPSAKE_MESSAGE_BYTES="1000", **own_database)

    assert ran.returncode == 1
    assert ran.stdout.decode().splitlines()[1:] == [texts.TOO_LONG.format(limit=1000), texts.OFFLINE.greeting]


@pytest.mark.slow
def test_a_secret_is_left_out_and_the_user_is_told(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    ran = keepsake(typed=b"password=hunter2\n", **own_database)

    assert formatting.secrets_left_out(["password"]) in ran.stdout.decode()


@pytest.mark.slow
def test_a_token_that_telegram_refuses_stops_the_start_with_one_line(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    with telegram_for_a_process() as telegram:
        ran = keepsake(TELEGRAM_BOT_TOKEN="1:a", TELEGRAM_BASE_URL=telegram.url, **own_database)

    assert ran.returncode == 1
    assert ran.stderr.decode().splitlines()[-1] == f"· {texts.TOKEN_REFUSED}"


@pytest.mark.slow
def test_a_database_that_is_down_stops_the_start_with_one_line(keepsake: Keepsake) -> None:
    ran = keepsake(DATABASE_URL="postgresql://keepsake:hunter2@127.0.0.1:1/keepsake")

    assert ran.returncode == 1
    assert told(ran).count("\n") == 1
    assert "The database does not answer" in told(ran)
    assert "hunter2" not in told(ran)


@pytest.mark.slow
@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", None])
def test_a_port_that_something_else_uses_stops_the_start_with_one_line(
    keepsake: Keepsake, answer: bytes | None
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:

        def reply() -> None:
            with stranger.accept()[0] as caller:
                caller.recv(1024)
                if answer:
                    caller.sendall(answer)
                else:
                    caller.recv(1024)  # says nothing until the other side gives up

        threading.Thread(target=reply, daemon=True).start()
        ran = keepsake(
            DATABASE_URL=f"postgresql://keepsake@127.0.0.1:{stranger.getsockname()[1]}/keepsake?sslmode=disable"
        )

    assert ran.returncode == 1
    assert told(ran).count("\n") == 1
    assert "The database does not answer" in told(ran)


@pytest.mark.slow
@pytest.mark.parametrize("role", ["postgres", "keepsake_owner"])
def test_a_powerful_role_stops_the_start(
    keepsake: Keepsake, server: EmbeddedServer, worker_database: str, role: str
) -> None:
    ran = keepsake(DATABASE_URL=server.url(role, worker_database))

    assert ran.returncode == 1
    assert f"The database role {role} " in told(ran)
    assert ran.stdout == b""


@pytest.mark.slow
def test_a_wrong_setting_stops_the_start_with_one_line(keepsake: Keepsake) -> None:
    ran = keepsake(KEEPSAKE_POOL_SIZE="many")

    assert ran.returncode == 1
    assert told(ran) == "· KEEPSAKE_POOL_SIZE: got 'many', wants a whole number from 1 to 100.\n"


@pytest.mark.slow
def test_a_broken_env_file_stops_the_start_with_one_line(keepsake: Keepsake, folder: Path) -> None:
    (folder / ".env").write_text("KEEPSAKE_TENANT=home\nthis is no setting\n")
    ran = keepsake()

    assert ran.returncode == 1
    assert told(ran) == "· .env line 2: expected NAME=value, got something else.\n"


@pytest.mark.slow
def test_a_misspelt_setting_is_pointed_out_and_the_chat_goes_on(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    ran = keepsake(KEEPSAKE_TENNANT="x", typed=b"hello\n", **own_database)

    assert ran.returncode == 0
    assert "did you mean KEEPSAKE_TENANT?" in told(ran)


@pytest.mark.slow
def test_a_data_folder_that_cannot_be_made_stops_the_start(keepsake: Keepsake, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = keepsake(KEEPSAKE_DATA_DIR=str(tmp_path / "file" / "data"))

    assert ran.returncode == 1
    assert "cannot be used: Not a directory" in told(ran)


@pytest.mark.slow
def test_no_input_at_all_is_a_quiet_end(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    ran = subprocess.run(
        ["sh", "-c", f"exec {' '.join(PROGRAM)} <&-"],
        env={**environment, **own_database},
        cwd=folder,
        capture_output=True,
    )

    assert ran.returncode == 0
    assert ran.stdout.decode().splitlines() == [texts.OFFLINE_START]


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_the_chat_without_a_traceback(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    ran = subprocess.run(
        ["sh", "-c", f"yes hello | head -n 500 | {' '.join(PROGRAM)} | head -n 1"],
        env={**environment, **own_database},
        cwd=folder,
        capture_output=True,
        timeout=60,
    )

    assert ran.stdout.decode().splitlines() == [texts.OFFLINE_START]
    assert b"Traceback" not in ran.stderr


@pytest.mark.slow
def test_no_output_and_a_full_one_are_told(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    for where in (">&-", ">/dev/full"):
        ran = subprocess.run(
            ["sh", "-c", f"echo hello | {' '.join(PROGRAM)} {where}"],
            env={**environment, **own_database},
            cwd=folder,
            capture_output=True,
        )
        assert ran.returncode == 1
        assert told(ran).count("\n") == 1, told(ran)


@pytest.mark.slow
def test_the_log_holds_no_words_of_a_message_even_when_it_tells_all(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    model = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "KEEPSAKE_LOG_LEVEL": "debug"}
    ran = keepsake(typed=b"canary words\n", **model, **own_database, KEEPSAKE_MODEL_SECONDS="3")

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
        env={**environment, **own_database},
        capture_output=True,
    )

    assert ran.returncode == 0, told(ran)
    answers = [texts.OFFLINE_START, texts.OFFLINE.greeting, texts.NOTHING_REMEMBERED]
    assert ran.stdout.decode().splitlines() == answers


@pytest.mark.slow
def test_in_a_terminal_there_is_a_prompt_and_control_d_says_goodbye(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    ours, theirs = pty.openpty()
    chat = subprocess.Popen(
        PROGRAM, stdin=theirs, stdout=theirs, stderr=theirs, env={**environment, **own_database}, cwd=folder
    )
    os.close(theirs)
    os.write(ours, b"hello\n\x04")
    assert chat.wait(30) == 0
    shown = os.read(ours, 65536).decode()
    os.close(ours)

    assert texts.HINT in shown
    assert "you › " in shown
    assert texts.OFFLINE.greeting in shown
    assert shown.rstrip().endswith(texts.GOODBYE)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_chat_without_a_traceback(
    chatting: Chatting, own_database: dict[str, str], number: signal.Signals, status: int
) -> None:
    with chatting(**own_database) as chat:
        assert chat.say("hello") == texts.OFFLINE.greeting
        chat.process.send_signal(number)

        assert chat.process.wait(60) == status
        assert chat.errors.read() == b""


@pytest.mark.slow
def test_kill_nine_of_program_and_server_loses_no_answered_message(
    chatting: Chatting, keepsake: Keepsake, tmp_path: Path
) -> None:
    with chatting() as chat:
        for number in range(20):
            chat.type(f"remember that number {number} was said")
            while not chat.read().startswith("✓"):
                pass
        chat.type(*["remember that this one may be lost"] * 5)
        stop_server(tmp_path / "data", signal.SIGKILL)
        chat.process.kill()

    again = keepsake(typed=b"/memory\n")
    assert again.returncode == 0
    told(again)
    assert len(re.findall(r"number \d+ was said", again.stdout.decode())) == 20


@pytest.mark.slow
def test_two_programs_share_one_data_folder_and_the_server_ends_with_the_last(
    chatting: Chatting, keepsake: Keepsake, tmp_path: Path
) -> None:
    with ThreadPoolExecutor() as both:
        ran = list(both.map(lambda n: keepsake(typed=f"remember that writer {n} was here".encode()), range(2)))

    assert [(chat.returncode, told(chat).count("Traceback")) for chat in ran] == [(0, 0), (0, 0)]
    with chatting() as first, chatting() as second:
        assert first.say("/memory") == "What I remember about you (2):"
        first.process.kill()
        first.process.wait()
        time.sleep(1)
        assert second.say("/memory") == "What I remember about you (2):"
    wait_until_stopped(tmp_path / "data")


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.0, 0.5, 1.0], ids=lambda pause: f"{pause} s later")
def test_an_embedded_database_that_dies_in_mid_chat_is_started_again(
    chatting: Chatting, tmp_path: Path, pause: float
) -> None:
    """Whoever sees first that it died: the chat, or who looks every second for what others were told to forget."""
    with chatting() as chat:
        for how in (signal.SIGINT, signal.SIGKILL):
            assert chat.say("hello") == texts.OFFLINE.greeting
            stop_server(tmp_path / "data", how)
            time.sleep(pause)
            assert chat.say("hello again") == texts.OFFLINE.greeting
            stop_server(tmp_path / "data", how)
            time.sleep(pause)
            assert chat.say("/memory") == texts.NOTHING_REMEMBERED
        chat.typed.close()

        assert chat.process.wait(20) == 0


@pytest.mark.slow
def test_while_an_own_database_is_away_the_chat_goes_on_and_is_written_down_later(
    chatting: Chatting, keepsake: Keepsake, tmp_path: Path
) -> None:
    assert keepsake().returncode == 0
    server = join_server(tmp_path / "data", progress=lambda _: None)
    with chatting(DATABASE_URL=server.url(APPLICATION, DATABASE)) as chat:
        assert chat.say("hello") == texts.OFFLINE.greeting
        stop_server(tmp_path / "data", signal.SIGINT)
        wait_until_stopped(tmp_path / "data")
        assert chat.say("hello there") == texts.OFFLINE.greeting
        assert chat.read() == texts.CANNOT_REMEMBER
        assert chat.say("hi once more") == texts.OFFLINE.greeting
        assert chat.say("/memory") == texts.MEMORY_AWAY
        server.revive()
        with psycopg.connect(server.url("postgres", DATABASE)) as connection:
            query = "SELECT count(*) FROM events WHERE content ->> 'text' = 'hi once more'"
            deadline = time.monotonic() + 20
            while connection.execute(query).fetchone() != (1,):
                assert time.monotonic() < deadline
                time.sleep(0.1)
        assert chat.say("hello") == texts.OFFLINE.greeting
        chat.typed.close()

        assert chat.process.wait(20) == 1
        assert b"Traceback" not in chat.errors.read()
    server.leave()


def stop_server(data: Path, how: signal.Signals) -> None:
    """And wait until nothing of it answers any more."""
    pid = keeper.server_pid(data)
    assert pid is not None
    connected = psutil.Process(pid).children()
    os.kill(pid, how)
    _, alive = psutil.wait_procs(connected, 20)
    assert not alive


@pytest.mark.slow
def test_the_doctor_tells_what_is_in_use_and_what_to_do_next(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    ran = keepsake("doctor", KEEPSAKE_MODEL="some-model", **own_database)
    lines = ran.stdout.decode()

    assert ran.returncode == 0
    assert "DATABASE_URL, postgresql://keepsake_app@/" in lines
    for expected in (
        f"PostgreSQL  18.6, pgvector 0.8.6, schema {newest_revision()}",
        "role        keepsake_app",
        "offline brain",
    ):
        assert expected in lines
    assert "→ Set ANTHROPIC_API_KEY and Claude will answer." in lines


@pytest.mark.slow
def test_the_doctor_makes_nothing_and_prints_everywhere(keepsake: Keepsake, tmp_path: Path) -> None:
    ran = keepsake("doctor", PYTHONIOENCODING="ascii")

    assert ran.returncode == 0
    assert texts.DOCTOR_NOT_YET in ran.stdout.decode()
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
def test_the_doctor_finds_the_trouble(keepsake: Keepsake) -> None:
    ran = keepsake(
        "doctor",
        DATABASE_URL="postgresql://keepsake:hunter2@127.0.0.1:1/keepsake",
        KEEPSAKE_OWNER_URL="postgresql://owner:hunter2@127.0.0.1:1/keepsake",
        ANTHROPIC_API_KEY="k",
        ANTHROPIC_BASE_URL="http://127.0.0.1:1",
        TELEGRAM_BOT_TOKEN="1:a",
    )
    lines = ran.stdout.decode()

    assert ran.returncode == 1
    assert "✗ not usable" in lines
    assert "→ The database does not answer" in lines
    assert "claude-sonnet-5-5 at http://127.0.0.1:1" in lines
    assert "hunter2" not in lines


@pytest.mark.slow
def test_migrate_brings_an_own_database_to_the_schema(keepsake: Keepsake, server: EmbeddedServer) -> None:
    name = f"t_own_{os.getpid()}"
    make_database(server, name)
    own = {"DATABASE_URL": server.url(APPLICATION, name)}
    assert "keepsake migrate" in told(keepsake(**own))
    assert "needs KEEPSAKE_OWNER_URL" in told(keepsake("migrate", **own))
    migrated = keepsake("migrate", KEEPSAKE_OWNER_URL=server.url(OWNER, name), **own)

    assert migrated.returncode == 0
    assert "The database is at schema head." in told(migrated)
    assert keepsake(typed=b"hello\n", **own).returncode == 0


@pytest.mark.slow
def test_migrate_works_on_the_embedded_database_too(keepsake: Keepsake) -> None:
    assert keepsake("migrate").returncode == 0
    assert keepsake("migrate", "--to", "0003").returncode == 0
    assert "cannot go to 4711" in told(keepsake("migrate", "--to", "4711"))


@pytest.mark.slow
def test_version_and_help_are_there(keepsake: Keepsake) -> None:
    assert keepsake("--version").stdout.startswith(b"keepsake ")
    assert b"doctor" in keepsake("--help").stdout
    assert keepsake("nonsense").returncode == 2
