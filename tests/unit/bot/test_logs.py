"""Logs: text, or one JSON object a line with nobody's words in it."""

import asyncio
import json
import logging
import subprocess
import sys
from typing import Any

import pytest

from bot.logs import JsonLines
from memory.errors import WriteRefused
from tests.tables import table

CANARY = "my boss is Ben Kanarek"


def line(logger: str, message: object, *args: object, error: BaseException | None = None, **extra: object) -> Any:
    """What one record becomes, which must be a line."""
    info = None if error is None else (type(error), error, error.__traceback__)
    record = logging.getLogger(logger).makeRecord(
        logger, logging.WARNING, __file__, 1, message, args, info, extra=extra or None
    )
    told = JsonLines().format(record)
    assert "\n" not in told
    return json.loads(told)


def test_a_record_is_one_object_with_its_fields() -> None:
    told = line("memory.llm", "asked again in %.1f seconds", 2.5, attempt=3, kind="overloaded_error")

    assert told.pop("ts").endswith("+00:00")
    assert told == {
        "level": "warning",
        "logger": "memory.llm",
        "message": "asked again in 2.5 seconds",
        "attempt": 3,
        "kind": "overloaded_error",
    }


def test_fields_cannot_pass_for_what_every_line_has() -> None:
    assert line("bot", "hello", level="calm", ts="never")["level"] == "warning"


@table("value", [CANARY, ["a"], {"text": CANARY}, CANARY.encode(), "x" * 81])
def test_a_field_that_may_be_somebodys_words_is_not_shown(value: object) -> None:
    assert line("bot.turn", "hello", said=value)["said"] == "..."


def test_our_own_error_says_its_sentence_and_a_librarys_only_its_kind() -> None:
    assert line("bot.desk", "refused: %s", WriteRefused("a check failed"))["message"] == "refused: a check failed"
    told = line("bot.desk", "refused: %s", ValueError(CANARY), why=OSError(CANARY))
    assert (told["message"], told["why"]) == ("refused: ValueError", "OSError")


def test_a_traceback_is_told_as_the_kind_and_the_place() -> None:
    def breaks() -> None:
        raise ValueError(CANARY)

    try:
        breaks()
    except ValueError as error:
        told = line("bot.cli", "the program broke", error=error)

    assert told["error"] == "ValueError"
    assert told["at"].startswith("tests/unit/bot/test_logs.py:")
    assert "Kanarek" not in json.dumps(told)


@table(
    ("message", "args", "told"),
    [
        ("request to %s failed after %d tries", ("https://h/secret", 3), "request to ... failed after 3 tries"),
        ("broke: %s", (ValueError(CANARY),), "broke: ValueError"),
        ("%(sql)s took %(n)d", ({"sql": CANARY, "n": 2},), "... took 2"),
        ("%d rows", (CANARY,), "%d rows"),
        (f"Task exception was never retrieved\nfuture: {CANARY}", (), "Task exception was never retrieved"),
        (ValueError(CANARY), (), "ValueError"),
        ("100 % done", (), "100 % done"),
    ],
)
def test_a_library_is_heard_without_what_fills_its_sentences(message: object, args: Any, told: str) -> None:
    found = line("sqlalchemy.pool", message, *args, statement=CANARY)

    assert found["message"] == told
    assert "Kanarek" not in json.dumps(found)


async def test_a_task_that_broke_unheard_tells_its_kind(caplog: pytest.LogCaptureFixture) -> None:
    async def breaks() -> None:
        raise ValueError(CANARY)

    task = asyncio.ensure_future(breaks())
    await asyncio.wait([task])
    error = task.exception()
    asyncio.get_running_loop().call_exception_handler(
        {"message": "Task exception was never retrieved", "exception": error, "task": task}
    )
    [record] = caplog.records
    told = JsonLines().format(record)

    assert json.loads(told)["error"] == "ValueError"
    assert "Kanarek" not in told


PROGRAM = """
import logging
from bot.logs import log_from
log_from("{level}", "{form}")
logging.getLogger("memory.llm").debug("ours %d", 1, extra={{"kind": "quiet"}})
logging.getLogger("httpx").info("theirs")
logging.getLogger("httpx").warning("theirs %s", "words")
"""


def logged(level: str, form: str) -> list[str]:
    """In a process of its own, as pytest has handlers on the root."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(level=level, form=form)], capture_output=True, text=True, check=True
    )
    assert ran.stdout == ""
    return ran.stderr.splitlines()


def test_text_is_written_as_ever_and_libraries_stay_at_a_warning() -> None:
    ours, theirs = logged("debug", "text")

    assert ours.endswith(" DEBUG memory.llm ours 1")
    assert theirs.endswith(" WARNING httpx theirs words")
    assert len(logged("warning", "text")) == 1


def test_json_is_one_object_a_line_and_libraries_stay_at_a_warning() -> None:
    ours, theirs = map(json.loads, logged("debug", "json"))

    assert (ours["level"], ours["message"], ours["kind"]) == ("debug", "ours 1", "quiet")
    assert (theirs["level"], theirs["message"]) == ("warning", "theirs ...")
