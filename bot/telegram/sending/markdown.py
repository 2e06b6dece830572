"""Converts Markdown to Telegram's message entities, and splits long texts into messages."""

from typing import Any

from telegramify_markdown import convert, split_entities

from memory.cleaning import clean

MAX_UTF16_LENGTH = 4096  # Telegram counts UTF-16 code units


def split_markdown(markdown: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """Split a model's Markdown into message texts, each with its entities."""
    text, entities = convert(sanitize(markdown))
    return [
        (piece, [entity.to_dict() for entity in piece_entities])
        for piece, piece_entities in split_entities(text, entities, MAX_UTF16_LENGTH)
        if piece.strip()
    ]


def sanitize(text: str) -> str:
    """Join split surrogate pairs and replace unpaired surrogates."""
    return clean(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def split_text(text: str) -> list[str]:
    """Split plain text into message texts, at line breaks if possible."""
    return [piece for piece, _ in split_entities(text, [], MAX_UTF16_LENGTH) if piece.strip()]


def utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
