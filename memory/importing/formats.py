"""The table of formats: how each export is known, read and named here.

A format is a reader module and a row. `Refusal.IMPORT_UNKNOWN` and the line of `import` in `bot/texts.py` name it to
people.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memory.errors import Refused
from memory.importing import chatgpt, claude, telegram
from memory.importing.json_stream import JsonStream
from memory.importing.messages import Reader
from memory.privacy.export import FORMAT
from memory.refusals import Refusal


@dataclass(frozen=True, slots=True, eq=False)
class Format:
    """A kind of export. Its documents are known by their shape, never by their name: by one of `keys` where the
    document is a map, by `item_key` where it is a list, by `begins` where it is no JSON."""

    kind: str
    """Part of the ids of all that was imported, so it never changes."""
    read: Reader | None
    """None for our own export, which is loaded as a whole."""
    agent: str = ""
    """The agent of its conversations."""
    keys: Mapping[str, Callable[[JsonStream], bool]] = field(default_factory=dict)
    """Keys with a check of their value. The value can be read only once, so no two formats share a key."""
    item_key: str = ""
    """A key that the items of the list have."""
    begins: Callable[[bytes], bool] | None = None
    """Is given the first bytes of a document that is no JSON."""
    suffix: str = ".json"
    """Documents in a folder or an archive end so."""
    needs_owner: bool = False
    """Several people speak in it, and one of them is the owner."""
    exported_id: Callable[[str], str] = lambda person: ""
    """The id in the export of a person who is known here; empty where nothing tells it."""


ROWS = (
    Format(
        "keepsake",
        read=None,
        keys={"format": lambda pull: pull.value() == FORMAT, "tables": lambda pull: pull.is_map()},
    ),
    Format(
        "telegram",
        telegram.read,
        agent="telegram-import",
        keys={
            "chats": telegram.lists_chats,
            "left_chats": telegram.lists_chats,
            "messages": telegram.lists_messages,
        },
        needs_owner=True,
        exported_id=telegram.exported_id,
    ),
    Format("chatgpt", chatgpt.read, agent="chatgpt", item_key="mapping"),
    Format("claude", claude.read, agent="claude", item_key="chat_messages"),
)
FORMATS = {row.kind: row for row in ROWS}


def unknown(name: str) -> Refused:
    return Refused(Refusal.IMPORT_UNKNOWN, name=name)


def suffixes() -> list[str]:
    return sorted({row.suffix for row in FORMATS.values()})
