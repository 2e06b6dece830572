"""Export, import and erasure from the outside: commands of the program, and what is typed in the chat."""

import json
import stat
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot import texts
from bot.terminal.user import terminal_user
from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from db.table_registry import TABLE_OWNERSHIP
from memory.errors import Refused
from memory.refusals import Refusal
from tests.e2e.child import Completed
from tests.e2e.conftest import Keepsake, told
from tests.furniture import NOBODYS

pytestmark = pytest.mark.slow

SICK = "My sister Zelda has diabetes"
TOLD = f"remember that Alec is my boss\nremember that {SICK}\nhello\n".encode()


@pytest.fixture
def here(server: EmbeddedServer, worker_database: str, tenant: str) -> dict[str, str]:
    """A database of one's own, in which this tenant is nobody else's."""
    return {"DATABASE_URL": server.url(APPLICATION, worker_database), "KEEPSAKE_TENANT": tenant}


def last_line(finished: Completed) -> str:
    """What it came to, after how far it was."""
    return told(finished).splitlines()[-1]


def held(url: str, tenant: str) -> dict[str, list[str]]:
    """The rows of people in a tenant as text, without tables that hold none."""
    with psycopg.connect(url) as admin:
        found = {
            table: [
                row
                for (row,) in admin.execute(
                    f"SELECT t::text FROM {table} AS t WHERE tenant_id = %s ORDER BY 1".encode(), (tenant,)
                )
            ]
            for table in TABLE_OWNERSHIP.keys() - NOBODYS
        }
    return {table: rows for table, rows in found.items() if rows}


def facts_in(exported: dict[str, Any]) -> list[str]:
    return sorted(version["content"] for version in exported["tables"]["fact_versions"])


def test_all_data_is_exported_by_the_program_and_from_the_chat(
    keepsake: Keepsake, here: dict[str, str], folder: Path
) -> None:
    chat = keepsake(typed=TOLD + b"/memory export\n", **here)
    as_json, as_text = sorted(folder.iterdir())
    assert texts.EXPORT_DONE.format(files=f"{as_json.name} and {as_text.name}") in chat.stdout.decode()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (as_json, as_text)] == [0o600, 0o600]

    ran, readable = keepsake("export", **here), keepsake("export", "--markdown", "--user", terminal_user(), **here)
    assert [(each.returncode, told(each)) for each in (ran, readable)] == [(0, ""), (0, "")]
    exported = json.loads(ran.stdout)
    assert (exported["user"], exported["tables"].keys()) == (terminal_user(), TABLE_OWNERSHIP.keys())
    assert "hello" in [event["content"].get("text") for event in exported["tables"]["events"]]
    assert facts_in(exported) == facts_in(json.loads(as_json.read_text())) == ["Alec is my boss", SICK]
    for text in (readable.stdout.decode(), as_text.read_text()):
        assert text.startswith(f"# What Keepsake holds about {terminal_user()}\n")
        assert "- **Alec is my boss** [" in text
        assert "human: hello" in text


def test_what_was_exported_and_erased_is_back_after_the_import(
    keepsake: Keepsake, here: dict[str, str], folder: Path, superuser_url: str
) -> None:
    keepsake(typed=TOLD, **here)
    (folder / "mine.json").write_bytes(keepsake("export", **here).stdout)
    before = held(superuser_url, here["KEEPSAKE_TENANT"])

    refused = keepsake("erase", **here)
    assert (refused.returncode, told(refused)) == (1, f"· {texts.ERASE_NEEDS_YES.format(user=terminal_user())}\n")
    assert held(superuser_url, here["KEEPSAKE_TENANT"]) == before

    erased = keepsake("erase", "--yes", **here)
    assert (erased.returncode, told(erased)) == (0, f"· {texts.ERASE_DONE.format(user=terminal_user())}\n")
    assert held(superuser_url, here["KEEPSAKE_TENANT"]) == {}

    loaded = keepsake("import", "mine.json", **here)
    assert (loaded.returncode, last_line(loaded)) == (0, f"· {texts.IMPORT_DONE.format(count=2, user=terminal_user())}")
    assert held(superuser_url, here["KEEPSAKE_TENANT"])["facts"] == before["facts"]
    twice = keepsake("import", "mine.json", **here)
    before_that = texts.IMPORT_REPEATED.format(path="mine.json", user=terminal_user())
    assert (twice.returncode, last_line(twice)) == (0, f"· {before_that}")

    copied = keepsake("import", "mine.json", "--user", "telegram:12345", **here)
    assert (copied.returncode, last_line(copied)) == (
        0,
        f"· {texts.IMPORT_DONE.format(count=2, user='telegram:12345')}",
    )
    kept = held(superuser_url, here["KEEPSAKE_TENANT"])
    assert len([row for row in kept["facts"] if "telegram:12345" in row]) == 2
    assert [row for row in kept["users"] if 'telegram:12345,"",' in row]  # who did not come yet has no name
    assert "Zelda" not in str(kept)


