"""Finds numbers, dates and names in a model's sentence that its sources do not support.

A false alarm costs a good sentence; a miss lets an invention through. This check cannot detect:

- inventions without a number, date or name
- in scripts without case (Arabic, Hindi, Chinese), names that are neither quoted nor in Latin letters
- "one", which is an article in half of the languages
- a month or weekday that is a person's name
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from memory.language.claims.names import SourceWords, unknown_names
from memory.language.detection import DEFAULT, likely_languages, script_language
from memory.language.lexicon import languages
from memory.language.lexicon_cache import lexicon_cached
from memory.language.sentences import MAX_READ
from memory.language.terms import WORD
from memory.language.time.date_parts import date_lexicon, phrase_key
from memory.language.time.dates import WEEK, DateMention, dates_in
from memory.language.time.numbers import cardinals, numbers_in, possible_values


@dataclass(frozen=True, slots=True)
class DriftSource:
    """A source text, and when it was written in the writer's time zone."""

    text: str
    said_at: datetime


def unsupported_claims(sentence: str, sources: Sequence[DriftSource]) -> list[str]:
    """Return the unsupported numbers, dates and names of a sentence, in the order of the sentence."""
    text = sentence[:MAX_READ]
    sources = [DriftSource(source.text[:MAX_READ], source.said_at) for source in sources]
    language = _language(text, *(source.text for source in sources)) or DEFAULT
    stated = [dates_in(source.text, source.said_at) for source in sources]
    dates = list(_dates(text, sources, stated))
    within = {place for (start, end), _ in dates for place in range(start, end)}
    found = [(*span, text[slice(*span)]) for span, is_supported in dates if not is_supported]
    spoken = {language, *(_language(source.text) for source in sources)}
    values = {value for source in sources for name in spoken for value in possible_values(source.text, name)}
    values |= {Decimal(dated.first.year) for listed in stated for dated in listed}
    for number in numbers_in(text, language):
        if number.start not in within and number.values.isdisjoint(values):
            found.append((number.start, number.end, text[number.start : number.end]))
    source_words = SourceWords([source.text for source in sources])
    found += [name for name in unknown_names(text, language, source_words) if name[0] not in within]
    return list(dict.fromkeys(words for *_, words in sorted(found)))


def _language(*texts: str) -> str:
    """Return the language of the first text. If that is unclear, read the others as well."""
    words: list[str] = []
    for text in texts:
        words += [part for word in WORD.findall(text[:2_000].casefold()) for part in re.split("['’]", word)]
        scripts = [language for word in words if (language := script_language(word))]
        if len(scripts) * 2 > len(words):
            return scripts[0]
        latin = sorted(likely_languages(words), key=lambda language: language not in cardinals())
        if len(latin) == 1 or (latin and text is texts[-1]):
            return latin[0]
    return ""


def _dates(
    text: str, sources: Sequence[DriftSource], stated_dates: Sequence[list[DateMention]]
) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield the span of each date in a sentence, and whether a source supports it.

    Relative dates such as "tomorrow" are resolved against the day of each source.
    """
    moments = [source.said_at for source in sources] or [datetime(2000, 1, 1, tzinfo=UTC)]
    supported: dict[tuple[int, int], bool] = {}
    for moment, listed in zip(moments, stated_dates or [[]], strict=True):
        stated = {(dated.first, dated.last, dated.words): dated for dated in listed}.values()
        meant = dates_in(text, moment)
        days = {dated.first for dated in meant if dated.first == dated.last}
        spans = [{other.first, other.last} for other in stated if other.first != other.last]
        ends = {end for span in spans if span <= days for end in span}
        for dated in meant:
            is_same = {dated.first, dated.last} <= ends or any(_is_same(dated, other) for other in stated)
            supported[dated.span] = supported.get(dated.span, False) or is_same
    yield from supported.items()


def _is_same(meant: DateMention, stated: DateMention) -> bool:
    """Return whether a source supports a date. It must state the same date, or one within the month or year."""
    if meant.relative:
        both_bare = _is_bare_weekday(meant) and _is_bare_weekday(stated) and not (meant.first - stated.first) % WEEK
        return stated.relative and (both_bare or (meant.first, meant.last) == (stated.first, stated.last))
    yearless = not _names_year(meant)
    guessed = not (stated.relative or _names_year(stated))  # the source's year is a guess
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


@lexicon_cached
def _year() -> re.Pattern[str]:
    written = (language.dates.written_year for language in languages().values())
    return re.compile("|".join((r"\d{4}", *written)))


def _names_year(dated: DateMention) -> bool:
    return str(dated.first.year) in dated.words or bool(_year().search(dated.words))


def _is_bare_weekday(dated: DateMention) -> bool:
    """A weekday alone: "Friday" may be the next or the last one, depending on a verb that may not be recognised."""
    meaning = date_lexicon().get(phrase_key(dated.words))
    return bool(meaning and meaning.part == "W")
