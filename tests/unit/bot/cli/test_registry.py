"""The subcommands of `keepsake`: each has its help and its module, and help needs none of what runs them."""

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from bot import texts
from bot.cli.registry import SUBCOMMANDS, Subcommand
from tests.tables import table

HOUSE = Path(__file__).resolve().parents[4]
# In a child, because this process has long imported everything.
HELPS = """
import sys
from bot.cli.main import run
from bot.cli.registry import SUBCOMMANDS
for words in ([], *([name] for name in sys.argv[1:]), ["keys", "new"]):
    try:
        run([*words, "--help"])
    except SystemExit as end:
        assert not end.code
print("run:", sorted({each.module for each in SUBCOMMANDS} & set(sys.modules)))
print("heavy:", sorted({"sqlalchemy", "psycopg", "alembic", "anthropic", "telegram", "pydantic"} & set(sys.modules)))
"""


def test_help_is_told_without_loading_what_runs_the_subcommands() -> None:
    names = [each.name for each in SUBCOMMANDS]
    child = subprocess.run([sys.executable, "-c", HELPS, *names], cwd=HOUSE, capture_output=True, text=True)

    assert child.returncode == 0, child.stderr
    assert child.stdout.count("usage: keepsake") == len(names) + 2
    assert child.stdout.endswith("run: []\nheavy: []\n")


@table("each", SUBCOMMANDS)
def test_a_subcommand_is_run_by_its_module(each: Subcommand) -> None:
    run = import_module(each.module).run

    assert inspect.iscoroutinefunction(run)
    assert len(inspect.signature(run).parameters) == 3


def test_a_subcommand_has_its_line_of_help() -> None:
    assert {each.name for each in SUBCOMMANDS} == texts.PROGRAM_COMMANDS.keys()
