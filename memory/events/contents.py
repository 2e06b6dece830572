"""The content of an event: made fit to store, and read part by part; what is wrong is refused in a plain sentence."""

from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from math import isfinite
from typing import Any, TypeVar

from memory.cleaning import clean
from memory.errors import Refused
from memory.privacy.redaction import LEFT_OUT, redact_named, secret_number

Choice = TypeVar("Choice", bound=StrEnum)
Content = Mapping[str, Any]
Place = tuple[str, ...]

MOST_TEXTS, LONGEST_TEXT = 20, 1000
MOST_REFS, LONGEST_REF = 100, 64


def text_of(content: Content, name: str, *, longest: int) -> str | None:
    """A text without the white space around it; nothing where there is none."""
    value = content.get(name)
    if value is not None and not isinstance(value, str):
        raise Refused(f"Not kept: {name} is not a text.", field=name)
    words = (value or "").strip()
    if len(words) > longest:
        raise Refused(f"Not kept: {name} has more than {longest:,} characters.", field=name)
    return words or None


def texts_of(content: Content, name: str) -> tuple[str, ...]:
    """A list of texts; a single text is a list of one."""
    return _listed(content, name, most=MOST_TEXTS, longest=LONGEST_TEXT)


def refs_of(content: Content) -> tuple[str, ...]:
    """The ids that something rests on, each once."""
    return tuple(dict.fromkeys(_listed(content, "refs", most=MOST_REFS, longest=LONGEST_REF)))


def choice_of(content: Content, name: str, choices: type[Choice]) -> Choice | None:
    value = content.get(name)
    if value is None:
        return None
    if value not in list(choices):
        raise Refused(f"Not kept: {name} is one of {', '.join(choices)}.", field=name)
    return choices(value)


def day_of(content: Content, name: str) -> date | None:
    value = text_of(content, name, longest=LONGEST_REF)
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise Refused(f"Not kept: {name} is a day such as 2026-11-30.", field=name) from None


def _listed(content: Content, name: str, *, most: int, longest: int) -> tuple[str, ...]:
    value = content.get(name)
    listed = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(listed, list | tuple) or not all(isinstance(each, str) for each in listed):
        raise Refused(f"Not kept: {name} is not a list of texts.", field=name)
    kept = tuple(each.strip() for each in listed if each.strip())
    if len(kept) > most or any(len(each) > longest for each in kept):
        raise Refused(f"Not kept: {name} has at most {most} texts of {longest:,} characters.", field=name)
    return kept


def redact_content(value: Any, left_out: list[str], *, name: str = "") -> Any:
    """Any content without secrets, of which a name may tell, and without control characters; the kinds of the secrets
    are added to `left_out`."""
    match value:
        case str():
            redacted = redact_named(name, clean(value))
            left_out += redacted.kinds
            return redacted.text
        case dict():
            fit = ((redact_content(key, left_out), item) for key, item in value.items())
            return {key: redact_content(item, left_out, name=key) for key, item in fit}
        case list() | tuple():
            return [redact_content(item, left_out, name=name) for item in value]
        case float() if not isfinite(value):
            return str(value)
        case int() | float() if kind := secret_number(name, value):
            left_out.append(kind)
            return LEFT_OUT.format(kind)
        case _:
            return value


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a content, however deep: its words, and after them the names under which they stand."""
    return (text for _, text in texts_at(value))


def texts_at(value: Any, place: Place = ()) -> Iterator[tuple[Place | None, str]]:
    """The same, each with the path that leads to it; to the name of a field leads none."""
    match value:
        case str():
            yield place, value
        case dict():
            for name, item in value.items():
                yield from texts_at(item, (*place, str(name)))
            for name in value:
                yield None, str(name)
        case list() | tuple():
            for number, item in enumerate(value):
                yield from texts_at(item, (*place, str(number)))


def length_of(value: Any) -> int:
    """How long it takes to look a content through, in characters; also what is empty is looked at."""
    match value:
        case str():
            return len(value) + 1
        case dict():
            return sum(len(name) + length_of(item) for name, item in value.items())
        case list():
            return sum(map(length_of, value))
        case _:
            return 1
