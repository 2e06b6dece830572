"""The content of an event: made fit to store, and read part by part; what is wrong is refused in a plain sentence."""

from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from math import isfinite
from typing import Any, TypeVar

from memory.errors import Refused
from memory.privacy.redaction import redact
from memory.text import clean

Choice = TypeVar("Choice", bound=StrEnum)
Content = Mapping[str, Any]

MOST_TEXTS, LONGEST_TEXT = 20, 1000
MOST_REFS, LONGEST_REF = 100, 64


def text_of(content: Content, name: str, *, longest: int) -> str | None:
    """A text without the white space around it; nothing where there is none."""
    value = content.get(name)
    if value is not None and not isinstance(value, str):
        raise Refused(f"Not kept: {name} is not a text.")
    words = (value or "").strip()
    if len(words) > longest:
        raise Refused(f"Not kept: {name} has more than {longest:,} characters.")
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
        raise Refused(f"Not kept: {name} is one of {', '.join(choices)}.")
    return choices(value)


def day_of(content: Content, name: str) -> date | None:
    value = text_of(content, name, longest=LONGEST_REF)
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise Refused(f"Not kept: {name} is a day such as 2026-11-30.") from None


def _listed(content: Content, name: str, *, most: int, longest: int) -> tuple[str, ...]:
    value = content.get(name)
    listed = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(listed, list | tuple) or not all(isinstance(each, str) for each in listed):
        raise Refused(f"Not kept: {name} is not a list of texts.")
    kept = tuple(each.strip() for each in listed if each.strip())
    if len(kept) > most or any(len(each) > longest for each in kept):
        raise Refused(f"Not kept: {name} has at most {most} texts of {longest:,} characters.")
    return kept


def fit_to_store(value: Any, left_out: list[str]) -> Any:
    """Any content without control characters and secrets; the kinds of secret are added to `left_out`."""
    match value:
        case str():
            redacted = redact(clean(value))
            left_out += redacted.kinds
            return redacted.text
        case dict():
            return {fit_to_store(key, left_out): fit_to_store(item, left_out) for key, item in value.items()}
        case list() | tuple():
            return [fit_to_store(item, left_out) for item in value]
        case float() if not isfinite(value):
            return str(value)
        case _:
            return value


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a content, however deep."""
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from texts_in(item)
        case list():
            for item in value:
                yield from texts_in(item)
