"""Turns text of any script into comparable terms: folded and stemmed, or bigrams in scripts without spaces."""

import re
import unicodedata
from functools import lru_cache
from itertools import islice
from typing import Final

import snowballstemmer

from memory.language.detection import (
    BEYOND_LATIN,
    DEFAULT,
    function_words,
    latin,
    likely_languages,
    script_language,
)
from memory.language.lexicon import languages, recognised_languages
from memory.language.lexicon_cache import lexicon_cached

# Letters and digits of any script. The vowel signs of India and Thailand belong to their words.
WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e]|['’](?=[^\W\d_]))*")
# Scripts without spaces between words: Thai, Lao, Khmer, Myanmar, kana, Han.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
# Scripts indexed as bigrams: the same, and Hangul, whose particles are attached to words.
BIGRAM_SCRIPTS: Final = re.compile(
    r"([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+)"
)
# Marks that only affect reading or line breaks: Arabic and Hebrew points, tatweel, soft hyphens.
POINTING: Final = re.compile("[\u00ad\u0591-\u05bd\u0640\u064b-\u0652\u0670\u200b-\u200f\u2060\ufeff]")
# File names, addresses, versions and dates are indexed whole, in addition to their words.
COMPOUND: Final = re.compile(r"[a-z0-9_]+(?:[.@/:+-][a-z0-9_]+)*(?:\+\+|#)?")
MAX_TERM_LENGTH: Final = 64
MAX_STEM_LENGTH: Final = 32
MAX_STEMMED: Final = 5_000  # stemming a word takes up to 0.1 ms; only books have more distinct words
MAX_QUESTION_LENGTH: Final = 2_000
# A name may occur in a text of another language, whose stemmer cuts it differently.
NAME: Final = re.compile(r"(?<=[a-z,] )([A-Z][a-z]+)")
STEMMED: Final = frozenset(snowballstemmer.algorithms())
LETTER_CLASSES = {0, 7, 9}  # combining classes kept when folding: no mark, nukta, virama; all others are accents
MAX_MARKS = 8
SUFFIXES = ("'s", "’s", "ing", "ies", "es", "ed", "s")


@lexicon_cached
def _eliding_languages() -> frozenset[str]:
    return frozenset(language.name for language in recognised_languages().values() if language.detection.elides)


@lexicon_cached
def stop_words() -> frozenset[str]:
    return frozenset(word for language in languages().values() for word in language.statements.stop_words)


@lexicon_cached
def pronouns() -> frozenset[str]:
    """Words that change with the speaker: "my boss" is "your boss" to the assistant."""
    return frozenset(word for language in languages().values() for word in language.statements.pronouns)


@lexicon_cached
def uninformative_words() -> frozenset[str]:
    return stop_words() | pronouns()


def key_terms(text: str) -> set[str]:
    """Return the stems of the informative words, independent of the speaker, or all words if none is informative."""
    tokens, ignored = tokenise(text), uninformative_words()
    return {stem(token) for token in tokens if token not in ignored} or set(tokens)


def terms(text: str) -> list[str]:
    """The terms of a text in order, without stop words unless there are no others."""
    all_words, ignored = words(text), stop_words()
    kept = [word for word in all_words if word not in ignored] or all_words
    return [term for word in kept for term in (_bigrams(word) if UNSPACED.fullmatch(word) else [stem(word)])]


def index_terms(text: str) -> list[str]:
    """The terms to index for a text: one for each word, and one for each whole name, address or number."""
    folded = _fold_except_accents(text)
    text_words, candidates = _words_and_languages(folded)
    stemmed = set(islice(dict.fromkeys(text_words), MAX_STEMMED))
    language = (candidates or (DEFAULT,))[0]
    return [
        term for word in text_words for term in _terms_of_word(word, language if word in stemmed else None)
    ] + _compounds(folded)


def query_terms(text: str) -> list[str]:
    """Return the distinct terms to search for, without function words. If the language is unclear, words are stemmed
    in each Latin-script language."""
    folded = _fold_except_accents(text[:MAX_QUESTION_LENGTH])
    text_words, candidates = _words_and_languages(folded)
    kept = [word for word in text_words if not _is_function_word(word, candidates)] or text_words
    names = {name.casefold() for name in NAME.findall(text[:MAX_QUESTION_LENGTH])}
    stems = [
        term
        for word in kept
        for language in (latin() if not candidates or word in names else candidates)
        for term in _terms_of_word(word, language)
    ]
    return list(dict.fromkeys([*stems, *_compounds(folded)]))


def words(text: str) -> list[str]:
    """Return all words of a text, folded. Differences in case, accents and punctuation do not matter."""
    return WORD.findall(fold(text))


def tokenise(text: str) -> list[str]:
    """All words of scripts with spaces, and the single characters of scripts without."""
    return [token for word in words(text) for token in (word if UNSPACED.fullmatch(word) else [word])]


def normalise(text: str) -> str:
    """A text without differences in case, width and spacing; every other character counts ("C++" is not "C#")."""
    return " ".join(unicodedata.normalize("NFKC", _limit_marks(text)).casefold().split())


def fold(text: str) -> str:
    """A text without differences in case, width and accents."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    decomposed = unicodedata.normalize("NFKD", _limit_marks(folded))
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if unicodedata.combining(c) in LETTER_CLASSES))


def stem(word: str) -> str:
    """A crude stem for consent and forgetting, which must not depend on a guess of the language.

    The search index uses real stemmers.
    """
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word.rstrip("e") if len(word) > 3 else word


def _fold_except_accents(text: str) -> str:
    """Remove differences in case and width, and reading marks. Accents stay, because stemmers need them."""
    folded = text.casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFKC", POINTING.sub("", _limit_marks(folded))).replace("’", "'")


def _words_and_languages(folded: str) -> tuple[list[str], tuple[str, ...]]:
    """Words, or whole runs of characters in scripts without spaces, and the languages they may be in."""
    runs = [
        run
        for word in WORD.findall(folded)
        for run in ([word] if word.isascii() else BIGRAM_SCRIPTS.split(word))
        if run
    ]
    candidates = likely_languages(runs)
    if candidates and candidates[0] in _eliding_languages():
        runs = [part for run in runs for part in run.split("'")]
    return runs, candidates


def _compounds(folded: str) -> list[str]:
    return [compound[:MAX_TERM_LENGTH] for compound in COMPOUND.findall(folded) if not compound.isalnum()]


def _terms_of_word(word: str, language: str | None) -> list[str]:
    if not word.isascii() and BIGRAM_SCRIPTS.match(word):
        return _bigrams(word)
    return [_term(word, language)]


@lru_cache(maxsize=50_000)
def _term(word: str, language: str | None) -> str:
    """The stem of a word in the language of its script, otherwise in `language`. Unstemmed if that is None."""
    bare = word.removesuffix("'s")
    stemmer = script_language(bare) or (language if bare < BEYOND_LATIN else None)
    if language and stemmer in STEMMED and len(bare) <= MAX_STEM_LENGTH and not bare.isdigit():
        bare = snowballstemmer.stemmer(stemmer).stemWord(bare)
    return fold(bare)[:MAX_TERM_LENGTH]


def _is_function_word(word: str, candidates: tuple[str, ...]) -> bool:
    by_script = script_language(word)
    likeliest = (by_script,) if by_script else candidates[:1]
    return any(fold(word) in function_words().get(language, ()) for language in likeliest)


def _limit_marks(text: str) -> str:
    """Drop excess combining marks: a long run of them is malicious, and slow to normalise."""
    if text.isascii():
        return text
    kept, run = [], 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        if run <= MAX_MARKS:
            kept.append(character)
    return "".join(kept)


def _bigrams(word: str) -> list[str]:
    return [word[at : at + 2] for at in range(len(word) - 1)] or [word]
