"""Data folders that are made once in a run of the tests, and copied wherever a first start is not the subject."""

import asyncio
import subprocess
from pathlib import Path

from db.embedded import join_server
from db.embedded.own_database import APPLICATION, DATABASE, OWNER, make_database
from db.migrate import migrate
from tests.conftest import FAST, one_at_a_time, wait_until_stopped


def bare_folder(run_folder: Path) -> Path:
    """With a server in which there is nothing yet."""
    return _made(run_folder, "bare", is_bare=True)


def prepared_folder(run_folder: Path) -> Path:
    """With a database at the newest schema."""
    return _made(run_folder, "prepared", is_bare=False)


def _made(run_folder: Path, name: str, *, is_bare: bool) -> Path:
    made, done = run_folder / name, run_folder / f"{name}.done"
    with one_at_a_time(run_folder):
        if not done.exists():
            server = join_server(made, progress=lambda _: None, settings=FAST)
            if not is_bare:
                make_database(server)
                owner, application = server.url(OWNER, DATABASE), server.url(APPLICATION, DATABASE)
                asyncio.run(migrate(owner, application, progress=lambda _: None))
            server.leave()
            wait_until_stopped(made)
            done.touch()
    return made


def copied(folder: Path, to: Path) -> Path:
    """With its owners: as root the server runs as somebody else."""
    subprocess.run(["cp", "-a", "--", folder, to], check=True)
    return to
