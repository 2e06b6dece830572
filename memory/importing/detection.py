"""Tells the format of a document by its shape; its name says nothing."""

from typing import BinaryIO

from memory.importing.formats import FORMATS, Format
from memory.importing.json_bytes import BLOCK, JsonBytes
from memory.importing.json_stream import JsonStream

MAX_PROBED = 20  # items; of a list of something else nobody reads more


def detect_format(file: BinaryIO, name: str) -> Format | None:
    """Reads no further than it takes; none, where it is no export that we know."""
    if found := _of_beginning(file):
        return found
    pull = JsonStream(JsonBytes(file, name))
    return _of_list(pull) if pull.is_list() else _of_map(pull)


def _of_beginning(file: BinaryIO) -> Format | None:
    checks = [(row, row.begins) for row in FORMATS.values() if row.begins]
    if not checks:
        return None
    beginning = file.read(BLOCK)
    file.seek(0)
    return next((row for row, begins in checks if begins(beginning)), None)


def _of_list(pull: JsonStream) -> Format | None:
    known = {row.item_key: row for row in FORMATS.values() if row.item_key}
    for number, _ in enumerate(pull.each_item()):
        if number == MAX_PROBED:
            break
        for key in pull.each_key():
            if key in known:
                return known[key]
    return None


def _of_map(pull: JsonStream) -> Format | None:
    """The first key that a format knows, with a value as it has it, decides."""
    known = {key: (row, check) for row in FORMATS.values() for key, check in row.keys.items()}
    for key in pull.each_key():
        if key in known:
            row, check = known[key]
            if check(pull):
                return row
    return None
