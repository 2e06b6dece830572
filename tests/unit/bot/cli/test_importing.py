"""What `keepsake import` finds out before it writes anything."""

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot import texts
from bot.cli.importing import open_export, read_document, scan_with_progress
from memory.errors import Refused
from memory.importing.files import ExportDocument
from memory.importing.messages import ImportedMessage
from memory.importing.reader import read_export
from memory.settings import Settings
from tests.exports import as_json, telegram_account, telegram_chat, telegram_message
from tests.tables import table

BOTS = telegram_account(
    telegram_chat(telegram_message(1, "To ours"), type="bot_chat", id=777),
    telegram_chat(telegram_message(1, "To another"), type="bot_chat", id=888),
)


@table(("token", "taken"), [("777:AAbb", ["To another"]), (None, [])])
async def test_the_token_tells_which_bot_is_ours(tmp_path: Path, token: str | None, taken: list[str]) -> None:
    export, said = await open_export(as_json(tmp_path, BOTS)), list[str]()
    settings = Settings.model_validate({"TELEGRAM_BOT_TOKEN": token})
    known, _ = await scan_with_progress(settings, export, "terminal:ada", None, said.append)

    assert [
        each.text for each in read_export(export, ZoneInfo("UTC"), known) if isinstance(each, ImportedMessage)
    ] == taken
    assert said == [texts.IMPORT_AS.format(name="Ada", id="user111")]


async def test_an_export_of_our_own_that_is_too_large_is_not_read() -> None:
    with pytest.raises(Refused, match=r"^own\.json has 200,000,001 bytes\."):
        await read_document(ExportDocument("own.json", 200_000_001, Path("/nonexistent")))


@table("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
async def test_an_export_of_our_own_is_read_in_whatever_letters_it_was_saved(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "own.json"
    path.write_bytes('{"user": "Zoë 🌞"}'.encode(encoding))

    assert await read_document(ExportDocument("own.json", path.stat().st_size, path)) == {"user": "Zoë 🌞"}


async def test_who_says_nothing_in_it_is_told_so(tmp_path: Path) -> None:
    export, said = await open_export(as_json(tmp_path, BOTS)), list[str]()
    await scan_with_progress(Settings(), export, "terminal:ada", "999", said.append)

    assert said == [texts.IMPORT_SILENT.format(id="user999")]
