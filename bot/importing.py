"""`keepsake import`: brings in an export, and shows how far that is and what became of it."""

import asyncio
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bot.bar import Bar
from bot.console import terminal_user, timezone_name, user_name
from bot.language import texts
from db.queries.people import UNNAMED, choices_of, is_known, welcome
from db.viewer import Viewer
from db.vocabulary import Mode
from memory.errors import Refused, WriteRefused
from memory.importing.files import Document, Export, find
from memory.importing.heard import Kind
from memory.importing.letters import encoding_of
from memory.importing.reading import Survey, read, survey
from memory.importing.who import Me, me_in
from memory.importing.write import Source, Tally, write
from memory.keys import API_USER, NAME
from memory.privacy.loading import Notice, load
from memory.settings import Settings
from memory.unit import Memory, Unit

MOST_BYTES = 200_000_000  # of an export of our own: all of it is in memory at once, several times over
PART = 1_000_000
COMES_LATER = re.compile(rf"telegram:\d+|{API_USER}{NAME.pattern}")
Say = Callable[[str], None]


class Stopped(Exception):
    """Nobody waits for what is read any more."""


async def look_into(path: Path) -> Export:
    try:
        return await asyncio.to_thread(find, path)
    except OSError as error:
        raise Refused(texts.NOT_A_DOCUMENT.format(path=path, why=error.strerror)) from error


async def read_document(document: Document) -> dict[str, Any]:
    """An export of our own, which is loaded as a whole."""
    if document.size > MOST_BYTES:
        told = texts.TOO_MUCH_TO_LOAD.format(path=document.name, size=document.size, most=MOST_BYTES)
        raise Refused(told)
    bar = Bar(sys.stderr)
    try:
        return await asyncio.to_thread(_read, document, partial(bar, texts.IMPORT_STAGES["read"]))
    finally:
        bar.close()


def _read(document: Document, notice: Notice) -> dict[str, Any]:
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


async def load_shown(memory: Memory, viewer: Viewer, document: dict[str, Any], path: str, say: Say) -> int:
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
        say(texts.LOADED_BEFORE.format(path=path, user=viewer.person))
    else:
        say(texts.IMPORTED.format(count=count, user=viewer.person))
    return 0


async def read_shown(settings: Settings, export: Export, person: str, asked: str | None, say: Say) -> tuple[Survey, Me]:
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
    if export.kind != Kind.TELEGRAM:
        return known, Me("", "")
    me = me_in(known.account, person, asked)
    if me.id and me.id not in known.account.said:
        say(texts.IMPORT_SILENT.format(id=me.id))
    elif asked is None and me.id:
        say(texts.IMPORT_AS.format(name=me.name, id=me.id))
    return known, me


def _own_bot(settings: Settings) -> str:
    """As exports name it: a token begins with the bot's number."""
    token = settings.telegram_bot_token
    return f"user{token.get_secret_value().partition(':')[0]}" if token else ""


async def import_shown(
    settings: Settings, memory: Memory, viewer: Viewer, export: Export, known: Survey, me: Me, say: Say
) -> int:
    async with memory.unit(viewer) as unit:
        await _welcome(unit)
    bar = Bar(sys.stderr)
    messages = read(export, ZoneInfo(timezone_name()), known)
    try:
        tally = await write(
            memory,
            Source(export.kind, viewer, me.id),
            messages,
            lambda done: bar(texts.IMPORT_STAGES["write"], done, known.count),
        )
    finally:
        bar.close()
    async with memory.unit(viewer, read_only=True) as unit:
        mode = (await choices_of(unit.session, viewer)).mode
    say(_told(tally, viewer))
    is_searched = settings.anthropic_api_key is not None and settings.extraction == "on" and mode != Mode.MANUAL
    say(texts.IMPORT_CARDS if is_searched else texts.IMPORT_NO_CARDS)
    return 0


async def _welcome(unit: Unit) -> None:
    """Whoever sits here, and who will come by Telegram or the API, may be new; any other name is a mistyped one."""
    person = unit.viewer.person
    may_be_new = person == terminal_user() or COMES_LATER.fullmatch(person)
    if not may_be_new and not await is_known(unit.session, unit.viewer):
        raise Refused(texts.NO_SUCH_USER.format(user=person))
    outside = person.removeprefix(API_USER) if person.startswith(API_USER) else UNNAMED
    name = user_name() if person == terminal_user() else outside
    await welcome(unit.session, unit.viewer, name=name, timezone=timezone_name(), now=unit.now)


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
