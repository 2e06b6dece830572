"""Joins the embedded PostgreSQL of a data folder: the first program starts it, and it stops after the last."""

import contextlib
import fcntl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import quote

from db.embedded.cluster import PORT, SETTINGS, Cluster, Progress
from db.errors import EmbeddedServerError


@dataclass(frozen=True)
class EmbeddedServer:
    """A running server, and the lock that makes this program one of its users."""

    socket: Path
    place: IO[str]
    cluster: Cluster

    def url(self, role: str, database: str) -> str:
        """A URL for libpq and SQLAlchemy, which agree on %20 for a space but not on +. It names the port, or PGPORT
        would apply."""
        host = quote(str(self.socket), safe="")
        return f"postgresql://{quote(role)}@/{quote(database)}?host={host}&port={PORT}"

    def revive(self) -> None:
        """Start the server again if it died."""
        try:
            with (self.cluster.data / "start.lock").open("w") as turn:
                fcntl.flock(turn, fcntl.LOCK_EX)
                self.cluster.ensure_running()
        except OSError as error:
            raise _did_not_start(self.cluster.data, error) from error

    def leave(self) -> None:
        """Stop using the server. Its keeper stops it after the last user; a killed keeper is replaced here."""
        with contextlib.suppress(OSError, EmbeddedServerError), (self.cluster.data / "start.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.cluster.ensure_kept()
        self.place.close()


def join_server(data: Path, *, progress: Progress, settings: Mapping[str, str] | None = None) -> EmbeddedServer:
    """Join the server in this data folder. The first program creates and starts it."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        for lock in ("users.lock", "start.lock", "keeper.lock"):
            (data / lock).touch(mode=0o600)
        place = (data / "users.lock").open("a+")
    except OSError as error:
        raise EmbeddedServerError(
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


def _did_not_start(data: Path, error: OSError) -> EmbeddedServerError:
    return EmbeddedServerError(f"The embedded PostgreSQL in {data} did not start: {error}.")
