"""Handles files sent with a message: a text file up to a size limit becomes an artifact that the model can read."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from telegram.error import TelegramError

from bot.delivery.incoming import File
from bot.language import texts, translate_error
from bot.telegram.context import HandlerContext
from memory import ArtifactKind
from memory.errors import Refused
from memory.events.tool_results import MAX_BYTES, cut_at_line
from memory.ledgers import artifacts
from memory.turn.chat import Chat


@dataclass(frozen=True, slots=True)
class FileContent:
    """`details` are for the model, `problem` is for the user; a /private chat has an `excerpt` and no artifact."""

    details: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    excerpt: str = ""


async def read_file(context: HandlerContext, chat: Chat, file: File) -> FileContent:
    details = {"file": file.name}
    try:
        data = await download(context, file)
    except Refused as refusal:
        return FileContent(details, translate_error(refusal))
    try:
        data.decode()
        prepared = await asyncio.to_thread(
            artifacts.prepare_artifact, data, kind=ArtifactKind.BLOB, meta={"name": file.name}
        )
    except (UnicodeDecodeError, Refused):
        return FileContent(details, texts.FILE_NOT_TEXT.format(name=file.name))
    if not chat.kept:
        return FileContent(details, excerpt=cut_at_line(prepared.data.decode(), MAX_BYTES))
    try:
        row = await chat.do(lambda unit: artifacts.store(unit, prepared))
    except Refused as refusal:
        return FileContent(details, translate_error(refusal))
    return FileContent({**details, "artifact": row.id})


async def download(context: HandlerContext, file: File) -> bytes:
    """Download a file up to the size limit. Telegram's own figure may be wrong, so the size is checked twice."""
    limit = context.runtime.settings.file_bytes
    too_large = Refused(texts.FILE_TOO_LARGE.format(name=file.name, limit=limit))
    if file.size > limit:
        raise too_large
    try:
        found = await context.sender.bot.get_file(file.id)
        if not (found.file_path or "").startswith("http"):  # the library would read a path from our own disk
            raise Refused(texts.FILE_NOT_FETCHED.format(name=file.name))
        data = bytes(await found.download_as_bytearray())
    except TelegramError as error:
        raise Refused(texts.FILE_NOT_FETCHED.format(name=file.name)) from error
    if len(data) > limit:
        raise too_large
    if not data.strip():
        raise Refused(texts.FILE_EMPTY.format(name=file.name))
    return data
