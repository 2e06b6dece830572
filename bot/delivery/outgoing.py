"""Outgoing messages with formatting and buttons, as the inbox stores them until they are sent."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, Field, model_validator

EARLIER_NAMES = {"asks": "force_reply", "instead": "text_without_buttons", "otherwise": "undelivered_text"}


class Button(BaseModel):
    """Sends `data` back to us, opens `url` in a browser, or opens `app` inside the messenger."""

    label: str
    data: str = ""
    url: str = ""
    app: str = ""


class OutgoingMessage(BaseModel):
    """One message. `edits` is the id of a message to replace; `force_reply` opens a reply field for the user."""

    text: str = ""
    entities: list[dict[str, Any]] = Field(default_factory=list)
    buttons: list[list[Button]] = Field(default_factory=list)
    chat: int
    thread: int | None = None
    reply_to: int | None = None
    edits: int | None = None
    force_reply: bool = False
    text_without_buttons: str = ""
    """Replaces the text if the messenger rejects the buttons, for messages whose buttons carry information."""
    protected: bool = False
    """Whether forwarding is disabled."""
    undelivered_text: str = ""
    """Replaces the text if an earlier part of the answer could not be delivered."""
    event_id: str | None = None
    cards: list[str] = Field(default_factory=list)
    document: str | None = None
    """A file in base64; the text is its name."""

    @model_validator(mode="before")
    @classmethod
    def _read_earlier_names(cls, stored: dict[str, Any]) -> dict[str, Any]:
        """Messages that an earlier version stored may still wait to be sent."""
        return {EARLIER_NAMES.get(name, name): value for name, value in stored.items()}


class OutgoingAnswer(BaseModel):
    """The complete answer to one update. `alert` is a pop-up for the user who pressed a button."""

    parts: list[OutgoingMessage] = Field(default_factory=list)
    query_id: str = ""
    alert: str = ""


def rows_of(buttons: Iterable[Button], width: int) -> list[list[Button]]:
    listed = list(buttons)
    return [listed[start : start + width] for start in range(0, len(listed), width)]
