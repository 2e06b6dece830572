"""Reads ChatGPT exports. A conversation is a tree of all questions and answers, edited and repeated ones included.

The path to the last answer is what its owner sees.
"""

import re
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
    parse_timestamp,
)

Node = Mapping[str, Any]
SPOKEN = ("text", "multimodal_text")
HIDING = ("is_visually_hidden_from_conversation", "is_user_system_message")
# Private-use characters mark its citations, which are invisible in the app.
CITED = re.compile("\ue200[^\ue201]{0,2000}\ue201|[\ue200-\ue20f]")


def read(document: OpenDocument) -> Iterator[ImportItem]:
    """All visible messages, conversation by conversation."""
    pull = document.json()
    for _ in pull.each_item():
        conversation = pull.value()
        if isinstance(conversation, dict) and isinstance(conversation.get("mapping"), dict):
            yield from _conversation(conversation)
        else:
            yield SkipReason.UNREADABLE
    pull.finish()


def _conversation(conversation: Mapping[str, Any]) -> Iterator[ImportItem]:
    nodes = {key: node for key, node in conversation["mapping"].items() if isinstance(node, dict)}
    path = _path(nodes, _last_key(nodes, conversation.get("current_node")))
    chat = _name(conversation)
    abandoned = {*nodes} - {*path}
    yield from (SkipReason.ABANDONED for key in sorted(abandoned) if _is_seen(nodes[key].get("message")))
    at = parse_timestamp(conversation.get("create_time"))
    for key in path:
        message = nodes[key].get("message")
        if not isinstance(message, dict):
            continue  # the root has no message
        at = _at(message) or at
        yield _import_item(chat, key, message, at)


def _name(conversation: Mapping[str, Any]) -> str:
    id = conversation.get("conversation_id") or conversation.get("id")
    return str(id or f"{conversation.get('title')}/{conversation.get('create_time')}")


def _last_key(nodes: Mapping[str, Node], current: object) -> str | None:
    """The node that the export names as current, else the newest leaf."""
    if isinstance(current, str) and current in nodes:
        return current
    parents = {str(node.get("parent")) for node in nodes.values()}
    leaves = [key for key in nodes if key not in parents] or list(nodes)
    return max(leaves, key=lambda key: (str(_at(nodes[key].get("message")) or ""), key), default=None)


def _path(nodes: Mapping[str, Node], last: str | None) -> list[str]:
    """The keys from the root to the last node. Stops at a cycle."""
    path: dict[str, None] = {}
    here: Any = last
    while isinstance(here, str) and here in nodes and here not in path:
        path[here] = None
        here = nodes[here].get("parent")
    return list(reversed(path))


def _at(message: object) -> datetime | None:
    return parse_timestamp(message.get("create_time")) if isinstance(message, dict) else None


def _is_seen(message: object) -> bool:
    """Whether the person or the assistant addressed it to the other, and not to itself or to a tool."""
    if not isinstance(message, dict):
        return False
    role, content, metadata = _of(message, "author").get("role"), _of(message, "content"), _of(message, "metadata")
    if role not in ("user", "assistant") or content.get("content_type", "text") not in SPOKEN:
        return False
    if any(metadata.get(flag) is True for flag in HIDING) or message.get("channel") == "analysis":
        return False
    return role == "user" or message.get("recipient", "all") in ("all", None)


def _import_item(chat: str, key: str, message: Mapping[str, Any], at: datetime | None) -> ImportItem:
    if not _is_seen(message):
        return SkipReason.HIDDEN
    if at is None:
        return SkipReason.UNREADABLE
    text, files = _text(_of(message, "content")), _files(_of(message, "metadata"))
    extra = {"file": files} if files else None
    by_assistant = _of(message, "author").get("role") == "assistant"
    return accept(
        ImportedMessage(chat, key, at, text or ("" if by_assistant else files), by_assistant=by_assistant, extra=extra)
    )


def _text(content: Mapping[str, Any]) -> str:
    parts = content.get("parts")
    texts = [_part(part) for part in parts] if isinstance(parts, list) else [_part(content.get("text"))]
    return CITED.sub("", "\n\n".join(filter(None, texts))).strip()


def _part(part: object) -> str:
    """The text or transcript of a part; empty for a picture."""
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else ""


def _files(metadata: Mapping[str, Any]) -> str:
    attachments = metadata.get("attachments")
    listed = attachments if isinstance(attachments, list) else []
    names = [clean_name(each.get("name")) for each in listed if isinstance(each, dict)]
    return ", ".join(filter(None, names))[:500]


def _of(whole: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = whole.get(key)
    return value if isinstance(value, dict) else {}
