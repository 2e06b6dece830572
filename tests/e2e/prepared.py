"""A data folder that was made once in a run of the tests and is copied wherever a first start is not the subject."""

import asyncio
from pathlib import Path

from db.embedded import join_server
from db.embedded.house import APPLICATION, DATABASE, OWNER, make_database
from db.migrate import migrate
from tests.conftest import FAST, one_at_a_time, wait_until_stopped


def make_prepared(run_folder: Path) -> Path:
    made, done = run_folder / "prepared", run_folder / "prepared.done"
    with one_at_a_time(run_folder):
        if not done.exists():
            server = join_server(made, progress=lambda _: None, settings=FAST)
            make_database(server)
            owner, application = server.url(OWNER, DATABASE), server.url(APPLICATION, DATABASE)
            asyncio.run(migrate(owner, application, progress=lambda _: None))
            server.leave()
            wait_until_stopped(made)
            done.touch()
    return made
