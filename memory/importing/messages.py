"""What a reader of an export is given, and what it gives: messages, or why something is left out."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from functools import lru_cache
from typing import Any, BinaryIO

from memory.events.contents import redact_content
from memory.importing.account import Account
from memory.importing.json_bytes import JsonBytes
from memory.importing.json_stream import JsonStream

MAX_NAME_LENGTH, MAX_READ = 64, 1_000
MAX_TEXT_LENGTH = 2_000_000  # characters; what is longer is no message
MAX_LINE_LENGTH = 4 * MAX_TEXT_LENGTH  # bytes
FIRST_DAY = datetime(1990, 1, 1, tzinfo=UTC)


class SkipReason(StrEnum):
    """Why something of an export is left out."""

    SERVICE = "service"
    """Somebody joined, called, pinned something."""
    WORDLESS = "wordless"
    """A picture, a voice, a sticker; an answer without a word."""
    HIDDEN = "hidden"
    """What a program told itself: instructions, thoughts, tools."""
    ABANDONED = "abandoned"
    """A question or an answer that was replaced by another one."""
    BROADCAST = "broadcast"
    """What a channel told everybody."""
    HERE = "here"
    """Said to the bot of this house, or by it: it was heard then, and kept or not as its owner wished."""
    BOT = "bot"
    """Said to a bot, where nobody knows which one is ours."""
    UNREADABLE = "unreadable"
    """It has no time, or is nothing that a message could be."""
    TOO_LONG = "too_long"
    FORGOTTEN = "forgotten"
    """Its owner had it forgotten here."""


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    """A message. `chat` and `key` name it in its source; `part` is the run of messages in that chat that makes a
    conversation of its own. Who is `by` an assistant has no `speaker`."""

    chat: str
    key: str
    at: datetime
    text: str
    speaker: str = ""
    name: str = ""
    by_assistant: bool = False
    part: str = ""
    extra: Mapping[str, Any] | None = None
    """What else is known of its words: whose they are, which file came with them."""
    reply_to: str | None = None
    """The key of the message that it answers."""


ImportItem = ImportedMessage | SkipReason


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """One document of an export, opened to be read once. A reader takes it as JSON or line by line."""

    file: BinaryIO
    name: str
    timezone: tzinfo
    """Of times that tell none of their own."""
    account: Account
    """To be filled in with who speaks, where the owner has to be asked for."""
    previous: Account | None = None
    """What an earlier reading filled in."""
    on_progress: Callable[[int], None] = lambda seen: None
    """Is told how many bytes were read."""

    def json(self) -> JsonStream:
        return JsonStream(JsonBytes(self.file, self.name, self.on_progress))

    def lines(self) -> Iterator[str]:
        """A line that is longer than any message comes in pieces."""
        seen = 0
        while line := self.file.readline(MAX_LINE_LENGTH):
            text = line.decode("utf-8" if seen else "utf-8-sig", "replace")
            seen += len(line)
            self.on_progress(seen)
            yield text.rstrip("\r\n")


Reader = Callable[[OpenDocument], Iterator[ImportItem]]


def clean_name(name: object) -> str:
    """A name as it may stand in a prompt: a person chose it, and may have chosen it to be read as something else."""
    return _called(name[:MAX_READ]) if isinstance(name, str) else ""


@lru_cache(maxsize=10_000)
def _called(name: str) -> str:
    """The same few names stand at every message."""
    return " ".join(re.sub(r"[<>\[\]:\n]", " ", str(redact_content(name, []))).split())[:MAX_NAME_LENGTH]


def quote_lines(words: str) -> str:
    """Words that somebody shows and does not say: nothing that stands in them is their own statement."""
    return "\n".join(f"> {line}" for line in words.strip("\r\n").splitlines())


def parse_timestamp(seconds: object) -> datetime | None:
    """Seconds since 1970 as a moment at which somebody may have written a message."""
    try:
        at = datetime.fromtimestamp(float(seconds), UTC)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return plausible(at)


def parse_datetime(written: object, timezone: tzinfo = UTC) -> datetime | None:
    """The same of a time that is written out, in that zone where it tells none."""
    try:
        at = datetime.fromisoformat(str(written))
        return plausible((at if at.tzinfo else at.replace(tzinfo=timezone)).astimezone(UTC))
    except (ValueError, OverflowError):
        return None


def plausible(at: datetime) -> datetime | None:
    """Nothing, where nobody can have written a message then."""
    return at if at >= FIRST_DAY else None


def accept(heard: ImportedMessage) -> ImportItem:
    """A message, unless it has no words or too many."""
    if not heard.text.strip():
        return SkipReason.WORDLESS
    return heard if len(heard.text) <= MAX_TEXT_LENGTH else SkipReason.TOO_LONG
