"""Reads what Claude exports: `conversations.json`, conversation by conversation."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memory.importing.messages import (
    ImportedMessage,
    ImportItem,
    OpenDocument,
    SkipReason,
    accept,
    clean_name,
    parse_datetime,
    quote_lines,
)

SENDERS = {"human": False, "user": False, "assistant": True}
SPOKEN = ("text", "voice_note")
PASTED = ("", "paste.txt", None)


def read(document: OpenDocument) -> Iterator[ImportItem]:
    pull = document.json()
    for _ in pull.each_item():
        conversation = pull.value()
        messages = conversation.get("chat_messages") if isinstance(conversation, dict) else None
        if isinstance(messages, list):
            chat = str(conversation.get("uuid") or f"{conversation.get('name')}/{conversation.get('created_at')}")
            began = parse_datetime(conversation.get("created_at"))
            for number, message in enumerate(messages):
                read = _heard(chat, number, message, began) if isinstance(message, dict) else SkipReason.UNREADABLE
                began = read.at if isinstance(read, ImportedMessage) else began
                yield read
        else:
            yield SkipReason.UNREADABLE
    pull.finish()


def _heard(chat: str, number: int, message: Mapping[str, Any], before: datetime | None) -> ImportItem:
    by_assistant = SENDERS.get(str(message.get("sender")))
    if by_assistant is None:
        return SkipReason.HIDDEN
    at = parse_datetime(message.get("created_at")) or before
    if at is None:
        return SkipReason.UNREADABLE
    files = ", ".join(_files(message))[:500]
    shown = filter(None, [_words(message), *map(quote_lines, _pasted(message))])
    text = "\n\n".join(shown) or ("" if by_assistant else files)
    key, told = str(message.get("uuid") or number), {"file": files} if files else None
    return accept(ImportedMessage(chat, key, at, text, by_assistant=by_assistant, extra=told))


def _words(message: Mapping[str, Any]) -> str:
    """What was said. What it thought and did with tools stands in parts of other kinds, and in the plain text as a
    sentence that says so; that counts where there are no parts."""
    blocks, plain = message.get("content"), message.get("text")
    if not isinstance(blocks, list) or not blocks:
        return plain.strip() if isinstance(plain, str) else ""
    spoken = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") in SPOKEN]
    return "\n\n".join(words.strip() for words in spoken if isinstance(words, str) and words.strip())


def _pasted(message: Mapping[str, Any]) -> list[str]:
    """What was long, and was made a file of on the way: it was pasted, and is hardly its sender's own."""
    given = [each.get("extracted_content") for each in _attached(message) if each.get("file_name") in PASTED]
    return [words for words in given if isinstance(words, str) and words.strip()]


def _files(message: Mapping[str, Any]) -> list[str]:
    named = [clean_name(each.get("file_name")) for each in _attached(message) if each.get("file_name") not in PASTED]
    return [name for name in dict.fromkeys(named) if name]


def _attached(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    given = [message.get(name) for name in ("attachments", "files")]
    return [each for files in given if isinstance(files, list) for each in files if isinstance(each, dict)]
