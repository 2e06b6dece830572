"""A PostgreSQL that is not ours to revive, and can be taken away."""

import signal
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from db.embedded import EmbeddedServer, join_server
from db.embedded.own_database import DATABASE
from tests.conftest import FAST, wait_until_stopped
from tests.e2e.stopping import hanging, stop_server
from tests.prepared import copied, prepared_folder


class Away:
    def __init__(self, run_folder: Path, folder: Path) -> None:
        self.folder = copied(prepared_folder(run_folder), folder / "data")
        self.server: EmbeddedServer = join_server(self.folder, progress=lambda _: None, settings=FAST)

    def url(self, role: str) -> str:
        return self.server.url(role, DATABASE)

    def stop(self) -> None:
        stop_server(self.folder, signal.SIGINT)
        wait_until_stopped(self.folder)

    def revive(self) -> None:
        self.server.revive()

    def hanging(self) -> AbstractContextManager[None]:
        return hanging(self.folder)

    def rows(self, query: str, tenant: str) -> list[Any]:
        with psycopg.connect(self.url("postgres")) as admin:
            return admin.execute(query.encode(), {"tenant": tenant}).fetchall()

    def heard(self, tenant: str) -> list[tuple[str, str]]:
        """Who said what, in the order of the events of each conversation."""
        query = """SELECT actor_type, content ->> 'text' FROM events
            WHERE tenant_id = %(tenant)s AND kind = 'message' ORDER BY conversation_id, seq"""
        return self.rows(query, tenant)

    def has_caught_up(self, tenant: str, *words: str) -> bool:
        """These were written down, and no update waits."""
        heard = {said for _, said in self.heard(tenant)}
        query = "SELECT 1 FROM inbox WHERE tenant_id = %(tenant)s AND state <> 'done'"
        return heard.issuperset(words) and not self.rows(query, tenant)


@contextmanager
def taken_away(run_folder: Path, folder: Path) -> Iterator[Away]:
    made = Away(run_folder, folder)
    yield made
    made.server.leave()
    wait_until_stopped(made.folder)
