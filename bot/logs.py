"""How the program logs: lines of text, or one JSON object a line, in which nobody's words are."""

import json
import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from traceback import walk_tb
from typing import Any

from memory.errors import KeepsakeError

TEXT = "%(asctime)s %(levelname)s %(name)s %(message)s"
ROOMS = ("bot", "api", "memory", "db")
HOUSE = Path(__file__).resolve().parents[1]
NOT_SHOWN = "..."
OF_EVERY_RECORD = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


def log_from(level: str, form: str) -> None:
    """Only our own logs go below a warning: at `debug` the libraries write whole requests, a user's words with them."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else logging.Formatter(TEXT))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    for room in ROOMS:
        logging.getLogger(room).setLevel(level.upper())


class JsonLines(logging.Formatter):
    """Such logs are gathered and kept where nobody thinks of them as private. An error of a library is told by its kind
    alone, because its text may quote a row or a request; and what a library says, without what fills the gaps."""

    def format(self, record: logging.LogRecord) -> str:
        is_ours = record.name.partition(".")[0] in ROOMS
        told = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record, is_ours=is_ours),
        }
        if record.exc_info and (error := record.exc_info[1]):
            told |= {"error": type(error).__name__, "at": _place(error)}
        given = {name: value for name, value in vars(record).items() if name not in OF_EVERY_RECORD | told.keys()}
        return json.dumps(told | {name: _field(value) for name, value in given.items() if is_ours})


def _message(record: logging.LogRecord, *, is_ours: bool) -> str:
    """Of a library's only the first line: below it asyncio writes down all that it was given."""
    line = record.msg if isinstance(record.msg, str) else str(_filling(record.msg, is_ours=is_ours))
    args = record.args or ()
    try:
        if isinstance(args, Mapping):
            line %= {name: _filling(value, is_ours=is_ours) for name, value in args.items()}
        elif args:
            line %= tuple(_filling(value, is_ours=is_ours) for value in args)
    except (TypeError, ValueError, KeyError):  # a gap for a number, and what was to fill it is not shown
        pass
    return line if is_ours else line.partition("\n")[0]


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
