"""The rules of the house, read from the source: which room may know which, where SQL stands, how tests wait."""

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import memory

HOUSE = Path(__file__).resolve().parents[2]
ROOMS = {"bot": {"memory"}, "api": {"memory"}, "keepsake": {"memory"}, "memory": {"db"}, "db": set()}
# The program starts both front ends, and a tool gathers what both say.
BESIDE = {"bot/cli/daemon.py": {"api"}, "bot/catalogues.py": {"api"}}
# Sentences stand together, so that they can be read, and translated, as one.
LONGEST = {"bot/texts.py": 700, "api/review/texts.py": 600, "memory/refusals.py": 450}
USUAL_LONGEST = 300


@cache
def names(*folders: str) -> list[str]:
    return sorted(str(path.relative_to(HOUSE)) for folder in folders for path in (HOUSE / folder).rglob("*.py"))


@cache
def text(name: str) -> str:
    return (HOUSE / name).read_text()


@cache
def nodes(name: str) -> list[ast.AST]:
    """All of a module; the first is the module itself."""
    return list(ast.walk(ast.parse(text(name))))


@cache
def sources() -> list[str]:
    return names(*ROOMS)


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=HOUSE, capture_output=True, text=True
    )
    return [HOUSE / name for name in listed.stdout.split("\n") if name and (HOUSE / name).is_file()]


def imported(name: str) -> Iterator[str]:
    for node in nodes(name):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_a_room_imports_only_the_rooms_below_it() -> None:
    wrong = {}
    for name in sources():
        room = name.split("/")[0]
        known = {module.split(".")[0] for module in imported(name)} & {*ROOMS, "tests", "bench"}
        if strange := known - ROOMS[room] - {room} - BESIDE.get(name, set()):
            wrong[name] = strange

    assert wrong == {}


def test_the_rules_of_language_know_nothing_of_the_rest_of_the_house() -> None:
    wrong = {
        name: strange
        for name in names("memory/language")
        if (strange := {module for module in imported(name) if is_ours(module) and not is_of_language(module)})
    }

    assert wrong == {}


def is_ours(module: str) -> bool:
    return module.split(".")[0] in ROOMS


def is_of_language(module: str) -> bool:
    return f"{module}.".startswith("memory.language.")


def test_a_library_is_known_only_in_the_room_that_is_about_it() -> None:
    rooms = {"telegram": "bot/telegram/", "telegramify_markdown": "bot/telegram/", "anthropic": "memory/model/claude/"}
    wrong = {
        (name, module)
        for name in sources()
        for module in {module.split(".")[0] for module in imported(name)} & rooms.keys()
        if not name.startswith(rooms[module])
    }

    assert wrong == set()


def test_one_module_chooses_a_vendor_and_only_its_folder_knows_how_it_is_asked() -> None:
    """Calls are hashed as Claude's wire, whoever answers: so a kept hash stays what it is."""
    knowing = {
        name
        for name in sources()
        if not name.startswith("memory/model/claude/")
        for module in imported(name)
        if module.startswith("memory.model.claude")
    }

    assert knowing == {"memory/model/vendors.py", "memory/context/calls.py"}


# Sentences that have nothing in common, to measure an embedder by; and signs with what each costs a model.
OTHER_LETTERS = {"memory/consolidation/extraction/similarity.py", "memory/model/token_costs.py"}


def test_words_of_a_language_are_data() -> None:
    """A letter beyond ASCII in a string belongs to some language's word. Ranges of letters are written as escapes."""
    wrong = {
        name
        for name in sources()
        for node in nodes(name)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and has_letters(node.value)
        and node not in docstrings_of(name)
        and has_letters(ast.get_source_segment(text(name), node) or "")
    }

    assert wrong == OTHER_LETTERS


def has_letters(words: str) -> bool:
    return not words.isascii() and any(sign.isalpha() and not sign.isascii() for sign in words)


@cache
def docstrings_of(name: str) -> set[ast.AST]:
    """Of a module, and all that it defines."""
    return {node.value for node in nodes(name) if isinstance(node, ast.Expr)}


def test_no_class_name_is_defined_twice() -> None:
    """One name, one thing, in the whole program."""
    places: dict[str, list[str]] = {}
    for name in names(*ROOMS, "bench"):
        for node in nodes(name):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(name)

    assert {called: where for called, where in places.items() if len(where) > 1} == {}


# The lazy surface of `memory`, and types of libraries that take long to import.
FOR_TYPES = {
    "memory/__init__.py",
    "memory/model/claude/client.py",
    "memory/model/claude/structured.py",
}


def test_no_two_modules_know_each_other_behind_a_type_check() -> None:
    assert {name for name in sources() if "if TYPE_CHECKING:" in text(name)} == FOR_TYPES


def test_the_surface_of_memory_says_the_same_to_a_type_checker_and_at_run_time() -> None:
    imported_for_types = {
        (node.module, alias.name)
        for node in nodes("memory/__init__.py")
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(("db.", "memory."))
        for alias in node.names
    }

    assert imported_for_types == {(module, name) for name, module in memory.MODULE_OF.items()}
    assert all(getattr(memory, name) for name in memory.__all__)


