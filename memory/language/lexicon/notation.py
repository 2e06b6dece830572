r"""The notation of patterns and word lists in the data files.

    polite = ['please', 'thank you']        # alternatives of a pattern, joined with |
    always = '''always (?:answer|reply|
      write)'''                             # a line break and the indentation after it are dropped
    words = "not no never"                  # plain words

A pattern is a regular expression that ignores case, accents and Arabic vowel signs; spell words normally. A space
matches any white space, and `\b` knows the vowel signs of Devanagari. Never nest an unlimited repetition in another:
messages may be hostile.
"""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator

NEVER = r"(?!)"
"""Never matches; the default of a key that a language does not need."""

LINE_BREAK = re.compile(r"\n[ \t]*")


def _joined(value: Any) -> Any:
    parts = value if isinstance(value, list) else [value]
    if not all(isinstance(part, str) for part in parts):
        return value  # pydantic reports the wrong type
    return "|".join(LINE_BREAK.sub("", part) for part in parts)


def _split(value: Any) -> Any:
    return value.split() if isinstance(value, str) else value


Alternatives = Annotated[str, BeforeValidator(_joined)]
WordList = Annotated[tuple[str, ...], BeforeValidator(_split)]
