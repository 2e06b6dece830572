"""`keepsake import`: imports an export, with a progress bar and a summary."""

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from bot.cli.person import open_person
from bot.cli.progress_bar import ProgressBar
from bot.language import texts
from bot.terminal.user import terminal_user, timezone_name, user_name
from memory import Mode, Progress, Viewer
from memory.errors import Refused, WriteRefused
from memory.importing.files import Export, ExportDocument, find_export
from memory.importing.json_bytes import detect_encoding
from memory.importing.owner import ExportOwner, find_owner
from memory.importing.reader import ExportSummary, read_export, scan_export
from memory.importing.write import ImportResult, ImportSource, write_messages
from memory.model.vendors import has_model
from memory.people.keys import API_USER, NAME
from memory.people.people import UNNAMED, choices_of, is_known, register_person
from memory.privacy.restore import load_export
from memory.settings import Settings
from memory.unit import Memory, Unit

MAX_BYTES = 200_000_000  # of our own exports, which are loaded into memory several times over
BLOCK = 1_000_000
MAY_JOIN_LATER = re.compile(rf"telegram:\d+|{API_USER}{NAME.pattern}")


class ReadCancelled(Exception):
    """Raised in the reading thread when its result is no longer needed."""


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    """Read and check the whole file before a new person is created for it."""
    found = await open_export(Path(args.file))
    if found.format.read is None:
        document = await read_document(found.documents[0])
        async with open_person(settings, args.user, progress, must_exist=False) as (memory, viewer):
            return await load_with_progress(memory, viewer, document, args.file, progress)
    person = args.user or terminal_user()
    summary, owner = await scan_with_progress(settings, found, person, getattr(args, "as"), progress)
    async with open_person(settings, args.user, progress, must_exist=False) as (memory, viewer):
        return await import_with_progress(settings, memory, viewer, found, summary, owner, progress)


async def open_export(path: Path) -> Export:
    try:
        return await asyncio.to_thread(find_export, path)
    except OSError as error:
        raise Refused(texts.IMPORT_NOT_READABLE.format(path=path, why=error.strerror)) from error


async def read_document(document: ExportDocument) -> dict[str, Any]:
    """Read one of our own exports."""
    if document.size > MAX_BYTES:
        raise Refused(texts.IMPORT_TOO_LARGE.format(path=document.name, size=document.size, most=MAX_BYTES))
    bar = ProgressBar(sys.stderr)
    try:
        return await asyncio.to_thread(_read, document, partial(bar, texts.IMPORT_STAGES["read"]))
    finally:
        bar.close()


def _read(document: ExportDocument, report: Callable[[int, int], None]) -> dict[str, Any]:
    whole = bytearray()
    try:
        with document.open() as file:
            while part := file.read(BLOCK):
                whole += part
                report(len(whole), document.size)
        found: dict[str, Any] = json.loads(whole.decode(detect_encoding(bytes(whole[:4]))))
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else texts.IMPORT_NOT_JSON
        raise Refused(texts.IMPORT_NOT_READABLE.format(path=document.name, why=why)) from error
    return found


async def load_with_progress(
    memory: Memory, viewer: Viewer, document: dict[str, Any], path: str, progress: Progress
) -> int:
    bar = ProgressBar(sys.stderr)
    try:
        async with memory.unit(viewer) as unit:
            await _ensure_person(unit)
            count = await load_export(unit, document, partial(bar, texts.IMPORT_STAGES["write"]))
    except WriteRefused as refusal:
        raise Refused(texts.IMPORT_FAILED.format(path=path)) from refusal
    finally:
        bar.close()
    if count is None:
        progress(texts.IMPORT_REPEATED.format(path=path, user=viewer.person))
    else:
        progress(texts.IMPORT_DONE.format(count=count, user=viewer.person))
    return 0


async def scan_with_progress(
    settings: Settings, export: Export, person: str, owner_name: str | None, progress: Progress
) -> tuple[ExportSummary, ExportOwner]:
    """Read the whole export once, so that nothing of a broken one is written, and find its owner among the speakers."""
    bar, is_needed = ProgressBar(sys.stderr), True

    def report(seen: int) -> None:
        if not is_needed:
            raise ReadCancelled
        bar(texts.IMPORT_STAGES["read"], seen, export.size)

    try:
        summary = await asyncio.to_thread(
            scan_export, export, ZoneInfo(timezone_name()), report, bot=_own_bot(settings)
        )
    except OSError as error:
        raise Refused(texts.IMPORT_NOT_READABLE.format(path=export.documents[0].name, why=error.strerror)) from error
    finally:
        is_needed = False
        bar.close()
    if not export.format.needs_owner:
        return summary, ExportOwner("", "")
    owner = find_owner(summary.account, person, export.format.exported_id(person), owner_name)
    if owner.id and owner.id not in summary.account.message_counts:
        progress(texts.IMPORT_SILENT.format(id=owner.id))
    elif owner_name is None and owner.id:
        progress(texts.IMPORT_AS.format(name=owner.name, id=owner.id))
    return summary, owner


def _own_bot(settings: Settings) -> str:
    """Return the id of our bot as exports write it. A token starts with the bot's number."""
    token = settings.telegram_bot_token
    return f"user{token.get_secret_value().partition(':')[0]}" if token else ""


async def import_with_progress(
    settings: Settings,
    memory: Memory,
    viewer: Viewer,
    export: Export,
    summary: ExportSummary,
    owner: ExportOwner,
    progress: Progress,
) -> int:
    async with memory.unit(viewer) as unit:
        await _ensure_person(unit)
    bar = ProgressBar(sys.stderr)
    messages = read_export(export, ZoneInfo(timezone_name()), summary)
    try:
        result = await write_messages(
            memory,
            ImportSource(export.format, viewer, owner.id),
            messages,
            lambda done: bar(texts.IMPORT_STAGES["write"], done, summary.count),
        )
    finally:
        bar.close()
    async with memory.unit(viewer, read_only=True) as unit:
        mode = (await choices_of(unit)).mode
    progress(_summary(result, viewer))
    finds_facts = has_model(settings) and settings.extraction == "on" and mode != Mode.MANUAL
    progress(texts.IMPORT_CARDS if finds_facts else texts.IMPORT_NO_CARDS)
    return 0


async def _ensure_person(unit: Unit) -> None:
    """Create the person if need be: the user of this terminal, or one who may join by Telegram or the API later.

    Any other unknown name is taken for a typing error.
    """
    person = unit.viewer.person
    can_be_new = person == terminal_user() or MAY_JOIN_LATER.fullmatch(person)
    if not can_be_new and not await is_known(unit):
        raise Refused(texts.NO_SUCH_USER.format(user=person))
    outside = person.removeprefix(API_USER) if person.startswith(API_USER) else UNNAMED
    name = user_name() if person == terminal_user() else outside
    await register_person(unit, name=name, timezone=timezone_name())


def _summary(result: ImportResult, viewer: Viewer) -> str:
    reasons = ", ".join(
        f"{texts.IMPORT_LEFT[reason]} ({count:,})" for reason, count in result.skipped.most_common() if count
    )
    return texts.IMPORT_MESSAGES_DONE.format(
        user=viewer.person,
        conversations=result.conversations,
        new=result.new,
        known=result.already_present,
        left=result.skipped.total(),
        why=f": {reasons}" if reasons else "",
    )
