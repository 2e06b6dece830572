"""Reads what ChatGPT exports: conversations as trees of all that was ever asked and answered in them.

What stands on the way to the last answer is what their owner sees."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memory.importing.messages import ImportedMessage, Left, OpenDocument, Read, called, fit, moment

Node = Mapping[str, Any]
SPOKEN = ("text", "multimodal_text")
HIDING = ("is_visually_hidden_from_conversation", "is_user_system_message")
# Signs of its own around what it cites, of which nobody sees anything.
CITED = re.compile("\ue200[^\ue201]{0,2000}\ue201|[\ue200-\ue20f]")


def read(document: OpenDocument) -> Iterator[Read]:
    """All messages that are seen, conversation by conversation."""
    pull = document.json()
    for _ in pull.each_item():
        conversation = pull.value()
        if isinstance(conversation, dict) and isinstance(conversation.get("mapping"), dict):
            yield from _conversation(conversation)
        else:
            yield Left.UNREADABLE
    pull.finish()


def _conversation(conversation: Mapping[str, Any]) -> Iterator[Read]:
    nodes = {key: node for key, node in conversation["mapping"].items() if isinstance(node, dict)}
    path = _path(nodes, _last(nodes, conversation.get("current_node")))
    chat = _name(conversation)
    abandoned = {*nodes} - {*path}
    yield from (Left.ABANDONED for key in sorted(abandoned) if _is_seen(nodes[key].get("message")))
    at = moment(conversation.get("create_time"))
    for key in path:
        message = nodes[key].get("message")
        if not isinstance(message, dict):
            continue  # the root is none
        at = _at(message) or at
        yield _heard(chat, key, message, at)


def _name(conversation: Mapping[str, Any]) -> str:
    named = conversation.get("conversation_id") or conversation.get("id")
    return str(named or f"{conversation.get('title')}/{conversation.get('create_time')}")


def _last(nodes: Mapping[str, Node], named: object) -> str | None:
    """The last message that is seen; where nobody says so, the newest that nothing follows."""
    if isinstance(named, str) and named in nodes:
        return named
    followed = {str(node.get("parent")) for node in nodes.values()}
    ends = [key for key in nodes if key not in followed] or list(nodes)
    return max(ends, key=lambda key: (str(_at(nodes[key].get("message")) or ""), key), default=None)


def _path(nodes: Mapping[str, Node], last: str | None) -> list[str]:
    """From the first to the last; a tree that bites its own tail is followed once around."""
    path: dict[str, None] = {}
    here: Any = last
    while isinstance(here, str) and here in nodes and here not in path:
        path[here] = None
        here = nodes[here].get("parent")
    return list(reversed(path))


def _at(message: object) -> datetime | None:
    return moment(message.get("create_time")) if isinstance(message, dict) else None


def _is_seen(message: object) -> bool:
    """Whether a person or the assistant said it to the other; not to itself, and to no tool."""
    if not isinstance(message, dict):
        return False
    role, content, about = _of(message, "author").get("role"), _of(message, "content"), _of(message, "metadata")
    if role not in ("user", "assistant") or content.get("content_type", "text") not in SPOKEN:
        return False
    if any(about.get(sign) is True for sign in HIDING) or message.get("channel") == "analysis":
        return False
    return role == "user" or message.get("recipient", "all") in ("all", None)


def _heard(chat: str, key: str, message: Mapping[str, Any], at: datetime | None) -> Read:
    if not _is_seen(message):
        return Left.HIDDEN
    if at is None:
        return Left.UNREADABLE
    text, files = _words(_of(message, "content")), _files(_of(message, "metadata"))
    told = {"file": files} if files else None
    by_assistant = _of(message, "author").get("role") == "assistant"
    return fit(
        ImportedMessage(chat, key, at, text or ("" if by_assistant else files), by_assistant=by_assistant, told=told)
    )


def _words(content: Mapping[str, Any]) -> str:
    parts = content.get("parts")
    told = [_part(part) for part in parts] if isinstance(parts, list) else [_part(content.get("text"))]
    return CITED.sub("", "\n\n".join(filter(None, told))).strip()


def _part(part: object) -> str:
    """Words, or what was said aloud; of a picture there are none."""
    spoken = part.get("text") if isinstance(part, dict) else part
    return spoken if isinstance(spoken, str) else ""


def _files(about: Mapping[str, Any]) -> str:
    given = about.get("attachments")
    names = [called(each.get("name")) for each in given if isinstance(each, dict)] if isinstance(given, list) else []
    return ", ".join(filter(None, names))[:500]


def _of(whole: Mapping[str, Any], part: str) -> Mapping[str, Any]:
    found = whole.get(part)
    return found if isinstance(found, dict) else {}