# One module for each subcommand, and one for the words of each section: as many as there are.
LISTS = {"bot/cli", "memory/language/lexicon"}
MAX_MODULES = 14


def test_no_folder_holds_more_modules_than_a_reader_can_look_over() -> None:
    held = Counter(str(Path(name).parent) for name in sources() if not name.endswith("__init__.py"))

    assert {folder: count for folder, count in held.items() if count > MAX_MODULES and folder not in LISTS} == {}


def test_a_module_opens_with_a_sentence_that_says_what_it_is_for() -> None:
    wrong = []
    for name in sources():
        module = nodes(name)[0]
        assert isinstance(module, ast.Module)
        told = (ast.get_docstring(module) or "").splitlines()
        if not told or not told[0].endswith((".", ":")):
            wrong.append(name)

    assert wrong == []


def test_a_file_stays_readable() -> None:
    lengths = {name: len(text(name).splitlines()) for name in sources()}

    assert {name: lines for name, lines in lengths.items() if lines > LONGEST.get(name, USUAL_LONGEST)} == {}


def test_the_only_commit_stands_in_the_engine() -> None:
    commits = Counter(
        name for name in sources() for node in nodes(name) if isinstance(node, ast.Attribute) and node.attr == "commit"
    )

    assert commits == {"db/engine.py": 1}


def test_sql_stands_below_memory() -> None:
    taken = {
        (name, alias.name)
        for name in sources()
        if not name.startswith("db/")
        for node in nodes(name)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(("sqlalchemy", "psycopg"))
        for alias in node.names
    }

    assert {(name, what) for name, what in taken if what not in {"AsyncSession", "make_url", "ArgumentError"}} == set()


def test_no_module_is_called_after_nothing() -> None:
    vague = re.compile(r"utils?|helpers?|managers?|common|misc|.*_v\d+")

    assert [name for name in names(*ROOMS, "tests") if vague.fullmatch(Path(name).stem)] == []


def test_broad_excepts_stand_only_at_the_edges() -> None:
    broad = [
        name
        for name in sources()
        for node in nodes(name)
        if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name) and node.type.id == "Exception"
    ]

    assert broad == [
        "api/mcp/server.py",
        "api/middleware/unhandled_errors.py",
        "bot/cli/main.py",
        "bot/delivery/worker.py",
        "bot/delivery/worker.py",
        "bot/telegram/receiving/polling.py",
        "bot/telegram/receiving/receiver.py",
        "bot/telegram/receiving/receiver.py",
        "bot/telegram/receiving/receiver.py",
        "bot/terminal/console.py",
        "memory/concurrency/fair_queue.py",
        "memory/consolidation/scheduler.py",
        "memory/outage/catching_up.py",
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


def test_nobody_waits_in_a_way_that_can_lose_a_cancellation() -> None:
    """Until Python 3.12 `asyncio.wait_for` may swallow it when what it waits for comes at the same moment."""
    assert [name for name in sources() if "asyncio.wait_for(" in text(name)] == []


def test_daemon_threads_run_pure_python_only() -> None:
    """The end of the program cuts them off wherever they are. In a compiled library that aborts the process."""
    pure = {
        "bot/terminal/lines.py",
        "bot/terminal/stdio.py",
        "memory/concurrency/child_main.py",
        "memory/metrics.py",
    }

    assert {name for name in sources() if "daemon=True" in text(name)} == pure


def test_no_test_module_is_imported_by_another() -> None:
    importing = {
        name
        for name in names("tests")
        for module in imported(name)
        if module.startswith("tests.") and any(part.startswith("test_") for part in module.split(".")[:-1])
    }

    assert importing == set()


CLOCKS = {f"time.{clock}" for clock in ("monotonic", "perf_counter", "process_time", "thread_time", "time")}


def calls(node: ast.AST, called: set[str]) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    of = function.value if isinstance(function, ast.Attribute) else None
    return isinstance(function, ast.Attribute) and isinstance(of, ast.Name) and f"{of.id}.{function.attr}" in called


def in_virtual_time(name: str) -> set[ast.AST]:
    """What happens by a clock of the test's own."""
    return {
        inner
        for node in nodes(name)
        if isinstance(node, ast.AsyncFunctionDef)
        and any(ast.unparse(decorator) == "in_virtual_time" for decorator in node.decorator_list)
        for inner in ast.walk(node)
    }


def sleeps(name: str) -> bool:
    """Somebody waits for a time that is written there; 0 only lets others have their turn."""
    for node in set(nodes(name)) - in_virtual_time(name):
        if isinstance(node, ast.Call) and calls(node, {"asyncio.sleep", "time.sleep"}):
            seconds = node.args[0]
            if isinstance(seconds, ast.Constant) and seconds.value != 0:
                return True
    return False


def measures(name: str) -> bool:
    """Somebody looks how long something took."""
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub)
        and (calls(node.left, CLOCKS) or calls(node.right, CLOCKS))
        for node in nodes(name)
    )


def test_no_test_waits_for_a_time() -> None:
    assert {name for name in names("tests") if sleeps(name)} == set()


def test_no_test_measures_how_busy_the_machine_is() -> None:
    assert {name for name in names("tests") if measures(name)} == set()
