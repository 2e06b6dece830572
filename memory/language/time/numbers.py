"""Finds the numbers in a text, in words, in figures or in Chinese numerals."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from memory.language.lexicon import languages
from memory.language.lexicon.numbers import NumberWords, Numerals
from memory.language.lexicon_cache import lexicon_cached
from memory.language.sentences import fold_with_positions
from memory.language.terms import WORD

Value = Decimal | str


class Number(NamedTuple):
    """The position of a number, and its possible values: "1.500" is one and a half or fifteen hundred."""

    start: int
    end: int
    values: frozenset[Value]


HUNDRED, THOUSAND, MYRIAD = 100, 1_000, 10_000


def _listed(numbered: Mapping[int, Iterable[str]]) -> dict[str, int]:
    return {fold_with_positions(form)[0]: value for value, forms in numbered.items() for form in forms}


def _cardinals(words: NumberWords) -> dict[str, int]:
    known = _listed(words.cardinals)
    units = [(word, value) for word, value in known.items() if 0 < value < 10]
    if words.unit_and_ten:
        tens = [(word, value) for word, value in known.items() if 20 <= value < HUNDRED]
        known |= {f"{unit}{words.unit_and_ten}{ten}": one + value for unit, one in units for ten, value in tens}
    if words.is_hundreds_joined:
        great = [(word, value) for word, value in known.items() if value in (HUNDRED, THOUSAND)]
        known |= {f"{unit}{word}": one * value for unit, one in units for word, value in great}
    if words.twenty_and_unit:
        known |= {f"{words.twenty_and_unit}{unit}": 20 + one for unit, one in units}
    return known


@lexicon_cached
def _figure() -> re.Pattern[str]:
    """A number in figures, with an optional a.m., p.m. or scale word after it."""
    return re.compile(
        r"(?<![^\W\d_\u3400-\u9fff])(?<!\d)(?:\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:]\d+)*)"
        r"(?:\s?(?P<half>[ap]\.?m\b)|\s?(?P<scale>[^\W\d_](?:[^\W\d_\u3400-\u9fff]|[\u0900-\u0963])*))?",
        re.IGNORECASE,
    )


@lexicon_cached
def cardinals() -> Mapping[str, Mapping[str, int]]:
    """The number words of each language, by language name. Languages without any are left out."""
    return {
        language.name: _cardinals(language.numbers) for language in languages().values() if language.numbers.cardinals
    }


@lexicon_cached
def any_number() -> Mapping[str, int]:
    """The number words of all languages, for contexts that only allow a number."""
    known = {word: value for words in cardinals().values() for word, value in words.items()}
    return known | {article: 1 for language in languages().values() for article in language.numbers.articles}


@lexicon_cached
def _ordinals() -> Mapping[str, Mapping[str, int]]:
    return {language.name: _listed(language.numbers.ordinals) for language in languages().values()}


@lexicon_cached
def _loose_numbers() -> Mapping[str, int]:
    """All words that may mean or imply a number."""
    like = [_listed(language.numbers.like_numbers) for language in languages().values()]
    return {**any_number(), **{word: value for listed in like for word, value in listed.items()}}


@lexicon_cached
def _scales() -> Mapping[str, int]:
    listed = [_listed(language.numbers.scales) for language in languages().values()]
    return {word: value for words in listed for word, value in words.items()} | _numeral_times()


@lexicon_cached
def _joining() -> frozenset[str]:
    return frozenset(word for language in languages().values() for word in language.numbers.joining)


@lexicon_cached
def _prefixes() -> Mapping[str, tuple[str, ...]]:
    return {language.name: language.numbers.prefixes for language in languages().values()}


@lexicon_cached
def _first_letters() -> frozenset[str]:
    """First letters of the prefixes of numbers."""
    return frozenset(prefix[0] for prefixes in _prefixes().values() for prefix in prefixes)


@lexicon_cached
def _units_first() -> frozenset[str]:
    return frozenset(language.name for language in languages().values() if language.numbers.is_unit_first)


@lexicon_cached
def _numerals() -> Sequence[Numerals]:
    return [language.numbers.numerals for language in languages().values() if language.numbers.numerals]


@lexicon_cached
def _numeral_digits() -> dict[str, int]:
    return {
        character: value
        for numerals in _numerals()
        for value, characters in numerals.digits.items()
        for character in characters
    }


@lexicon_cached
def _numeral_times() -> dict[str, int]:
    return {
        character: value
        for numerals in _numerals()
        for value, characters in numerals.times.items()
        for character in characters
    }


@lexicon_cached
def numeral_pattern() -> re.Pattern[str]:
    """A run of numeral characters in a language without spaces."""
    return re.compile(f"[{re.escape(''.join((*_numeral_digits(), *_numeral_times())))}]+")


@lexicon_cached
def _counting() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Characters before and after a numeral that counts something."""
    return tuple(numerals.ordinal for numerals in _numerals()), tuple(
        character for numerals in _numerals() for character in numerals.counted
    )


