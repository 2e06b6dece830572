"""A message that is being answered: who says it in which conversation, what it says, and what comes of it."""

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
    """What a person says, and what the front end knows of it."""

    text: str
    details: Mapping[str, Any] = field(default_factory=dict)
    """Who spoke, what it answers, whose words it passes on, the file that came with it."""
    refs: tuple[str, ...] = ()
    update_id: int | None = None
    recorded: str | None = None
    """The event that it became when it was taken up before."""
    sent_at: datetime | None = None
    left_out: tuple[str, ...] = ()
    """Kinds of secrets that the front end took out of it."""
    post: int | None = None
    """Its number in the chat outside."""
    is_reply: bool = False
    """Whether it was written in answer to a message, which is among its `refs` if it is known."""
    only_named: bool = False
    """Whether nothing was said: a file came, and these words are its name."""

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
    """Whether anything of this conversation is written down."""
    place: str | None = None
    """The chat outside that it is held in."""
    tools: tuple[Tool, ...] = TOOLS

    @property
    def key(self) -> str:
        """What the chat is known by where there is no database."""
        return self.place or self.conversation_id


@dataclass(slots=True)
class Turn:
    """A message that is being answered."""

    chat: ChatState
    message: UserMessage
    prepared: PreparedEvent
    draft: EventDraft
    now: datetime
    outcome: Outcome
    show: Show
    keep_outcome: KeepOutcome

    def hear(self, result: LoopResult) -> None:
        """Keep both sides of the exchange in RAM, for when nothing can be read or nothing is kept."""
        recent, here, person = self.chat.runtime.recent, self.chat.conversation_id, self.chat.viewer.person
        sealed = self.prepared.is_sensitive
        recent.add(here, RecentMessage(True, self.prepared.text, frame(self.prepared.event.content), person, sealed))
        if result.text:
            recent.add(here, RecentMessage(False, result.text, "", person, sealed))
