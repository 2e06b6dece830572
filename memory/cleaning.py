"""Makes any text safe to store and show: nothing in it breaks the database or controls the terminal."""

import re
import unicodedata

CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"} | {0x7F: 0x2421}
JOINERS = "\u200c\u200d"
SURROGATES_AND_C1 = re.compile("[\ud800-\udfff\x80-\x9f]")


def visible(text: str) -> str:
    """The text on one line, without invisible characters: direction marks, tags, unassigned and private ones. Joiners
    stay, because Persian, Hindi and some emoji need them."""
    shown = [char for char in clean(text) if char in JOINERS or unicodedata.category(char) not in {"Cf", "Co", "Cn"}]
    return " ".join("".join(shown).split())


def clean(text: str) -> str:
    """Line ends become \\n, control characters their Unicode symbols (NUL is ␀), lone surrogates �."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return SURROGATES_AND_C1.sub("\ufffd", lines.translate(CONTROLS))
