"""The tools as a model is told of them: always the same bytes, short, and in one order."""

import json
import os
import subprocess
import sys

from memory.prompts import prompt
from memory.tokens import estimate
from memory.tools import TOOLS

CACHED_FROM = 1024  # tokens: a shorter prefix is not cached
SPELL = (
    "import json; from memory.tools import TOOLS;"
    "print(json.dumps([[t.spec.name, t.spec.description, t.spec.schema] for t in TOOLS]))"
)


def spelled() -> str:
    return json.dumps([[tool.spec.name, tool.spec.description, tool.spec.schema] for tool in TOOLS])


def test_the_tools_stand_in_one_order() -> None:
    assert [tool.name for tool in TOOLS] == [
        "add_to_memory",
        "update_memory",
        "forget_memory",
        "search_memory",
        "record_decision",
        "update_task",
        "read_artifact",
    ]


def test_the_tools_are_the_same_bytes_at_every_start() -> None:
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"  # another one than here
    again = subprocess.run(
        [sys.executable, "-c", SPELL],
        env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert again.stdout.strip() == spelled()


def test_tools_and_instructions_are_long_enough_to_be_cached_and_not_longer_than_they_must_be() -> None:
    """By an estimate that is a bound from above, so with room to spare."""
    tokens = estimate(spelled()) + estimate(prompt("instructions"))

    assert 2 * CACHED_FROM < tokens < 5 * CACHED_FROM


def test_no_title_is_paid_for() -> None:
    assert '"title": "' not in spelled()
