"""Turns text of any script into comparable terms: folded, stemmed, bigrams where words have no spaces."""

import re
import unicodedata
from functools import lru_cache
from itertools import islice
from typing import Final

import snowballstemmer

from memory.language.derived import derived
from memory.language.detection import (
    BEYOND_LATIN,
    DEFAULT,
    function_words,
    latin,
    likely_languages,
    script_language,
)
from memory.language.lexicon import languages, recognised

# Letters and digits of any script; the vowel signs of India and Thailand belong to their words.
WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e]|['’](?=[^\W\d_]))*")
# Scripts that write words without spaces: Thai, Lao, Khmer, Myanmar, kana, Han.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
# The same and Hangul, whose words carry their particles: these are stored as bigrams.
SIGNS: Final = re.compile(r"([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+)")
# Signs that only show how a word is read or broken: Arabic and Hebrew points, the stretching stroke, soft hyphens.
POINTING: Final = re.compile("[\u00ad\u0591-\u05bd\u0640\u064b-\u0652\u0670\u200b-\u200f\u2060\ufeff]")
# Names of files, addresses, versions, days: whole, next to their words.
COMPOUND: Final = re.compile(r"[a-z0-9_]+(?:[.@/:+-][a-z0-9_]+)*(?:\+\+|#)?")
LONGEST_TERM: Final = 64
LONGEST_STEMMED: Final = 32
MOST_STEMMED: Final = 5_000  # a book has more, a message never: a stem takes up to 0.1 ms
LONGEST_QUESTION: Final = 2_000
# A name may stand in a text of another language, whose stemmer cuts it elsewhere.
NAME: Final = re.compile(r"(?<=[a-z,] )([A-Z][a-z]+)")
STEMMED: Final = frozenset(snowballstemmer.algorithms())
PARTS_OF_LETTERS = {0, 7, 9}  # no mark, and the nukta and virama of India: anything else is an accent
MOST_MARKS = 8
SUFFIXES = ("'s", "’s", "ing", "ies", "es", "ed", "s")


@derived
def _eliding() -> frozenset[str]:
    return frozenset(language.name for language in recognised().values() if language.detection.elides)


@derived
def stop_words() -> frozenset[str]:
    """Say nothing by themselves."""
    return frozenset(word for language in languages().values() for word in language.statements.stop_words)


@derived
def pointers() -> frozenset[str]:
    """Whose something is, which changes with who speaks: "my boss" is "your boss" to the assistant."""
    return frozenset(word for language in languages().values() for word in language.statements.pointers)


@derived
def saying_nothing() -> frozenset[str]:
    """Both of them: what is left tells something."""
    return stop_words() | pointers()


def telling(text: str) -> set[str]:
    """What a text says, whoever says it: its words without those that only point, of unspaced scripts the signs."""
    said, free = pieces(text), saying_nothing()
    return {stem(word) for word in said if word not in free} or set(said)


def terms(text: str) -> list[str]:
    """The terms of a text in order, stop words left out; of a text that has nothing else, all of its words."""
    every, free = words(text), stop_words()
    telling = [word for word in every if word not in free] or every
    return [term for word in telling for term in _split(word)]


def index_terms(text: str) -> list[str]:
    """What is stored for a text: a term for each of its words, and for whole names, addresses and numbers."""
    said = _as_read(text)
    spoken, languages = _spoken(said)
    stemmed = set(islice(dict.fromkeys(spoken), MOST_STEMMED))
    terms_of = [_stored(word, (languages or (DEFAULT,))[0] if word in stemmed else None) for word in spoken]
    return [term for listed in terms_of for term in listed] + _compounds(said)


def query_terms(text: str) -> list[str]:
    """What a question asks for, each once: no small words, and where the language is unclear the stems of each."""
    said = _as_read(text[:LONGEST_QUESTION])
    spoken, languages = _spoken(said)
    asked = [word for word in spoken if not _is_small(word, languages)] or spoken
    names = {name.casefold() for name in NAME.findall(text[:LONGEST_QUESTION])}
    stems = [
        term
        for word in asked
        for language in (latin() if not languages or word in names else languages)
        for term in _stored(word, language)
    ]
    return list(dict.fromkeys([*stems, *_compounds(said)]))


def words(text: str) -> list[str]:
    """All words of a text, folded: two texts that differ only in case, accents or punctuation have the same."""
    return WORD.findall(fold(text))


def pieces(text: str) -> list[str]:
    """All words, where they are written with spaces; single characters where they are not."""
    return [piece for word in words(text) for piece in (word if UNSPACED.fullmatch(word) else [word])]


def plain(text: str) -> str:
    """A text as said once more: case, width and spacing do not matter, every sign does ("C++" is not "C#")."""
    return " ".join(unicodedata.normalize("NFKC", _with_few_marks(text)).casefold().split())


def fold(text: str) -> str:
    """Case, width and accents do not tell words apart."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    spread = unicodedata.normalize("NFKD", _with_few_marks(folded))
    return unicodedata.normalize("NFC", "".join(c for c in spread if unicodedata.combining(c) in PARTS_OF_LETTERS))


def _as_read(text: str) -> str:
    """Case, width and reading signs aside, accents kept: a stemmer knows its endings by them."""
    plain_text = text.casefold()
    if plain_text.isascii():
        return plain_text
    return unicodedata.normalize("NFKC", POINTING.sub("", _with_few_marks(plain_text))).replace("’", "'")


def _spoken(said: str) -> tuple[list[str], tuple[str, ...]]:
    """The words, where they stand apart, or whole runs of signs, and the languages that they may be in."""
    spoken = [run for word in WORD.findall(said) for run in ([word] if word.isascii() else SIGNS.split(word)) if run]
    languages = likely_languages(spoken)
    if languages and languages[0] in _eliding():
        spoken = [part for word in spoken for part in word.split("'")]
    return spoken, languages


def _compounds(said: str) -> list[str]:
    return [name[:LONGEST_TERM] for name in COMPOUND.findall(said) if not name.isalnum()]


def _stored(word: str, language: str | None) -> list[str]:
    if not word.isascii() and SIGNS.match(word):
        return [word[at : at + 2] for at in range(len(word) - 1)] or [word]
    return [_term(word, language)]


@lru_cache(maxsize=50_000)
def _term(word: str, language: str | None) -> str:
    """The stem of a word in the language of its script, or else of its text; None leaves it whole."""
    bare = word.removesuffix("'s")
    spoken = script_language(bare) or (language if bare < BEYOND_LATIN else None)
    if language and spoken in STEMMED and len(bare) <= LONGEST_STEMMED and not bare.isdigit():
        bare = snowballstemmer.stemmer(spoken).stemWord(bare)
    return fold(bare)[:LONGEST_TERM]


def _is_small(word: str, languages: tuple[str, ...]) -> bool:
    spoken = script_language(word)
    return any(
        fold(word) in function_words().get(language, ()) for language in ((spoken,) if spoken else languages[:1])
    )


def _with_few_marks(text: str) -> str:
    """No letter carries more than a few marks; a long run of them, which only malice writes, is slow to normalise."""
    if text.isascii():
        return text
    kept, run = [], 0
    for sign in text:
        run = run + 1 if unicodedata.combining(sign) else 0
        if run <= MOST_MARKS:
            kept.append(sign)
    return "".join(kept)


def _split(word: str) -> list[str]:
    if UNSPACED.fullmatch(word):
        return [word[at : at + 2] for at in range(len(word) - 1)] or [word]
    return [stem(word)]


def stem(word: str) -> str:
    """The same whatever language a line is taken for: consent and forgetting must not hang on a guess. What is
    searched has real stems."""
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word.rstrip("e") if len(word) > 3 else word