def combine_numbers(values: Sequence[int], *, units_first: bool = False) -> list[int]:
    """Combine consecutive number words: 20 and 5 are 25, 3 and 1,000 are 3,000, 4 and 7 remain two numbers.

    In Arabic (`units_first`) the unit precedes its ten.
    """
    done: list[int] = []
    total, current = 0, -1  # the thousands so far, and the number below them
    for value in values:
        if current < 0:
            current = value
        elif value >= THOUSAND and total < value:
            total, current = total + max(current, 1) * value, 0
        elif value == HUNDRED and 0 < current < THOUSAND and current % HUNDRED:
            current *= HUNDRED
        elif current % HUNDRED == 4 and value == 20:  # quatre-vingts
            current += 80 - 4
        elif _is_added(current, value, units_first) or (total and not current):
            current += value
        else:
            done.append(total + current)
            total, current = 0, value
    return [*done, total + current] if current >= 0 else done


def _is_added(current: int, value: int, units_first: bool) -> bool:
    """Return whether a number is added to the one before it: in French, 70 is sixty and ten."""
    if units_first and 0 < current % HUNDRED < 10 <= value < HUNDRED:
        return True
    if not current or value >= current:
        return False
    return current % HUNDRED == 0 or (
        current % 10 == 0 and current >= 20 and value < (20 if current in (60, 80) else 10)
    )


def parse_numerals(run: str) -> int:
    """The value of Chinese numerals, written digit by digit or with tens and hundreds."""
    digits, times = _numeral_digits(), _numeral_times()
    if not any(character in times for character in run):
        return int("".join(str(digits[character]) for character in run[:20]))
    total = section = digit = 0
    for character in run[:20]:
        if character in digits:
            digit = digits[character]
        elif times[character] >= MYRIAD:
            total, section, digit = (total + section + digit) * times[character], 0, 0
        else:
            section, digit = section + (digit or 1) * times[character], 0
    return total + section + digit


def numbers_in(text: str, language: str) -> list[Number]:
    """The numbers that a text states in figures, in words of its language or in Chinese numerals, except "one"."""
    found = list(_in_figures(text))
    taken = {place for number in found for place in range(number.start, number.end)}
    for start, end, value in _in_words(text, language):
        if value > 1 and start not in taken:
            found.append(Number(start, end, frozenset({Decimal(value)})))
    ordinals = _ordinals().get(language, {})
    for word in WORD.finditer(text):
        if ordinal := ordinals.get(fold_with_positions(word[0])[0]):
            found.append(Number(*word.span(), frozenset({Decimal(ordinal)})))
    before, behind = _counting()
    for run in numeral_pattern().finditer(text):
        value = parse_numerals(run[0])
        counts = text.startswith(behind, run.end()) or text.endswith(before, 0, run.start())
        if value > 1 and counts and run.start() not in taken:
            found.append(Number(*run.span(), frozenset({Decimal(value)})))
    return sorted(found)


