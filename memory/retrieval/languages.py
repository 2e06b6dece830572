"""Turns text of any script into comparable terms: folded, lightly stemmed, bigrams where words have no spaces."""

import re
import unicodedata

# Letters and digits of any script; the vowel signs of India and Thailand belong to their words.
WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e]|['’](?=[^\W\d_]))*")
# Scripts that write words without spaces: Thai, Lao, Khmer, Myanmar, kana, Han.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
PARTS_OF_LETTERS = {0, 7, 9}  # no mark, and the nukta and virama of India: anything else is an accent
SUFFIXES = ("'s", "’s", "ing", "ies", "es", "ed", "s")
STOP_WORDS = frozenset(
    "a an and any are as at be but by can could did do does for from had has have he her his how i i'm in is "
    "it its know me my of on or our she so tell that the their them they this to us was we were what what's "
    "when where which who who's whom whose why will with would you your about remember please mine am been".split()
)


def terms(text: str) -> list[str]:
    """The terms of a text in order, stop words left out; of a text that has nothing else, all of its words."""
    every = words(text)
    telling = [word for word in every if word not in STOP_WORDS] or every
    return [term for word in telling for term in _split(word)]


def words(text: str) -> list[str]:
    """All words of a text, folded: two texts that differ only in case, accents or punctuation have the same."""
    return WORD.findall(fold(text))


def plain(text: str) -> str:
    """A text as said once more: case, width and spacing do not matter, every sign does ("C++" is not "C#")."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def fold(text: str) -> str:
    """Case, width and accents do not tell words apart."""
    spread = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in spread if unicodedata.combining(c) in PARTS_OF_LETTERS))


def _split(word: str) -> list[str]:
    if UNSPACED.fullmatch(word):
        return [word[at : at + 2] for at in range(len(word) - 1)] or [word]
    return [_stem(word)]


def _stem(word: str) -> str:
    """Enough that "lives" finds "live"; real stemmers come with recall."""
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            break
    return word.rstrip("e") if len(word) > 3 else word
