"""The one form of a tool's result: an excerpt that breaks no character and no line, and what became of the rest."""

from typing import Any

import pytest

from memory.events import tool_results
from memory.events.tool_results import MAX_BYTES, cut_at_line, normalise_tool_result
from tests.tables import table

SECRET = "sk-ant-api03-" + "Zz9-" * 20


def test_a_short_result_is_its_own_excerpt_and_keeps_its_small_fields() -> None:
    normal = normalise_tool_result({"call": "1", "text": "one\ntwo\n", "error": False})

    expected = {"call": "1", "error": False, "excerpt_text": "one\ntwo\n", "line_range": [1, 2], "truncated": False}
    assert normal.content == expected
    assert normal.full_output is None


def test_a_long_result_is_cut_at_the_end_of_a_line_and_comes_whole_as_well() -> None:
    output = "".join(f"line {number}\n" for number in range(20_000))
    normal = normalise_tool_result({"tool": "fs.read_file", "path": "README.md", "excerpt_text": output})

    assert normal.full_output == output.encode()
    excerpt, (first, last) = normal.content["excerpt_text"], normal.content["line_range"]
    assert len(excerpt.encode()) <= MAX_BYTES < len(excerpt.encode()) + 12
    assert excerpt.endswith(f"line {last - 1}\n")
    assert (first, normal.content["truncated"], normal.content["path"]) == (1, True, "README.md")


@table("sign", ["é", "€", "😀", "字"])
def test_no_character_is_cut_in_two(sign: str) -> None:
    for before in range(4):
        shown = cut_at_line("x" * before + sign * 10, 10)

        assert set(shown) <= {"x", sign}
        assert 10 - len(sign.encode()) < len(shown.encode()) <= 10


@table(
    ("given", "expected"),
    [([10, 99], [10, 11]), ([0, 1], [1, 2]), ("10-99", [1, 2]), ([True, 2], [1, 2]), (["1", "2"], [1, 2])],
)
def test_the_lines_are_counted_from_where_the_tool_began(given: Any, expected: list[int]) -> None:
    assert normalise_tool_result({"text": "a\nb", "line_range": given}).content["line_range"] == expected


def test_a_secret_goes_also_where_the_cut_would_leave_half_of_it() -> None:
    normal = normalise_tool_result({"text": "x" * (MAX_BYTES - 20) + " " + SECRET})

    assert "sk-ant" not in str(normal)


def test_what_is_no_text_is_written_as_json_and_a_large_field_is_named_only() -> None:
    normal = normalise_tool_result({"output": {"a": 1}, "trace": "x" * 3000})

    assert (normal.content["excerpt_text"], normal.content["left_out"]) == ('{"a": 1}', ["trace"])
    assert "trace" not in normal.content


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> int:
    """As if an artifact had at most so many bytes: to look through the real ones takes a minute."""
    monkeypatch.setattr(tool_results, "MAX_BYTES", 6_000)
    monkeypatch.setattr(tool_results, "LONGEST_WHOLE", 10_000)
    monkeypatch.setattr(tool_results, "LONGEST_SECRET", 1_000)
    return 10_000


@table("length", [10_001, 11_000, 11_001, 30_000])
def test_of_what_is_too_long_to_be_kept_the_beginning_is(short: int, length: int) -> None:
    for given in ("x" * length, ["x" * (length - 4)]):
        normal = normalise_tool_result({"call": "1", "text": given})

        assert normal.full_output is not None
        assert len(normal.full_output) <= short
        assert len(normal.full_output) + normal.content["not_kept_bytes"] == length
        assert (len(normal.content["excerpt_text"]), normal.content["truncated"]) == (tool_results.MAX_BYTES, True)


def test_what_an_artifact_may_hold_is_kept_whole(short: int) -> None:
    normal = normalise_tool_result({"text": "é" * (short // 2)})

    assert (normal.full_output, "not_kept_bytes" in normal.content) == (("é" * (short // 2)).encode(), False)


def test_half_a_secret_at_the_end_of_what_is_kept_goes_with_the_rest(short: int) -> None:
    for before in range(short - 100, short + 1_100, 150):
        normal = normalise_tool_result({"text": "x" * before + f" {SECRET} " + "y" * 5_000})

        assert b"Zz9" not in (normal.full_output or b"")
    assert b"Zz9" not in (normalise_tool_result({"text": f"{SECRET} " * 1_500}).full_output or b"")
