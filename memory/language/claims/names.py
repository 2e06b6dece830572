"""Finds the names of a sentence that none of its sources has.

A capital at the start of a sentence says nothing. There a word that no source has counts as a name if it owns something
("Bob's"), if a verb of the third person or "and" and a capital follow it, or if what follows it stands behind a name in
a source ("Bob Miller" where the source knows Ada Miller).

German writes every noun with a capital. There an unknown one counts if nothing before it makes it a noun (an article, a
possessive, an adjective, a number), it does not end like a noun, it is not among the everyday ones, and it shares
neither beginning nor end with a word of the sources, as the parts of a compound do.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import snowballstemmer

from memory.language.derived import derived
from memory.language.detection import DEFAULT, function_words, script_language
from memory.language.lexicon import languages, recognised
from memory.language.lexicon.detection import NameForms
from memory.language.lexicon.names import CapitalisedNouns, NameWords
from memory.language.sentences import sentences
from memory.language.terms import UNSPACED, WORD, fold, plain
from memory.language.time.date_parts import lexicon
from memory.language.time.numbers import any_number

CASELESS: Final = re.compile(r"[\u0600-\u06ff\u0900-\u097f\u3400-\u9fff]")
QUOTED: Final = re.compile(r"[“„«「『《\"]([^“”„«»「」『』《》\"\n]{2,60})[”“»」』》\"]")


@derived
def _no_names() -> frozenset[str]:
    return _all_words("no_names")


@derived
def _openers() -> frozenset[str]:
    return _all_words("openers")


@derived
def _joiners() -> frozenset[str]:
    return _all_words("joiners")


@derived
def _name_endings() -> frozenset[str]:
    return _all_words("endings") | {""}


def _all_words(key: str) -> frozenset[str]:
    return frozenset(fold(word) for language in languages().values() for word in getattr(language.names, key))


@derived
def _name_forms() -> Mapping[str | None, NameForms]:
    every = recognised().values()
    return {each.name: each.detection.name_forms for each in every if each.detection.name_forms is not None}


@derived
def _by_language() -> Mapping[str, NameWords]:
    return {language.name: language.names for language in languages().values()}


@derived
def _before_nouns() -> Mapping[str, re.Pattern[str]]:
    """What makes the word that follows a noun, in the languages that write every noun with a capital."""
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


class Sayings:
    """The words of the sources, by their beginnings, and those that directly follow a capitalised one."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.whole = [plain(text) for text in texts]
        self.words: set[str] = set()
        self.after_names: set[str] = set()
        for text in texts:
            before = ""
            for word in WORD.findall(_without_signs(text)):
                self.words.update(fold(part) for part in _bare(word))
                if before[:1].isupper() and len(before) > 1 and not _is_small(fold(before)):
                    self.after_names.add(fold(word))
                before = word
        self.by_start: dict[str, list[str]] = {}
        for known in self.words:
            self.by_start.setdefault(known[:2], []).append(known)

    def have(self, word: str) -> bool:
        said = fold(word)
        return said in self.words or any(_is_form(said, known) for known in self.by_start.get(said[:2], ()))

    def have_part(self, word: str) -> bool:
        """Whether a German word shares its beginning or end with one of theirs, as the parts of a compound do."""
        said = fold(word)
        return any(
            _shared(said, known) >= 5
            or _shared(said[::-1], known[::-1]) >= 5
            or (len(known) >= 4 and known in said)
            or (len(said) >= 4 and said in known)
            for known in self.words
        )


def _without_signs(text: str) -> str:
    """As long as before, with blanks for what is written without spaces: so a Latin name in it stands alone."""
    return UNSPACED.sub(lambda run: " " * len(run[0]), text)


