"""Makes the words of people and models safe to stand in a prompt: they cannot pass for the program's own."""

import re

FENCE = re.compile(r"<(?=/?keepsake)", re.IGNORECASE)  # only the program speaks inside it


def fenced(text: str) -> str:
    return FENCE.sub("‹", text)


def one_line(text: str) -> str:
    """What is remembered may not begin a line of its own, or it could pass for a heading or an instruction."""
    return " ".join(text.split()).replace("<", "‹").replace(">", "›")
