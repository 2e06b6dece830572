"""Pages of a list: a cursor tells after which row to go on, so that nothing is skipped when rows come and go."""

import binascii
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, TypeVar

from fastapi import Depends, Query

from api.problems import Problem

T = TypeVar("T")
Key = tuple[str, ...]
ID = re.compile(r"\w{1,64}", re.ASCII)
PLACE = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Page:
    limit: int
    cursor: str | None


FIRST = Page(50, None)


def asked_page(
    limit: Annotated[int, Query(ge=1, le=200, description="How many at most.")] = FIRST.limit,
    cursor: Annotated[str | None, Query(max_length=1000, description="From `next_cursor` of the page before.")] = None,
) -> Page:
    return Page(limit, cursor)


Paged = Annotated[Page, Depends(asked_page)]


def cut(rows: Sequence[T], key: Callable[[T], Key], page: Page) -> tuple[list[T], str | None]:
    """The rows of one page, by their key, and the cursor of the next."""
    after = _read(page.cursor) if page.cursor else None
    left = sorted((row for row in rows if after is None or key(row) > after), key=key)
    shown = left[: page.limit]
    return shown, _written(key(shown[-1])) if len(left) > len(shown) else None


def cut_after(rows: Sequence[T], name: Callable[[T], str], page: Page) -> tuple[list[T], str | None]:
    """The same for rows in an order that no key tells: after the one that was shown last, wherever it stands now; where
    it stood, should it be gone: the next one has moved there."""
    names = [name(row) for row in rows]
    start = 0
    if page.cursor:
        last, place = _last(page.cursor)
        start = names.index(last) + 1 if last in names else max(place - 1, 0)
    shown = list(rows[start : start + page.limit])
    end = start + len(shown)
    return shown, _written((names[end - 1], str(end))) if shown and end < len(rows) else None


def cut_newest(rows: Sequence[T], key: Callable[[T], tuple[datetime, str]], page: Page) -> tuple[list[T], str | None]:
    """The same for rows that were read from `last_shown` on, newest first, and one more than a page holds."""
    shown = list(rows[: page.limit])
    moment, name = key(shown[-1]) if shown else (datetime.min, "")
    return shown, _written((moment_key(moment), name)) if len(rows) > len(shown) else None


def last_shown(page: Page) -> tuple[datetime, str] | None:
    """The moment and the id of the row after which a page of `cut_newest` begins."""
    if page.cursor is None:
        return None
    moment, name = (*_read(page.cursor), "", "")[:2]
    try:
        at = datetime.fromisoformat(moment).astimezone(UTC)
    except (ValueError, OverflowError):
        raise _no_cursor() from None
    if not ID.fullmatch(name):
        raise _no_cursor()
    return at, name


def moment_key(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _written(key: Key) -> str:
    return urlsafe_b64encode(json.dumps(key).encode()).decode()


def _read(cursor: str) -> Key:
    try:
        told = json.loads(urlsafe_b64decode(cursor.encode()))
    except (ValueError, binascii.Error, RecursionError):
        told = None
    if not isinstance(told, list) or not all(isinstance(part, str) for part in told):
        raise _no_cursor()
    return tuple(told)


def _last(cursor: str) -> tuple[str, int]:
    told = _read(cursor)
    if len(told) != 2 or not PLACE.fullmatch(told[1]):
        raise _no_cursor()
    return told[0], int(told[1])


def _no_cursor() -> Problem:
    return Problem.about("cursor", "This is no cursor of ours. Begin without one.")
