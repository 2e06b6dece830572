"""Tells what a sentence that a model wrote states and its sources do not: numbers, dates and names.

A wrong alarm costs a good sentence, a miss lets an invention through. What this guard cannot see: an invention without
number, date or name; in scripts without case (Arabic, Hindi, Chinese) a name that is neither quoted nor written in
Latin letters; "one", which is an article in half of the languages; a month or weekday that is a person's name.

A capital at the start of a sentence says nothing. There a word that no source has counts as a name if it owns something
("Bob's"), if a verb of the third person or "and" and a capital follow it, or if what follows it stands behind a name in
a source ("Bob Miller" where the source knows Ada Miller).

German writes every noun with a capital. There an unknown one counts if nothing before it makes it a noun (an article, a
possessive, an adjective, a number), it does not end like a noun, it is not among the everyday ones, and it shares
neither beginning nor end with a word of the sources, as the parts of a compound do.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Final

import snowballstemmer

from memory.consolidation.number_words import ANY_NUMBER, SMALL, numbers_in, values_in
from memory.extraction.date_words import LEXICON, key
from memory.extraction.dates import WEEK, Dated, dates_in
from memory.retrieval.detection import DEFAULT, likely_languages, script_language
from memory.retrieval.function_words import FUNCTION_WORDS
from memory.retrieval.languages import UNSPACED, WORD, fold, plain
from memory.sentences import LONGEST_READ, sentences

CASELESS: Final = re.compile(r"[\u0600-\u06ff\u0900-\u097f\u3400-\u9fff]")
# What the program calls the people, forms of address, and short signs that are written as one likes.
NO_NAMES: Final = frozenset(
    "user users assistant bot ai nutzer nutzers nutzerin benutzer benutzerin anwender assistent assistentin ki "
    "usuario usuaria asistente utilisateur utilisatrice assistante ia utilizador utilizadora assistente пользователь "
    "пользователя пользователю пользователем пользователе пользовательница ассистент ассистента ассистенту "
    "ассистентом помощник помощника помощнику ии mr mrs ms miss dr prof sir herr herrn frau senor senora sr sra don "
    "dona monsieur madame mme senhor senhora ok okay am pm tv euro euros dollar dollars eur usd gbp rub chf brl uhr "
    "id usted ustedes vd sie ihnen ihr ihre ihren ihrem ihrer vous voce вы вас вам ваш mom dad mum".split()
)
OPENERS: Final = frozenset(
    "good new old big small many several few great recent other various young always often still never already just "
    "soon sometimes first second then later got get became born everyone everybody someone somebody nobody nothing "
    "everything anyone now here there another others breakfast lunch dinner work school home life time music food "
    "travel health money jetzt heute alles niemand jemand todos nadie alguien ahora tout personne maintenant tudo "
    "ninguem agora все никто сейчас теперь семья работа".split()
)
ENDINGS: Final = frozenset(("", "s", "es", "ens", "n", "en", "er", "ers", "ern", "ns", "y", "ian", "an", "ese", "ish"))
NO_SUBJECTS: Final = ("ing", "ly", "ed", "s")  # of what opens a sentence in English and is no name
JOINERS: Final = frozenset("and und y e et и & with".split())
# Verbs of the third person, each in its language, for "a" is one in French.
VERBS: Final = {
    "english": "is was has had will would can does did said bought told got went met left came made took ran",
    "german": "ist war hat hatte wird wohnt arbeitet mag will kann lebt kommt fliegt studiert heisst kauft",
    "spanish": "es esta tiene fue era vive trabaja quiere va puede compro dijo viaja estudia",
    "french": "est a etait avait va vit habite travaille aime veut part etudie",
    "portuguese": "e esta tem foi era mora trabalha quer gosta vai disse comprou estuda",
    "russian": "был была будет живет работает любит хочет едет купил купила переехал переехала сказал сказала учится",
}
GERMAN_BEFORE_NOUNS: Final = re.compile(
    r"(?:d(?:er|ie|as|en|em|es)|(?:[mdsk]?ein|ihr|unser|euer|eur|dies|jed|jen|welch|all|viel|wenig|manch|beid)"
    r"(?:e[nmrs]?|s)?|im|am|zum|zur|beim|vom|ins|ans|aufs|furs|als|pro|etwas|mehr|weniger|zu|\d+|\w{2,}(?:e[nmrs]?))"
)
NO_ADJECTIVES: Final = frozenset("neben zwischen hinter unter uber oder aber wegen gegen namens heissen".split())
GERMAN_NOUN_ENDINGS: Final = tuple(
    "ung ungen heit heiten keit keiten schaft schaften tion tionen chen lein ismus tat taten nis nisse ment mente ling "
    "linge tum sal erei ist isten eur ik enz anz".split()
)
GERMAN_NOUNS: Final = frozenset(
    "hause urlaub freund freunde freunden kind kinder kindern eltern familie arbeit zeit geld musik sport kaffee tee "
    "wasser milch zucker fleisch fisch brot essen hilfe angst hunger durst lust spass interesse probleme schmerzen "
    "bescheid termin tag tagen wochen monaten jahren euro stunden minuten geburtstag frau fahrrad bahn bus zug tennis "
    "fussball kilometer meter grad mal ende mitte rad ski fieber sprachen deutsch englisch leben lesen laufen "
    "schwimmen wandern kochen backen weihnachten ostern sommer winter abend morgen nacht mann bruder schwester mutter "
    "vater sohn tochter hund katze".split()
)
QUOTED: Final = re.compile(r"[“„«「『《\"]([^“”„«»「」『』《》\"\n]{2,60})[”“»」』》\"]")


@dataclass(frozen=True, slots=True)
class Source:
    """What somebody said, and when by the clock of the writer."""

    text: str
    said_at: datetime


def unfounded(sentence: str, sources: Sequence[Source]) -> list[str]:
    """The numbers, dates and names of a sentence that none of its sources states, in the order of the sentence."""
    said = sentence[:LONGEST_READ]
    told = [Source(source.text[:LONGEST_READ], source.said_at) for source in sources]
    language = _language(said, *(source.text for source in told)) or DEFAULT
    stated = [dates_in(source.text, source.said_at) for source in told]
    dates = list(_dates(said, told, stated))
    within = {place for (start, end), _ in dates for place in range(start, end)}
    found = [(*span, said[slice(*span)]) for span, is_founded in dates if not is_founded]
    spoken = {language, *(_language(source.text) for source in told)}
    values = {value for source in told for each in spoken for value in values_in(source.text, each)}
    values |= {Decimal(dated.first.year) for listed in stated for dated in listed}
    for number in numbers_in(said, language):
        if number.start not in within and number.values.isdisjoint(values):
            found.append((number.start, number.end, said[number.start : number.end]))
    sayings = Sayings([source.text for source in told])
    found += [name for name in _names(said, language, sayings) if name[0] not in within]
    return list(dict.fromkeys(words for *_, words in sorted(found)))


def _language(*texts: str) -> str:
    """The language of the first text; where that is unclear, as of few words it may be, the others are read as well."""
    words: list[str] = []
    for text in texts:
        words += [part for word in WORD.findall(text[:2_000].casefold()) for part in re.split("['’]", word)]
        scripts = [known for word in words if (known := script_language(word))]
        if len(scripts) * 2 > len(words):
            return scripts[0]
        latin = sorted(likely_languages(words), key=lambda language: language not in SMALL)
        if len(latin) == 1 or (latin and text is texts[-1]):
            return latin[0]
    return ""


def _dates(said: str, told: Sequence[Source], known: Sequence[list[Dated]]) -> Iterator[tuple[tuple[int, int], bool]]:
    """Where the dates of a sentence stand, and whether a source names them. Each source has a day of its own from which
    "tomorrow" counts."""
    moments = [source.said_at for source in told] or [datetime(2000, 1, 1, tzinfo=UTC)]
    founded: dict[tuple[int, int], bool] = {}
    for moment, listed in zip(moments, known or [[]], strict=True):
        stated = {(dated.first, dated.last, dated.words): dated for dated in listed}.values()
        meant = dates_in(said, moment)
        days = {dated.first for dated in meant if dated.first == dated.last}
        spans = [{other.first, other.last} for other in stated if other.first != other.last]
        ends = {end for span in spans if span <= days for end in span}
        for dated in meant:
            is_same = {dated.first, dated.last} <= ends or any(_is_same(dated, other) for other in stated)
            founded[dated.span] = founded.get(dated.span, False) or is_same
    yield from founded.items()


def _is_same(meant: Dated, stated: Dated) -> bool:
    """Whether a source states what the sentence means: the same date, or one within the month or year that it names."""
    if meant.relative:
        both_bare = _is_bare_weekday(meant) and _is_bare_weekday(stated) and not (meant.first - stated.first) % WEEK
        return stated.relative and (both_bare or (meant.first, meant.last) == (stated.first, stated.last))
    yearless = not _names_year(meant)
    guessed = not (stated.relative or _names_year(stated))  # the year of a date that names none
    if meant.first == meant.last:
        if stated.first != stated.last:
            return False
        other = (stated.first, stated.first - WEEK) if _is_bare_weekday(stated) else (stated.first,)
        same_day = (meant.first.month, meant.first.day) in {(day.month, day.day) for day in other}
        is_near = guessed and abs(meant.first.year - stated.first.year) <= 1
        return meant.first in other or (same_day and (yearless or is_near))
    if yearless and meant.first.month == meant.last.month:
        return (stated.first.month, stated.last.month) == (meant.first.month, meant.first.month)
    return meant.first <= stated.first and stated.last <= meant.last


def _names_year(dated: Dated) -> bool:
    return str(dated.first.year) in dated.words or bool(re.search(r"[一二]\S{3}年|\d{4}", dated.words))


def _is_bare_weekday(dated: Dated) -> bool:
    """ "Friday" alone is the one to come or the one gone by, as the verb says, which is not always understood."""
    meaning = LEXICON.get(key(dated.words))
    return bool(meaning and meaning.part == "W")


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
    if script_language(one) in ("russian", "greek"):
        longer = max(len(one), len(other))
        return _stem(one) == _stem(other) or (shared >= 4 and shared == min(len(one), len(other)) >= longer - 3)
    rests = {one[shared:], other[shared:]}
    return (shared >= 4 and rests <= ENDINGS) or (shared >= 3 and rests == {"", "s"})


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    """The stem of a Cyrillic or Greek word, without the vowel that comes and goes: Павел, Павла."""
    whole = re.sub("(?<=[аеио])и$", "й", word)  # which folding made of it
    cut = str(snowballstemmer.stemmer(script_language(word) or DEFAULT).stemWord(whole))
    return re.sub(r"[ео](?=[^аеиоуыэюя]$)", "", cut.rstrip("иь").replace("ь", ""))


def _is_small(said: str, language: str = DEFAULT) -> bool:
    meaning = LEXICON.get(said)
    is_time = bool(meaning and meaning.part in "MmbsWwSU")
    return said in NO_NAMES or said in FUNCTION_WORDS.get(language, ()) or is_time or said in ANY_NUMBER


def _names(said: str, language: str, sayings: Sayings) -> Iterator[tuple[int, int, str]]:
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
            if language == "german" and not _is_german_name(name, words, at, sayings):
                continue
        yield word.start(), word.start() + len(word[0]), name
    if caseless:
        for quoted in QUOTED.finditer(said):
            if not any(plain(quoted[1]) in whole for whole in sayings.whole):
                yield *quoted.span(), quoted[1]


def _opens_as_name(words: Sequence[re.Match[str]], at: int, language: str, sayings: Sayings) -> bool:
    word = words[at][0]
    if fold(word) in OPENERS or at + 1 == len(words):
        return False
    if re.search(r"['’]s$", word):
        return True
    following = words[at + 1][0]
    said = fold(following)
    if words[at].string[words[at].end() : words[at + 1].start()].strip():
        return False
    if said in JOINERS and at + 2 < len(words) and words[at + 2][0][0].isupper():
        return language != "german"
    if said in VERBS.get(language, "").split():
        return not (language == DEFAULT and word.endswith("ing"))
    if _is_small(said, language) or (language == DEFAULT and word.endswith(NO_SUBJECTS) and len(word) > 4):
        return False
    is_verb = said.endswith(("s", "ed")) and not said.endswith("ss") and len(said) > 3 and following[0].islower()
    return said in sayings.after_names or (language == DEFAULT and is_verb)


def _is_german_name(name: str, words: Sequence[re.Match[str]], at: int, sayings: Sayings) -> bool:
    said = fold(name)
    if said in GERMAN_NOUNS or said.endswith(GERMAN_NOUN_ENDINGS) or sayings.have_part(name):
        return False
    before = fold(words[at - 1][0]) if at else ""
    if before in ("herr", "herrn", "frau", "namens", "heisst"):
        return True
    is_before_noun = bool(GERMAN_BEFORE_NOUNS.fullmatch(before)) and before not in NO_ADJECTIVES
    return not (is_before_noun and not words[at - 1][0][0].isupper()) and before not in ANY_NUMBER
