"""Completes commands and their arguments from the command registry."""

from collections.abc import Iterable

from bot.commands import registry
from bot.commands.registry import Where


def next_words(before: str) -> list[str]:
    """Return the words that can complete the last word of `before`, sorted; none for free text."""
    *earlier, prefix = before.split(" ")
    if not before.startswith("/") or "\n" in before:
        return []
    return sorted(word for word in _after(earlier) if word.startswith(prefix))


def _after(words: list[str]) -> Iterable[str]:
    if not words:
        return [f"/{each.name}" for each in registry.listed(Where.TERMINAL)]
    command = registry.find(words[0].removeprefix("/"), "", Where.TERMINAL)
    return command.arguments(words[1:]) if command else []
