"""Where an export is found: in a file, an archive, a folder; and what is no export, or a trap."""

import json
import os
import struct
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.errors import Refused
from memory.importing import files
from memory.importing.files import find_export
from memory.importing.messages import ImportedMessage
from tests.exports import (
    WAYS,
    as_archive,
    as_json,
    chatgpt_talk,
    claude_talk,
    telegram_account,
    telegram_chat,
    telegram_message,
    told,
)
from tests.tables import table

TELEGRAM = telegram_chat(telegram_message(1, "Hello"))
EXPORTS: dict[str, Any] = {
    "telegram": TELEGRAM,
    "chatgpt": [chatgpt_talk("Hello")],
    "claude": [claude_talk("Hello")],
    "keepsake": {"format": "keepsake-export-1", "user": "x", "tables": {}},
}


@table("way", WAYS)
@table("kind", EXPORTS)
def test_each_kind_is_known_by_its_shape_wherever_it_lies(
    tmp_path: Path, kind: str, way: Callable[[Path, Any], Path]
) -> None:
    folder = tmp_path / f"{kind}-{way.__name__}"
    folder.mkdir()
    export = find_export(way(folder, EXPORTS[kind]))

    assert export.format.kind == kind
    assert len(export.documents) == 1
    if kind != "keepsake":
        assert [each.text for each in told(export) if isinstance(each, ImportedMessage)] == ["Hello"]


def test_an_account_is_known_too_and_an_archive_by_what_it_is(tmp_path: Path) -> None:
    assert find_export(as_json(tmp_path, telegram_account(TELEGRAM), "conversations.json")).format.kind == "telegram"
    archive = as_archive(tmp_path, EXPORTS["claude"], inside="a/b/data.JSON", name="something.bin")
    assert find_export(archive).format.kind == "claude"


def test_the_folder_of_an_archive_does_as_well(tmp_path: Path) -> None:
    as_archive(tmp_path, EXPORTS["chatgpt"])
    (tmp_path / "letter.txt").write_text("hello")

    assert find_export(tmp_path).format.kind == "chatgpt"


def test_an_export_in_several_files_is_read_as_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for number in range(3):
            talk = chatgpt_talk(f"Part {number}", id=f"c-{number}")
            archive.writestr(f"conversations-00{number}.json", json.dumps([talk]))

    found = told(find_export(tmp_path / "x.zip"))
    assert [each.text for each in found if isinstance(each, ImportedMessage)] == ["Part 0", "Part 1", "Part 2"]


def test_what_lies_nearest_counts_and_an_older_export_beneath_does_not(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("backup/conversations.json", json.dumps(EXPORTS["chatgpt"]))
        archive.writestr("conversations.json", json.dumps(EXPORTS["claude"]))

    assert find_export(tmp_path / "x.zip").format.kind == "claude"


def test_what_comes_through_a_pipe_is_read_twice_all_the_same(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=[json.dumps(TELEGRAM)])
    writer.start()
    export = find_export(pipe)
    writer.join()

    assert [each.text for each in told(export) if isinstance(each, ImportedMessage)] == ["Hello"]


@table(
    "document",
    [
        [],
        {},
        5,
        "text",
        None,
        [[]],
        [{"id": 1}],
        {"messages": []},
        {"messages": [{"role": "user", "content": "hi"}]},
        {"chats": 5},
        {"chats": {"list": {}}},
        {"format": "something-else"},
    ],
)
def test_something_else_is_refused_in_one_clear_sentence(tmp_path: Path, document: Any) -> None:
    for path in (as_json(tmp_path, document), as_archive(tmp_path, document)):
        with pytest.raises(
            Refused, match=r"is not an export that I know\. I can read result\.json from Telegram Desktop, .*\.$"
        ):
            find_export(path)


def test_a_folder_of_something_else_is_refused_too(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is not an export that I know"):
        find_export(tmp_path)


@table("kept", [0.1, 0.5, 0.99])
def test_what_was_cut_off_is_refused_as_a_whole(tmp_path: Path, kept: float) -> None:
    path = as_json(tmp_path, telegram_chat(*(telegram_message(n, "Hello") for n in range(500))))
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * kept)])

    with pytest.raises(Refused, match="part of it is missing"):
        told(find_export(path))


