"""Finds the numbers that a text states, in words, in figures or in Chinese numerals."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from memory.language.derived import derived
from memory.language.lexicon import languages
from memory.language.lexicon.numbers import NumberWords, Numerals
from memory.language.sentences import folded
from memory.language.terms import WORD

Value = Decimal | str


class Number(NamedTuple):
    """Where a number stands, and what it may mean: "1.500" is one and a half here, fifteen hundred there."""

    start: int
    end: int
    values: frozenset[Value]


HUNDRED, THOUSAND, MYRIAD = 100, 1_000, 10_000


def _listed(numbered: Mapping[int, Iterable[str]]) -> dict[str, int]:
    return {folded(form)[0]: value for value, forms in numbered.items() for form in forms}


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


@derived
def _figure() -> re.Pattern[str]:
    """A number in figures, with half of the day or a scale behind it."""
    return re.compile(
        r"(?<![^\W\d_\u3400-\u9fff])(?<!\d)(?:\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:]\d+)*)"
        r"(?:\s?(?P<half>[ap]\.?m\b)|\s?(?P<scale>[^\W\d_](?:[^\W\d_\u3400-\u9fff]|[\u0900-\u0963])*))?",
        re.IGNORECASE,
    )


@derived
def cardinals() -> Mapping[str, Mapping[str, int]]:
    """The words for numbers of each language that has such words, by its name."""
    return {
        language.name: _cardinals(language.numbers) for language in languages().values() if language.numbers.cardinals
    }


@derived
def any_number() -> Mapping[str, int]:
    """Whatever the language: for where the grammar around a word says that it must be a number."""
    known = {word: value for words in cardinals().values() for word, value in words.items()}
    return known | {article: 1 for language in languages().values() for article in language.numbers.articles}


@derived
def _ordinals() -> Mapping[str, Mapping[str, int]]:
    return {language.name: _listed(language.numbers.ordinals) for language in languages().values()}


@derived
def _loose_numbers() -> Mapping[str, int]:
    """All that can be taken to say a number."""
    like = [_listed(language.numbers.like_numbers) for language in languages().values()]
    return {**any_number(), **{word: value for listed in like for word, value in listed.items()}}


@derived
def _scales() -> Mapping[str, int]:
    listed = [_listed(language.numbers.scales) for language in languages().values()]
    return {word: value for words in listed for word, value in words.items()} | _numeral_times()


@derived
def _joining() -> frozenset[str]:
    return frozenset(word for language in languages().values() for word in language.numbers.joining)


@derived
def _prefixes() -> Mapping[str, tuple[str, ...]]:
    return {language.name: language.numbers.prefixes for language in languages().values()}


@derived
def _first_letters() -> frozenset[str]:
    """With which a word begins that may hide a number behind a prefix."""
    return frozenset(prefix[0] for prefixes in _prefixes().values() for prefix in prefixes)


@derived
def _units_first() -> frozenset[str]:
    return frozenset(language.name for language in languages().values() if language.numbers.is_unit_first)


@derived
def _numerals() -> Sequence[Numerals]:
    return [language.numbers.numerals for language in languages().values() if language.numbers.numerals]


@derived
def _numeral_digits() -> dict[str, int]:
    return {sign: value for each in _numerals() for value, signs in each.digits.items() for sign in signs}


@derived
def _numeral_times() -> dict[str, int]:
    return {sign: value for each in _numerals() for value, signs in each.times.items() for sign in signs}


@derived
def numeral_run() -> re.Pattern[str]:
    """A number as the signs of a language without spaces write it."""
    return re.compile(f"[{re.escape(''.join((*_numeral_digits(), *_numeral_times())))}]+")


@derived
def _counting() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands before and behind a numeral that counts something."""
    return tuple(each.ordinal for each in _numerals()), tuple(sign for each in _numerals() for sign in each.counted)


def amounts(values: Sequence[int], *, units_first: bool = False) -> list[int]:
    """What number words in a row come to: 20 and 5 are twenty-five, 3 and 1,000 are three thousand, 4 and 7 are two
    numbers. In Arabic the units stand before their ten."""
    done: list[int] = []
    total, open_ = 0, -1  # what the thousands have come to, and what is counted below them
    for value in values:
        if open_ < 0:
            open_ = value
        elif value >= THOUSAND and total < value:
            total, open_ = total + max(open_, 1) * value, 0
        elif value == HUNDRED and 0 < open_ < THOUSAND and open_ % HUNDRED:
            open_ *= HUNDRED
        elif open_ % HUNDRED == 4 and value == 20:  # quatre-vingts
            open_ += 80 - 4
        elif _goes_on(open_, value, units_first) or (total and not open_):
            open_ += value
        else:
            done.append(total + open_)
            total, open_ = 0, value
    return [*done, total + open_] if open_ >= 0 else done


