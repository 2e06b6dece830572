"""Keys and what they seal: whatever is not exactly right opens nothing, and the key file is made once and kept."""

import os
import stat
import subprocess
import sys
from base64 import b64encode, urlsafe_b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import SettingsError
from memory.privacy.encryption import KEY_BYTES, Keyring, encode_key, new_key, read_keys, seal, unseal
from memory.privacy.keyfile import FILE, load_keyring
from memory.settings import Settings
from tests.tables import table

KEY, OTHER = b"k" * KEY_BYTES, b"o" * KEY_BYTES
WORDS = {"content": "Zelda has diabetes", "subject": "Zelda", "value": {"since": [2020, None]}}


def test_a_data_key_is_unwrapped_by_the_key_that_wrapped_it() -> None:
    data_key = new_key()
    wrapped = Keyring((KEY,)).wrap(data_key, "ada")

    assert Keyring((KEY,)).unwrap(wrapped, "ada") == data_key
    assert data_key not in wrapped
    assert Keyring((KEY,)).wrap(data_key, "ada") != wrapped


def test_the_newest_key_wraps_and_every_key_unwraps() -> None:
    data_key = new_key()
    both = Keyring((OTHER, KEY))
    old, new = Keyring((KEY,)).wrap(data_key, "ada"), both.wrap(data_key, "ada")

    assert both.unwrap(old, "ada") == both.unwrap(new, "ada") == data_key
    assert Keyring((OTHER,)).unwrap(new, "ada") == data_key
    assert Keyring((OTHER,)).unwrap(old, "ada") is None
    assert Keyring((KEY,)).unwrap(new, "ada") is None
    assert (new.startswith(both.newest_name), old.startswith(both.newest_name)) == (True, False)


@table("broken", [b"", b"\0", b"x" * 4, b"x" * 100])
def test_what_no_key_wrapped_opens_nothing(broken: bytes) -> None:
    ring = Keyring((KEY,))

    assert ring.unwrap(broken, "ada") is None
    assert ring.unwrap(ring.newest_name + broken, "ada") is None
    assert unseal(KEY, "ada", "here", broken) is None


def test_a_wrapped_key_is_its_owners_alone() -> None:
    assert Keyring((KEY,)).unwrap(Keyring((KEY,)).wrap(new_key(), "ada"), "ben") is None


def test_the_name_of_a_key_tells_keys_apart_and_nothing_else() -> None:
    assert Keyring((KEY,)).newest_name == Keyring((KEY, OTHER)).newest_name != Keyring((OTHER,)).newest_name
    assert Keyring((KEY,)).newest_name not in KEY


def test_a_keyring_does_not_show_its_keys_when_it_is_printed() -> None:
    assert "kkkk" not in repr(Keyring((KEY,)))


def test_what_was_sealed_is_opened_with_the_same_key_owner_and_place() -> None:
    sealed = seal(KEY, "ada", "here", WORDS)

    assert unseal(KEY, "ada", "here", sealed) == WORDS
    assert unseal(OTHER, "ada", "here", sealed) is None
    assert unseal(KEY, "ben", "here", sealed) is None
    assert unseal(KEY, "ada", "there", sealed) is None
    assert seal(KEY, "ada", "here", WORDS) != sealed
    assert b"Zelda" not in sealed


def test_owner_and_place_cannot_be_shifted_into_each_other() -> None:
    sealed = seal(KEY, "ada", "x-here", WORDS)

    assert unseal(KEY, "ada\0x-here", "", sealed) is None
    assert unseal(KEY, "adax", "-here", sealed) is None


@given(st.integers(0), st.integers(1, 255))
def test_a_tampered_byte_opens_nothing(at: int, change: int) -> None:
    for sealed, opened in (
        (seal(KEY, "ada", "here", WORDS), lambda sealed: unseal(KEY, "ada", "here", sealed)),
        (Keyring((KEY,)).wrap(OTHER, "ada"), lambda sealed: Keyring((KEY,)).unwrap(sealed, "ada")),
    ):
        tampered = bytearray(sealed)
        tampered[at % len(sealed)] ^= change
        assert opened(bytes(tampered)) is None
        assert opened(sealed[: at % len(sealed)]) is None


@given(st.dictionaries(st.text(max_size=5), st.none() | st.text() | st.lists(st.text() | st.integers()), max_size=3))
def test_any_content_comes_back_as_it_was(content: dict[str, object]) -> None:
    assert unseal(KEY, "ada", "here", seal(KEY, "ada", "here", content)) == content


