"""Where a secret must never stand: twelve kinds of them, what tells each, and all that is in the tables."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg

from tests.example_secrets import JWT, PEM

SECRETS = {
    "anthropic": "sk-ant-api03-" + "Ab1-" * 20 + "AA",
    "openai": "sk-proj-" + "aB3_" * 20,
    "aws": "AKIAIOSFODNN7EXAMPLE",
    "google": "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
    "github": "ghp_" + "a1B2c3D4e5" * 4,
    "slack": "xoxb-" + "123456789012-" * 2 + "AbCdEfGhIjKlMnOpQrStUvWx",
    "stripe": "sk_live_" + "a1B2c3D4e5F6" * 2,
    "telegram": "123456789:AAF-abcdefghijklmnopqrstuvwxyz01234",
    "jwt": JWT,
    "key": PEM,
    "card": "4111 1111 1111 1111",
    "password": "password=hunter2-hunter3",
}
TELLING = [secret.removeprefix("password=") for secret in SECRETS.values() if secret != PEM] + PEM.splitlines()[1:3]


def every_table(url: str) -> Iterator[tuple[str, str]]:
    """All that stands in each table, as a superuser sees it."""
    with psycopg.connect(url) as admin:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        for (name,) in admin.execute(tables).fetchall():
            rows = admin.execute(f"SELECT * FROM {name}".encode()).fetchall()
            yield name, "\n".join(_spelled(value) for row in rows for value in row)


def _spelled(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False, default=str)
