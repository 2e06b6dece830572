"""A format is one reader and one row: one that is made up here is found, read, asked for its owner and written."""

import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot import texts
from bot.cli.importing import open_export, scan_with_progress
from db.viewer import Viewer
from db.vocabulary import ActorType
from memory.errors import Refused
from memory.importing.formats import FORMATS, ROWS, Format
from memory.importing.messages import ImportedMessage, ImportItem, OpenDocument, SkipReason, accept, parse_datetime
from memory.importing.reader import read_export, scan_export
from memory.importing.write import ImportSource
from memory.refusals import SENTENCES, Refusal
from memory.settings import Settings
from tests.exports import ZONE, as_json, claude_talk
from tests.tables import table

LOG = "\ufeff# chat log\r\n2023-11-14T22:13 Ada: I am vegan\r\n2023-11-14T22:14 Ben: Since when?\r\nnoise\r\n"


def read_log(document: OpenDocument) -> Iterator[ImportItem]:
    for number, line in enumerate(document.lines()):
        written, _, rest = line.partition(" ")
        name, _, text = rest.partition(": ")
        at = parse_datetime(written, document.timezone)
        if number and at is None:
            yield SkipReason.UNREADABLE
        elif at is not None:
            document.account.names[name] = name
            document.account.message_counts[name] = document.account.message_counts.get(name, 0) + 1
            yield accept(ImportedMessage("log", str(number), at, text, name, name))


CHAT_LOG = Format(
    "chat-log",
    read_log,
    agent="chat-log-import",
    begins=lambda beginning: b"# chat log" in beginning[:20],
    suffix=".txt",
    needs_owner=True,
)


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORMATS, CHAT_LOG.kind, CHAT_LOG)


def alone(folder: Path) -> Path:
    path = folder / "anything"
    path.write_bytes(LOG.encode())
    return path


def in_archive(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "log.zip", "w") as archive:
        archive.writestr("picture.jpg", "x")
        archive.writestr("chat/LOG.TXT", LOG)
    return folder / "log.zip"


def in_folder(folder: Path) -> Path:
    (folder / "notes.json").write_text("{}")
    (folder / "log.txt").write_bytes(LOG.encode())
    return folder


@table("way", [alone, in_archive, in_folder])
async def test_a_format_is_one_reader_and_one_row(tmp_path: Path, way: Callable[[Path], Path]) -> None:
    folder = tmp_path / way.__name__
    folder.mkdir()
    export, said = await open_export(way(folder)), list[str]()
    known, me = await scan_with_progress(Settings(), export, "telegram:111", "ada", said.append)
    found = list(read_export(export, ZONE, known))
    own, other = (each for each in found if isinstance(each, ImportedMessage))
    source = ImportSource(export.format, Viewer.in_private("default", "telegram:111"), me.id)

    assert (export.format, known.count, me.id, said) == (CHAT_LOG, 3, "Ada", [])
    assert found[2] == SkipReason.UNREADABLE
    drafts = [source.draft_of(each, each.text) for each in (own, other)]
    assert [(draft.actor_type, draft.actor_id) for draft in drafts] == [
        (ActorType.HUMAN, "telegram:111"),
        (ActorType.HUMAN, "Ben"),
    ]
    assert drafts[1].content == {"text": "Since when?", "forwarded_from": "Ben", "by": "Ben"}


async def test_its_owner_is_asked_for_and_a_number_of_another_program_does_not_count(tmp_path: Path) -> None:
    export = await open_export(alone(tmp_path))
    with pytest.raises(Refused, match=r"Which of these are you\? .*: Ada \(Ada\), Ben \(Ben\)\."):
        await scan_with_progress(Settings(), export, "telegram:111", None, lambda line: None)


async def test_how_much_was_read_is_told(tmp_path: Path) -> None:
    seen = list[int]()
    export = await open_export(alone(tmp_path))
    scan_export(export, ZONE, seen.append)

    assert len(seen) == 4
    assert seen[-1] == export.size == len(LOG.encode())


async def test_the_other_formats_are_found_beside_it(tmp_path: Path) -> None:
    assert (await open_export(as_json(tmp_path, [claude_talk("Hello")]))).format.kind == "claude"


def test_every_format_is_named_to_people() -> None:
    for row in ROWS:
        assert row.kind in str(SENTENCES[Refusal.IMPORT_UNKNOWN]).lower()
        assert row.kind in texts.PROGRAM_COMMANDS["import"].lower()


def test_no_two_formats_are_known_by_the_same_sign() -> None:
    assert len(FORMATS) == len(ROWS) + 1
    assert max(Counter(key for row in ROWS for key in row.keys).values()) == 1
    assert max(Counter(row.item_key for row in ROWS if row.item_key).values()) == 1


def test_every_format_that_is_read_has_an_agent() -> None:
    assert {row.kind: row.agent for row in ROWS} == {
        "keepsake": "",
        "telegram": "telegram-import",
        "chatgpt": "chatgpt",
        "claude": "claude",
    }
