"""Logs: text, or one JSON object a line with nobody's words in it."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from bot.logs import JsonFormatter, TextFormatter
from memory.errors import WriteRefused
from tests.tables import table

CANARY = "my boss is Ben Kanarek"


def line(logger: str, message: object, *args: object, error: BaseException | None = None, **extra: object) -> Any:
    """What one record becomes, which must be a line."""
    info = None if error is None else (type(error), error, error.__traceback__)
    record = logging.getLogger(logger).makeRecord(
        logger, logging.WARNING, __file__, 1, message, args, info, extra=extra or None
    )
    told = JsonFormatter().format(record)
    assert "\n" not in told
    return json.loads(told)


def test_a_record_is_one_object_with_its_fields() -> None:
    told = line("memory.model.claude.brain", "asked again in %.1f seconds", 2.5, attempt=3, kind="overloaded_error")

    assert told.pop("ts").endswith("+00:00")
    assert told == {
        "level": "warning",
        "logger": "memory.model.claude.brain",
        "message": "asked again in 2.5 seconds",
        "attempt": 3,
        "kind": "overloaded_error",
    }


def test_fields_cannot_pass_for_what_every_line_has() -> None:
    assert line("bot", "hello", level="calm", ts="never")["level"] == "warning"


@table("value", [CANARY, ["a"], {"text": CANARY}, CANARY.encode(), "x" * 81])
def test_a_field_that_may_be_somebodys_words_is_not_shown(value: object) -> None:
    assert line("memory.turn.chat", "hello", said=value)["said"] == "..."


def test_our_own_error_says_its_sentence_and_a_librarys_only_its_kind() -> None:
    assert (
        line("bot.telegram.dispatcher", "refused: %s", WriteRefused("a check failed"))["message"]
        == "refused: a check failed"
    )
    told = line("bot.telegram.dispatcher", "refused: %s", ValueError(CANARY), why=OSError(CANARY))
    assert (told["message"], told["why"]) == ("refused: ValueError", "OSError")


def test_a_traceback_is_told_as_the_kind_and_the_place() -> None:
    def breaks() -> None:
        raise ValueError(CANARY)

    try:
        breaks()
    except ValueError as error:
        told = line("bot.cli.main", "the program broke", error=error)

    assert told["error"] == "ValueError"
    assert told["at"].startswith("tests/unit/bot/test_logs.py:")
    assert "Kanarek" not in json.dumps(told)


def formatted(form: logging.Formatter, work: Callable[[logging.Logger], None]) -> list[str]:
    """What a library's logger makes of this work, in one format."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(form.format(record))  # type: ignore[method-assign]
    library = logging.getLogger("sqlalchemy.pool")
    library.addHandler(handler)
    library.propagate = False  # what pytest listens with does not know what to do with a record that fits badly
    try:
        work(library)
    finally:
        library.removeHandler(handler)
        library.propagate = True
    return lines


def library_logs(logger: logging.Logger) -> None:
    """In the ways in which libraries do."""
    logger.warning("request to %s failed after %d tries", "https://h/secret", 3)
    logger.warning("broke: %s", ValueError(CANARY))
    logger.warning("%(sql)s took %(n)d", {"sql": CANARY, "n": 2})
    logger.warning("%d rows", CANARY)
    logger.warning(f"Task exception was never retrieved\nfuture: {CANARY}")
    logger.error(ValueError(CANARY))
    logger.warning("100 % done")
    logger.critical(f"Message was: {CANARY}")
    logger.critical("Received data was " + CANARY)
    logger.warning("with a field", extra={"statement": CANARY})
    try:
        int(CANARY)
    except ValueError:
        logger.exception("broke off")


@pytest.mark.parametrize("form", [JsonFormatter(), TextFormatter("%(message)s")], ids=["json", "text"])
def test_a_library_is_heard_only_in_the_words_of_its_own_source(form: logging.Formatter) -> None:
    lines = formatted(form, library_logs)
    told = [str(json.loads(line)["message"]) if isinstance(form, JsonFormatter) else line for line in lines]

    assert told[:7] == [
        "request to ... failed after 3 tries",
        "broke: ValueError",
        "... took 2",
        "%d rows",
        "Task exception was never retrieved",
        "ValueError",
        "100 % done",
    ]
    assert all(line.startswith("... (bot/test_logs.py:") for line in told[7:9])
    assert told[9] == "with a field"
    assert told[10].startswith("broke off")
    assert "ValueError" in lines[10]
    assert "Kanarek" not in str(lines)


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
    told = JsonFormatter().format(record)

    assert json.loads(told)["error"] == "ValueError"
    assert "Kanarek" not in told
