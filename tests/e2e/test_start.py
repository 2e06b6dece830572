"""How the program starts, or says in one line why it does not; the doctor, and `keepsake migrate`."""

import secrets
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from bot import texts
from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, OWNER, make_database
from db.migrate import newest_revision
from tests.e2e.conftest import PROGRAM, Keepsake, told
from tests.telegram import telegram_for_a_process

pytestmark = pytest.mark.slow


def test_a_token_that_telegram_refuses_stops_the_start_with_one_line(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    with telegram_for_a_process() as telegram:
        ran = keepsake(TELEGRAM_BOT_TOKEN="1:a", TELEGRAM_BASE_URL=telegram.url, **own_database)

    assert ran.returncode == 1
    assert ran.stderr.decode().splitlines()[-1] == f"· {texts.TOKEN_REFUSED}"


def test_a_database_that_is_down_stops_the_start_with_one_line(keepsake: Keepsake) -> None:
    ran = keepsake(DATABASE_URL="postgresql://keepsake:hunter2@127.0.0.1:1/keepsake")

    assert ran.returncode == 1
    assert told(ran).count("\n") == 1
    assert "The database does not answer" in told(ran)
    assert "hunter2" not in told(ran)


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
        url = f"postgresql://keepsake@127.0.0.1:{stranger.getsockname()[1]}/keepsake?sslmode=disable"
        ran = keepsake(DATABASE_URL=url, changes={"db.engine.CONNECT_ARGS.connect_timeout": 2})

    assert ran.returncode == 1
    assert told(ran).count("\n") == 1
    assert "The database does not answer" in told(ran)


@pytest.mark.parametrize("role", ["postgres", "keepsake_owner"])
def test_a_powerful_role_stops_the_start(
    keepsake: Keepsake, server: EmbeddedServer, worker_database: str, role: str
) -> None:
    ran = keepsake(DATABASE_URL=server.url(role, worker_database))

    assert ran.returncode == 1
    assert f"The database role {role} " in told(ran)
    assert ran.stdout == b""


def test_a_wrong_setting_stops_the_start_with_one_line(keepsake: Keepsake) -> None:
    ran = keepsake(KEEPSAKE_POOL_SIZE="many")

    assert ran.returncode == 1
    assert told(ran) == "· KEEPSAKE_POOL_SIZE: got 'many', wants a whole number from 1 to 100.\n"


def test_a_broken_env_file_stops_the_start_with_one_line(keepsake: Keepsake, folder: Path) -> None:
    (folder / ".env").write_text("KEEPSAKE_TENANT=home\nthis is no setting\n")
    ran = keepsake()

    assert ran.returncode == 1
    assert told(ran) == "· .env, line 2: this is not NAME=value.\n"


def test_a_misspelt_setting_is_pointed_out_and_the_chat_goes_on(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    ran = keepsake(KEEPSAKE_TENNANT="x", typed=b"hello\n", **own_database)

    assert ran.returncode == 0
    assert "did you mean KEEPSAKE_TENANT?" in told(ran)


def test_a_data_folder_that_cannot_be_made_stops_the_start(keepsake: Keepsake, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = keepsake(KEEPSAKE_DATA_DIR=str(tmp_path / "file" / "data"))

    assert ran.returncode == 1
    assert "cannot be used: Not a directory" in told(ran)


def test_the_doctor_tells_what_is_in_use_and_what_to_do_next(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    ran = keepsake("doctor", KEEPSAKE_MODEL="some-model", **own_database)
    lines = ran.stdout.decode()

    assert ran.returncode == 0
    assert "DATABASE_URL, postgresql://keepsake_app@/" in lines
    for expected in (
        f"PostgreSQL  18.6, pgvector 0.8.6, schema {newest_revision()}",
        "role        keepsake_app",
        "none: I answer offline",
    ):
        assert expected in lines
    assert "→ Set ANTHROPIC_API_KEY, and Claude will answer." in lines


def test_the_doctor_makes_nothing_and_prints_everywhere(
    environment: dict[str, str], folder: Path, tmp_path: Path
) -> None:
    """What an interpreter can print it decides as it starts."""
    ascii_only = {**environment, "PYTHONIOENCODING": "ascii"}
    ran = subprocess.run([*PROGRAM, "doctor"], env=ascii_only, cwd=folder, capture_output=True)

    assert ran.returncode == 0
    assert texts.DOCTOR_NOT_YET in ran.stdout.decode()
    assert not (tmp_path / "data").exists()


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
    assert texts.DOCTOR_NOT_USABLE in lines
    assert "→ The database does not answer" in lines
    assert "claude-sonnet-5-5 at http://127.0.0.1:1" in lines
    assert "hunter2" not in lines


def test_migrate_brings_an_own_database_to_the_schema(keepsake: Keepsake, server: EmbeddedServer) -> None:
    name = f"t_own_{secrets.token_hex(6)}"
    make_database(server, name)
    own = {"DATABASE_URL": server.url(APPLICATION, name)}
    assert "keepsake migrate" in told(keepsake(**own))
    assert "needs KEEPSAKE_OWNER_URL" in told(keepsake("migrate", **own))
    migrated = keepsake("migrate", KEEPSAKE_OWNER_URL=server.url(OWNER, name), **own)

    assert migrated.returncode == 0
    assert f"The database is at schema {newest_revision()}." in told(migrated)
    assert keepsake(typed=b"hello\n", **own).returncode == 0


def test_migrate_works_on_the_embedded_database_too(keepsake: Keepsake, data: Path) -> None:
    assert keepsake("migrate").returncode == 0
    assert keepsake("migrate", "--to", newest_revision()).returncode == 0
    for unknown in ("0003", "4711"):
        assert f"cannot go to {unknown}" in told(keepsake("migrate", "--to", unknown))
