"""Which words may come next in a command, as the registry of commands knows them."""

from collections.abc import Iterable

from bot.commands import registry
from bot.commands.registry import Where


def next_words(before: str) -> list[str]:
    """Whole words that may stand where the last one of `before` has begun, in order; none where one writes freely."""
    *earlier, begun = before.split(" ")
    if not before.startswith("/") or "\n" in before:
        return []
    return sorted(word for word in _after(earlier) if word.startswith(begun))


def _after(words: list[str]) -> Iterable[str]:
    if not words:
        return [f"/{each.name}" for each in registry.listed(Where.TERMINAL)]
    command = registry.find(words[0].removeprefix("/"), "", Where.TERMINAL)
    return command.arguments(words[1:]) if command else []
