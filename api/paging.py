"""Cursor pagination. A cursor names the last row shown, so that no row is skipped when others come and go."""

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
POSITION = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Page:
    limit: int
    cursor: str | None


FIRST_PAGE = Page(50, None)


def page_params(
    limit: Annotated[int, Query(ge=1, le=200, description="Maximum number of items.")] = FIRST_PAGE.limit,
    cursor: Annotated[str | None, Query(max_length=1000, description="`next_cursor` of the previous page.")] = None,
) -> Page:
    return Page(limit, cursor)


PageParams = Annotated[Page, Depends(page_params)]


def page_by_key(rows: Sequence[T], key: Callable[[T], Key], page: Page) -> tuple[list[T], str | None]:
    """Return one page of the rows in key order, and the cursor of the next."""
    after = _decode(page.cursor) if page.cursor else None
    remaining = sorted((row for row in rows if after is None or key(row) > after), key=key)
    shown = remaining[: page.limit]
    return shown, _encode(key(shown[-1])) if len(remaining) > len(shown) else None


def page_by_position(rows: Sequence[T], name: Callable[[T], str], page: Page) -> tuple[list[T], str | None]:
    """The same for rows whose order no key expresses, such as search results.

    The page starts after the row that was shown last, or at its old position if that row is gone, because the next row
    has moved there.
    """
    names = [name(row) for row in rows]
    start = 0
    if page.cursor:
        last, position = _decode_position(page.cursor)
        start = names.index(last) + 1 if last in names else max(position - 1, 0)
    shown = list(rows[start : start + page.limit])
    end = start + len(shown)
    return shown, _encode((names[end - 1], str(end))) if shown and end < len(rows) else None


def page_newest_first(
    rows: Sequence[T], key: Callable[[T], tuple[datetime, str]], page: Page
) -> tuple[list[T], str | None]:
    """The same for rows that were queried from `cursor_position` on, newest first, one more than fits the page."""
    shown = list(rows[: page.limit])
    moment, name = key(shown[-1]) if shown else (datetime.min, "")
    return shown, _encode((moment_key(moment), name)) if len(rows) > len(shown) else None


def cursor_position(page: Page) -> tuple[datetime, str] | None:
    """Return the time and id of the row after which a page of `page_newest_first` begins."""
    if page.cursor is None:
        return None
    moment, name = (*_decode(page.cursor), "", "")[:2]
    try:
        at = datetime.fromisoformat(moment).astimezone(UTC)
    except (ValueError, OverflowError):
        raise _invalid_cursor() from None
    if not ID.fullmatch(name):
        raise _invalid_cursor()
    return at, name


def moment_key(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _encode(key: Key) -> str:
    return urlsafe_b64encode(json.dumps(key).encode()).decode()


def _decode(cursor: str) -> Key:
    try:
        parts = json.loads(urlsafe_b64decode(cursor.encode()))
    except (ValueError, binascii.Error, RecursionError):
        parts = None
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise _invalid_cursor()
    return tuple(parts)


def _decode_position(cursor: str) -> tuple[str, int]:
    parts = _decode(cursor)
    if len(parts) != 2 or not POSITION.fullmatch(parts[1]):
        raise _invalid_cursor()
    return parts[0], int(parts[1])


def _invalid_cursor() -> Problem:
    return Problem.about("cursor", "Invalid cursor. Start without one.")
