"""A file that came with a message: a text up to a limit becomes an artifact, which the model can read."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from telegram.error import TelegramError

from bot.delivery.incoming import File
from bot.language import spoken, texts
from bot.telegram.context import HandlerContext
from memory import ArtifactKind
from memory.errors import Refused
from memory.events.tool_results import MOST_BYTES, cut
from memory.ledgers import artifacts
from memory.turn.chat import Chat


@dataclass(frozen=True, slots=True)
class Read:
    """What the model is told of the file, and its beginning where nothing of it is kept; or why it could not be read,
    for the person."""

    told: dict[str, Any] = field(default_factory=dict)
    problem: str = ""
    excerpt: str = ""


async def read(context: HandlerContext, chat: Chat, file: File) -> Read:
    named = {"file": file.name}
    try:
        data = await download(context, file)
    except Refused as refusal:
        return Read(named, spoken(refusal))
    try:
        data.decode()
        prepared = await asyncio.to_thread(
            artifacts.prepare_artifact, data, kind=ArtifactKind.BLOB, meta={"name": file.name}
        )
    except (UnicodeDecodeError, Refused):
        return Read(named, texts.FILE_NOT_TEXT.format(name=file.name))
    if not chat.kept:
        return Read(named, excerpt=cut(prepared.data.decode(), MOST_BYTES))
    try:
        row = await chat.do(lambda unit: artifacts.store(unit, prepared))
    except Refused as refusal:
        return Read(named, spoken(refusal))
    return Read({**named, "artifact": row.id})


async def download(context: HandlerContext, file: File) -> bytes:
    """All of it, if it is not too much; what Telegram says of its size need not be so."""
    limit = context.runtime.settings.file_bytes
    too_large = Refused(texts.FILE_TOO_LARGE.format(name=file.name, limit=limit))
    if file.size > limit:
        raise too_large
    try:
        found = await context.sender.bot.get_file(file.id)
        if not (found.file_path or "").startswith("http"):  # the client would read it from this machine's own disk
            raise Refused(texts.FILE_AWAY.format(name=file.name))
        data = bytes(await found.download_as_bytearray())
    except TelegramError as error:
        raise Refused(texts.FILE_AWAY.format(name=file.name)) from error
    if len(data) > limit:
        raise too_large
    if not data.strip():
        raise Refused(texts.FILE_EMPTY.format(name=file.name))
    return data
