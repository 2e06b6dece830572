"""Reads the fields of an event's content and redacts it for storage. Invalid fields are refused."""

from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from math import isfinite
from typing import Any, TypeVar

from memory.cleaning import clean
from memory.errors import Refused
from memory.privacy.redaction import LEFT_OUT, redact_named, secret_number
from memory.refusals import Refusal

Choice = TypeVar("Choice", bound=StrEnum)
Content = Mapping[str, Any]
FieldPath = tuple[str, ...]

MAX_TEXTS, LONGEST_TEXT = 20, 1000
MAX_REFS, LONGEST_REF = 100, 64


def text_of(content: Content, name: str, *, longest: int) -> str | None:
    """Return a stripped text, or None if it is missing or empty."""
    value = content.get(name)
    if value is not None and not isinstance(value, str):
        raise Refused(Refusal.CONTENT_NOT_TEXT, field=name, name=name)
    words = (value or "").strip()
    if len(words) > longest:
        raise Refused(Refusal.CONTENT_TOO_LONG, field=name, name=name, most=longest)
    return words or None


def texts_of(content: Content, name: str) -> tuple[str, ...]:
    """Return a list of texts. A single text counts as a list of one."""
    return _listed(content, name, most=MAX_TEXTS, longest=LONGEST_TEXT)


def refs_of(content: Content) -> tuple[str, ...]:
    """Return the referenced ids without duplicates."""
    return tuple(dict.fromkeys(_listed(content, "refs", most=MAX_REFS, longest=LONGEST_REF)))


def choice_of(content: Content, name: str, choices: type[Choice]) -> Choice | None:
    value = content.get(name)
    if value is None:
        return None
    if value not in list(choices):
        raise Refused(Refusal.CONTENT_NOT_A_CHOICE, field=name, name=name, choices=", ".join(choices))
    return choices(value)


def day_of(content: Content, name: str) -> date | None:
    value = text_of(content, name, longest=LONGEST_REF)
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise Refused(Refusal.CONTENT_NOT_A_DAY, field=name, name=name) from None


def _listed(content: Content, name: str, *, most: int, longest: int) -> tuple[str, ...]:
    value = content.get(name)
    listed = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(listed, list | tuple) or not all(isinstance(each, str) for each in listed):
        raise Refused(Refusal.CONTENT_NOT_TEXTS, field=name, name=name)
    kept = tuple(each.strip() for each in listed if each.strip())
    if len(kept) > most or any(len(each) > longest for each in kept):
        raise Refused(Refusal.CONTENT_TOO_MANY, field=name, name=name, most=most, longest=longest)
    return kept


def redact_content(value: Any, left_out: list[str], *, name: str = "") -> Any:
    """Remove secrets and control characters from any content, using field names as hints.

    The kinds of the removed secrets are added to `left_out`.
    """
    match value:
        case str():
            redacted = redact_named(name, clean(value))
            left_out += redacted.kinds
            return redacted.text
        case dict():
            items = ((redact_content(key, left_out), item) for key, item in value.items())
            return {key: redact_content(item, left_out, name=key) for key, item in items}
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
    """Yield every text in a content at any depth: values, and then the field names of each object."""
    return (text for _, text in texts_with_paths(value))


def texts_with_paths(value: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath | None, str]]:
    """Yield every text with its path. Field names have the path None."""
    match value:
        case str():
            yield path, value
        case dict():
            for name, item in value.items():
                yield from texts_with_paths(item, (*path, str(name)))
            for name in value:
                yield None, str(name)
        case list() | tuple():
            for number, item in enumerate(value):
                yield from texts_with_paths(item, (*path, str(number)))


def content_length(value: Any) -> int:
    """The cost of scanning a content, in characters. Empty values count, too."""
    match value:
        case str():
            return len(value) + 1
        case dict():
            return sum(len(name) + content_length(item) for name, item in value.items())
        case list():
            return sum(map(content_length, value))
        case _:
            return 1