def _bare(word: str) -> list[str]:
    """A word without the 's behind and the l' or d' in front of it."""
    whole = re.sub(r"['’]s$", "", word)
    return list(dict.fromkeys((whole, *filter(None, re.split("['’]", whole)))))


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _is_form(one: str, other: str) -> bool:
    """Whether two folded words are forms of one name: "Annas", "Italian", "Марии". Paula is no form of Paul."""
    shared = _shared(one, other)
    if script_language(one) in _name_forms():
        longer = max(len(one), len(other))
        return _stem(one) == _stem(other) or (shared >= 4 and shared == min(len(one), len(other)) >= longer - 3)
    rests = {one[shared:], other[shared:]}
    return (shared >= 4 and rests <= _name_endings()) or (shared >= 3 and rests == {"", "s"})


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    """What all forms of a name have in common: Павел, Павла."""
    language = script_language(word) or DEFAULT
    forms = _name_forms().get(language, NameForms())
    for pattern, letters in forms.before_stemming:
        word = re.sub(pattern, letters, word)
    word = str(snowballstemmer.stemmer(language).stemWord(word))
    for pattern, letters in forms.after_stemming:
        word = re.sub(pattern, letters, word)
    return word


def _is_small(said: str, language: str = DEFAULT) -> bool:
    meaning = lexicon().get(said)
    is_time = bool(meaning and meaning.part in "MmbsWwSU")
    return said in _no_names() or said in function_words().get(language, ()) or is_time or said in any_number()


def names_in(said: str, language: str, sayings: Sayings) -> Iterator[tuple[int, int, str]]:
    words = list(WORD.finditer(_without_signs(said)))
    openings = {first.start() for start, _ in sentences(said) if (first := WORD.search(said, start))}
    caseless = len(CASELESS.findall(said)) > len(re.findall("[a-zA-Z]", said))
    for at, word in enumerate(words):
        name = next((part for part in _bare(word[0])[::-1] if part[:1].isupper()), _bare(word[0])[0])
        is_code = not name[0].isdigit() and bool(re.search(r"\d", name)) and name[0].isascii()
        is_latin = caseless and name.isascii() and name.isalpha()
        if len(name) < 2 or not (name[0].isupper() or is_code or is_latin):
            continue
        if _is_small(fold(name), language) or _is_small(fold(word[0]), language) or sayings.have(name):
            continue
        opens = word.start() in openings or said[max(word.start() - 1, 0)] in '“„«"‘'
        if not is_code and not is_latin:
            if opens and not _opens_as_name(words, at, language, sayings):
                continue
            names = _by_language().get(language)
            if names and names.nouns and not _is_no_noun(name, words, at, sayings, language, names.nouns):
                continue
        yield word.start(), word.start() + len(word[0]), name
    if caseless:
        for quoted in QUOTED.finditer(said):
            if not any(plain(quoted[1]) in whole for whole in sayings.whole):
                yield *quoted.span(), quoted[1]


def _opens_as_name(words: Sequence[re.Match[str]], at: int, language: str, sayings: Sayings) -> bool:
    word, known = words[at][0], _by_language().get(language)
    if fold(word) in _openers() or at + 1 == len(words):
        return False
    if re.search(r"['’]s$", word):
        return True
    following = words[at + 1][0]
    said = fold(following)
    if words[at].string[words[at].end() : words[at + 1].start()].strip():
        return False
    if said in _joiners() and at + 2 < len(words) and words[at + 2][0][0].isupper():
        return not (known and known.nouns)
    if known and said in known.verbs:
        return not word.endswith(known.gerund_endings)
    if _is_small(said, language) or (known and word.endswith(known.no_subject_endings) and len(word) > 4):
        return False
    looks_like_verb = known and said.endswith(known.verb_endings) and not said.endswith(known.no_verb_endings)
    is_verb = bool(looks_like_verb) and len(said) > 3 and following[0].islower()
    return said in sayings.after_names or is_verb


def _is_no_noun(
    name: str, words: Sequence[re.Match[str]], at: int, sayings: Sayings, language: str, nouns: CapitalisedNouns
) -> bool:
    said = fold(name)
    if said in nouns.everyday or said.endswith(nouns.endings) or sayings.have_part(name):
        return False
    before = fold(words[at - 1][0]) if at else ""
    if before in nouns.before_names:
        return True
    is_before_noun = bool(_before_nouns()[language].fullmatch(before)) and before not in nouns.no_adjectives
    return not (is_before_noun and not words[at - 1][0][0].isupper()) and before not in any_number()
