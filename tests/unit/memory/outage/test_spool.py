"""The spool: encrypted, in order, shared by processes, and whole after a crash."""

import os
import threading
from pathlib import Path

import pytest

from memory.outage.spool import Spool
from memory.privacy.encryption import Keyring

KEYS = Keyring((b"a key for tests, of 32 bytes ...",))


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool", KEYS, "home")


def entries(spool: Spool) -> list[dict[str, object]]:
    return [dict(entry) for found in spool.pending().values() for entry in found]


def test_what_was_added_comes_out_in_its_order(spool: Spool) -> None:
    for number in range(5):
        spool.add({"n": number})

    assert [entry["n"] for entry in entries(spool)] == [0, 1, 2, 3, 4]


def test_no_word_of_it_stands_in_the_file_and_nobody_else_may_open_it(spool: Spool, tmp_path: Path) -> None:
    spool.add({"text": "the canary sings"})

    [path] = (tmp_path / "spool").iterdir()
    assert b"canary" not in path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    assert entries(Spool(tmp_path / "spool", KEYS, "another tenant")) == []
    assert entries(Spool(tmp_path / "spool", Keyring((b"another key for tests, 32 bytes!",)), "home")) == []


def test_what_comes_while_it_is_being_read_is_not_lost(spool: Spool) -> None:
    spool.add({"n": 1})
    read = spool.pending()
    spool.add({"n": 2})
    for path in read:
        path.unlink()

    assert entries(spool) == [{"n": 2}]


def test_a_line_that_a_crash_left_half_written_is_passed_over(spool: Spool, tmp_path: Path) -> None:
    spool.add({"n": 1})
    spool.add({"n": 2})
    [path] = (tmp_path / "spool").iterdir()
    os.truncate(path, path.stat().st_size - 7)

    assert entries(spool) == [{"n": 1}]


def test_the_file_of_a_living_process_is_its_own_and_that_of_a_dead_one_is_taken_over(tmp_path: Path) -> None:
    one, other = (Spool(tmp_path / "spool", KEYS, "home") for _ in range(2))
    one.add({"by": "one"})

    assert entries(other) == []
    assert entries(one) == [{"by": "one"}]  # reading lets go of the file
    assert entries(other) == [{"by": "one"}]


def test_many_threads_may_add_at_once(spool: Spool) -> None:
    threads = [threading.Thread(target=spool.add, args=({"n": number, "text": "x" * 500},)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(int(str(entry["n"])) for entry in entries(spool)) == list(range(40))


def test_a_line_that_the_disk_had_no_room_for_does_not_spoil_the_next_one(
    spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    spool.add({"n": 1})
    monkeypatch.setattr(os, "write", lambda file, line: write(file, line[:10]))
    with pytest.raises(OSError, match="No space"):
        spool.add({"n": 2})
    monkeypatch.undo()
    spool.add({"n": 3})

    assert [entry["n"] for entry in entries(spool)] == [1, 3]
