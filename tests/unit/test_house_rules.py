"""The rules of the house, read from the source: which room may know which, where SQL and commits stand."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[2]
ROOMS = {"bot": {"memory", "db"}, "api": {"memory", "db"}, "memory": {"db"}, "db": set()}
SOURCES = sorted(path for room in ROOMS for path in (HOUSE / room).rglob("*.py"))
NAMES = [str(path.relative_to(HOUSE)) for path in SOURCES]


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=HOUSE, capture_output=True, text=True
    )
    return [HOUSE / name for name in listed.stdout.split("\n") if name and (HOUSE / name).is_file()]


def imported_rooms(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_a_room_imports_only_the_rooms_below_it(path: Path) -> None:
    room = path.relative_to(HOUSE).parts[0]
    # The program starts both front ends, and a tool gathers what both say.
    beside = {"api"} if path in {HOUSE / "bot" / "serving.py", HOUSE / "bot" / "catalogues.py"} else set()

    assert set(imported_rooms(path)) & {*ROOMS, "tests", "bench"} <= ROOMS[room] | {room} | beside


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_a_module_opens_with_a_sentence_that_says_what_it_is_for(path: Path) -> None:
    told = ast.get_docstring(ast.parse(path.read_text()))

    assert told
    assert told.splitlines()[0].endswith((".", ":"))


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_a_file_stays_readable(path: Path) -> None:
    # All sentences of a front end stand together, so that they can be read, and translated, as one.
    longest = {HOUSE / "bot" / "texts.py": 550, HOUSE / "api" / "review" / "texts.py": 600}.get(path, 300)

    assert len(path.read_text().splitlines()) <= longest


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_the_only_commit_stands_in_the_engine(path: Path) -> None:
    commits = [
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == "commit"
    ]

    assert len(commits) == (1 if path == HOUSE / "db" / "engine.py" else 0)


@pytest.mark.parametrize("path", [p for p in SOURCES if "db" not in p.relative_to(HOUSE).parts[:1]])
def test_sql_stands_below_memory(path: Path) -> None:
    from_sqlalchemy = {
        alias.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(("sqlalchemy", "psycopg"))
        for alias in node.names
    }

    assert from_sqlalchemy <= {"AsyncSession", "make_url", "ArgumentError"}


def test_no_module_is_called_after_nothing() -> None:
    vague = re.compile(r"utils?|helpers?|managers?|common|misc|.*_v\d+")

    assert [name for name in NAMES if vague.fullmatch(Path(name).stem)] == []


def test_broad_excepts_stand_only_at_the_edges() -> None:
    broad = [
        f"{path.relative_to(HOUSE)}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name) and node.type.id == "Exception"
    ]

    assert broad == [
        "api/faults.py",
        "api/mcp/server.py",
        "bot/cli.py",
        "bot/console.py",
        "bot/door.py",
        "bot/door.py",
        "bot/door.py",
        "bot/inbox.py",
        "bot/inbox.py",
        "bot/polling.py",
        "memory/catching_up.py",
        "memory/consolidation/scheduler.py",
        "memory/rounds.py",
    ]


def test_no_package_registry_is_named_anywhere() -> None:
    hosts = re.compile(rb"(pypi|pythonhosted|npmjs|debian)\.(org|com)|--(extra-)?index-url", re.IGNORECASE)
    named = [
        str(path.relative_to(HOUSE))
        for path in tracked()
        if path != Path(__file__) and hosts.search(path.read_bytes().replace(b"--no-emit-index-url", b""))
    ]

    assert named == []


def test_alembic_has_no_package_file_that_would_hide_the_library() -> None:
    assert not (HOUSE / "alembic" / "__init__.py").exists()


@pytest.mark.parametrize("path", SOURCES, ids=NAMES)
def test_nobody_waits_in_a_way_that_can_lose_a_cancellation(path: Path) -> None:
    """Until Python 3.12 `asyncio.wait_for` may swallow it when what it waits for comes at the same moment."""
    assert "asyncio.wait_for(" not in path.read_text()
