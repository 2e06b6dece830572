"""Tells greetings and thanks, which ask for nothing that was said before, from all else."""

from memory.language.derived import derived
from memory.language.lexicon import recognised
from memory.language.terms import words


@derived
def small_talk() -> frozenset[str]:
    """Of all languages."""
    sections = [language.topics for language in recognised().values() if language.topics]
    return frozenset(word for section in sections for word in section.small_talk)


def needs_recall(message: str) -> bool:
    known = small_talk()
    return any(word not in known for word in words(message))
