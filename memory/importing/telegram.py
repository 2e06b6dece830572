"""Reads `result.json` as Telegram Desktop exports it: one chat or the whole account, message by message.

A chat can last for years, so each of its months becomes a conversation. The newest months are then processed first,
and a later export of the same chat fits in.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, tzinfo
from typing import Any

from memory.importing.account import BARE, Account, ExportedChat
from memory.importing.json_stream import JsonStream
from memory.importing.messages import (
    ImportedMessage,
    ImportItem,
    OpenDocument,
    SkipReason,
    accept,
    clean_name,
    parse_datetime,
    parse_timestamp,
    quote_lines,
)

SOMEBODY = "somebody"
# Chats with one partner, whose id is the chat's id.
BOT, OWN = "bot_chat", "saved_messages"
WITH_ONE = ("personal_chat", BOT)
MAX_PROBED = 20  # messages read to recognise the format
QUOTATIONS = ("blockquote", "pre")
LISTS = ("chats", "left_chats")
NUMBERED = re.compile(r"[a-z]{1,20}\d{1,20}")
MEDIA = {
    "voice_message": "voice",
    "video_message": "video_note",
    "audio_file": "audio",
    "video_file": "video",
    "sticker": "sticker",
    "animation": "animation",
}
WITHOUT_TYPE = {"photo": "photo", "location_information": "location", "contact_information": "contact", "poll": "poll"}


def exported_id(person: str) -> str:
    """How exports name a person whose Telegram id is known here."""
    return f"user{person.removeprefix('telegram:')}" if person.startswith("telegram:") else ""


def lists_chats(pull: JsonStream) -> bool:
    return any(key == "list" and pull.is_list() for key in pull.each_key())


def lists_messages(pull: JsonStream) -> bool:
    """Whether the first items look like messages. An empty chat does not count: there is nothing to import."""
    for number, _ in enumerate(pull.each_item()):
        if {"id", "type", "date"} <= set(pull.each_key()):
            return True
        if number == MAX_PROBED:
            break
    return False


def read(document: OpenDocument) -> Iterator[ImportItem]:
    """All messages, in order. Fills in the account on the way.

    A chat's id may come after its messages, so on the second pass the chats of the first one (`previous`) are used.
    Times without a zone are taken to be in `timezone`.
    """
    pull, account, timezone, previous = document.json(), document.account, document.timezone, document.previous
    single = ExportedChat()
    for key in pull.each_key():
        if key == "personal_information":
            information = pull.value()
            number = information.get("user_id") if isinstance(information, dict) else None
            account.owner_id = f"user{number}" if isinstance(number, int | str) and str(number) else ""
        elif key in LISTS:
            yield from _chats(pull, account, timezone, previous)
        elif key == "messages":
            yield from _messages(pull, _next_chat(account, previous, single), account, timezone)
            account.chats.append(single)
        elif key in ("id", "type"):
            setattr(single, key, str(pull.value() or ""))
    pull.finish()


def _chats(pull: JsonStream, account: Account, timezone: tzinfo, previous: Account | None) -> Iterator[ImportItem]:
    for key in pull.each_key():
        if key == "list":
            for _ in pull.each_item():
                chat = ExportedChat()
                for part in pull.each_key():
                    if part in ("id", "type"):
                        setattr(chat, part, str(pull.value() or ""))
                    elif part == "messages":
                        yield from _messages(pull, _next_chat(account, previous, chat), account, timezone)
                account.chats.append(chat)


def _next_chat(account: Account, previous: Account | None, chat: ExportedChat) -> ExportedChat:
    return previous.chats[len(account.chats)] if previous and len(previous.chats) > len(account.chats) else chat


def _messages(pull: JsonStream, chat: ExportedChat, account: Account, timezone: tzinfo) -> Iterator[ImportItem]:
    speakers = set[str]()
    for _ in pull.each_item():
        message = pull.value()
        item = _message(message, chat, timezone) if isinstance(message, dict) else SkipReason.UNREADABLE
        if isinstance(item, ImportedMessage):
            speakers.add(item.speaker)
            account.names[item.speaker] = item.name
            account.message_counts[item.speaker] = account.message_counts.get(item.speaker, 0) + 1
            item = _skip_own_bot(item, chat, account.bot)
        yield item
    if chat.type in WITH_ONE:
        account.partners.add(chat.key)
        if len(others := speakers - {chat.key}) == 1:
            account.candidates |= others
    if chat.type == OWN and chat.id:
        account.candidates.add(chat.key)


def _skip_own_bot(message: ImportedMessage, chat: ExportedChat, bot: str) -> ImportItem:
    """Skip chats with our own bot: they are stored already, or were forgotten or off the record and must not return.
    If our bot is not known, all chats with bots are skipped."""
    if bot and bot in (chat.key, message.speaker):
        return SkipReason.HERE
    return SkipReason.BOT if chat.type == BOT and not (bot and chat.id) else message


def _message(message: Mapping[str, Any], chat: ExportedChat, timezone: tzinfo) -> ImportItem:
    match message.get("type"):
        case "service":
            return SkipReason.SERVICE
        case "message":
            pass
        case _:
            return SkipReason.UNREADABLE
    at, key = _at(message, timezone), message.get("id")
    if at is None or not isinstance(key, int | str):
        return SkipReason.UNREADABLE
    name, from_id = clean_name(message.get("from")) or clean_name(message.get("author")), message.get("from_id")
    chat.is_old |= isinstance(from_id, int)
    speaker = _speaker(from_id, name) or chat.key
    if chat.is_broadcast and speaker == chat.key:
        return SkipReason.BROADCAST
    text, extra = _text(message), _extra(message)
    if not text and (file := _file_name(message)):
        text, extra = file, {**extra, "file": file}  # the name stands for the text, but is marked as a file
    reply_to = message.get("reply_to_message_id")
    return accept(
        ImportedMessage(
            chat=chat.key,
            part=f"{at:%Y-%m}",
            key=str(key),
            at=at,
            text=text,
            speaker=speaker,
            name=name or SOMEBODY,
            extra=extra,
            reply_to=str(reply_to) if reply_to and "reply_to_peer_id" not in message else None,
        )
    )


def _at(message: Mapping[str, Any], timezone: tzinfo) -> datetime | None:
    return parse_timestamp(message.get("date_unixtime")) or parse_datetime(message.get("date"), timezone)


def _speaker(from_id: object, name: str) -> str:
    """A speaker's id. In old exports it is a plain number, always a person's; some contain bits for the kind, which are
    dropped. Size does not tell them apart, as some people have large ids today. Without an id, the name is used."""
    if isinstance(from_id, str) and NUMBERED.fullmatch(from_id):
        return from_id
    return f"user{from_id & BARE}" if isinstance(from_id, int) else name and f"name {name}"


def _text(message: Mapping[str, Any]) -> str:
    """The text of a message, with quotations marked: their words are not the writer's own."""
    value = message.get("text") or message.get("text_entities")
    parts = value if isinstance(value, list) else [value]
    return "".join(map(_part, parts)).strip() or _poll_question(message.get("poll"))


