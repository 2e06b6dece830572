"""Tells what a sentence that a model wrote states and its sources do not: numbers, dates and names.

A wrong alarm costs a good sentence, a miss lets an invention through. What this guard cannot see: an invention without
number, date or name; in scripts without case (Arabic, Hindi, Chinese) a name that is neither quoted nor written in
Latin letters; "one", which is an article in half of the languages; a month or weekday that is a person's name.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from memory.language.claims.names import Sayings, names_in
from memory.language.derived import derived
from memory.language.detection import DEFAULT, likely_languages, script_language
from memory.language.lexicon import languages
from memory.language.sentences import LONGEST_READ
from memory.language.terms import WORD
from memory.language.time.date_parts import key, lexicon
from memory.language.time.dates import WEEK, Dated, dates_in
from memory.language.time.numbers import cardinals, numbers_in, values_in


@dataclass(frozen=True, slots=True)
class DriftSource:
    """What somebody said, and when by the clock of the writer."""

    text: str
    said_at: datetime


def unfounded(sentence: str, sources: Sequence[DriftSource]) -> list[str]:
    """The numbers, dates and names of a sentence that none of its sources states, in the order of the sentence."""
    said = sentence[:LONGEST_READ]
    told = [DriftSource(source.text[:LONGEST_READ], source.said_at) for source in sources]
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
    found += [name for name in names_in(said, language, sayings) if name[0] not in within]
    return list(dict.fromkeys(words for *_, words in sorted(found)))


def _language(*texts: str) -> str:
    """The language of the first text; where that is unclear, as of few words it may be, the others are read as well."""
    words: list[str] = []
    for text in texts:
        words += [part for word in WORD.findall(text[:2_000].casefold()) for part in re.split("['’]", word)]
        scripts = [known for word in words if (known := script_language(word))]
        if len(scripts) * 2 > len(words):
            return scripts[0]
        latin = sorted(likely_languages(words), key=lambda language: language not in cardinals())
        if len(latin) == 1 or (latin and text is texts[-1]):
            return latin[0]
    return ""


def _dates(
    said: str, told: Sequence[DriftSource], known: Sequence[list[Dated]]
) -> Iterator[tuple[tuple[int, int], bool]]:
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


@derived
def _year() -> re.Pattern[str]:
    written = (language.dates.written_year for language in languages().values())
    return re.compile("|".join((r"\d{4}", *written)))


def _names_year(dated: Dated) -> bool:
    return str(dated.first.year) in dated.words or bool(_year().search(dated.words))


def _is_bare_weekday(dated: Dated) -> bool:
    """ "Friday" alone is the one to come or the one gone by, as the verb says, which is not always understood."""
    meaning = lexicon().get(key(dated.words))
    return bool(meaning and meaning.part == "W")
