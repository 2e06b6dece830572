"""Logging as text or as JSON lines, without any user's words.

A library's record is logged with its message, if that is a literal in the library's source, and with numbers. Other
arguments, and messages built at run time, may contain a user's words and are hidden.
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

TEXT_FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"
OUR_PACKAGES = ("bot", "api", "memory", "db")
ROOT = Path(__file__).resolve().parents[1]
HIDDEN = "..."
STANDARD_FIELDS = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}
# asyncio builds its messages at run time; they begin with one of these lines.
ASYNCIO_MESSAGES = {
    "Future exception was never retrieved",
    "Task exception was never retrieved",
    "Task was destroyed but it is pending!",
    "Unhandled exception in event loop",
}

log = logging.getLogger(__name__)


def configure_logging(level: str, log_format: str) -> None:
    """Install one handler for all loggers. Below WARNING only our own records pass, because libraries log whole
    requests at lower levels (the SDK does with ANTHROPIC_LOG)."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter(TEXT_FORMAT))
    handler.addFilter(lambda record: _is_ours(record) or record.levelno >= logging.WARNING)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.raiseExceptions = False  # else a record that cannot be formatted is printed with all of its arguments
    warnings.showwarning = _log_warning
    for package in OUR_PACKAGES:
        logging.getLogger(package).setLevel(level.upper())


class TextFormatter(logging.Formatter):
    """Logs a traceback without the error's message, which may quote a row or a request."""

    def format(self, record: logging.LogRecord) -> str:
        safe = logging.makeLogRecord(
            vars(record)
            | {"msg": _message(record), "args": None, "exc_info": None, "exc_text": None, "stack_info": None}
        )
        line = super().format(safe)
        if record.exc_info and (error := record.exc_info[1]):
            line = f"{line}\n{''.join(format_tb(error.__traceback__))}{type(error).__name__}"
        return line


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if record.exc_info and (error := record.exc_info[1]):
            fields |= {"error": type(error).__name__, "at": _location(error)}
        given = {name: value for name, value in vars(record).items() if name not in STANDARD_FIELDS | fields.keys()}
        return json.dumps(fields | {name: _safe_field(value) for name, value in given.items() if _is_ours(record)})


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] in OUR_PACKAGES


def _message(record: logging.LogRecord) -> str:
    is_ours = _is_ours(record)
    if not is_ours and not isinstance(record.msg, BaseException) and not _is_literal(record):
        first = str(record.msg).partition("\n")[0]
        place = Path(record.pathname)
        return first if first in ASYNCIO_MESSAGES else f"{HIDDEN} ({place.parent.name}/{place.name}:{record.lineno})"
    line = record.msg if isinstance(record.msg, str) else str(_safe_argument(record.msg, is_ours=is_ours))
    args = record.args or ()
    try:
        if isinstance(args, Mapping):
            line %= {name: _safe_argument(value, is_ours=is_ours) for name, value in args.items()}
        elif args:
            line %= tuple(_safe_argument(value, is_ours=is_ours) for value in args)
    except (TypeError, ValueError, KeyError):  # a placeholder for a number whose argument is hidden
        pass
    return line


def _is_literal(record: logging.LogRecord) -> bool:
    """Whether the message is among the constants of the logging function, which is still on the stack."""
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
    """Log a warning's category only; its text may quote a value."""
    log.warning("%s in %s:%d", category.__name__, Path(filename).name, lineno)


def _safe_argument(value: object, *, is_ours: bool) -> object:
    match value:
        case int() | float() | None:
            return value
        case KeepsakeError() if is_ours:
            return str(value)
        case BaseException():
            return type(value).__name__
        case _:
            return value if is_ours else HIDDEN


def _safe_field(value: object) -> Any:
    """Return a number or a single word, such as a name or a kind. Anything else may be a user's words."""
    match value:
        case int() | float() | None:
            return value
        case BaseException():
            return type(value).__name__
        case str() if re.fullmatch(r"[\w.:/@-]{1,80}", value):
            return str(value)
        case _:
            return HIDDEN


def _location(error: BaseException) -> str:
    """Return the last line of our code in the traceback, or ""."""
    places = [
        f"{path.relative_to(ROOT)}:{line}"
        for frame, line in walk_tb(error.__traceback__)
        if (path := Path(frame.f_code.co_filename)).is_relative_to(ROOT) and ".venv" not in path.parts
    ]
    return places[-1] if places else ""
