"""What is to be sent: messages with their formatting and buttons, in the form in which they wait to be sent."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, Field


class Button(BaseModel):
    """Carries `data` back to us, or opens an address: in the browser, or as an `app` inside of the messenger."""

    label: str
    data: str = ""
    url: str = ""
    app: str = ""


class OutgoingMessage(BaseModel):
    """One message. `edits` names the message that it takes the place of; `asks` wants an answer typed."""

    text: str = ""
    entities: list[dict[str, Any]] = Field(default_factory=list)
    buttons: list[list[Button]] = Field(default_factory=list)
    chat: int
    thread: int | None = None
    reply_to: int | None = None
    edits: int | None = None
    asks: bool = False
    instead: str = ""
    """What is said where the buttons are refused, because something stands on them alone."""
    protected: bool = False
    """Whether it shall not be passed on."""
    otherwise: str = ""
    """What is said instead when a message before it could not be delivered."""
    event_id: str | None = None
    cards: list[str] = Field(default_factory=list)
    document: str | None = None
    """In base64, with the text as its name."""


class OutgoingAnswer(BaseModel):
    """Everything that one update is answered with. `alert` is shown over the chat, to whoever pressed a button."""

    parts: list[OutgoingMessage] = Field(default_factory=list)
    query_id: str = ""
    alert: str = ""


def rows_of(buttons: Iterable[Button], width: int) -> list[list[Button]]:
    listed = list(buttons)
    return [listed[start : start + width] for start in range(0, len(listed), width)]