def _goes_on(open_: int, value: int, units_first: bool) -> bool:
    """Whether a number is a part of the one before it: seventy in French is sixty and ten."""
    if units_first and 0 < open_ % HUNDRED < 10 <= value < HUNDRED:
        return True
    if not open_ or value >= open_:
        return False
    return open_ % HUNDRED == 0 or (open_ % 10 == 0 and open_ >= 20 and value < (20 if open_ in (60, 80) else 10))


def han_number(run: str) -> int:
    """What Chinese numerals come to, said digit by digit or with tens and hundreds."""
    digits, times = _numeral_digits(), _numeral_times()
    if not any(sign in times for sign in run):
        return int("".join(str(digits[sign]) for sign in run[:20]))
    total = section = digit = 0
    for sign in run[:20]:
        if sign in digits:
            digit = digits[sign]
        elif times[sign] >= MYRIAD:
            total, section, digit = (total + section + digit) * times[sign], 0, 0
        else:
            section, digit = section + (digit or 1) * times[sign], 0
    return total + section + digit


def numbers_in(text: str, language: str) -> list[Number]:
    """The numbers that a text states, in figures, in words of its language or in Chinese numerals. "One" is none."""
    found = list(_figures(text))
    taken = {place for number in found for place in range(number.start, number.end)}
    for start, end, value in _worded(text, language):
        if value > 1 and start not in taken:
            found.append(Number(start, end, frozenset({Decimal(value)})))
    ordinals = _ordinals().get(language, {})
    for word in WORD.finditer(text):
        if ordinal := ordinals.get(folded(word[0])[0]):
            found.append(Number(*word.span(), frozenset({Decimal(ordinal)})))
    before, behind = _counting()
    for run in numeral_run().finditer(text):
        value = han_number(run[0])
        counts = text.startswith(behind, run.end()) or text.endswith(before, 0, run.start())
        if value > 1 and counts and run.start() not in taken:
            found.append(Number(*run.span(), frozenset({Decimal(value)})))
    return sorted(found)


def values_in(text: str, language: str) -> set[Value]:
    """All that a text can be taken to say in numbers, read in every language, articles and pairs included."""
    known = {value for number in numbers_in(text, language) for value in number.values}
    known |= {Decimal(han_number(run)) for run in numeral_run().findall(text)}
    loose, prefixed = _loose_numbers(), _first_letters()
    for word in WORD.findall(folded(text)[0]):
        for form in (word, word[1:], word[2:], word[3:]) if word[0] in prefixed else (word,):
            if form in loose:
                known.add(Decimal(loose[form]))
    return known


def _figures(text: str) -> Iterator[Number]:
    for figure in _figure().finditer(text):
        written = figure[0][: figure.start("half") - figure.start()] if figure["half"] else figure[0]
        written = written[: figure.start("scale") - figure.start()] if figure["scale"] else written
        values = _readings(re.sub(r"[\s'’]", "", written))
        if (figure["half"] or "").lower().startswith("p"):
            values |= {value + 12 if isinstance(value, Decimal) else _later(value) for value in values}
        scale = folded(figure["scale"] or "")[0]
        times = _scales().get(scale) or any_number().get(scale, 0)
        if times >= HUNDRED:
            values = {value * times for value in values if isinstance(value, Decimal)} or values
        end = figure.end() if times >= HUNDRED or figure["half"] else figure.start() + len(written.rstrip())
        yield Number(figure.start(), end, frozenset(values))


def _readings(written: str) -> set[Value]:
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


def _later(time: str) -> str:
    hour, colon, rest = time.partition(":")
    return f"{int(hour) + 12}{colon}{rest}" if colon and hour.isdecimal() else time


def _worded(text: str, language: str) -> Iterator[tuple[int, int, int]]:
    """Rows of number words that stand next to each other, and what each row comes to."""
    known, joining, prefixes = cardinals().get(language, {}), _joining(), _prefixes().get(language, ())
    units_first = language in _units_first()
    row: list[tuple[int, int, int]] = []
    joined_at = -1
    for word in WORD.finditer(text):
        said = folded(word[0])[0]
        value = known.get(said)
        if value is None:
            bare = (said.removeprefix(prefix) for prefix in prefixes if said.startswith(prefix))
            value = next((known[form] for form in bare if form in known), None)
        if value is not None and (not row or text[max(row[-1][1], joined_at) : word.start()].strip(" -") == ""):
            row.append((word.start(), word.end(), value))
        elif value is not None:
            yield from _row(row, units_first)
            row = [(word.start(), word.end(), value)]
        elif row and said in joining:
            joined_at = word.end()
            continue
        elif row:
            yield from _row(row, units_first)
            row = []
        joined_at = -1
    yield from _row(row, units_first)


def _row(row: list[tuple[int, int, int]], units_first: bool) -> Iterator[tuple[int, int, int]]:
    for value in amounts([value for *_, value in row], units_first=units_first):
        yield row[0][0], row[-1][1], value
