"""Tells which language a line is in: by its script first, among Latin ones by small words and telltale letters."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Final

from memory.language.derived import derived
from memory.language.lexicon import recognised

DEFAULT: Final = "english"
BEYOND_LATIN: Final = "\u0370"
# Ranges of code points of which each word has a language whose stemmer serves it.
SCRIPTS: Final = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "cyrillic"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "devanagari"),
    ("\u0b80", "\u0bff", "tamil"),
)
LETTER_WEIGHT: Final = 0.3  # less than a word, for a name keeps its accent wherever it goes
CLEARLY: Final = 1.25

Votes = tuple[tuple[str, float], ...]


@derived
def latin() -> tuple[str, ...]:
    """The languages that are written in Latin letters; where a line may be in several, the first is meant."""
    languages = [language for language in recognised().values() if language.detection.script == "latin"]
    return tuple(language.name for language in sorted(languages, key=lambda each: each.detection.rank or each.rank))


@derived
def function_words() -> Mapping[str, frozenset[str]]:
    """The small words of each language, by its name."""
    return {language.name: frozenset(language.detection.function_words) for language in recognised().values()}


@derived
def _by_script() -> Mapping[str, list[tuple[str, frozenset[str]]]]:
    """The languages of each script with the letters that only they write; the last one has all words without them."""
    scripts: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for language in reversed([*recognised().values()]):
        scripts.setdefault(language.detection.script, []).append(
            (language.name, frozenset(language.detection.letters or ""))
        )
    return scripts


@derived
def _voter() -> Callable[[str], Votes]:
    """Says for which Latin-script languages a word speaks, and how strongly."""
    holders: dict[str, list[str]] = {}
    kin: dict[str, list[str]] = {}
    for language in recognised().values():
        if language.detection.script == "latin":
            for word in function_words()[language.name]:
                holders.setdefault(word, []).append(language.name)
            for sign in set(language.detection.letters or ""):
                kin.setdefault(sign, []).append(language.name)

    @lru_cache(maxsize=50_000)
    def votes(word: str) -> Votes:
        known = holders.get(_unaccented(word), ())
        found = [(language, 1 / len(known)) for language in known]
        for sign in set() if word.isascii() else set(word):
            writers = kin.get(sign, ())
            found.extend((language, LETTER_WEIGHT / len(writers)) for language in writers)
        return tuple(found)

    return votes


def script_language(word: str) -> str | None:
    """The language whose stemmer fits the script of a word; None: Latin, or a script that none serves."""
    if word < BEYOND_LATIN:
        return None
    first = word[0]
    for start, end, script in SCRIPTS:
        if start <= first <= end:
            *marked, (usual, _) = _by_script()[script]
            return next((language for language, letters in marked if not letters.isdisjoint(word)), usual)
    return None


def likely_languages(words: Iterable[str]) -> tuple[str, ...]:
    """The Latin-script languages a line may be in, best first: several when it is unclear, none without a sign."""
    votes_of = _voter()
    votes = dict.fromkeys(latin(), 0.0)
    for word in words:
        for language, vote in votes_of(word):
            votes[language] += vote
    ranked = sorted((language for language in votes if votes[language] > 0), key=lambda language: -votes[language])
    if not ranked:
        return ()
    best = votes[ranked[0]]
    return tuple(language for language in ranked if votes[language] * CLEARLY > best)


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))
