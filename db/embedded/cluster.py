"""Creates the data directory of an embedded server, and starts it under a keeper process."""

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
from db.errors import EmbeddedServerError

LONGEST_SOCKET_PATH = 90
PORT = 5432  # names the socket; nothing listens on the network
SOCKET = f".s.PGSQL.{PORT}"
RECOVERY_SECONDS = 600
MAX_STARTS = 20
KEEPER_SECONDS = 10
# Connection errors of a server that is starting or stopping: worth another attempt.
NOT_READY_ERRORS = (
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
    # Analyze soon after growth: a plan made for an empty table is slow on a full one.
    "autovacuum_naptime": "10s",
    "max_connections": "100",
    "timezone": "UTC",
    # Statements and failing rows would write people's words to the log.
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
        self._wait_for_old_keeper()
        for left_over in (self.files / "postmaster.pid", socket / SOCKET, socket / f"{SOCKET}.lock"):
            left_over.unlink(missing_ok=True)
        programs = programs_for(self.user, package())
        if not self.files.exists():
            self.progress("Making a database in the data folder")
            self._create(programs)
        self.progress("Starting PostgreSQL")
        for _ in range(MAX_STARTS):
            log_size = self.log.stat().st_size if self.log.exists() else 0
            self._start(programs, socket)
            if self._becomes_ready(socket):
                return socket
            output = self.log.read_bytes()[log_size:].decode(errors="replace")
            if "is still in use" not in output and "already exists" not in output:
                break
            time.sleep(0.5)  # processes of a killed server take a moment to exit
        raise EmbeddedServerError(
            f"The embedded PostgreSQL stopped while starting: {_error_line(output)} (more in {self.log})"
        )

    def ensure_kept(self) -> None:
        if self._is_running() and not self._is_kept():
            self._call_keeper("")

    def _socket_folder(self) -> Path:
        """In the data folder, or under /tmp if that path is too long for a socket."""
        folder = self.data / "run"
        if len(os.fsencode(folder)) > LONGEST_SOCKET_PATH:
            folder = Path("/tmp") / f"keepsake-{hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]}"  # noqa: S108
        folder.mkdir(mode=0o700, exist_ok=True)
        ours = {os.geteuid(), *([self.user.pw_uid] if self.user else [])}
        if folder.is_symlink() or folder.stat().st_uid not in ours:
            raise EmbeddedServerError(f"{folder} belongs to somebody else, so Keepsake does not put its socket there.")
        self._own(folder)
        return folder

    def _own(self, folder: Path) -> None:
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)

    def _is_running(self) -> bool:
        """True if a postgres process runs in this folder. A stale pid file may name any other process."""
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

    def _create(self, programs: Path) -> None:
        """Run initdb in a temporary folder, then rename it: a crash leaves no half-created database."""
        name = _user_name()
        unfinished = self.data / "postgres.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        self._own(unfinished)
        with self._reachable(unfinished) as (path, descriptors):
            process = subprocess.run(
                [programs / "initdb", "-D", path, *INITDB_OPTIONS],
                capture_output=True,
                text=True,
                errors="replace",
                cwd="/",
                env=ENVIRONMENT,
                pass_fds=descriptors,
                **as_user(self.user),
            )
        if process.returncode != 0:
            raise EmbeddedServerError(
                f"initdb could not create a database in {self.data}: {_error_line(process.stderr)}"
            )
        # Only our own user may connect, as any role. The user that the server runs as may not.
        (unfinished / "pg_hba.conf").write_text("local all all peer map=keepsake\n")
        (unfinished / "pg_ident.conf").write_text(f'keepsake "{name}" all\n')
        unfinished.rename(self.files)

    def _start(self, programs: Path, socket: Path) -> None:
        self._wait_for_old_keeper()
        with (
            self._reachable(self.files) as (files, files_descriptors),
            self._reachable(socket) as (sockets, sockets_descriptors),
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
        """Start a keeper. If the server already has one, the new one exits at once. Output goes to the log."""
        self.log.touch(mode=0o600)
        with self.log.open("a") as log:
            process = subprocess.run(
                [sys.executable, "-I", "-S", keeper.__file__, self.data, orders],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=ENVIRONMENT,
                pass_fds=descriptors,
            )
        if process.returncode != 0:
            raise EmbeddedServerError(f"The embedded PostgreSQL's keeper failed to start; see {self.log}.")

    def _wait_for_old_keeper(self) -> None:
        """Wait for the keeper of a killed server to exit. One that does not exit has a live server out of our sight,
        perhaps in another container, which must not be disturbed."""
        deadline = time.monotonic() + KEEPER_SECONDS
        while self._is_kept():
            if time.monotonic() > deadline:
                raise EmbeddedServerError(
                    f"Another program, perhaps in another container, runs the database in {self.data}. "
                    "Stop it first, or share one PostgreSQL through DATABASE_URL."
                )
            time.sleep(0.02)

    def _is_kept(self) -> bool:
        with (self.data / "keeper.lock").open("a") as lock:
            return not keeper.taken(lock)

    @contextmanager
    def _reachable(self, folder: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The path by which the server opens a folder, and the descriptors to pass on.

        Under root, the server's own user may not have access to the parent folders. It gets the open folder as a
        descriptor instead, so that no parent's permissions need to change.
        """
        if self.user is None or not Path("/proc/self/fd").exists():
            yield str(folder), ()
            return
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield f"/proc/self/fd/{descriptor}", (descriptor,)
        finally:
            os.close(descriptor)

    def _becomes_ready(self, socket: Path) -> bool:
        """Wait until the server accepts connections. Recovery from a crash may take long. Return False if it exits."""
        started = time.monotonic()
        has_reported = False
        while time.monotonic() - started < RECOVERY_SECONDS:
            try:
                psycopg.connect(
                    host=str(socket), port=PORT, user="postgres", dbname="postgres", connect_timeout=5
                ).close()
            except psycopg.OperationalError as error:
                if not self._is_kept():
                    return False
                if not any(sign in str(error) for sign in NOT_READY_ERRORS):
                    reason = _error_line(str(error))
                    raise EmbeddedServerError(
                        f"The embedded PostgreSQL in {self.data} refused the connection: {reason}"
                    ) from error
                if not has_reported and time.monotonic() - started > 3:
                    has_reported = True
                    self.progress("PostgreSQL is recovering from an unclean stop")
                time.sleep(0.02)
            else:
                return True
        raise EmbeddedServerError(f"The embedded PostgreSQL did not become ready; see {self.log}.")


def _user_name() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError as error:
        raise EmbeddedServerError(
            f"PostgreSQL needs a user name, but user {os.geteuid()} has none on this machine. "
            "Give it one, or set DATABASE_URL."
        ) from error


def _error_line(text: str) -> str:
    """The last line of a program's output that reports an error, or else its last line."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    errors = [line for line in lines if any(sign in line for sign in ("error:", "FATAL:", "PANIC:"))]
    return (errors or lines or ["no output"])[-1]
