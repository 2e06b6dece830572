"""Starts the embedded PostgreSQL, or joins the one that already runs in the same data folder."""

import contextlib
import fcntl
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
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

import psutil
import psycopg

from db.embedded import keeper
from db.embedded.binaries import as_user, package, programs_for, server_user
from db.errors import ServerTrouble

LONGEST_SOCKET_PATH = 90
RECOVERY_SECONDS = 600
MOST_STARTS = 20
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
    "shared_buffers": "128MB",
    "maintenance_work_mem": "256MB",
    "max_connections": "100",
    "timezone": "UTC",
    # A statement or a failing row would carry a person's words into the log.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}

Progress = Callable[[str], None]


@dataclass(frozen=True)
class EmbeddedServer:
    """A running server, and this program's place among its users."""

    socket: Path
    place: IO[str]

    def url(self, role: str, database: str) -> str:
        """For libpq and SQLAlchemy alike, which agree on %20 for a space and not on +."""
        return f"postgresql://{quote(role)}@/{quote(database)}?host={quote(str(self.socket), safe='')}"

    def leave(self) -> None:
        """The server stops by itself once nobody is left."""
        self.place.close()


def join_server(data: Path, *, progress: Progress, settings: Mapping[str, str] | None = None) -> EmbeddedServer:
    """Be one of the users of the server in this data folder; the first one makes and starts it."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = (data / "users.lock").open("a+")
    except OSError as error:
        raise ServerTrouble(
            f"The data folder {data} cannot be used: {error.strerror}. "
            "Make it writable, or set KEEPSAKE_DATA_DIR to another folder."
        ) from error
    try:
        fcntl.flock(place, fcntl.LOCK_SH)
        with (data / "start.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            socket = _Cluster(data, progress, {**SETTINGS, **(settings or {})}).ensure_running()
    except OSError as error:
        place.close()
        raise ServerTrouble(f"The embedded PostgreSQL in {data} did not start: {error}.") from error
    except BaseException:
        place.close()
        raise
    return EmbeddedServer(socket, place)


class _Cluster:
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
        programs = programs_for(self.user, package())
        if not self.files.exists():
            self.progress("Making a database in the data folder")
            self._make(programs)
        self.progress("Starting PostgreSQL")
        for _ in range(MOST_STARTS):
            self._start(programs, socket)
            if self._becomes_ready(socket):
                return socket
            why = _last_line(self.log.read_text(errors="replace"))
            if "is still in use" not in why:
                break
            time.sleep(0.5)  # what is left of a killed server takes a moment to notice
        raise ServerTrouble(f"The embedded PostgreSQL stopped while starting: {why} (more in {self.log})")

    def _socket_folder(self) -> Path:
        """In the data folder where the system's limit on socket paths allows it, else a short name under /tmp."""
        folder = self.data / "run"
        if len(os.fsencode(folder)) > LONGEST_SOCKET_PATH:
            folder = Path("/tmp") / f"keepsake-{hashlib.sha256(os.fsencode(self.data)).hexdigest()[:16]}"  # noqa: S108
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink() or folder.stat().st_uid not in {os.geteuid(), self._owner().pw_uid}:
            raise ServerTrouble(f"{folder} belongs to somebody else; Keepsake will not put its socket there.")
        self._own(folder)
        return folder

    def _owner(self) -> pwd.struct_passwd:
        return self.user or pwd.getpwuid(os.geteuid())

    def _own(self, folder: Path) -> None:
        if self.user:
            os.chown(folder, self.user.pw_uid, self.user.pw_gid)

    def _is_running(self) -> bool:
        """A live postgres of this very folder; a left-over pid file of any other process is removed."""
        pid = keeper.server_pid(self.data)
        if pid is None:
            return False
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            if process.status() != psutil.STATUS_ZOMBIE and process.name().startswith("postgres"):
                try:
                    if Path(process.cwd()) == self.files:
                        return True
                except psutil.AccessDenied:
                    return True
        (self.files / "postmaster.pid").unlink(missing_ok=True)
        return False

    def _make(self, programs: Path) -> None:
        """initdb into a folder beside, then rename: a crash in between leaves nothing half made."""
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
            raise ServerTrouble(f"initdb could not make a database in {self.data}: {_last_line(made.stderr)}")
        # Only the person who made the data folder may come in, as any role; the server's own user may not.
        name = pwd.getpwuid(os.geteuid()).pw_name
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
            subprocess.run(
                [sys.executable, "-I", "-S", keeper.__file__, self.data, orders],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=ENVIRONMENT,
                pass_fds=descriptors,
                check=True,
            )

    def _wait_for_the_last_keeper(self) -> None:
        """A server that was killed has a keeper for the moment it takes to notice."""
        while self._is_kept():
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
                psycopg.connect(host=str(socket), user="postgres", dbname="postgres", connect_timeout=5).close()
            except psycopg.OperationalError:
                if not self._is_kept():
                    return False
                if not told and time.monotonic() - began > 3:
                    told = True
                    self.progress("PostgreSQL is recovering from an unclean stop")
                time.sleep(0.02)
            else:
                return True
        raise ServerTrouble(f"The embedded PostgreSQL did not become ready; {self.log} may say why.")


def _last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1].strip() if lines else "it said nothing"
