"""A table is one test, which tells every row that fails and no other."""

import inspect

import pytest

from tests.tables import table


def test_every_row_that_fails_is_told_and_no_other() -> None:
    @table(("number", "half"), [(2, 1), (5, 3), (8, 4), ("x", 1)])
    def is_half(number: int, half: int) -> None:
        assert number // 2 == half, f"{number // 2}"

    with pytest.raises(AssertionError) as told:
        is_half()

    assert str(told.value).splitlines()[0] == "2 of 4 rows fail:"
    assert "- (5, 3): AssertionError: 2" in str(told.value)
    assert "- ('x', 1): TypeError" in str(told.value)
    assert "(2, 1)" not in str(told.value)
    assert "(8, 4)" not in str(told.value)


async def test_a_coroutine_is_awaited_for_every_row() -> None:
    tried = []

    @table("row", "abc")
    async def keep(row: str) -> None:
        tried.append(row)
        assert row != "b"

    with pytest.raises(AssertionError, match="1 of 3 rows fail"):
        await keep()
    assert tried == ["a", "b", "c"]


def test_what_should_have_been_raised_and_was_not_is_told() -> None:
    @table("number", [0, 1])
    def cannot_divide(number: int) -> None:
        with pytest.raises(ZeroDivisionError):
            1 / number

    with pytest.raises(AssertionError, match=r"1 of 2 rows fail:\n- 1: Failed: DID NOT RAISE"):
        cannot_divide()


def test_rows_are_columns_and_the_rest_are_fixtures() -> None:
    @table("row", [1])
    def test(row: int, tmp_path: str) -> None:
        assert (row, tmp_path) == (1, "here")

    test(tmp_path="here")
    assert list(inspect.signature(test).parameters) == ["tmp_path"]


def test_a_table_without_rows_or_with_other_columns_is_none() -> None:
    with pytest.raises(AssertionError, match="without rows"):
        table("row", [])
    with pytest.raises(AssertionError, match="other columns"):
        table("row", [1])(lambda line: None)
