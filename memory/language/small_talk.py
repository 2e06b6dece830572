"""Recognises greetings and thanks, which need no recall."""

from memory.language.lexicon import recognised_languages
from memory.language.lexicon_cache import lexicon_cached
from memory.language.terms import words


@lexicon_cached
def small_talk_words() -> frozenset[str]:
    """The small talk of all languages."""
    sections = [language.topics for language in recognised_languages().values() if language.topics]
    return frozenset(word for section in sections for word in section.small_talk)


def needs_recall(message: str) -> bool:
    small_talk = small_talk_words()
    return any(word not in small_talk for word in words(message))
