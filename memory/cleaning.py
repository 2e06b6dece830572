"""Makes any input fit to be stored and shown: no byte sequence breaks the database or drives the terminal."""

import re
import unicodedata

CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"} | {0x7F: 0x2421}
JOINERS = "\u200c\u200d"
SURROGATES_AND_C1 = re.compile("[\ud800-\udfff\x80-\x9f]")


def visible(text: str) -> str:
    """A text in one line, without what nobody sees: direction marks, tags, unassigned and private characters. Joiners
    stay, because letters of Persian and Hindi and some emoji need them."""
    shown = [sign for sign in clean(text) if sign in JOINERS or unicodedata.category(sign) not in {"Cf", "Co", "Cn"}]
    return " ".join("".join(shown).split())


def clean(text: str) -> str:
    """Line ends become \\n, control characters their visible pictures (NUL is ␀), broken characters �."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return SURROGATES_AND_C1.sub("\ufffd", lines.translate(CONTROLS))
