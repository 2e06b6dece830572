"""pgbouncer in front of an embedded server: a process of its own, which hands out a few connections to many clients."""

import os
import pwd
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

from db.embedded import EmbeddedServer
from db.embedded.binaries import as_user
from db.embedded.cluster import PORT
from db.embedded.own_database import APPLICATION, OWNER
from tests.waiting import until

LISTENS = 6432
ROLES = (APPLICATION, OWNER, "postgres")
INI = """
[databases]
* = host={server} port={port}{login}
[pgbouncer]
listen_addr =
listen_port = {listens}
unix_socket_dir = {folder}
auth_type = trust
auth_file = {folder}/users.txt
admin_users = postgres
logfile = {folder}/log
pidfile = {folder}/pid
{settings}
"""


def binary() -> str | None:
    """Where the program is, if it is here; PGBOUNCER names another one."""
    return os.environ.get("PGBOUNCER") or shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")


def version() -> tuple[int, int]:
    told = subprocess.run([binary() or "", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)", told)
    assert found
    return int(found[1]), int(found[2])


@dataclass(frozen=True)
class Bouncer:
    folder: Path
    pid: int

    def url(self, role: str, database: str, **more: str) -> str:
        extra = "".join(f"&{name}={value}" for name, value in more.items())
        host = quote(str(self.folder), safe="")
        return f"postgresql://{quote(role)}@/{quote(database)}?host={host}&port={LISTENS}{extra}"

    def connections(self, database: str) -> int:
        """How many it has open to the server, by its own account; others may have some as well."""
        with psycopg.connect(self.url("postgres", "pgbouncer"), autocommit=True, prepare_threshold=None) as console:
            found = psycopg.ClientCursor(console).execute("SHOW SERVERS")
            assert found.description
            at = [column.name for column in found.description].index("database")
            return sum(row[at] == database for row in found.fetchall())

    def told(self) -> str:
        log = self.folder / "log"
        return log.read_text() if log.exists() else "It said nothing."


@contextmanager
def bouncing(server: EmbeddedServer, folder: Path, *, login: str = "", **settings: str) -> Iterator[Bouncer]:
    """In transaction mode, and set as a caller wants it beyond that. With `login` it comes in as that role, whoever
    asks."""
    let_in(server)
    folder.mkdir(mode=0o700)
    (folder / "users.txt").write_text("".join(f'"{role}" ""\n' for role in ROLES))
    user = server.cluster.user
    with reached(folder, user) as (here, ours), reached(server.socket, user) as (there, theirs):
        own = {"pool_mode": "transaction", "max_client_conn": "200", **settings}
        written = INI.format(
            server=there,
            port=PORT,
            login=f" user={login}" if login else "",
            listens=LISTENS,
            folder=here,
            settings="\n".join(f"{name} = {value}" for name, value in own.items()),
        )
        (folder / "pgbouncer.ini").write_text(written)
        if user is not None:
            for each in (folder, *folder.iterdir()):
                os.chown(each, user.pw_uid, user.pw_gid)
        with subprocess.Popen(
            [binary() or "", "-q", f"{here}/pgbouncer.ini"], cwd="/", pass_fds=(*ours, *theirs), **as_user(user)
        ) as started:
            try:
                made = Bouncer(folder, started.pid)
                wait_for(folder / f".s.PGSQL.{LISTENS}", started, made)
                yield made
            finally:
                started.kill()


@contextmanager
def reached(folder: Path, user: pwd.struct_passwd | None) -> Iterator[tuple[str, tuple[int, ...]]]:
    """How a program of another user names a folder that stands behind closed doors: it gets the open folder itself."""
    if user is None:
        yield str(folder), ()
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}", (descriptor,)
    finally:
        os.close(descriptor)


def wait_for(path: Path, started: "subprocess.Popen[bytes]", made: Bouncer) -> None:
    """Until it listens: its socket is there a moment earlier."""
    until(lambda: listens(path) or started.poll() is not None, made.told)
    assert started.poll() is None, made.told()


def listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as line:
        try:
            line.connect(str(path))
        except OSError:
            return False
    return True


def let_in(server: EmbeddedServer) -> None:
    """The embedded server knows its maker only. Made by root it runs as another user, as whom pgbouncer runs too."""
    if server.cluster.user is None:
        return
    known = server.cluster.files / "pg_ident.conf"
    line = f'keepsake "{server.cluster.user.pw_name}" all\n'
    if line not in known.read_text():
        with known.open("a") as file:
            file.write(line)
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as admin:
        admin.execute("SELECT pg_reload_conf()")  # whoever wrote the line may not have come this far yet