@pytest.mark.parametrize("command", [("export",), ("erase", "--yes")])
def test_an_unknown_user_is_told_in_one_line(
    keepsake: Keepsake, here: dict[str, str], superuser_url: str, command: tuple[str, ...]
) -> None:
    ran = keepsake(*command, "--user", "telegram:1", **here)

    assert (ran.returncode, ran.stdout) == (1, b"")
    assert told(ran) == f"· {texts.NO_SUCH_USER.format(user='telegram:1')}\n"
    assert held(superuser_url, here["KEEPSAKE_TENANT"]) == {}


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (None, texts.IMPORT_NOT_READABLE.format(path="mine.json", why="No such file or directory")),
        (b"[" * 100_000, str(Refused(Refusal.IMPORT_TOO_DEEP, name="mine.json"))),
        (b"[]", str(Refused(Refusal.IMPORT_UNKNOWN, name="mine.json"))),
        (b'{"tables": ' + b"[" * 100_000, str(Refused(Refusal.IMPORT_TOO_DEEP, name="mine.json"))),
        (
            b'{"format": "keepsake-export-1", "tables": {}',
            texts.IMPORT_NOT_READABLE.format(path="mine.json", why="not JSON"),
        ),
        (b'{"format": "keepsake-export-1"}', str(Refused(Refusal.IMPORT_NOT_OURS))),
    ],
    ids=["no file", "too deep", "a list", "too deep inside", "half of ours", "hardly ours"],
)
def test_a_file_that_is_no_export_is_told_in_one_line_and_makes_nobody(
    keepsake: Keepsake, here: dict[str, str], folder: Path, superuser_url: str, written: bytes | None, line: str
) -> None:
    if written is not None:
        (folder / "mine.json").write_bytes(written)
    ran = keepsake("import", "mine.json", **here)

    assert (ran.returncode, last_line(ran)) == (1, f"· {line}")
    assert len(told(ran).splitlines()) <= 2  # how far the reading came, and why it ended
    assert held(superuser_url, here["KEEPSAKE_TENANT"]) == {}


def test_everything_is_forgotten_after_it_was_asked_twice(
    keepsake: Keepsake, here: dict[str, str], superuser_url: str
) -> None:
    yes = b"/forget everything\n/forget yes\n/forget yes, everything\nnever read\n"
    ran = keepsake(typed=TOLD + yes, **here)

    assert ran.returncode == 0, told(ran)
    lines = ran.stdout.decode().splitlines()
    assert lines[-3:] == [texts.FORGET_ALL_FIRST, texts.FORGET_ALL_SECOND, texts.FORGET_ALL_DONE]
    assert held(superuser_url, here["KEEPSAKE_TENANT"]) == {}


NEVER_IN_SUCCESSION = [
    *("/forget yes", "/forget yes, everything"),
    *("/forget everything", "/forget yes, everything"),
    *("/forget everything", "/forget yes", "/forget yes", "/forget yes, everything"),
    *("/forget everything", "/forget nonsense", "/forget yes", "/forget yes, everything"),
]
SOMETHING_BETWEEN = ["/forget everything", "hello", "/forget yes", "/memory", "/forget yes, everything"]


@pytest.mark.parametrize("lines", [NEVER_IN_SUCCESSION, SOMETHING_BETWEEN])
def test_nothing_is_forgotten_when_a_yes_does_not_follow_at_once(
    keepsake: Keepsake, here: dict[str, str], superuser_url: str, lines: list[str]
) -> None:
    ran = keepsake(typed=TOLD + "\n".join(lines).encode(), **here)

    assert texts.FORGET_ALL_DONE not in ran.stdout.decode()
    assert len(held(superuser_url, here["KEEPSAKE_TENANT"])["facts"]) == 2


def test_what_is_named_is_forgotten_at_once(keepsake: Keepsake, here: dict[str, str], superuser_url: str) -> None:
    ran = keepsake(typed=TOLD + b"/forget about Alec\n/memory\n", **here)

    assert "What I remember about you (1)" in ran.stdout.decode()
    assert "Alec" not in str(held(superuser_url, here["KEEPSAKE_TENANT"]))
