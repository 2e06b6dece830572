"""A message as a model reads it: its words, and before them what the program knows of who wrote them and how."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from memory.context.fencing import one_line

FRAME = re.compile(r"\A<keepsake [^\n]*/>\n")
LONGEST_QUOTE = 500
# What a content may tell about its words, and how the model is told.
TOLD = {
    "by": "said-by",
    "forwarded_from": "forwarded-from",
    "edits": "edited-version-of",
    "file": "file",
    "artifact": "artifact",
}
ANSWERED = "reply_to"
USER = "User"


def frame(content: Mapping[str, Any], without: Collection[str] = ()) -> str:
    """A line of the program's own before the words. Nobody else can write one: it begins as only the program may.
    What it tells `without` is not to be told any more."""
    told = {shown: str(content[name]) for name, shown in TOLD.items() if content.get(name) and name not in without}
    if isinstance(answered := content.get(ANSWERED), Mapping) and ANSWERED not in without:
        told |= {"answers": str(answered.get("text", "")), "answers-words-of": str(answered.get("by", ""))}
    shown = "".join(f' {name}="{_quoted(words)}"' for name, words in told.items() if words)
    return f"<keepsake{shown}/>\n" if shown else ""


def speaker(content: Mapping[str, Any], by_human: bool, actor_id: str, without: Collection[str] = ()) -> str:
    """What a transcript calls whoever spoke; a person's words that somebody else said first are theirs."""
    named = (str(content[name]) for name in ("forwarded_from", "by") if content.get(name) and name not in without)
    return one_line(next(named, USER) if by_human else actor_id)


def unframed(text: str) -> str:
    """The words alone."""
    return FRAME.sub("", text, count=1)


def is_own(content: Mapping[str, Any]) -> bool:
    """Whether a message of a person's has words of their own: not only what they passed on, or a file."""
    return not content.get("forwarded_from") and str(content.get("text", "")).strip() != content.get("file")


def _quoted(words: str) -> str:
    line = one_line(words).replace('"', "”")
    return line if len(line) <= LONGEST_QUOTE else f"{line[:LONGEST_QUOTE]}…"
