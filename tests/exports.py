"""Exports of other programs as they write them, small enough to be read."""

import json
import zipfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from memory.importing.files import Export, find_export
from memory.importing.messages import ImportedMessage, ImportItem
from memory.importing.reader import read_export, scan_export

BEGAN = 1_700_000_000  # 2023-11-14 22:13:20 UTC
ADA, BEN = ("user111", "Ada"), ("user222", "Ben")
ZONE = ZoneInfo("Europe/Lisbon")


def telegram_message(number: int, text: Any, by: tuple[str, str] = ADA, **more: Any) -> dict[str, Any]:
    at = BEGAN + 60 * number
    return {
        "id": number,
        "type": "message",
        "date": datetime.fromtimestamp(at, ZONE).replace(tzinfo=None).isoformat(),
        "date_unixtime": str(at),
        "from": by[1],
        "from_id": by[0],
        "text": text,
        "text_entities": [{"type": "plain", "text": text}] if isinstance(text, str) else text,
        **more,
    }


def telegram_chat(*messages: dict[str, Any], type: str = "personal_chat", id: int = 222) -> dict[str, Any]:
    return {"name": "Ben", "type": type, "id": id, "messages": list(messages)}


def telegram_account(*chats: dict[str, Any], own: int | None = 111) -> dict[str, Any]:
    me = {"personal_information": {"user_id": own, "first_name": "Ada"}} if own else {}
    listed = {"chats": {"about": "Chats", "list": list(chats)}}
    return {"about": "All of it", **me, "contacts": {"list": [{"user_id": 5}]}, **listed}


def chatgpt_node(key: str, parent: str | None, role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": list(parts)}
    message = {"id": key, "author": {"role": role}, "content": content, "recipient": "all", "metadata": {}, **more}
    return {"id": key, "parent": parent, "children": [], "message": message}


def chatgpt_conversation(
    *nodes: dict[str, Any], id: str = "c-1", last: str | None = None, create_time: float | None = float(BEGAN)
) -> dict[str, Any]:
    root: dict[str, Any] = {"id": "root", "parent": None, "children": [], "message": None}
    mapping = {node["id"]: node for node in (root, *nodes)}
    return {
        "title": "A talk",
        "create_time": create_time,
        "update_time": BEGAN + 100.5,
        "mapping": mapping,
        "moderation_results": [],
        "current_node": last or nodes[-1]["id"],
        "conversation_id": id,
    }


def chatgpt_talk(*said: str, id: str = "c-1") -> dict[str, Any]:
    """The person speaks, and is answered."""
    before, nodes, number = "root", [], count()
    for words in said:
        place = next(number)
        role, key = ("assistant" if place % 2 else "user"), f"{id}-{place}"
        nodes.append(chatgpt_node(key, before, role, words, create_time=BEGAN + 60.5 * place))
        before = key
    return chatgpt_conversation(*nodes, id=id)


def claude_message(number: int, text: str, **more: Any) -> dict[str, Any]:
    at = datetime.fromtimestamp(BEGAN + 60 * number, UTC).isoformat().replace("+00:00", ".123456Z")
    return {
        "uuid": f"m-{number}",
        "text": text,
        "content": [{"type": "text", "text": text}],
        "sender": "assistant" if number % 2 else "human",
        "created_at": at,
        "attachments": [],
        "files": [],
        **more,
    }


def claude_talk(*messages: dict[str, Any] | str, id: str = "t-1") -> dict[str, Any]:
    said = [each if isinstance(each, dict) else claude_message(n, each) for n, each in enumerate(messages)]
    return {"uuid": id, "name": "A talk", "created_at": "2023-11-14T22:13:20Z", "account": {}, "chat_messages": said}


def as_json(folder: Path, document: Any, name: str = "export.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def as_archive(folder: Path, document: Any, inside: str = "conversations.json", name: str = "export.zip") -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chat.html", "<html></html>")
        archive.writestr("user.json", '{"id": "u", "email": "ada@example.org"}')
        archive.writestr(inside, json.dumps(document))
    return path


def as_folder(folder: Path, document: Any, inside: str = "conversations.json") -> Path:
    made = folder / "unpacked"
    made.mkdir()
    (made / "notes.json").write_text("[]")
    as_json(made, document, inside)
    return made


WAYS: Sequence[Callable[[Path, Any], Path]] = (as_json, as_archive, as_folder)


def told(export: Export) -> list[ImportItem]:
    """All of an export, as it is read the second time."""
    return list(read_export(export, ZONE, scan_export(export, ZONE)))


def heard(folder: Path, document: Any) -> list[ImportedMessage]:
    return [each for each in told(find_export(as_json(folder, document))) if isinstance(each, ImportedMessage)]
