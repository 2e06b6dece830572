"""The inbox of a tenant as a superuser sees it: what is still open, and leases that run out when a test says so."""

from dataclasses import dataclass
from typing import Any

import psycopg


@dataclass(frozen=True)
class InboxRows:
    url: str
    tenant: str

    def rows(self, query: str) -> list[Any]:
        with psycopg.connect(self.url) as admin:
            return admin.execute(query.encode(), {"tenant": self.tenant}).fetchall()

    def open(self) -> int:
        """How many updates are not dealt with yet."""
        query = "SELECT count(*) FROM inbox WHERE tenant_id = %(tenant)s AND state NOT IN ('done', 'parked')"
        return int(self.rows(query)[0][0])

    def let_leases_run_out(self, holder: str = "") -> list[tuple[int, str]]:
        """Of a process that died, or of all; gives the updates and chats that it held."""
        query = """UPDATE inbox SET lease_until = now() - interval '1 second'
            WHERE tenant_id = %(tenant)s AND state = 'working' AND (%(holder)s = '' OR holder = %(holder)s)
            RETURNING update_id, chat_id"""
        with psycopg.connect(self.url) as admin:
            return admin.execute(query, {"tenant": self.tenant, "holder": holder}).fetchall()
