"""Finds names in a sentence that its sources do not mention.

A capital at the start of a sentence proves nothing. An unknown word there counts as a name if one of these holds:

- it is a possessive ("Bob's")
- a third-person verb follows, or "and" and a capitalised word
- the next word follows a name in a source ("Bob Miller", where the source mentions Ada Miller)

German capitalises every noun. An unknown word there counts as a name if none of these holds:

- an article, a possessive, an adjective or a number precedes it
- it ends like a noun, or is an everyday noun
- it shares its beginning or end with a word of the sources, as parts of a compound do
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import snowballstemmer

from memory.language.detection import DEFAULT, function_words, script_language
from memory.language.lexicon import languages, recognised_languages
from memory.language.lexicon.detection import NameForms
from memory.language.lexicon.names import CapitalisedNouns, NameWords
from memory.language.lexicon_cache import lexicon_cached
from memory.language.sentences import sentence_bounds
from memory.language.terms import UNSPACED, WORD, fold, normalise
from memory.language.time.date_parts import date_lexicon
from memory.language.time.numbers import any_number

CASELESS: Final = re.compile(r"[\u0600-\u06ff\u0900-\u097f\u3400-\u9fff]")
QUOTED: Final = re.compile(r"[“„«「『《\"]([^“”„«»「」『』《》\"\n]{2,60})[”“»」』》\"]")


@lexicon_cached
def _no_names() -> frozenset[str]:
    return _all_words("no_names")


@lexicon_cached
def _openers() -> frozenset[str]:
    return _all_words("openers")


@lexicon_cached
def _joiners() -> frozenset[str]:
    return _all_words("joiners")


@lexicon_cached
def _name_endings() -> frozenset[str]:
    return _all_words("endings") | {""}


def _all_words(key: str) -> frozenset[str]:
    return frozenset(fold(word) for language in languages().values() for word in getattr(language.names, key))


@lexicon_cached
def _name_forms() -> Mapping[str | None, NameForms]:
    sections = {language.name: language.detection for language in recognised_languages().values()}
    return {name: section.name_forms for name, section in sections.items() if section.name_forms is not None}


@lexicon_cached
def _by_language() -> Mapping[str, NameWords]:
    return {language.name: language.names for language in languages().values()}


@lexicon_cached
def _before_nouns() -> Mapping[str, re.Pattern[str]]:
    """Patterns for words that make the next word a noun, for languages that capitalise every noun."""
    patterns = {}
    for language in languages().values():
        if nouns := language.names.nouns:
            words, declined, declined_end, adjectives_end = (
                "|".join(map(re.escape, listed))
                for listed in (nouns.before, nouns.declined_before, nouns.declined_endings, nouns.adjective_endings)
            )
            patterns[language.name] = re.compile(
                rf"(?:{words}|(?:{declined})(?:{declined_end})?|\d+|\w{{2,}}(?:{adjectives_end}))"
            )
    return patterns


class SourceWords:
    """The words of the sources, indexed by their first letters, and the words that follow a capitalised one."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = [normalise(text) for text in texts]
        self.words: set[str] = set()
        self.after_names: set[str] = set()
        for text in texts:
            before = ""
            for word in WORD.findall(_blank_unspaced(text)):
                self.words.update(fold(part) for part in _bare(word))
                if before[:1].isupper() and len(before) > 1 and not _is_common(fold(before)):
                    self.after_names.add(fold(word))
                before = word
        self.by_start: dict[str, list[str]] = {}
        for source_word in self.words:
            self.by_start.setdefault(source_word[:2], []).append(source_word)

    def contains(self, word: str) -> bool:
        folded = fold(word)
        return folded in self.words or any(_is_form(folded, other) for other in self.by_start.get(folded[:2], ()))

    def shares_part(self, word: str) -> bool:
        """Return whether a German word shares its beginning or end with a source word, like parts of a compound."""
        folded = fold(word)
        return any(
            _common_prefix(folded, other) >= 5
            or _common_prefix(folded[::-1], other[::-1]) >= 5
            or (len(other) >= 4 and other in folded)
            or (len(folded) >= 4 and folded in other)
            for other in self.words
        )


def _blank_unspaced(text: str) -> str:
    """Blank out scripts without spaces, keeping the length, so that a Latin name within them is a separate word."""
    return UNSPACED.sub(lambda run: " " * len(run[0]), text)


def _bare(word: str) -> list[str]:
    """Return a word without a trailing 's, and its parts around apostrophes ("l'eau")."""
    whole = re.sub(r"['’]s$", "", word)
    return list(dict.fromkeys((whole, *filter(None, re.split("['’]", whole)))))


