"""Frames a message for a model: a line with what the program knows about its author and origin, then its words."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from memory.context.fencing import one_line

FRAME = re.compile(r"\A<keepsake [^\n]*/>\n")
LONGEST_QUOTE = 500
# Fields of a content that describe its words, and their attribute names in the frame.
FRAME_ATTRIBUTES = {
    "by": "said-by",
    "forwarded_from": "forwarded-from",
    "edits": "edited-version-of",
    "file": "file",
    "artifact": "artifact",
}
REPLY_FIELD = "reply_to"
DEFAULT_SPEAKER = "User"


def frame(content: Mapping[str, Any], without: Collection[str] = ()) -> str:
    """Return the frame line, or an empty text if there is nothing to say. Fields in `without` are left out.

    Nobody else can write such a line, because messages are escaped.
    """
    present = {name: str(content[name]) for name in FRAME_ATTRIBUTES if content.get(name) and name not in without}
    attributes = {FRAME_ATTRIBUTES[name]: words for name, words in present.items()}
    if isinstance(answered := content.get(REPLY_FIELD), Mapping) and REPLY_FIELD not in without:
        attributes |= {"answers": str(answered.get("text", "")), "answers-words-of": str(answered.get("by", ""))}
    rendered = "".join(f' {name}="{_quoted(words)}"' for name, words in attributes.items() if words)
    return f"<keepsake{rendered}/>\n" if rendered else ""


def speaker_name(content: Mapping[str, Any], by_human: bool, actor_id: str, without: Collection[str] = ()) -> str:
    """Return the speaker's name for a transcript. For forwarded words that is their original author."""
    names = (str(content[name]) for name in ("forwarded_from", "by") if content.get(name) and name not in without)
    return one_line(next(names, DEFAULT_SPEAKER) if by_human else actor_id)


def remove_frame(text: str) -> str:
    return FRAME.sub("", text, count=1)


def has_own_words(content: Mapping[str, Any]) -> bool:
    """Whether a person's message has words of their own, and is not just forwarded or a file."""
    return not content.get("forwarded_from") and str(content.get("text", "")).strip() != content.get("file")


def _quoted(words: str) -> str:
    line = one_line(words).replace('"', "”")
    return line if len(line) <= LONGEST_QUOTE else f"{line[:LONGEST_QUOTE]}…"
