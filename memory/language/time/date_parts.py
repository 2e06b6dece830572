"""Classifies each word of a text by its possible part in a date."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from memory.language.detection import likely_languages, script_language
from memory.language.lexicon import languages, recognised_languages
from memory.language.lexicon_cache import lexicon_cached
from memory.language.sentences import MAX_READ, fold_with_positions
from memory.language.time.numbers import any_number, numeral_pattern, parse_numerals


class Meaning(NamedTuple):
    """A one-letter symbol of the grammar in date_grammar.py, and the value of the word."""

    part: str
    number: int = 0
    unit: str = ""


class DatePart(NamedTuple):
    meaning: Meaning
    start: int
    end: int


SINCE: Final = Meaning("p", -1)  # the date after "since" is in the past
MIN_PREFIXED_LENGTH: Final = 3
# The meanings of the keys in a language's `dates`, by group. If a word has several meanings in any languages, the last
# one counts.
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
BLANKS: Final = str.maketrans("-'_", "   ")  # characters that join the words of a phrase


def phrase_key(phrase: str) -> str:
    return " ".join(fold_with_positions(phrase)[0].translate(BLANKS).split())


def _listed(tables: Iterable[tuple[tuple[str, ...], ...]], part: str, first: int) -> dict[str, Meaning]:
    """Number the months or weekdays of each table, in order."""
    return {
        phrase_key(form): Meaning(part, number)
        for table in tables
        for number, forms in enumerate(table, start=first)
        for form in forms
    }


@lexicon_cached
def date_lexicon() -> Mapping[str, Meaning]:
    """All words and phrases of dates, in all languages.

    M is a month, m an ambiguous month, b an abbreviated one; W is a weekday, w an ambiguous one.
    """
    sections = [language.dates for language in languages().values()]
    times = [language.time for language in recognised_languages().values() if language.time]
    known = {phrase_key(word): Meaning("c", value) for word, value in any_number().items() if value <= 999}
    known |= _listed((time.months for time in times), "M", 1)
    known |= _listed((time.weekdays for time in times), "W", 0)
    known |= _listed((dates.months for dates in sections), "M", 1)
    known |= _listed((dates.short_months for dates in sections), "b", 1)
    known |= _listed((dates.weekdays for dates in sections), "W", 0)
    known |= {
        phrase_key(name): Meaning("m", known[phrase_key(name)].number)
        for time in times
        for name in time.doubtful_months
    }
    known |= _listed((dates.doubtful_weekdays for dates in sections), "w", 0)
    for group, name, meaning in MEANINGS:
        known |= {phrase_key(form): meaning for dates in sections for form in getattr(getattr(dates, group), name)}
    known |= {phrase_key(word): Meaning("a", 1) for dates in sections for word in dates.one}
    known |= {phrase_key(word): Meaning("j", 1, "year") for dates in sections for word in dates.year_or_one}
    known |= {phrase_key(word): Meaning("s", 9) for dates in sections for word in dates.september_or_seven}
    return known


@lexicon_cached
def _longest_phrases() -> Mapping[str, int]:
    """The length in words of the longest phrase that begins with each word."""
    phrases = sorted(date_lexicon(), key=lambda phrase: phrase.count(" "))
    return {phrase.split()[0]: len(phrase.split()) for phrase in phrases}


@lexicon_cached
def _only_in_its_language() -> Mapping[str, frozenset[str]]:
    return {
        language.name: frozenset(phrase_key(word) for word in language.dates.days.perhaps_yesterday)
        for language in languages().values()
    }


@lexicon_cached
def _past() -> Mapping[str, frozenset[str]]:
    return {language.name: frozenset(map(phrase_key, language.dates.past)) for language in languages().values()}


@lexicon_cached
def _ahead() -> frozenset[str]:
    return frozenset(phrase_key(word) for language in languages().values() for word in language.dates.ahead)


@lexicon_cached
def _prefixes() -> tuple[str, ...]:
    return tuple(prefix for language in languages().values() for prefix in language.dates.prefixes)


MAX_SIGNS: Final = 4


@lexicon_cached
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


def truncate(text: str) -> str:
    """The beginning of a text, cut between words."""
    if len(text) <= MAX_READ:
        return text
    kept = text[:MAX_READ]
    return kept[: max(kept.rfind(" "), kept.rfind("\n"), 0)] or kept


def parse_parts(text: str) -> list[DatePart]:
    """The words of a folded text as parts of dates; any other word is an x."""
    tokens = [token for token in _token().finditer(text) if not token["between"]]
    language = _language(tokens)
    past, ahead = _past().get(language, frozenset()), _ahead()
    unambiguous = _only_in_its_language().get(language, frozenset())
    parts: list[DatePart] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        start, end, length = token.start(), token.end(), 1
        if token["word"]:
            length, meaning = _phrase(tokens, at)
            end = tokens[at + length - 1].end()
            if meaning.part == "H" and token[0] not in unambiguous:
                meaning = Meaning("x")
            if meaning.part == "x" and length == 1:
                meaning = Meaning("z" if token[0] in past else "v" if token[0] in ahead else "x")
        elif token["sign"]:
            length, meaning = _signs(text, start)
            end = start + length
        else:
            meaning = _figure(token)
        parts.append(DatePart(meaning, start, end))
        at += length
    return parts


def _language(tokens: list[re.Match[str]]) -> str:
    words = [token[0] for token in tokens[:400] if token["word"]]
    latin = likely_languages(words)
    return latin[0] if latin else next((known for word in words if (known := script_language(word))), "")


def _phrase(tokens: list[re.Match[str]], at: int) -> tuple[int, Meaning]:
    """The longest known phrase from here on: its number of words and its meaning."""
    word, known = tokens[at][0], date_lexicon()
    for count in range(min(_longest_phrases().get(word, 0), len(tokens) - at), 0, -1):
        if all(token["word"] for token in tokens[at : at + count]):
            phrase = " ".join(token[0] for token in tokens[at : at + count])
            if meaning := known.get(phrase):
                return count, meaning
    prefixed = word.startswith(_prefixes()) and len(word) > MIN_PREFIXED_LENGTH
    return 1, known.get(word[1:], Meaning("x")) if prefixed else Meaning("x")


def _signs(text: str, start: int) -> tuple[int, Meaning]:
    known = date_lexicon()
    for count in range(MAX_SIGNS, 0, -1):
        phrase = text[start : start + count]
        if len(phrase) == count and phrase in known:
            return count, known[phrase]
    if run := numeral_pattern().match(text, start):
        value = parse_numerals(run[0])
        return len(run[0]), Meaning("Y" if 1900 <= value < 2100 and len(run[0]) == 4 else "c", value)
    return 1, Meaning("x")


def _figure(token: re.Match[str]) -> Meaning:
    """The meaning of a number or mark. A full date in figures is stored in `unit`."""
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
