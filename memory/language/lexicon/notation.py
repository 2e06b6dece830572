r"""How a data file writes patterns and lists of words.

    polite = ['please', 'thank you']        # alternatives of a pattern, joined with |
    always = '''always (?:answer|reply|
      write)'''                             # a line break, with the indentation after it, is nothing
    words = "not no never"                  # plain words

A pattern is a regular expression that is matched without case, accents and Arabic vowel signs; write letters as they
are spelled. A space is any space, and `\b` knows the vowel signs of Devanagari. Nothing may repeat without a limit
inside a repetition: messages are hostile.
"""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator

NEVER = r"(?!)"
"""The pattern of what a language does not have."""

LINE_BREAK = re.compile(r"\n[ \t]*")


def _joined(value: Any) -> Any:
    parts = value if isinstance(value, list) else [value]
    if not all(isinstance(part, str) for part in parts):
        return value  # which is no text, as pydantic says
    return "|".join(LINE_BREAK.sub("", part) for part in parts)


def _parted(value: Any) -> Any:
    return value.split() if isinstance(value, str) else value


Alternatives = Annotated[str, BeforeValidator(_joined)]
WordList = Annotated[tuple[str, ...], BeforeValidator(_parted)]