def possible_values(text: str, language: str) -> set[Value]:
    """All numbers that a text may mean in any language, including articles and words such as "pair"."""
    values = {value for number in numbers_in(text, language) for value in number.values}
    values |= {Decimal(parse_numerals(run)) for run in numeral_pattern().findall(text)}
    loose, prefixed = _loose_numbers(), _first_letters()
    for word in WORD.findall(fold_with_positions(text)[0]):
        for form in (word, word[1:], word[2:], word[3:]) if word[0] in prefixed else (word,):
            if form in loose:
                values.add(Decimal(loose[form]))
    return values


def _in_figures(text: str) -> Iterator[Number]:
    for figure in _figure().finditer(text):
        written = figure[0][: figure.start("half") - figure.start()] if figure["half"] else figure[0]
        written = written[: figure.start("scale") - figure.start()] if figure["scale"] else written
        values = _values_of(re.sub(r"[\s'’]", "", written))
        if (figure["half"] or "").lower().startswith("p"):
            values |= {value + 12 if isinstance(value, Decimal) else _afternoon(value) for value in values}
        scale = fold_with_positions(figure["scale"] or "")[0]
        times = _scales().get(scale) or any_number().get(scale, 0)
        if times >= HUNDRED:
            values = {value * times for value in values if isinstance(value, Decimal)} or values
        end = figure.end() if times >= HUNDRED or figure["half"] else figure.start() + len(written.rstrip())
        yield Number(figure.start(), end, frozenset(values))


def _values_of(written: str) -> set[Value]:
    if ":" in written:
        hour, *rest = written.split(":")
        if not hour.isdecimal():  # an address, such as 127.0.0.1:8080
            return {written}
        time: set[Value] = {":".join([str(int(hour)), *rest])}
        return time | {Decimal(hour)} if set("".join(rest)) == {"0"} else time
    marks = re.findall("[.,]", written)
    groups = re.split("[.,]", written)
    in_thousands = all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3
    if len(set(marks)) == 2 and marks.count(marks[-1]) == 1:
        return {Decimal("".join(groups[:-1]) + "." + groups[-1])}
    if len(marks) > 1:
        return {Decimal("".join(groups))} if in_thousands else {written}
    plain: set[Value] = {Decimal(".".join(groups))}
    return plain | {Decimal("".join(groups))} if marks and in_thousands and groups[0].strip("0") else plain


def _afternoon(time: str) -> str:
    hour, colon, rest = time.partition(":")
    return f"{int(hour) + 12}{colon}{rest}" if colon and hour.isdecimal() else time


def _in_words(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """Runs of adjacent number words, and the values of each run."""
    known, joining, prefixes = cardinals().get(language, {}), _joining(), _prefixes().get(language, ())
    units_first = language in _units_first()
    row: list[tuple[int, int, int]] = []
    joined_at = -1
    for word in WORD.finditer(text):
        folded = fold_with_positions(word[0])[0]
        value = known.get(folded)
        if value is None:
            bare = (folded.removeprefix(prefix) for prefix in prefixes if folded.startswith(prefix))
            value = next((known[form] for form in bare if form in known), None)
        if value is not None and (not row or text[max(row[-1][1], joined_at) : word.start()].strip(" -") == ""):
            row.append((word.start(), word.end(), value))
        elif value is not None:
            yield from _values_of_row(row, units_first)
            row = [(word.start(), word.end(), value)]
        elif row and folded in joining:
            joined_at = word.end()
            continue
        elif row:
            yield from _values_of_row(row, units_first)
            row = []
        joined_at = -1
    yield from _values_of_row(row, units_first)


def _values_of_row(row: list[tuple[int, int, int]], units_first: bool) -> Iterator[tuple[int, int, int]]:
    for value in combine_numbers([value for *_, value in row], units_first=units_first):
        yield row[0][0], row[-1][1], value
