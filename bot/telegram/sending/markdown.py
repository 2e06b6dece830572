"""Markdown and long texts as Telegram takes them: entities, and pieces that fit into a message."""

from typing import Any

from telegramify_markdown import convert, split_entities

from memory.cleaning import clean

LONGEST = 4096  # UTF-16 units, as Telegram counts


def formatted(markdown: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """A model's Markdown as texts that fit into a message each, with what is bold, code or a link in it."""
    text, entities = convert(fit_to_send(markdown))
    return [
        (piece, [entity.to_dict() for entity in found])
        for piece, found in split_entities(text, entities, LONGEST)
        if piece.strip()
    ]


def fit_to_send(text: str) -> str:
    """Halves of a character that came apart are joined, what is none becomes a sign that says so."""
    return clean(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def plain(text: str) -> list[str]:
    """A text of our own in pieces that fit into a message, cut at line ends where there are any."""
    return [piece for piece, _ in split_entities(text, [], LONGEST) if piece.strip()]


def units(text: str) -> int:
    """How long Telegram thinks it is."""
    return len(text.encode("utf-16-le")) // 2
