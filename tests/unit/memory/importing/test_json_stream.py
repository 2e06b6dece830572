"""JSON read piece by piece: taken, walked into, skipped, and refused where it is none."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import Refused
from memory.importing.json_bytes import JsonBytes
from memory.importing.json_stream import JsonStream
from tests.tables import table

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def pull(document: Any) -> JsonStream:
    data = document if isinstance(document, bytes) else json.dumps(document).encode("utf-8", "replace")
    return JsonStream(JsonBytes(io.BytesIO(data), "x.json"))


def whole(document: bytes) -> Any:
    found = pull(document)
    value = found.value()
    found.finish()
    return value


@given(JSON)
def test_a_value_is_taken_as_json_reads_it(document: Any) -> None:
    spelled = json.dumps(document)
    found = JsonStream(JsonBytes(io.BytesIO(spelled.encode()), "x.json"))

    assert found.value() == json.loads(spelled)
    found.finish()


@given(st.dictionaries(st.text(), JSON, max_size=5), st.sets(st.text()))
def test_what_nobody_takes_is_skipped(document: dict[str, Any], wanted: set[str]) -> None:
    found = pull(document)
    kept = {key: found.value() for key in found.each_key() if key in wanted}
    found.finish()

    assert kept == {key: value for key, value in document.items() if key in wanted}


def test_one_walks_into_maps_and_lists_as_deep_as_one_likes() -> None:
    found = pull({"a": [{"b": 1, "c": [2, 3]}, {"b": 4}, 5], "d": {"e": None}})
    told: list[Any] = []
    for key in found.each_key():
        for _ in found.each_item():
            told += [(key, part, found.value()) for part in found.each_key() if part == "b"]
    found.finish()

    assert told == [("a", "b", 1), ("a", "b", 4)]


def test_what_is_no_map_has_no_keys_and_what_is_no_list_no_items() -> None:
    found = pull([5, {"a": 1}, "x", [1]])
    assert [list(found.each_key()) for _ in found.each_item()] == [[], ["a"], [], []]
    found.finish()
    other = pull({"a": 5, "b": [1, 2], "c": {"d": 1}})
    assert [len(list(other.each_item())) for _ in other.each_key()] == [0, 2, 0]
    other.finish()


def test_large_numbers_are_read() -> None:
    assert pull(b"[123456789012345678901234567890, 1e400]").value()[0] == 123456789012345678901234567890


@table("broken", [b"", b"nope", b'{"a": 1', b'{"a": 1} {', b"[1,]", b'["\x01"]', b"[1] 2"])
def test_what_is_no_json_is_told_in_a_sentence(broken: bytes) -> None:
    with pytest.raises(Refused, match=r"I can't read x\.json: it is not JSON, or part of it is missing\."):
        whole(broken)


@table("deep", [b"[" * 100_000, b'{"a":' * 100_000])
@table("how", [JsonStream.value, JsonStream.skip])
def test_what_is_too_deep_is_refused_before_it_is_held(deep: bytes, how: Any) -> None:
    with pytest.raises(Refused, match="too deeply or too large"):
        how(pull(deep))
