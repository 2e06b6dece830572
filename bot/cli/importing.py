"""`keepsake import`: brings in an export, and shows how far that is and what became of it."""

import argparse
import asyncio
import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bot.cli.person import memory_of
from bot.cli.progress_bar import Bar
from bot.language import texts
from bot.terminal.user import terminal_user, timezone_name, user_name
from memory import Mode, Progress, Viewer
from memory.errors import Refused, WriteRefused
from memory.importing.files import Export, ExportDocument, find
from memory.importing.json_bytes import encoding_of
from memory.importing.owner import Me, me_in
from memory.importing.reading import Survey, read, survey
from memory.importing.write import ImportSource, Tally, write
from memory.model.choice import has_model
from memory.people.keys import API_USER, NAME
from memory.people.people import UNNAMED, choices_of, is_known, welcome
from memory.privacy.restore import Notice, load
from memory.settings import Settings
from memory.unit import Memory, Unit

MOST_BYTES = 200_000_000  # of an export of our own: all of it is in memory at once, several times over
PART = 1_000_000
COMES_LATER = re.compile(rf"telegram:\d+|{API_USER}{NAME.pattern}")


class Stopped(Exception):
    """Nobody waits for what is read any more."""


async def run(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    """What is no export, or does not say who of it is meant, is refused before anybody is made."""
    found = await look_into(Path(chosen.file))
    if found.format.read is None:
        document = await read_document(found.documents[0])
        async with memory_of(settings, chosen.user, progress, known=False) as (memory, viewer):
            return await load_shown(memory, viewer, document, chosen.file, progress)
    person = chosen.user or terminal_user()
    known, me = await read_shown(settings, found, person, getattr(chosen, "as"), progress)
    async with memory_of(settings, chosen.user, progress, known=False) as (memory, viewer):
        return await import_shown(settings, memory, viewer, found, known, me, progress)


async def look_into(path: Path) -> Export:
    try:
        return await asyncio.to_thread(find, path)
    except OSError as error:
        raise Refused(texts.NOT_A_DOCUMENT.format(path=path, why=error.strerror)) from error


async def read_document(document: ExportDocument) -> dict[str, Any]:
    """An export of our own, which is loaded as a whole."""
    if document.size > MOST_BYTES:
        told = texts.TOO_MUCH_TO_LOAD.format(path=document.name, size=document.size, most=MOST_BYTES)
        raise Refused(told)
    bar = Bar(sys.stderr)
    try:
        return await asyncio.to_thread(_read, document, partial(bar, texts.IMPORT_STAGES["read"]))
    finally:
        bar.close()


def _read(document: ExportDocument, notice: Notice) -> dict[str, Any]:
    whole = bytearray()
    try:
        with document.open() as file:
            while part := file.read(PART):
                whole += part
                notice(len(whole), document.size)
        found: dict[str, Any] = json.loads(whole.decode(encoding_of(bytes(whole[:4]))))
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else texts.NOT_JSON
        raise Refused(texts.NOT_A_DOCUMENT.format(path=document.name, why=why)) from error
    return found


async def load_shown(memory: Memory, viewer: Viewer, document: dict[str, Any], path: str, progress: Progress) -> int:
    bar = Bar(sys.stderr)
    try:
        async with memory.unit(viewer) as unit:
            await _welcome(unit)
            count = await load(unit, document, partial(bar, texts.IMPORT_STAGES["write"]))
    except WriteRefused as refusal:
        raise Refused(texts.NOT_LOADED.format(path=path)) from refusal
    finally:
        bar.close()
    if count is None:
        progress(texts.LOADED_BEFORE.format(path=path, user=viewer.person))
    else:
        progress(texts.IMPORTED.format(count=count, user=viewer.person))
    return 0


async def read_shown(
    settings: Settings, export: Export, person: str, asked: str | None, progress: Progress
) -> tuple[Survey, Me]:
    """All of it once, so that nothing is written of what is not whole; and as whom its owner speaks in it."""
    bar, is_wanted = Bar(sys.stderr), True

    def notice(seen: int) -> None:
        if not is_wanted:
            raise Stopped
        bar(texts.IMPORT_STAGES["read"], seen, export.size)

    try:
        known = await asyncio.to_thread(survey, export, ZoneInfo(timezone_name()), notice, bot=_own_bot(settings))
    except OSError as error:
        raise Refused(texts.NOT_A_DOCUMENT.format(path=export.documents[0].name, why=error.strerror)) from error
    finally:
        is_wanted = False
        bar.close()
    if not export.format.asks_owner:
        return known, Me("", "")
    me = me_in(known.account, person, export.format.known_as(person), asked)
    if me.id and me.id not in known.account.said:
        progress(texts.IMPORT_SILENT.format(id=me.id))
    elif asked is None and me.id:
        progress(texts.IMPORT_AS.format(name=me.name, id=me.id))
    return known, me


def _own_bot(settings: Settings) -> str:
    """As exports name it: a token begins with the bot's number."""
    token = settings.telegram_bot_token
    return f"user{token.get_secret_value().partition(':')[0]}" if token else ""


async def import_shown(
    settings: Settings, memory: Memory, viewer: Viewer, export: Export, known: Survey, me: Me, progress: Progress
) -> int:
    async with memory.unit(viewer) as unit:
        await _welcome(unit)
    bar = Bar(sys.stderr)
    messages = read(export, ZoneInfo(timezone_name()), known)
    try:
        tally = await write(
            memory,
            ImportSource(export.format, viewer, me.id),
            messages,
            lambda done: bar(texts.IMPORT_STAGES["write"], done, known.count),
        )
    finally:
        bar.close()
    async with memory.unit(viewer, read_only=True) as unit:
        mode = (await choices_of(unit)).mode
    progress(_told(tally, viewer))
    is_searched = has_model(settings) and settings.extraction == "on" and mode != Mode.MANUAL
    progress(texts.IMPORT_CARDS if is_searched else texts.IMPORT_NO_CARDS)
    return 0


async def _welcome(unit: Unit) -> None:
    """Whoever sits here, and who will come by Telegram or the API, may be new; any other name is a mistyped one."""
    person = unit.viewer.person
    may_be_new = person == terminal_user() or COMES_LATER.fullmatch(person)
    if not may_be_new and not await is_known(unit):
        raise Refused(texts.NO_SUCH_USER.format(user=person))
    outside = person.removeprefix(API_USER) if person.startswith(API_USER) else UNNAMED
    name = user_name() if person == terminal_user() else outside
    await welcome(unit, name=name, timezone=timezone_name())


def _told(tally: Tally, viewer: Viewer) -> str:
    why = ", ".join(f"{texts.IMPORT_LEFT[left]} ({count:,})" for left, count in tally.left.most_common() if count)
    return texts.IMPORTED_MESSAGES.format(
        user=viewer.person,
        conversations=tally.conversations,
        new=tally.new,
        known=tally.known,
        left=tally.left.total(),
        why=f": {why}" if why else "",
    )
