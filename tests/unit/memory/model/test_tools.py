"""The tools as a model is told of them: always the same bytes, short, and in one order."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

from pydantic import BaseModel

from memory.consolidation.summaries import grounding
from memory.model.tokens import estimate
from memory.model.tools import TOOLS
from memory.prompts import prompt

CACHED_FROM = 1024  # tokens: a shorter prefix is not cached
SCHEMAS = Path(__file__).parents[3] / "data" / "model_schemas.json"
SPELL = (
    "import json; from memory.model.tools import TOOLS;"
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


def test_what_a_model_reads_in_schemas_changes_only_together_with_the_copy_in_tests_data() -> None:
    """Docstrings and descriptions are bytes of the prompt: a new wording breaks every cache, and a note for developers
    would be read by a model. Whoever means it writes the new copy."""
    forms = {
        name: form.model_json_schema()
        for name, form in inspect.getmembers(grounding, inspect.isclass)
        if issubclass(form, BaseModel) and form.__module__ == grounding.__name__
    }

    assert json.dumps({"tools": json.loads(spelled()), "forms": forms}) == json.dumps(json.loads(SCHEMAS.read_text()))


def test_tools_and_instructions_are_long_enough_to_be_cached_and_not_longer_than_they_must_be() -> None:
    """By an estimate that is a bound from above, so with room to spare."""
    tokens = estimate(spelled()) + estimate(prompt("instructions"))

    assert 2 * CACHED_FROM < tokens < 5 * CACHED_FROM


def test_no_title_is_paid_for() -> None:
    assert '"title": "' not in spelled()
