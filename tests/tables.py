"""Tables of cases: one test is tried with every row, and tells every row that fails."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

LONGEST_SHOWN = 300

Failures = list[tuple[Any, BaseException]]


@contextmanager
def _collected(failures: Failures, row: Any) -> Iterator[None]:
    try:
        yield
    except (Exception, pytest.fail.Exception) as why:  # the latter comes from `pytest.raises` when nothing was raised
        failures.append((row, why))


def _shown(row: Any) -> str:
    try:
        shown = repr(row)
    except ValueError:  # a number with more digits than Python writes
        shown = f"a {type(row).__name__}"
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"


def _tell(failures: Failures, rows: int) -> None:
    __tracebackhide__ = True
    if failures:
        told = "\n".join(f"- {_shown(row)}: {type(why).__name__}: {why}" for row, why in failures)
        raise AssertionError(f"{len(failures)} of {rows} rows fail:\n{told}") from failures[0][1]


def table(columns: str | tuple[str, ...], rows: Iterable[Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Written like `pytest.mark.parametrize`, but it makes one test of all rows; they share its fixtures."""
    names = (columns,) if isinstance(columns, str) else columns
    cases = [(row, dict(zip(names, (row,) if len(names) == 1 else row, strict=True))) for row in rows]
    assert cases, "a table without rows proves nothing"

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(test)
        def check(**fixtures: Any) -> None:
            __tracebackhide__ = True
            failures: Failures = []
            for row, values in cases:
                with _collected(failures, row):
                    test(**fixtures, **values)
            _tell(failures, len(cases))

        @functools.wraps(test)
        async def check_async(**fixtures: Any) -> None:
            __tracebackhide__ = True
            failures: Failures = []
            for row, values in cases:
                with _collected(failures, row):
                    await test(**fixtures, **values)
            _tell(failures, len(cases))

        checked: Any = check_async if inspect.iscoroutinefunction(test) else check
        taken = inspect.signature(test)
        fixtures = [parameter for name, parameter in taken.parameters.items() if name not in names]
        assert len(fixtures) + len(names) == len(taken.parameters), f"{test.__name__} takes other columns"
        checked.__signature__ = taken.replace(parameters=fixtures)
        return checked  # type: ignore[no-any-return]

    return decorate
