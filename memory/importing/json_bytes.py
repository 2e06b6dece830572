"""The bytes of an export as UTF-8 that a strict parser of JSON reads, whatever wrote them.

Windows puts marks before them or writes UTF-16. Telegram spells control characters as `\\x0B`, which JSON does not
know. Half of a character stands in some texts as an escape of its own, which no text can hold.
"""

import codecs
import re
from collections.abc import Callable
from typing import BinaryIO

from memory.errors import Refused

BLOCK, LONGEST = 65_536, 32_000_000  # bytes: at a time, and of a single text
TOO_MUCH = "{name} cannot be read: something in it is too deep or too large for an export."
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
HIGH, LOW, HEX = r"u[dD][89abAB][0-9a-fA-F]{2}", r"u[dD][c-fC-F][0-9a-fA-F]{2}", "[0-9a-fA-F]"
SUSPECT = re.compile(rf"\\(?:u[dD][89a-fA-F]|x{HEX})")
# One escape at a time, so that a backslash that stands for itself is not taken for the beginning of the next.
ESCAPE = re.compile(rf"\\(?:(?P<pair>{HIGH}\\{LOW})|(?P<half>{HIGH}|{LOW})|x(?P<byte>{HEX}{{2}})|.)", re.DOTALL)
BEGUN = re.compile(rf"(?:u{HEX}{{0,3}}|x{HEX}?)?\Z")
AT_END = re.compile(rf"\\{HIGH}\Z")


class Letters:
    """A file to be read by a parser, who says when it understood something: what it does not come to the end of, it
    would hold as a whole. `notice` is told how many bytes were read."""

    def __init__(self, file: BinaryIO, name: str, notice: Callable[[int], None] = lambda seen: None) -> None:
        self._file = file
        self._notice = notice
        self.name = name
        self.is_understood = True
        self._not_understood = 0
        self._decoder: codecs.IncrementalDecoder | None = None
        self._held = ""
        self._ready = b""
        self._is_over = False
        self._seen = 0

    def read(self, size: int = -1) -> bytes:
        while not self._is_over and (size < 0 or len(self._ready) < size):
            self._ready += self._more()
        wanted = len(self._ready) if size < 0 else size
        given, self._ready = self._ready[:wanted], self._ready[wanted:]
        return given

    def _more(self) -> bytes:
        raw = self._file.read(BLOCK)
        self._not_understood = 0 if self.is_understood else self._not_understood + len(raw)
        if self._not_understood > LONGEST:
            raise Refused(TOO_MUCH, name=self.name)
        self.is_understood = False
        self._seen += len(raw)
        self._notice(self._seen)
        self._is_over = not raw
        if self._decoder is None:
            self._decoder = codecs.getincrementaldecoder(encoding_of(raw))(errors="replace")
        text = self._held + self._decoder.decode(raw, final=self._is_over)
        whole = len(text) if self._is_over else _whole(text)
        self._held = text[whole:]
        return mended(text[:whole]).encode()


def encoding_of(beginning: bytes) -> str:
    for mark, encoding in MARKS:
        if beginning.startswith(mark):
            return encoding
    match list(beginning[:2]):  # JSON begins with a sign of ASCII
        case [0, _]:
            return "utf-16-be"
        case [_, 0]:
            return "utf-16-le"
        case _:
            return "utf-8"


def mended(text: str) -> str:
    """With escapes that JSON knows, and no half characters."""
    return ESCAPE.sub(_mended, text) if SUSPECT.search(text) else text


def _mended(escape: re.Match[str]) -> str:
    if escape["half"]:
        return r"\ufffd"
    return rf"\u00{escape['byte']}" if escape["byte"] else escape[0]


def _whole(text: str) -> int:
    """Up to where nothing is begun that the next block goes on with."""
    begun = BEGUN.search(text, max(0, len(text) - 4))
    until = begun.start() if begun else len(text)
    until = until - 1 if _backslashes(text, until) % 2 else len(text)
    half = AT_END.search(text, max(0, until - 6), until)
    return half.start() if half and _backslashes(text, half.start()) % 2 == 0 else until


def _backslashes(text: str, before: int) -> int:
    """How many stand directly before a place."""
    return before - len(text[:before].rstrip("\\"))
