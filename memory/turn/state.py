"""The state of a turn: the message, its conversation, and the outcome so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from db.viewer import Viewer
from memory.events.framing import frame
from memory.events.record import EventDraft, PreparedEvent
from memory.model.loop import LoopResult, Show
from memory.model.tools import TOOLS, Tool
from memory.outage.recent import RecentMessage
from memory.turn.outcome import KeepOutcome, Outcome
from memory.wiring import Runtime


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A message, and what the front end knows about it."""

    text: str
    details: Mapping[str, Any] = field(default_factory=dict)
    """The speaker, the quoted message, the origin of a forward, the attached file."""
    refs: tuple[str, ...] = ()
    update_id: int | None = None
    recorded: str | None = None
    """The event it was stored as, when the turn is resumed."""
    sent_at: datetime | None = None
    left_out: tuple[str, ...] = ()
    """Kinds of secrets that the front end redacted."""
    post: int | None = None
    """Its number in the external chat."""
    is_reply: bool = False
    """Whether it explicitly replies to a message, which is among `refs` if it is known."""
    only_named: bool = False
    """Whether the text is only the name of an attached file."""

    @property
    def is_own(self) -> bool:
        return not self.details.get("forwarded_from") and not self.only_named


@dataclass(slots=True)
class ChatState:
    """One person's conversation with the assistant; in a group, their part in it."""

    runtime: Runtime
    viewer: Viewer
    conversation_id: str = ""
    kept: bool = True
    """Whether this conversation is stored."""
    place: str | None = None
    """The external chat, such as a Telegram chat."""
    tools: tuple[Tool, ...] = TOOLS

    @property
    def key(self) -> str:
        """Identifies the chat without the database."""
        return self.place or self.conversation_id


@dataclass(slots=True)
class Turn:
    chat: ChatState
    message: UserMessage
    prepared: PreparedEvent
    draft: EventDraft
    now: datetime
    outcome: Outcome
    show: Show
    keep_outcome: KeepOutcome

    def add_to_recent(self, result: LoopResult) -> None:
        """Keep both sides of the exchange in RAM, for when the database is away or nothing is stored."""
        recent, here, person = self.chat.runtime.recent, self.chat.conversation_id, self.chat.viewer.person
        sealed = self.prepared.is_sensitive
        recent.add(here, RecentMessage(True, self.prepared.text, frame(self.prepared.event.content), person, sealed))
        if result.text:
            recent.add(here, RecentMessage(False, result.text, "", person, sealed))
