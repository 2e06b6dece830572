"""Reads a text as a row of the parts that its words play in dates."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from memory.language.derived import derived
from memory.language.detection import likely_languages, script_language
from memory.language.lexicon import languages, recognised
from memory.language.sentences import LONGEST_READ, folded
from memory.language.time.numbers import any_number, han_number, numeral_run


class Meaning(NamedTuple):
    """The part of a word as one letter, over which the grammar in dates.py is written, and what the word comes to."""

    part: str
    number: int = 0
    unit: str = ""


class DatePart(NamedTuple):
    meaning: Meaning
    start: int
    end: int


SINCE: Final = Meaning("p", -1)  # what has begun is over
SHORTEST_PREFIXED: Final = 3
# What the keys of a language's `dates` mean, group by group. A word that stands under several, whatever the languages,
# has the meaning that comes last.
MEANINGS: Final = (
    ("days", "today", Meaning("S", 0, "day")),
    ("days", "tomorrow", Meaning("S", 1, "day")),
    ("days", "day_after_tomorrow", Meaning("S", 2, "day")),
    ("days", "in_three_days", Meaning("S", 3, "day")),
    ("days", "yesterday", Meaning("S", -1, "day")),
    ("days", "perhaps_yesterday", Meaning("H", -1, "day")),
    ("days", "day_before_yesterday", Meaning("S", -2, "day")),
    ("days", "week_after_next", Meaning("S", 2, "week")),
    ("days", "year_after_next", Meaning("Z", 2, "year")),
    ("days", "next_year", Meaning("Z", 1, "year")),
    ("days", "this_year", Meaning("Z", 0, "year")),
    ("days", "last_year", Meaning("Z", -1, "year")),
    ("days", "year_before_last", Meaning("Z", -2, "year")),
    ("around", "no_date", Meaning("x")),
    ("modifiers", "next", Meaning("<", 1)),
    ("modifiers", "after_next", Meaning("<", 2)),
    ("modifiers", "previous", Meaning("<", -1)),
    ("modifiers", "before_previous", Meaning("<", -2)),
    ("modifiers", "present", Meaning("<", 0)),
    ("modifiers", "coming", Meaning("<", 1, "coming")),
    ("modifiers", "this", Meaning("<", 0, "this")),
    ("modifiers", "last", Meaning("<", -1, "last")),
    ("modifiers", "coming_around", Meaning("=", 1, "coming")),
    ("modifiers", "last_around", Meaning("=", -1, "last")),
    ("modifiers", "next_behind", Meaning(">", 1)),
    ("modifiers", "coming_behind", Meaning(">", 1, "coming")),
    ("modifiers", "last_behind", Meaning(">", -1, "last")),
    ("units", "day", Meaning("U", 0, "day")),
    ("units", "one_day", Meaning("u", 0, "day")),
    ("units", "two_days", Meaning("V", 2, "day")),
    ("units", "week", Meaning("U", 0, "week")),
    ("units", "one_week", Meaning("u", 0, "week")),
    ("units", "two_weeks", Meaning("V", 2, "week")),
    ("units", "weekend", Meaning("U", 0, "weekend")),
    ("units", "month", Meaning("U", 0, "month")),
    ("units", "one_month", Meaning("u", 0, "month")),
    ("units", "two_months", Meaning("V", 2, "month")),
    ("units", "year", Meaning("U", 0, "year")),
    ("units", "one_year", Meaning("u", 0, "year")),
    ("units", "two_years", Meaning("V", 2, "year")),
    ("units", "year_behind", Meaning("y", 0, "year")),
    ("units", "month_behind", Meaning("q", 0, "month")),
    ("units", "day_behind", Meaning("r", 0, "day")),
    ("counts", "within", Meaning("i")),
    ("counts", "ahead_before", Meaning("I")),
    ("counts", "ahead_behind", Meaning("R")),
    ("counts", "back_before", Meaning("B")),
    ("counts", "back_behind", Meaning("A")),
    ("around", "behind_month", Meaning("h")),
    ("around", "before", Meaning("p")),
    ("around", "since", SINCE),
    ("around", "to", Meaning("k")),
    ("around", "time_of_day", Meaning("t")),
    ("around", "of", Meaning("f")),
    ("around", "every", Meaning("E")),
    ("around", "first", Meaning("o", 1)),
)
BLANKS: Final = str.maketrans("-'_", "   ")  # what holds the words of one phrase together


def key(phrase: str) -> str:
    return " ".join(folded(phrase)[0].translate(BLANKS).split())


def _listed(tables: Iterable[tuple[tuple[str, ...], ...]], part: str, first: int) -> dict[str, Meaning]:
    """Months or weekdays: the forms of each, in order."""
    return {
        key(form): Meaning(part, number)
        for table in tables
        for number, forms in enumerate(table, start=first)
        for form in forms
    }


@derived
def lexicon() -> Mapping[str, Meaning]:
    """All words and phrases that play a part in dates, in all languages. Months are M, those that mean something else
    as well m, short forms b. Weekdays are W, doubtful ones w."""
    sections = [language.dates for language in languages().values()]
    times = [language.time for language in recognised().values() if language.time]
    known = {key(word): Meaning("c", value) for word, value in any_number().items() if value <= 999}
    known |= _listed((time.months for time in times), "M", 1)
    known |= _listed((time.weekdays for time in times), "W", 0)
    known |= _listed((dates.months for dates in sections), "M", 1)
    known |= _listed((dates.short_months for dates in sections), "b", 1)
    known |= _listed((dates.weekdays for dates in sections), "W", 0)
    known |= {key(name): Meaning("m", known[key(name)].number) for time in times for name in time.doubtful_months}
    known |= _listed((dates.doubtful_weekdays for dates in sections), "w", 0)
    for group, name, meaning in MEANINGS:
        known |= {key(form): meaning for dates in sections for form in getattr(getattr(dates, group), name)}
    known |= {key(word): Meaning("a", 1) for dates in sections for word in dates.one}
    known |= {key(word): Meaning("j", 1, "year") for dates in sections for word in dates.year_or_one}
    known |= {key(word): Meaning("s", 9) for dates in sections for word in dates.september_or_seven}
    return known


@derived
def _longest_phrases() -> Mapping[str, int]:
    """How many words the longest phrase has that begins with a word."""
    phrases = sorted(lexicon(), key=lambda phrase: phrase.count(" "))
    return {phrase.split()[0]: len(phrase.split()) for phrase in phrases}


@derived
def _only_in_its_language() -> Mapping[str, frozenset[str]]:
    return {
        language.name: frozenset(key(word) for word in language.dates.days.perhaps_yesterday)
        for language in languages().values()
    }


@derived
def _past() -> Mapping[str, frozenset[str]]:
    return {language.name: frozenset(map(key, language.dates.past)) for language in languages().values()}


@derived
def _ahead() -> frozenset[str]:
    return frozenset(key(word) for language in languages().values() for word in language.dates.ahead)


@derived
def _prefixes() -> tuple[str, ...]:
    return tuple(prefix for language in languages().values() for prefix in language.dates.prefixes)


LONGEST_SIGNS: Final = 4


@derived
def _token() -> re.Pattern[str]:
    endings = [ending for language in languages().values() for ending in language.dates.ordinal_endings]
    ordinal = "|".join(map(re.escape, dict.fromkeys(endings)))
    return re.compile(
        r"(?P<ymd>(?<![a-z\d_.-])(?:19|20)\d\d([-/.])\d{1,2}\2\d{1,2}(?![\d-]))"
        r"|(?P<dmy>(?<![a-z\d_.-])\d{1,2}([./-])\d{1,2}\4(?:(?:19|20)\d\d|\d\d)(?![\d-]|[./]\d))"
        r"|(?P<ym>(?<![a-z\d_.-])(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?![\w-]))"
        r"|(?P<dm>(?<![a-z\d_.,])\d{1,2}\.\d{1,2}\.(?!\d))"
        rf"|(?P<number>(?<![a-z_\d])\d+)(?:(?P<ordinal>{ordinal})(?![^\W_]))?(?![a-z_\d]|[.,:/]\d)"
        r"|(?P<sign>[\u3007\u3400-\u9fff])|(?P<word>[^\W\d_](?:[^\W\d_\u3007\u3400-\u9fff]|[\u0900-\u0963])*)"
        r"|\d[\w.,:/]*|(?P<stop>[.!?。！？؟।\n])|(?P<between>(?<=[^\W\d])[-'](?=[^\W\d]))|(?P<mark>[^\s\w]|_)"
    )


def beginning(text: str) -> str:
    """What is read of a text: whole words, so that "tomorrow" is not found in the middle of something."""
    if len(text) <= LONGEST_READ:
        return text
    kept = text[:LONGEST_READ]
    return kept[: max(kept.rfind(" "), kept.rfind("\n"), 0)] or kept


def parts_of(said: str) -> list[DatePart]:
    """The words of a folded text as parts of dates; each word that plays none is an x."""
    tokens = [token for token in _token().finditer(said) if not token["between"]]
    language = _language(tokens)
    past, ahead = _past().get(language, frozenset()), _ahead()
    sure = _only_in_its_language().get(language, frozenset())
    parts: list[DatePart] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        start, end, taken = token.start(), token.end(), 1
        if token["word"]:
            taken, meaning = _phrase(tokens, at)
            end = tokens[at + taken - 1].end()
            if meaning.part == "H" and token[0] not in sure:
                meaning = Meaning("x")
            if meaning.part == "x" and taken == 1:
                meaning = Meaning("z" if token[0] in past else "v" if token[0] in ahead else "x")
        elif token["sign"]:
            taken, meaning = _signs(said, start)
            end = start + taken
        else:
            meaning = _figure(token)
        parts.append(DatePart(meaning, start, end))
        at += taken
    return parts


def _language(tokens: list[re.Match[str]]) -> str:
    words = [token[0] for token in tokens[:400] if token["word"]]
    latin = likely_languages(words)
    return latin[0] if latin else next((known for word in words if (known := script_language(word))), "")


def _phrase(tokens: list[re.Match[str]], at: int) -> tuple[int, Meaning]:
    """How many words from here on are one phrase, the longest that is known, and what it means."""
    word, known = tokens[at][0], lexicon()
    for count in range(min(_longest_phrases().get(word, 0), len(tokens) - at), 0, -1):
        if all(token["word"] for token in tokens[at : at + count]):
            phrase = " ".join(token[0] for token in tokens[at : at + count])
            if meaning := known.get(phrase):
                return count, meaning
    prefixed = word.startswith(_prefixes()) and len(word) > SHORTEST_PREFIXED
    return 1, known.get(word[1:], Meaning("x")) if prefixed else Meaning("x")


def _signs(said: str, start: int) -> tuple[int, Meaning]:
    known = lexicon()
    for count in range(LONGEST_SIGNS, 0, -1):
        phrase = said[start : start + count]
        if len(phrase) == count and phrase in known:
            return count, known[phrase]
    if run := numeral_run().match(said, start):
        value = han_number(run[0])
        return len(run[0]), Meaning("Y" if 1900 <= value < 2100 and len(run[0]) == 4 else "c", value)
    return 1, Meaning("x")


def _figure(token: re.Match[str]) -> Meaning:
    """What a number or a mark can be in a date; a full date of figures carries itself as its unit."""
    if token["ymd"] or token["dmy"] or token["dm"] or token["ym"]:
        kind = "K" if token["ym"] else "G" if token["dm"] else "F"
        figures = re.findall(r"\d+", token[0])
        return Meaning(kind, 0, "-".join(figures if token["ymd"] or token["ym"] else figures[::-1]))
    if token["number"] and len(token["number"]) <= 4:
        value = int(token["number"])
        if 1 <= value <= 31 and len(token["number"]) <= 2:
            return Meaning("O" if token["ordinal"] else "d", value)
        if 1900 <= value < 2100:
            return Meaning("Y", value)
        return Meaning("n" if value <= 999 else "x", value)
    if token["stop"]:
        return Meaning("." if token[0] == "." else "!")
    return Meaning("," if token[0] in ",،、" else "-" if token["mark"] else "x")
