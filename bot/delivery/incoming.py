"""A messenger's update, parsed and with secrets removed, as the inbox stores it."""

import re
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@(\w+))?(?:\s+|$)")
EDIT_PROMPT_MARK = "✎ "  # starts the bot's "send me the new words" messages; a reply to one is recognised by it


class UpdateKind(StrEnum):
    MESSAGE = "message"
    EDITED = "edited"
    BUTTON = "tap"  # the value is stored in inbox payloads
    LEFT = "left"
    MOVED = "moved"


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class RepliedMessage(Frozen):
    """The message that the user replied to; `mine` if the bot wrote it."""

    message_id: int
    by: str
    text: str
    mine: bool


class File(Frozen):
    id: str
    name: str
    size: int


class Incoming(Frozen):
    """One update. `addressed` says whether it is meant for the bot; in a group most messages are not.

    Payloads of older versions may still wait in the inbox, so fields keep their names.
    """

    update_id: int
    kind: UpdateKind
    received_at: datetime
    chat: int
    in_group: bool = False
    thread: int | None = None
    title: str = ""
    user: int
    name: str = ""
    language: str = "en"
    message_id: int = 0
    text: str = ""
    addressed: bool = True
    reply: RepliedMessage | None = None
    forwarded_from: str = ""
    file: File | None = None
    unreadable: str = ""
    query_id: str = ""
    data: str = ""
    moved_from: int = 0
    moved_to: int = 0
    left_out: tuple[str, ...] = ()
    messenger: str = "telegram"

    @property
    def person(self) -> str:
        return f"{self.messenger}:{self.user}"

    @property
    def place(self) -> str:
        """The chat or forum topic. It holds one conversation at a time."""
        return self.place_of(self.chat) + (f":{self.thread}" if self.thread else "")

    def place_of(self, chat: int) -> str:
        """Return the place of another chat in the same messenger."""
        return f"{self.messenger}:{chat}"

    @property
    def command(self) -> tuple[str, str] | None:
        """Name and arguments: `/memory show ID` gives `("memory", "show ID")`."""
        found = COMMAND.match(self.text) if self.kind == UpdateKind.MESSAGE and not self.forwarded_from else None
        return (found[1].lower(), self.text[found.end() :].strip()) if found else None
