"""Detects the language of a line: by script first, and for Latin script by function words and typical letters."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final

from memory.language.lexicon import RecognisedLanguage, recognised_languages
from memory.language.lexicon_cache import lexicon_cached

DEFAULT: Final = "english"
BEYOND_LATIN: Final = "\u0370"
# Ranges of code points for which there is a stemmer.
SCRIPTS: Final = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "cyrillic"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "devanagari"),
    ("\u0b80", "\u0bff", "tamil"),
)
LETTER_WEIGHT: Final = 0.3  # less than a word, because names keep their accents in every language
CLEAR_LEAD: Final = 1.25

Votes = tuple[tuple[str, float], ...]


def _tie_rank(language: RecognisedLanguage) -> int:
    return language.detection.rank or language.rank


@lexicon_cached
def latin() -> tuple[str, ...]:
    """The languages in Latin script, by preference: the first one wins a tie."""
    languages = [language for language in recognised_languages().values() if language.detection.script == "latin"]
    return tuple(language.name for language in sorted(languages, key=_tie_rank))


@lexicon_cached
def function_words() -> Mapping[str, frozenset[str]]:
    """The function words of each language, by language name."""
    return {language.name: frozenset(language.detection.function_words) for language in recognised_languages().values()}


@lexicon_cached
def _by_script() -> Mapping[str, list[tuple[str, frozenset[str]]]]:
    """The languages of each script with their distinctive letters. The last one is the default of its script."""
    scripts: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for language in reversed([*recognised_languages().values()]):
        scripts.setdefault(language.detection.script, []).append(
            (language.name, frozenset(language.detection.letters or ""))
        )
    return scripts


@lexicon_cached
def _voter() -> Callable[[str], Votes]:
    """Return a function that maps a word to its votes: Latin-script languages with weights."""
    by_word: dict[str, list[str]] = {}
    by_letter: dict[str, list[str]] = {}
    for language in recognised_languages().values():
        if language.detection.script == "latin":
            for word in function_words()[language.name]:
                by_word.setdefault(word, []).append(language.name)
            for letter in set(language.detection.letters or ""):
                by_letter.setdefault(letter, []).append(language.name)

    @lru_cache(maxsize=50_000)
    def votes(word: str) -> Votes:
        matching = by_word.get(_unaccented(word), ())
        found = [(language, 1 / len(matching)) for language in matching]
        for letter in set() if word.isascii() else set(word):
            candidates = by_letter.get(letter, ())
            found.extend((language, LETTER_WEIGHT / len(candidates)) for language in candidates)
        return tuple(found)

    return votes


def script_language(word: str) -> str | None:
    """Return the language whose stemmer fits a word's script; None for Latin and for scripts without a stemmer."""
    if word < BEYOND_LATIN:
        return None
    first = word[0]
    for start, end, script in SCRIPTS:
        if start <= first <= end:
            *special, (default, _) = _by_script()[script]
            return next((language for language, letters in special if not letters.isdisjoint(word)), default)
    return None


def likely_languages(words: Iterable[str]) -> tuple[str, ...]:
    """Return the likely Latin-script languages of a line, best first: several if unclear, none without evidence."""
    votes_of = _voter()
    votes = dict.fromkeys(latin(), 0.0)
    for word in words:
        for language, vote in votes_of(word):
            votes[language] += vote
    ranked = sorted((language for language in votes if votes[language] > 0), key=lambda language: -votes[language])
    if not ranked:
        return ()
    best = votes[ranked[0]]
    return tuple(language for language in ranked if votes[language] * CLEAR_LEAD > best)


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    return "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))