def _poll_question(poll: object) -> str:
    """The question of a poll, quoted. Its options are nobody's words."""
    question = poll.get("question") if isinstance(poll, dict) else None
    return quote_lines(question) if isinstance(question, str) else ""


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or not isinstance(text := part.get("text"), str):
        return ""
    if part.get("type") in QUOTATIONS:
        return f"\n{quote_lines(text)}\n\n"
    return f"`{text}`" if part.get("type") == "code" else text


def _extra(message: Mapping[str, Any]) -> dict[str, Any]:
    """Whose words a message forwards, and the file it came with."""
    extra: dict[str, Any] = {}
    if "forwarded_from" in message or "saved_from" in message:
        extra["forwarded_from"] = clean_name(message.get("forwarded_from") or message.get("saved_from")) or SOMEBODY
    elif message.get("via_bot"):
        extra["forwarded_from"] = clean_name(message["via_bot"]) or SOMEBODY
    if media := _media(message):
        extra["file"] = media
    return extra


def _media(message: Mapping[str, Any]) -> str:
    if isinstance(kind := message.get("media_type"), str):
        return MEDIA.get(kind, "file")
    kind_by_key = next((kind for key, kind in WITHOUT_TYPE.items() if key in message), "")
    return kind_by_key or (_file_name(message) or "file" if "file" in message else "")


def _file_name(message: Mapping[str, Any]) -> str:
    """The file name of a document. For a file that was not exported, old exports have a note in brackets instead."""
    if "media_type" in message or not isinstance(path := message.get("file"), str):
        return ""
    file_name = message.get("file_name")
    name = file_name if isinstance(file_name, str) else "" if path.startswith("(") else path.rpartition("/")[2]
    return clean_name(name)
