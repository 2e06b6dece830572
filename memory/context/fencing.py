"""Makes texts of people and models safe for a prompt: they cannot pass for the program's own words."""

import re

FENCE = re.compile(r"<(?=/?keepsake)", re.IGNORECASE)  # marks the program's own words


def fenced(text: str) -> str:
    return FENCE.sub("‹", text)


def one_line(text: str) -> str:
    """Put a text on one line: a line of its own could pass for a heading or an instruction."""
    return " ".join(text.split()).replace("<", "‹").replace(">", "›")
