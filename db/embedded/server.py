"""Joins the embedded PostgreSQL of a data folder: the first program starts it, and it ends after the last."""

import contextlib
import fcntl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

from db.embedded.cluster import PORT, SETTINGS, Cluster, Progress
from db.errors import ServerTrouble


@dataclass(frozen=True)
class EmbeddedServer:
    """A running server, and this program's place among its users."""

    socket: Path
    place: IO[str]
    cluster: Cluster

    def url(self, role: str, database: str) -> str:
        """For libpq and SQLAlchemy alike, which agree on %20 for a space and not on +. The port is named, or PGPORT
        of the environment would count."""
        host = quote(str(self.socket), safe="")
        return f"postgresql://{quote(role)}@/{quote(database)}?host={host}&port={PORT}"

    def revive(self) -> None:
        """Start the server again, should it have died."""
        try:
            with (self.cluster.data / "start.lock").open("w") as turn:
                fcntl.flock(turn, fcntl.LOCK_EX)
                self.cluster.ensure_running()
        except OSError as error:
            raise _did_not_start(self.cluster.data, error) from error

    def leave(self) -> None:
        """The server stops by itself once nobody is left; if its keeper was killed, it gets one that sees to that."""
        with contextlib.suppress(OSError, ServerTrouble), (self.cluster.data / "start.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.cluster.ensure_kept()
        self.place.close()


def join_server(data: Path, *, progress: Progress, settings: Mapping[str, str] | None = None) -> EmbeddedServer:
    """Be one of the users of the server in this data folder; the first one makes and starts it."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        for lock in ("users.lock", "start.lock", "keeper.lock"):
            (data / lock).touch(mode=0o600)
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
            cluster = Cluster(data, progress, {**SETTINGS, **(settings or {})})
            socket = cluster.ensure_running()
    except OSError as error:
        place.close()
        raise _did_not_start(data, error) from error
    except BaseException:
        place.close()
        raise
    return EmbeddedServer(socket, place, cluster)


def _did_not_start(data: Path, error: OSError) -> ServerTrouble:
    return ServerTrouble(f"The embedded PostgreSQL in {data} did not start: {error}.")
