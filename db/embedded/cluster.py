"""The files of one embedded server: made once, started, looked after by a keeper."""

import hashlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg

from db.embedded import keeper
from db.embedded.binaries import as_user, package, programs_for, server_user
from db.errors import ServerTrouble

LONGEST_SOCKET_PATH = 90
PORT = 5432  # names the socket; nothing listens on the network
SOCKET = f".s.PGSQL.{PORT}"
RECOVERY_SECONDS = 600
MOST_STARTS = 20
KEEPER_SECONDS = 10
# What a server that is about to be ready, or about to end, lets one read.
NOT_YET = (
    "starting up",
    "recovery",
    "not yet accepting",
    "shutting down",
    "No such file",
    "refused",
    "server closed",
    "timeout expired",
)
ENVIRONMENT = {"LC_ALL": "C", "PATH": os.defpath}
INITDB_OPTIONS = (
    "--username=postgres",
    "--auth=peer",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
)
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": "256MB",
    "maintenance_work_mem": "256MB",
    # New tables and new people are looked at soon: a plan for an empty table is slow on a full one.
    "autovacuum_naptime": "10s",
    "max_connections": "100",
    "timezone": "UTC",
    # A statement or a failing row would carry a person's words into the log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}

Progress = Callable[[str], None]


class Cluster:
    """The files of one server. Its methods run under the start lock."""

    def __init__(self, data: Path, progress: Progress, settings: Mapping[str, str]) -> None:
        self.data = data.resolve()
        self.files = self.data / "postgres"
        self.log = self.data / "postgres.log"
        self.progress = progress
        self.settings = settings
        self.user = server_user(self.files)

    def ensure_running(self) -> Path:
        socket = self._socket_folder()
        while self._is_running():
            self._call_keeper("")
            if self._becomes_ready(socket):
                return socket
        self._wait_for_the_last_keeper()
        for left_over in (self.files / "postmaster.pid", socket / SOCKET, socket / f"{SOCKET}.lock"):
            left_over.unlink(missing_ok=True)
        programs = programs_for(self.user, package())
        if not self.files.exists():
            self.progress("Making a database in the data folder")
            self._make(programs)
        self.progress("Starting PostgreSQL")
        for _ in range(MOST_STARTS):
            told = self.log.stat().st_size if self.log.exists() else 0
            self._start(programs, socket)
            if self._becomes_ready(socket):
                return socket
            why = self.log.read_bytes()[told:].decode(errors="replace")
            if "is still in use" not in why and "already exists" not in why:
                break
            time.sleep(0.5)  # what is left of a killed server takes a moment to notice
        raise ServerTrouble(
            f"The embedded PostgreSQL stopped while starting: {_telling_line(why)} (more in {self.log})"
        )

    def ensure_kept(self) -> None:
        if self._is_running() and not self._is_kept():
            self._call_keeper("")

    def _socket_folder(self) -> Path:
        """In the data folder where the system's limit on socket paths allows it, else a short name under /tmp."""
        folder = self.data / "run"
        if len(os.fsencode(folder)) > LONGEST_SOCKET_PATH:
            folder = Path("/tmp") / f"keepsake-{hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]}"  # noqa: S108
        folder.mkdir(mode=0o700, exist_ok=True)
        ours = {os.geteuid(), *([self.user.pw_uid] if self.user else [])}
        if folder.is_symlink() or folder.stat().st_uid not in ours:
            raise ServerTrouble(f"{folder} belongs to somebody else; Keepsake will not put its socket there.")
        self._own(folder)
        return folder

    def _own(self, folder: Path) -> None:
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)

    def _is_running(self) -> bool:
        """A live postgres of this very folder; the pid file may be left over, its number another process's by now."""
        pid = keeper.server_pid(self.data)
        if pid is None:
            return False
        try:
            process = psutil.Process(pid)
            if process.status() == psutil.STATUS_ZOMBIE or not process.name().startswith("postgres"):
                return False
            return Path(process.cwd()) == self.files
        except psutil.NoSuchProcess:
            return False
        except psutil.AccessDenied:
            return True

    def _make(self, programs: Path) -> None:
        """initdb into a folder beside, then rename: a crash in between leaves nothing half made."""
        name = _own_name()
        unfinished = self.data / "postgres.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        self._own(unfinished)
        with self._reached(unfinished) as (path, descriptors):
            made = subprocess.run(
                [programs / "initdb", "-D", path, *INITDB_OPTIONS],
                capture_output=True,
                text=True,
                errors="replace",
                cwd="/",
                env=ENVIRONMENT,
                pass_fds=descriptors,
                **as_user(self.user),
            )
        if made.returncode != 0:
            raise ServerTrouble(f"initdb could not make a database in {self.data}: {_telling_line(made.stderr)}")
        # Only the person who made the data folder may come in, as any role; the server's own user may not.
        (unfinished / "pg_hba.conf").write_text("local all all peer map=keepsake\n")
        (unfinished / "pg_ident.conf").write_text(f'keepsake "{name}" all\n')
        unfinished.rename(self.files)

    def _start(self, programs: Path, socket: Path) -> None:
        self._wait_for_the_last_keeper()
        with (
            self._reached(self.files) as (files, files_descriptors),
            self._reached(socket) as (sockets, sockets_descriptors),
        ):
            options = [f"--{name}={value}" for name, value in self.settings.items()]
            descriptors = (*files_descriptors, *sockets_descriptors)
            orders = {
                "args": [str(programs / "postgres"), "-D", files, "-k", sockets, *options],
                "env": ENVIRONMENT,
                "start_new_session": True,
                "pass_fds": descriptors,
                **as_user(self.user),
            }
            self._call_keeper(json.dumps(orders), descriptors)

    def _call_keeper(self, orders: str, descriptors: tuple[int, ...] = ()) -> None:
        """A server has one keeper; a second one goes home at once. What either has to say goes to the log."""
        self.log.touch(mode=0o600)
        with self.log.open("a") as log:
            called = subprocess.run(
                [sys.executable, "-I", "-S", keeper.__file__, self.data, orders],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=ENVIRONMENT,
                pass_fds=descriptors,
            )
        if called.returncode != 0:
            raise ServerTrouble(f"The embedded PostgreSQL has no keeper; {self.log} may say why.")

    def _wait_for_the_last_keeper(self) -> None:
        """A server that was killed has a keeper for the moment it takes to notice. One that stays keeps a server
        that we cannot see, and must not disturb."""
        deadline = time.monotonic() + KEEPER_SECONDS
        while self._is_kept():
            if time.monotonic() > deadline:
                raise ServerTrouble(
                    f"Another program, perhaps in another container, runs the database in {self.data}. "
                    "Stop it first, or share one PostgreSQL through DATABASE_URL."
                )
            time.sleep(0.02)

    def _is_kept(self) -> bool:
        with (self.data / "keeper.lock").open("a") as duty:
            return not keeper.taken(duty)

    @contextmanager
    def _reached(self, folder: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
        """How the server names a folder. Started by root it may stand behind doors that are closed to the server's
        user, so it gets the open folder itself, and no parent folder needs to be opened up."""
        if self.user is None or not Path("/proc/self/fd").exists():
            yield str(folder), ()
            return
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield f"/proc/self/fd/{descriptor}", (descriptor,)
        finally:
            os.close(descriptor)

    def _becomes_ready(self, socket: Path) -> bool:
        """After a crash the server first replays its log, which may take long; false if it ends instead."""
        began = time.monotonic()
        told = False
        while time.monotonic() - began < RECOVERY_SECONDS:
            try:
                psycopg.connect(
                    host=str(socket), port=PORT, user="postgres", dbname="postgres", connect_timeout=5
                ).close()
            except psycopg.OperationalError as error:
                if not self._is_kept():
                    return False
                if not any(sign in str(error) for sign in NOT_YET):
                    why = _telling_line(str(error))
                    raise ServerTrouble(f"The embedded PostgreSQL in {self.data} will not let us in: {why}") from error
                if not told and time.monotonic() - began > 3:
                    told = True
                    self.progress("PostgreSQL is recovering from an unclean stop")
                time.sleep(0.02)
            else:
                return True
        raise ServerTrouble(f"The embedded PostgreSQL did not become ready; {self.log} may say why.")


def _own_name() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError as error:
        raise ServerTrouble(
            f"PostgreSQL wants its user to have a name, and the user {os.geteuid()} has none on this machine. "
            "Give it one, or set DATABASE_URL."
        ) from error


def _telling_line(text: str) -> str:
    """The line of a program's complaint that says what is wrong, or else its last one."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    telling = [line for line in lines if any(sign in line for sign in ("error:", "FATAL:", "PANIC:"))]
    return (telling or lines or ["it said nothing"])[-1]