def test_more_than_one_kind_is_not_guessed_at(tmp_path: Path) -> None:
    as_json(tmp_path, TELEGRAM, "result.json")
    as_json(tmp_path, EXPORTS["claude"], "conversations.json")

    with pytest.raises(Refused, match=r"contains more than one export\. Please name the one you mean\."):
        find_export(tmp_path)


def test_nothing_of_an_archive_is_unpacked_whatever_it_calls_itself(tmp_path: Path) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    path = inside / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../escaped.json", json.dumps(TELEGRAM))
        archive.writestr("/etc/absolute.json", "[]")
        archive.writestr("__MACOSX/._result.json", "\x00\x05\x16\x07")
        archive.writestr("lnk\x1b[31m\u202e.json", "[]")
    export = find_export(path)

    assert [each.text for each in told(export) if isinstance(each, ImportedMessage)] == ["Hello"]
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["in", "x.zip"]
    assert "\x1b" not in str(export)


def test_a_bomb_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("result.json", b'{"messages": [' + b" " * files.SUSPICIOUS)
    assert path.stat().st_size < 1_000_000

    with pytest.raises(Refused, match=r"result\.json claims to hold far more than any export does"):
        find_export(path)


def test_an_archive_that_lies_about_its_size_gives_no_more_than_it_claims(tmp_path: Path) -> None:
    path = as_archive(tmp_path, TELEGRAM, inside="result.json")
    with zipfile.ZipFile(path) as archive:
        true = archive.getinfo("result.json").file_size
    data = path.read_bytes()
    at = data.rindex(b"PK\x01\x02")
    path.write_bytes(data[: at + 24] + struct.pack("<I", true // 2) + data[at + 28 :])

    with pytest.raises(Refused):
        told(find_export(path))


def test_a_locked_or_damaged_archive_is_told(tmp_path: Path) -> None:
    path = as_archive(tmp_path, TELEGRAM, inside="result.json")
    data = bytearray(path.read_bytes())
    locked = bytearray(data)
    locked[locked.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(locked)
    with pytest.raises(Refused, match="is protected by a password"):
        find_export(path)

    start = data.rindex(b"result.json", 0, data.rindex(b"PK\x01\x02")) + 20
    data[start : start + 40] = bytes(40)
    path.write_bytes(data)
    with pytest.raises(Refused, match=r"is damaged|I can't read"):
        told(find_export(path))


def test_what_is_not_there_is_the_systems_to_tell(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        find_export(tmp_path / "nothing.json")


def places(document: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else []
    )
    return [here, *(place for key, value in inner for place in places(value, (*here, key)))]


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(st.data())
def test_whatever_stands_in_a_place_of_an_export_it_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["telegram", "chatgpt", "claude"]))
    document = json.loads(json.dumps([EXPORTS[kind]]))
    place = data.draw(st.sampled_from([place for place in places(document[0]) if place]))
    here = document[0]
    for step in place[:-1]:
        here = here[step]
    here[place[-1]] = data.draw(ODD)
    path = tmp_path / "odd.json"
    path.write_bytes(json.dumps(document[0]).encode())

    try:
        found = told(find_export(path))
    except Refused:
        return
    assert all(isinstance(each.at.timestamp(), float) for each in found if isinstance(each, ImportedMessage))


def test_where_there_are_too_many_documents_none_is_passed_over_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert files.MAX_DOCUMENTS == 2_000
    monkeypatch.setattr(files, "MAX_DOCUMENTS", 20)
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(21):
            archive.writestr(f"{number}.json", "{}")
    (tmp_path / "many").mkdir()
    for number in range(21):
        (tmp_path / "many" / f"{number}.json").touch()

    for name in ("many.zip", "many"):
        with pytest.raises(Refused, match=r"contains more than 20 files\."):
            find_export(tmp_path / name)
