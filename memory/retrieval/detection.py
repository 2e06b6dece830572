"""Tells which language a line is in: by its script first, among Latin ones by small words and telltale letters."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from memory.retrieval.function_words import FUNCTION_WORDS

DEFAULT: Final = "english"
BEYOND_LATIN: Final = "\u0370"
LATIN: Final = tuple(
    "english spanish french german portuguese italian dutch polish turkish indonesian vietnamese romanian swedish "
    "danish norwegian czech hungarian finnish".split()
)
# Ranges of code points, and the language whose stemmer serves words written in them.
SCRIPTS: Final = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0530", "\u058f", "armenian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0900", "\u097f", "hindi"),
    ("\u0b80", "\u0bff", "tamil"),
)
PERSIAN: Final = frozenset("پچژگکی")
# Letters that few languages write: weaker than a word, for a name keeps its accent wherever it goes.
LETTERS: Final = {
    "german": "ßäöü",
    "spanish": "ñ¿¡áíóú",
    "portuguese": "ãõçêáâ",
    "french": "éèêàùçœîô",
    "italian": "èàòùì",
    "polish": "łąęśżźćńó",
    "czech": "řěůžščýí",
    "turkish": "ğışçöü",
    "romanian": "șțăâî",
    "hungarian": "őűáéö",
    "swedish": "åäö",
    "danish": "øæå",
    "norwegian": "øåæ",
    "finnish": "äö",
    "vietnamese": "đơưạảấầẩậắằặẹẻẽếềểệỉịọỏốồổộớờởợụủứừửựỳỵỷỹ",
}
LETTER_WEIGHT: Final = 0.3
CLEARLY: Final = 1.25


def _known() -> dict[str, tuple[str, ...]]:
    languages: dict[str, tuple[str, ...]] = {}
    for language in LATIN:
        for word in FUNCTION_WORDS[language]:
            languages[word] = (*languages.get(word, ()), language)
    return languages


KNOWN: Final = _known()
TELLTALES: Final = {
    sign: tuple(language for language, signs in LETTERS.items() if sign in signs) for sign in "".join(LETTERS.values())
}


def script_language(word: str) -> str | None:
    """The language whose stemmer fits the script of a word; None: Latin, or a script that none serves."""
    if word < BEYOND_LATIN:
        return None
    first = word[0]
    for start, end, language in SCRIPTS:
        if start <= first <= end:
            return "persian" if language == "arabic" and not PERSIAN.isdisjoint(word) else language
    return None


def likely_languages(words: Iterable[str]) -> tuple[str, ...]:
    """The Latin-script languages a line may be in, best first: several when it is unclear, none without a sign."""
    votes = dict.fromkeys(LATIN, 0.0)
    for word in words:
        for language, vote in _votes(word):
            votes[language] += vote
    ranked = sorted((language for language in LATIN if votes[language] > 0), key=lambda language: -votes[language])
    if not ranked:
        return ()
    best = votes[ranked[0]]
    return tuple(language for language in ranked if votes[language] * CLEARLY > best)


@lru_cache(maxsize=50_000)
def _votes(word: str) -> tuple[tuple[str, float], ...]:
    holders = KNOWN.get(_unaccented(word), ())
    votes = [(language, 1 / len(holders)) for language in holders]
    for sign in set() if word.isascii() else set(word):
        kin = TELLTALES.get(sign, ())
        votes.extend((language, LETTER_WEIGHT / len(kin)) for language in kin)
    return tuple(votes)


def _unaccented(word: str) -> str:
    if word.isascii():
        return word
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))