def _common_prefix(one: str, other: str) -> int:
    """The length of the common prefix of two words."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _is_form(one: str, other: str) -> bool:
    """Return whether two folded words are forms of one name: "Anna" and "Annas", but not "Paul" and "Paula"."""
    shared = _common_prefix(one, other)
    if script_language(one) in _name_forms():
        longer = max(len(one), len(other))
        return _stem(one) == _stem(other) or (shared >= 4 and shared == min(len(one), len(other)) >= longer - 3)
    rests = {one[shared:], other[shared:]}
    return (shared >= 4 and rests <= _name_endings()) or (shared >= 3 and rests == {"", "s"})


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    """The common stem of all forms of a name: Павел, Павла."""
    language = script_language(word) or DEFAULT
    forms = _name_forms().get(language, NameForms())
    for pattern, letters in forms.before_stemming:
        word = re.sub(pattern, letters, word)
    word = str(snowballstemmer.stemmer(language).stemWord(word))
    for pattern, letters in forms.after_stemming:
        word = re.sub(pattern, letters, word)
    return word


def _is_common(word: str, language: str = DEFAULT) -> bool:
    """Return whether a folded word is a function word, a date or number word, or a listed word that is no name."""
    meaning = date_lexicon().get(word)
    is_time = bool(meaning and meaning.part in "MmbsWwSU")
    return word in _no_names() or word in function_words().get(language, ()) or is_time or word in any_number()


def unknown_names(text: str, language: str, sources: SourceWords) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and spelling of each name that the sources do not mention."""
    words = list(WORD.finditer(_blank_unspaced(text)))
    openings = {first.start() for start, _ in sentence_bounds(text) if (first := WORD.search(text, start))}
    caseless = len(CASELESS.findall(text)) > len(re.findall("[a-zA-Z]", text))
    for at, word in enumerate(words):
        name = next((part for part in _bare(word[0])[::-1] if part[:1].isupper()), _bare(word[0])[0])
        is_code = not name[0].isdigit() and bool(re.search(r"\d", name)) and name[0].isascii()
        is_latin = caseless and name.isascii() and name.isalpha()
        if len(name) < 2 or not (name[0].isupper() or is_code or is_latin):
            continue
        if _is_common(fold(name), language) or _is_common(fold(word[0]), language) or sources.contains(name):
            continue
        opens = word.start() in openings or text[max(word.start() - 1, 0)] in '“„«"‘'
        if not is_code and not is_latin:
            if opens and not _is_name_at_start(words, at, language, sources):
                continue
            names = _by_language().get(language)
            if names and names.nouns and not _is_name_not_noun(name, words, at, sources, language, names.nouns):
                continue
        yield word.start(), word.start() + len(word[0]), name
    if caseless:
        for quoted in QUOTED.finditer(text):
            if not any(normalise(quoted[1]) in whole for whole in sources.texts):
                yield *quoted.span(), quoted[1]


def _is_name_at_start(words: Sequence[re.Match[str]], at: int, language: str, sources: SourceWords) -> bool:
    word, names = words[at][0], _by_language().get(language)
    if fold(word) in _openers() or at + 1 == len(words):
        return False
    if re.search(r"['’]s$", word):
        return True
    following = words[at + 1][0]
    next_word = fold(following)
    if words[at].string[words[at].end() : words[at + 1].start()].strip():
        return False
    if next_word in _joiners() and at + 2 < len(words) and words[at + 2][0][0].isupper():
        return not (names and names.nouns)
    if names and next_word in names.verbs:
        return not word.endswith(names.gerund_endings)
    if _is_common(next_word, language) or (names and word.endswith(names.no_subject_endings) and len(word) > 4):
        return False
    has_verb_ending = names and next_word.endswith(names.verb_endings) and not next_word.endswith(names.no_verb_endings)
    is_verb = bool(has_verb_ending) and len(next_word) > 3 and following[0].islower()
    return next_word in sources.after_names or is_verb


def _is_name_not_noun(
    name: str, words: Sequence[re.Match[str]], at: int, sources: SourceWords, language: str, nouns: CapitalisedNouns
) -> bool:
    folded = fold(name)
    if folded in nouns.everyday or folded.endswith(nouns.endings) or sources.shares_part(name):
        return False
    before = fold(words[at - 1][0]) if at else ""
    if before in nouns.before_names:
        return True
    is_before_noun = bool(_before_nouns()[language].fullmatch(before)) and before not in nouns.no_adjectives
    return not (is_before_noun and not words[at - 1][0][0].isupper()) and before not in any_number()
