"""The bytes of an export: in any encoding, with escapes that JSON does not know, in blocks of any size."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import Refused
from memory.importing import json_bytes
from memory.importing.json_bytes import JsonBytes, repair_escapes
from tests.tables import table


class Slow(io.BytesIO):
    """Gives a few bytes at a time, whatever is asked for."""

    def __init__(self, data: bytes, at_once: int) -> None:
        super().__init__(data)
        self._at_once = at_once

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(self._at_once)


def read(data: bytes, at_once: int = 65_536, size: int = -1) -> str:
    reader = JsonBytes(Slow(data, at_once), "x")
    if size < 0:
        return reader.read().decode()
    found = b""
    while piece := reader.read(size):
        assert len(piece) <= size
        found += piece
    return found.decode()


@table("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@table("at_once", [4, 7, 65_536])
def test_every_encoding_that_programs_write_is_read(encoding: str, at_once: int) -> None:
    words = '{"a": "Žižek, 日本, 🙂"}'

    assert read(words.encode(encoding), at_once) == words


@table(
    ("written", "meant"),
    [
        (r"\ud83d\ude42", "🙂"),
        (r"\ud83d", "�"),
        (r"\ude42", "�"),
        (r"\ud83d\ud83d\ude42", "�🙂"),
        (r"\ude42\ud83d", "��"),
        (r"a\\ud83d", r"a\ud83d"),
        (r"a\\\ud83d!", r"a\�!"),
        (r"\x0B\x1f", "\x0b\x1f"),
        (r"\\x0B", r"\x0B"),
        (r"\u0000", "\0"),
        (r"C:\\users\\x\\da", r"C:\users\x\da"),
    ],
)
@table("at_once", [*range(1, 14), 65_536])
def test_escapes_that_no_text_can_hold_are_mended_wherever_a_block_ends(written: str, meant: str, at_once: int) -> None:
    found = read(f'["{written}"]'.encode(), at_once, size=5)

    assert json.loads(found) == [meant]


@given(st.text(), st.integers(1, 20))
def test_what_is_right_stays_as_it_is(words: str, at_once: int) -> None:
    whole = words.encode("utf-8", "replace").decode()
    for spelled in (json.dumps(whole), json.dumps(whole, ensure_ascii=False)):
        assert json.loads(read(spelled.encode(), at_once)) == whole


def test_what_is_no_text_is_marked_and_does_not_end_the_reading() -> None:
    assert read(b'["caf\xe9 \xff"]') == '["caf� �"]'


def test_a_long_run_of_backslashes_is_read_in_time() -> None:
    written = b'"' + b"\\" * 2_000_000 + b'"'

    assert read(written, 65_536) == written.decode()
    assert repair_escapes("\\" * 11) == "\\" * 11


def test_one_endless_value_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_bytes, "MAX_LENGTH", 200_000)
    reader = JsonBytes(io.BytesIO(b'"' + b"a" * 1_000_000), "long.json")

    for _ in range(4):
        reader.read(65_536)
    with pytest.raises(Refused, match=r"I can't read long\.json: something in it is nested too deeply or too large"):
        reader.read(65_536)
