"""Parses a Telegram update: who wrote what and where, and whether it is addressed to the bot."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from telegram import (
    Chat,
    ChatMember,
    ChatMemberRestricted,
    ChatMemberUpdated,
    Message,
    MessageEntity,
    MessageOrigin,
    Update,
    User,
)
from telegram.constants import ChatType, MessageOriginType

from bot.delivery.incoming import COMMAND, EDIT_PROMPT_MARK, File, Incoming, RepliedMessage, UpdateKind
from memory.cleaning import clean, visible
from memory.events.contents import redact_content

MAX_NAME, MAX_QUOTE, MAX_FILE_NAME = 64, 500, 200
UNREADABLE = (
    "voice",
    "video_note",
    "audio",
    "sticker",
    "photo",
    "animation",
    "video",
    "location",
    "contact",
    "poll",
)
QUOTATIONS = {MessageEntity.BLOCKQUOTE, MessageEntity.EXPANDABLE_BLOCKQUOTE, MessageEntity.PRE}


def read_update(update: Update, me: User, now: datetime) -> Incoming | None:
    """Return the update as an `Incoming`, or None if the bot has nothing to do with it."""
    if (query := update.callback_query) is not None:
        if query.message is None or query.data is None:
            return None
        at = {**_place(query.message), **_who(query.from_user), "message_id": query.message.message_id}
        return Incoming(
            update_id=update.update_id,
            kind=UpdateKind.BUTTON,
            received_at=now,
            query_id=query.id,
            data=clean(query.data),
            **at,
        )
    if (change := update.chat_member) is not None:
        member = change.new_chat_member
        return _left(update.update_id, now, change, member.user) if is_outside(member) else None
    message = update.message or update.edited_message
    if message is None:
        return None
    if message.migrate_to_chat_id or message.migrate_from_chat_id:
        return _moved(update.update_id, now, message)
    if message.left_chat_member is not None:
        return _left(update.update_id, now, message, message.left_chat_member)
    if message.from_user is None or message.from_user.is_bot or message.sender_chat is not None:
        return None  # a bot, a channel or an anonymous admin: no person whose memory it could use
    fields: dict[str, Any] = {"update_id": update.update_id, "received_at": now, "message_id": message.message_id}
    fields |= {**_place(message), **_who(message.from_user)}
    kind = UpdateKind.EDITED if update.edited_message else UpdateKind.MESSAGE
    return _read_message(message, me, kind, fields)


def is_outside(member: ChatMember) -> bool:
    """Whether the member is not in the group. A restricted member can be either."""
    if isinstance(member, ChatMemberRestricted):
        return not member.is_member
    return member.status in {ChatMember.LEFT, ChatMember.BANNED}


def _left(update_id: int, now: datetime, source: Message | ChatMemberUpdated, user: User) -> Incoming | None:
    """Return the update about a person who left or was removed."""
    if user.is_bot:
        return None
    return Incoming(update_id=update_id, kind=UpdateKind.LEFT, received_at=now, **{**_place(source), **_who(user)})


def _moved(update_id: int, now: datetime, message: Message) -> Incoming:
    """Return the update about a group that became a supergroup. Both chats report it, the new one first of all."""
    return Incoming(
        update_id=update_id,
        kind=UpdateKind.MOVED,
        received_at=now,
        user=message.from_user.id if message.from_user else 0,
        moved_from=message.migrate_from_chat_id or message.chat.id,
        moved_to=message.migrate_to_chat_id or message.chat.id,
        **_place(message),
    )


def _read_message(message: Message, me: User, kind: UpdateKind, fields: dict[str, Any]) -> Incoming | None:
    left_out: list[str] = []
    if message.chat.type != ChatType.PRIVATE and _is_for_another(message, me):
        return None
    text, reply, file = _with_quotations(message), _reply(message, me), _file(message)
    unreadable = "" if message.text or file else _unreadable(message)
    if not (text or file or unreadable):
        return None  # somebody joined, pinned something, changed the picture
    words = redact_content(_without_mention(text, me), left_out)
    return Incoming(
        kind=kind,
        text=words,
        addressed=_is_addressed(message, me, text),
        reply=reply,
        forwarded_from=_origin(message.forward_origin)
        or _former_origin(message.api_kwargs)
        or (_clean_name(message.via_bot.full_name) if message.via_bot else ""),
        file=file,
        unreadable=unreadable,
        left_out=tuple(dict.fromkeys(left_out)),
        **fields,
    )


def _with_quotations(message: Message) -> str:
    """Return the text with Markdown marks for quotations and code, so that a quoted order is not taken for one."""
    text = message.text or message.caption or ""
    encoded = text.encode("utf-16-le", "surrogatepass")
    marked = sorted(message.entities or message.caption_entities, key=lambda entity: entity.offset, reverse=True)
    for start, end, kind in ((e.offset * 2, (e.offset + e.length) * 2, e.type) for e in marked):
        part = encoded[start:end].decode("utf-16-le", "replace")
        if kind in QUOTATIONS:
            before = "" if start == 0 or encoded[start - 2 : start] == b"\n\0" else "\n"
            part = f"{before}> " + part.strip("\n").replace("\n", "\n> ") + "\n\n"
        elif kind == MessageEntity.CODE:
            part = f"`{part}`"
        else:
            continue
        encoded = encoded[:start] + part.encode("utf-16-le") + encoded[end:]
    return encoded.decode("utf-16-le", "surrogatepass").rstrip() if marked else text


def _is_for_another(message: Message, me: User) -> bool:
    """Whether it is a command that names another bot."""
    command = COMMAND.match(message.text or message.caption or "")
    return bool(command and command[2] and command[2].lower() != (me.username or "").lower())


def _place(message: Any) -> dict[str, Any]:
    chat: Chat = message.chat
    topic = message.message_thread_id if getattr(message, "is_topic_message", None) else None
    return {
        "chat": chat.id,
        "in_group": chat.type in {ChatType.GROUP, ChatType.SUPERGROUP},
        "thread": topic,
        "title": _clean_name(chat.title or ""),
    }


def _who(user: User) -> dict[str, Any]:
    return {"user": user.id, "name": _clean_name(user.full_name), "language": clean(user.language_code or "en")[:16]}


def _clean_name(name: str) -> str:
    """Return a name that is safe in a prompt: without secrets, markup or line breaks, and short."""
    redacted = str(redact_content(name, []))
    return visible(re.sub(r"[<>\[\]:\n]", " ", redacted))[:MAX_NAME]


def _is_addressed(message: Message, me: User, text: str) -> bool:
    if message.chat.type == ChatType.PRIVATE:
        return True
    if COMMAND.match(text):
        return True
    replied = message.reply_to_message
    if replied is not None and replied.from_user is not None and replied.from_user.id == me.id:
        return replied.forum_topic_created is None
    mentions = {**message.parse_entities(), **message.parse_caption_entities()}
    return any(
        (entity.type == MessageEntity.MENTION and words.lower() == f"@{me.username}".lower())
        or (entity.type == MessageEntity.TEXT_MENTION and entity.user is not None and entity.user.id == me.id)
        for entity, words in mentions.items()
    )


def _without_mention(text: str, me: User) -> str:
    """Remove the mention of the bot at the start or end, and from a command."""
    if not me.username:
        return text
    name = re.escape(f"@{me.username}")
    command = COMMAND.match(text)
    if command:
        return re.sub(name, "", text[: command.end()], flags=re.IGNORECASE) + text[command.end() :]
    return re.sub(rf"\A\s*{name}[\s,:]*|[\s,]*{name}\s*\Z", "", text, flags=re.IGNORECASE) or text


def _reply(message: Message, me: User) -> RepliedMessage | None:
    replied = message.reply_to_message
    if replied is None or replied.forum_topic_created is not None:
        return None
    by, mine = replied.from_user, replied.from_user is not None and replied.from_user.id == me.id
    words = replied.text or replied.caption or ""
    if message.quote and not (mine and words.startswith(EDIT_PROMPT_MARK)):
        words = message.quote.text
    return RepliedMessage(
        message_id=replied.message_id,
        by=_clean_name(by.full_name) if by else "",
        text=str(redact_content(words, []))[:MAX_QUOTE],  # redacted first, because half a secret is not recognised
        mine=mine,
    )


def _origin(origin: MessageOrigin | None) -> str:
    """Return whose message was forwarded, or "somebody" if it is hidden."""
    if origin is None:
        return ""
    match origin.type:
        case MessageOriginType.USER:
            return _clean_name(origin.sender_user.full_name) or "somebody"  # type: ignore[attr-defined]
        case MessageOriginType.HIDDEN_USER:
            return _clean_name(origin.sender_user_name) or "somebody"  # type: ignore[attr-defined]
        case MessageOriginType.CHAT:
            return _clean_name(origin.sender_chat.title or "") or "somebody"  # type: ignore[attr-defined]
        case MessageOriginType.CHANNEL:
            return _clean_name(origin.chat.title or "") or "somebody"  # type: ignore[attr-defined]
        case _:
            return "somebody"


def _former_origin(fields: Mapping[str, Any]) -> str:
    """Read the origin as servers before Bot API 7.0 give it, in fields that the library no longer parses."""
    if not any(name.startswith("forward_") for name in fields):
        return ""
    for field in ("forward_from", "forward_from_chat", "forward_sender_name"):
        match fields.get(field):
            case {"title": str(title)}:
                return _clean_name(title) or "somebody"
            case {"first_name": str(first), **more}:
                return _clean_name(f"{first} {more.get('last_name') or ''}".strip()) or "somebody"
            case str(name):
                return _clean_name(name) or "somebody"
    return "somebody"


def _file(message: Message) -> File | None:
    document = message.document
    if document is None or message.animation is not None:
        return None
    name = " ".join(str(redact_content(document.file_name or "", [])).split())[:MAX_FILE_NAME]
    return File(id=clean(document.file_id), name=name or "file", size=document.file_size or 0)


def _unreadable(message: Message) -> str:
    """Return the kind of a message without text. A caption, if any, is read as its text."""
    return next((kind for kind in UNREADABLE if getattr(message, kind)), "")