def test_keys_are_read_in_both_spellings_of_base64_and_several_by_comma_or_line() -> None:
    key = bytes(range(224, 256))
    plain, safe = b64encode(key).decode(), urlsafe_b64encode(key).decode()
    assert plain != safe

    assert read_keys(plain) == read_keys(safe) == read_keys(f"  {plain}\n") == (key,)
    assert read_keys(f"{plain},{encode_key(KEY)}") == read_keys(f"{safe} , {encode_key(KEY)},\n") == (key, KEY)
    assert read_keys(f"{plain}\n{encode_key(KEY)}\n") == (key, KEY)


@table(
    "text",
    [
        "",
        " ,\n",
        "hunter2",
        "k" * 32,
        encode_key(b"k" * 31),
        encode_key(b"k" * 33),
        encode_key(KEY)[:-1],
        encode_key(KEY) + "=",
        "!" + encode_key(KEY)[1:],
        encode_key(KEY)[:-1] + "§",
        f"{encode_key(KEY)},hunter2",
        KEY.hex(),
        # In the other spelling, with signs that belong to none:
        urlsafe_b64encode(bytes(range(224, 256))).decode() + "!!!!",
        "*-*" + urlsafe_b64encode(bytes(range(224, 256))).decode(),
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no key|not base64|not 32 bytes|ASCII"):
        read_keys(text)


def settings_in(folder: Path, **more: str) -> Settings:
    return Settings.model_validate({"KEEPSAKE_DATA_DIR": str(folder), **more})


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_key_file_is_made_once_for_nobody_else_to_read(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "yet"
    first = load_keyring(settings_in(folder))
    written = (folder / FILE).read_bytes()
    second = load_keyring(settings_in(folder))

    assert first == second
    assert first.keys == read_keys(written.decode())
    assert mode_of(folder / FILE) == 0o600
    assert (folder / FILE).read_bytes() == written
    assert os.listdir(folder) == [FILE]


def test_a_wide_umask_does_not_open_the_key_file(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        load_keyring(settings_in(tmp_path))
    finally:
        os.umask(before)

    assert mode_of(tmp_path / FILE) == 0o600


def test_the_setting_goes_before_the_file_and_makes_none(tmp_path: Path) -> None:
    keys = f"{encode_key(OTHER)},{encode_key(KEY)}"

    assert load_keyring(settings_in(tmp_path, KEEPSAKE_ENCRYPTION_KEY=keys)).keys == (OTHER, KEY)
    assert os.listdir(tmp_path) == []


def test_several_keys_may_stand_in_the_file(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(f"{encode_key(OTHER)}\n{encode_key(KEY)}\n")

    assert load_keyring(settings_in(tmp_path)).keys == (OTHER, KEY)


@table("mode", [0o644, 0o666, 0o777, 0o400])
def test_permissions_that_are_too_wide_are_tightened(tmp_path: Path, mode: int) -> None:
    key = load_keyring(settings_in(tmp_path))
    (tmp_path / FILE).chmod(mode)

    assert load_keyring(settings_in(tmp_path)) == key
    assert mode_of(tmp_path / FILE) == 0o600


@table("broken", [b"", b"\n", b"hunter2\n", b"\xff\xfe\x00", encode_key(b"k" * 31).encode(), b"\0" * 44])
def test_a_broken_key_file_is_told_with_what_to_do_and_never_overwritten(tmp_path: Path, broken: bytes) -> None:
    path = tmp_path / FILE
    path.write_bytes(broken)
    with pytest.raises(SettingsError, match="backup") as told:
        load_keyring(settings_in(tmp_path))

    assert str(path) in str(told.value)
    assert "hunter2" not in str(told.value)
    assert path.read_bytes() == broken
    assert os.listdir(tmp_path) == [FILE]


def test_a_place_where_no_file_can_be_is_told_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / FILE).mkdir()
    for folder in (tmp_path / "file", tmp_path):
        with pytest.raises(SettingsError, match="KEEPSAKE_ENCRYPTION_KEY"):
            load_keyring(settings_in(folder))


# Importing takes much longer than reading a key, so one program makes the others, and lets them go at once.
PROGRAM = """
import os, sys
from memory.privacy.encryption import encode_key
from memory.privacy.keyfile import load_keyring
from memory.settings import Settings

settings = Settings.model_validate({"KEEPSAKE_DATA_DIR": sys.argv[1]})
waits, go = os.pipe()
for _ in range(8):
    if os.fork() == 0:
        os.close(go)
        os.read(waits, 1)
        os.write(1, encode_key(load_keyring(settings).keys[0]).encode() + b" ")
        os._exit(0)
os.close(go)
assert [os.wait()[1] for _ in range(8)] == [0] * 8
"""


def test_programs_that_start_at_once_use_the_same_key(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], stdout=subprocess.PIPE, text=True, check=True)

    assert done.stdout.split() == [(tmp_path / FILE).read_text().strip()] * 8
    assert os.listdir(tmp_path) == [FILE]
