"""Turns the bytes of an export into UTF-8 that a strict JSON parser accepts.

Windows programs write a byte order mark or UTF-16. Telegram writes control characters as `\\x0B`, which is not JSON.
Some texts contain the escape of a lone surrogate, which cannot be encoded.
"""

import codecs
import re
from collections.abc import Callable
from typing import BinaryIO

from memory.errors import Refused
from memory.refusals import Refusal

BLOCK, MAX_LENGTH = 65_536, 32_000_000  # bytes: per read, and of one JSON value
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
HIGH, LOW, HEX = r"u[dD][89abAB][0-9a-fA-F]{2}", r"u[dD][c-fC-F][0-9a-fA-F]{2}", "[0-9a-fA-F]"
SUSPECT = re.compile(rf"\\(?:u[dD][89a-fA-F]|x{HEX})")
# Matches one escape at a time, so that an escaped backslash is not taken for the start of the next escape.
ESCAPE = re.compile(rf"\\(?:(?P<pair>{HIGH}\\{LOW})|(?P<half>{HIGH}|{LOW})|x(?P<byte>{HEX}{{2}})|.)", re.DOTALL)
PARTIAL_ESCAPE = re.compile(rf"(?:u{HEX}{{0,3}}|x{HEX}?)?\Z")
HIGH_AT_END = re.compile(rf"\\{HIGH}\Z")


class JsonBytes:
    """A file for a parser to read. `on_progress` gets the number of bytes read so far.

    The parser sets `made_progress` for each token. It keeps an unfinished value in RAM, so too many bytes without a
    token are refused.
    """

    def __init__(self, file: BinaryIO, name: str, on_progress: Callable[[int], None] = lambda seen: None) -> None:
        self._file = file
        self._on_progress = on_progress
        self.name = name
        self.made_progress = True
        self._without_progress = 0
        self._decoder: codecs.IncrementalDecoder | None = None
        self._incomplete = ""
        self._ready = b""
        self._at_end = False
        self._bytes_read = 0

    def read(self, size: int = -1) -> bytes:
        while not self._at_end and (size < 0 or len(self._ready) < size):
            self._ready += self._read_block()
        wanted = len(self._ready) if size < 0 else size
        chunk, self._ready = self._ready[:wanted], self._ready[wanted:]
        return chunk

    def _read_block(self) -> bytes:
        raw = self._file.read(BLOCK)
        self._without_progress = 0 if self.made_progress else self._without_progress + len(raw)
        if self._without_progress > MAX_LENGTH:
            raise Refused(Refusal.IMPORT_TOO_DEEP, name=self.name)
        self.made_progress = False
        self._bytes_read += len(raw)
        self._on_progress(self._bytes_read)
        self._at_end = not raw
        if self._decoder is None:
            self._decoder = codecs.getincrementaldecoder(detect_encoding(raw))(errors="replace")
        text = self._incomplete + self._decoder.decode(raw, final=self._at_end)
        end = len(text) if self._at_end else _end_of_complete(text)
        self._incomplete = text[end:]
        return repair_escapes(text[:end]).encode()


def detect_encoding(beginning: bytes) -> str:
    for mark, encoding in MARKS:
        if beginning.startswith(mark):
            return encoding
    match list(beginning[:2]):  # JSON starts with an ASCII character
        case [0, _]:
            return "utf-16-be"
        case [_, 0]:
            return "utf-16-le"
        case _:
            return "utf-8"


def repair_escapes(text: str) -> str:
    """Replace escapes that JSON does not know, and lone surrogates."""
    return ESCAPE.sub(_repair, text) if SUSPECT.search(text) else text


def _repair(escape: re.Match[str]) -> str:
    if escape["half"]:
        return r"\ufffd"
    return rf"\u00{escape['byte']}" if escape["byte"] else escape[0]


def _end_of_complete(text: str) -> int:
    """Where to cut the text so that no escape or surrogate pair continues in the next block."""
    partial = PARTIAL_ESCAPE.search(text, max(0, len(text) - 4))
    end = partial.start() if partial else len(text)
    end = end - 1 if _backslashes(text, end) % 2 else len(text)
    high = HIGH_AT_END.search(text, max(0, end - 6), end)
    return high.start() if high and _backslashes(text, high.start()) % 2 == 0 else end


def _backslashes(text: str, before: int) -> int:
    """The number of backslashes directly before an index."""
    return before - len(text[:before].rstrip("\\"))
