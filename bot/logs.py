"""How the program logs: lines of text, or one JSON object a line, in which nobody's words are.

Of a library's record only what stands in the library's source is shown: its sentence, if it is a literal there, and
numbers. What fills the sentence, and a sentence that was put together, may be a user's words.
"""

import json
import logging
import re
import sys
import warnings
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from traceback import format_tb, walk_tb
from typing import Any

from memory.errors import KeepsakeError

TEXT = "%(asctime)s %(levelname)s %(name)s %(message)s"
ROOMS = ("bot", "api", "memory", "db")
HOUSE = Path(__file__).resolve().parents[1]
NOT_SHOWN = "..."
OF_EVERY_RECORD = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}
# asyncio puts its records together from these and from what it was given.
KNOWN = {
    "Future exception was never retrieved",
    "Task exception was never retrieved",
    "Task was destroyed but it is pending!",
    "Unhandled exception in event loop",
}

log = logging.getLogger(__name__)


def log_from(level: str, form: str) -> None:
    """One handler for all; only our own records go below a warning, whatever level a library sets for itself (as the
    SDK does for ANTHROPIC_LOG): there they write whole requests."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else TextLines(TEXT))
    handler.addFilter(lambda record: _is_ours(record) or record.levelno >= logging.WARNING)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.raiseExceptions = False  # else a record that cannot be formatted is printed with all that fills it
    warnings.showwarning = _log_warning
    for room in ROOMS:
        logging.getLogger(room).setLevel(level.upper())


class TextLines(logging.Formatter):
    """A traceback is shown without what the error says, which may quote a row or a request."""

    def format(self, record: logging.LogRecord) -> str:
        shown = logging.makeLogRecord(
            vars(record)
            | {"msg": _message(record), "args": None, "exc_info": None, "exc_text": None, "stack_info": None}
        )
        line = super().format(shown)
        if record.exc_info and (error := record.exc_info[1]):
            line = f"{line}\n{''.join(format_tb(error.__traceback__))}{type(error).__name__}"
        return line


class JsonLines(logging.Formatter):
    """Such logs are gathered and kept where nobody thinks of them as private."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if record.exc_info and (error := record.exc_info[1]):
            told |= {"error": type(error).__name__, "at": _place(error)}
        given = {name: value for name, value in vars(record).items() if name not in OF_EVERY_RECORD | told.keys()}
        return json.dumps(told | {name: _field(value) for name, value in given.items() if _is_ours(record)})


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] in ROOMS


def _message(record: logging.LogRecord) -> str:
    is_ours = _is_ours(record)
    if not is_ours and not isinstance(record.msg, BaseException) and not _is_literal(record):
        first = str(record.msg).partition("\n")[0]
        place = Path(record.pathname)
        return first if first in KNOWN else f"{NOT_SHOWN} ({place.parent.name}/{place.name}:{record.lineno})"
    line = record.msg if isinstance(record.msg, str) else str(_filling(record.msg, is_ours=is_ours))
    args = record.args or ()
    try:
        if isinstance(args, Mapping):
            line %= {name: _filling(value, is_ours=is_ours) for name, value in args.items()}
        elif args:
            line %= tuple(_filling(value, is_ours=is_ours) for value in args)
    except (TypeError, ValueError, KeyError):  # a gap for a number, and what was to fill it is not shown
        pass
    return line


def _is_literal(record: logging.LogRecord) -> bool:
    """Whether the function that logs, which is still on the stack, has this sentence among its constants."""
    frame = sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        code = frame.f_code
        if code.co_filename == record.pathname and code.co_name == record.funcName:
            return isinstance(record.msg, str) and record.msg in code.co_consts
    return False


def _log_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: object = None,
) -> None:
    """Its text may quote a value."""
    log.warning("%s in %s:%d", category.__name__, Path(filename).name, lineno)


def _filling(value: object, *, is_ours: bool) -> object:
    match value:
        case int() | float() | None:
            return value
        case KeepsakeError() if is_ours:
            return str(value)
        case BaseException():
            return type(value).__name__
        case _:
            return value if is_ours else NOT_SHOWN


def _field(value: object) -> Any:
    """A number, or one word such as a name or a kind. What somebody said has spaces in it, or is no text at all."""
    match value:
        case int() | float() | None:
            return value
        case BaseException():
            return type(value).__name__
        case str() if re.fullmatch(r"[\w.:/@-]{1,80}", value):
            return str(value)
        case _:
            return NOT_SHOWN


def _place(error: BaseException) -> str:
    """The last line of ours that it came through; in a library alone, nowhere that would help."""
    places = [
        f"{path.relative_to(HOUSE)}:{line}"
        for frame, line in walk_tb(error.__traceback__)
        if (path := Path(frame.f_code.co_filename)).is_relative_to(HOUSE) and ".venv" not in path.parts
    ]
    return places[-1] if places else ""
