"""Reads what Telegram Desktop exports, one chat or the whole account: `result.json`, message by message.

A chat goes on for years, so each month of it is a conversation of its own: what was said last is then looked through
first, and an export of another time does not come in between.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, tzinfo
from typing import Any

from memory.importing.account import BARE, Account, ExportedChat
from memory.importing.json_stream import Pull
from memory.importing.messages import ImportedMessage, Left, OpenDocument, Read, called, fit, moment, moment_of, quoted

SOMEBODY = "somebody"
# With one other side, whose number is the chat's.
BOT, OWN = "bot_chat", "saved_messages"
WITH_ONE = ("personal_chat", BOT)
MOST_LOOKED_AT = 20  # messages; of a list of something else nobody reads more
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


def known_as(person: str) -> str:
    """The name in an export of whoever is known here by their number in Telegram."""
    return f"user{person.removeprefix('telegram:')}" if person.startswith("telegram:") else ""


def lists_chats(pull: Pull) -> bool:
    return any(key == "list" and pull.is_list() for key in pull.each_key())


def lists_messages(pull: Pull) -> bool:
    """By its first messages; an empty chat has none, and nothing to bring."""
    for number, _ in enumerate(pull.each_item()):
        if {"id", "type", "date"} <= set(pull.each_key()):
            return True
        if number == MOST_LOOKED_AT:
            break
    return False


def read(document: OpenDocument) -> Iterator[Read]:
    """All messages, in order. The account is filled in on the way; what was `known` of the chats from an earlier
    reading holds also where they tell their number last. Without a zone of their own, times are those of `timezone`."""
    pull, account, timezone, known = document.json(), document.account, document.timezone, document.known
    single = ExportedChat()
    for key in pull.each_key():
        if key == "personal_information":
            found = pull.value()
            number = found.get("user_id") if isinstance(found, dict) else None
            account.own = f"user{number}" if isinstance(number, int | str) and str(number) else ""
        elif key in LISTS:
            yield from _chats(pull, account, timezone, known)
        elif key == "messages":
            yield from _messages(pull, _next_chat(account, known, single), account, timezone)
            account.chats.append(single)
        elif key in ("id", "type"):
            setattr(single, key, str(pull.value() or ""))
    pull.finish()


def _chats(pull: Pull, account: Account, timezone: tzinfo, known: Account | None) -> Iterator[Read]:
    for key in pull.each_key():
        if key == "list":
            for _ in pull.each_item():
                chat = ExportedChat()
                for part in pull.each_key():
                    if part in ("id", "type"):
                        setattr(chat, part, str(pull.value() or ""))
                    elif part == "messages":
                        yield from _messages(pull, _next_chat(account, known, chat), account, timezone)
                account.chats.append(chat)


def _next_chat(account: Account, known: Account | None, chat: ExportedChat) -> ExportedChat:
    return known.chats[len(account.chats)] if known and len(known.chats) > len(account.chats) else chat


def _messages(pull: Pull, chat: ExportedChat, account: Account, timezone: tzinfo) -> Iterator[Read]:
    speakers = set[str]()
    for _ in pull.each_item():
        message = pull.value()
        read = _message(message, chat, timezone) if isinstance(message, dict) else Left.UNREADABLE
        if isinstance(read, ImportedMessage):
            speakers.add(read.speaker)
            account.names[read.speaker] = read.name
            account.said[read.speaker] = account.said.get(read.speaker, 0) + 1
            read = _unless_ours(read, chat, account.bot)
        yield read
    if chat.type in WITH_ONE:
        account.others.add(chat.key)
        if len(left := speakers - {chat.key}) == 1:
            account.perhaps |= left
    if chat.type == OWN and chat.id:
        account.perhaps.add(chat.key)


def _unless_ours(heard: ImportedMessage, chat: ExportedChat, bot: str) -> Read:
    """What was said to our own bot is here; unless it was forgotten, or said in private, and then it must not come
    back. So where nobody knows which bot is ours, none is let in."""
    if bot and bot in (chat.key, heard.speaker):
        return Left.HERE
    return Left.BOT if chat.type == BOT and not (bot and chat.id) else heard


def _message(message: Mapping[str, Any], chat: ExportedChat, timezone: tzinfo) -> Read:
    match message.get("type"):
        case "service":
            return Left.SERVICE
        case "message":
            pass
        case _:
            return Left.UNREADABLE
    at, key = _at(message, timezone), message.get("id")
    if at is None or not isinstance(key, int | str):
        return Left.UNREADABLE
    name, from_id = called(message.get("from")) or called(message.get("author")), message.get("from_id")
    chat.is_old |= isinstance(from_id, int)
    speaker = _speaker(from_id, name) or chat.key
    if chat.is_broadcast and speaker == chat.key:
        return Left.BROADCAST
    text, told = _words(message), _told(message)
    if not text and (file := _file_name(message)):
        text, told = file, {**told, "file": file}  # a file that came without a word is none of its sender's words
    answered = message.get("reply_to_message_id")
    return fit(
        ImportedMessage(
            chat=chat.key,
            part=f"{at:%Y-%m}",
            key=str(key),
            at=at,
            text=text,
            speaker=speaker,
            name=name or SOMEBODY,
            told=told,
            answers=str(answered) if answered and "reply_to_peer_id" not in message else None,
        )
    )


def _at(message: Mapping[str, Any], timezone: tzinfo) -> datetime | None:
    return moment(message.get("date_unixtime")) or moment_of(message.get("date"), timezone)


def _speaker(named: object, name: str) -> str:
    """Numbers of an old export are all of them people's; some tell so, and some do not. It is not their size that
    says which: today there are people with larger ones. Who has none is known by the name."""
    if isinstance(named, str) and NUMBERED.fullmatch(named):
        return named
    return f"user{named & BARE}" if isinstance(named, int) else name and f"name {name}"


def _words(message: Mapping[str, Any]) -> str:
    """The text of a message, with signs for what Telegram only draws: whoever quotes something does not say it."""
    given = message.get("text") or message.get("text_entities")
    parts = given if isinstance(given, list) else [given]
    return "".join(map(_part, parts)).strip() or _asked_of_all(message.get("poll"))


def _asked_of_all(poll: object) -> str:
    """What a poll asks; its answers are nobody's."""
    question = poll.get("question") if isinstance(poll, dict) else None
    return quoted(question) if isinstance(question, str) else ""


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict) or not isinstance(words := part.get("text"), str):
        return ""
    if part.get("type") in QUOTATIONS:
        return f"\n{quoted(words)}\n\n"
    return f"`{words}`" if part.get("type") == "code" else words


def _told(message: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if "forwarded_from" in message or "saved_from" in message:
        told["forwarded_from"] = called(message.get("forwarded_from") or message.get("saved_from")) or SOMEBODY
    elif message.get("via_bot"):
        told["forwarded_from"] = called(message["via_bot"]) or SOMEBODY
    if media := _media(message):
        told["file"] = media
    return told


def _media(message: Mapping[str, Any]) -> str:
    if isinstance(kind := message.get("media_type"), str):
        return MEDIA.get(kind, "file")
    without = next((shown for key, shown in WITHOUT_TYPE.items() if key in message), "")
    return without or (_file_name(message) or "file" if "file" in message else "")


def _file_name(message: Mapping[str, Any]) -> str:
    """Of a document; where it was not exported, older versions tell no name."""
    if "media_type" in message or not isinstance(path := message.get("file"), str):
        return ""
    named = message.get("file_name")
    name = named if isinstance(named, str) else "" if path.startswith("(") else path.rpartition("/")[2]
    return called(name)
