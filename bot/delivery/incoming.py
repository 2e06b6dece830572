"""What an update of a messenger says, as far as we care, without secrets: the form in which it is written down."""

import re
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@(\w+))?(?:\s+|$)")
ASKS = "✎ "  # begins our questions for new words, which are known by their beginning


class UpdateKind(StrEnum):
    MESSAGE = "message"
    EDITED = "edited"
    TAP = "tap"
    LEFT = "left"
    MOVED = "moved"


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class AnsweredMessage(Frozen):
    """The message that is answered; `mine` where it is the bot's own."""

    message_id: int
    by: str
    text: str
    mine: bool


class File(Frozen):
    id: str
    name: str
    size: int


class Incoming(Frozen):
    """One update. `addressed` says whether it means the bot: in a group not every word does."""

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
    reply: AnsweredMessage | None = None
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
        """The chat, or the topic of a forum, in which one conversation is held at a time."""
        return self.place_of(self.chat) + (f":{self.thread}" if self.thread else "")

    def place_of(self, chat: int) -> str:
        """Another chat of the same messenger."""
        return f"{self.messenger}:{chat}"

    @property
    def command(self) -> tuple[str, str] | None:
        """`/memory show ID` is the command `memory` with `show ID`."""
        found = COMMAND.match(self.text) if self.kind == UpdateKind.MESSAGE and not self.forwarded_from else None
        return (found[1].lower(), self.text[found.end() :].strip()) if found else None
