"""What is to be sent: messages with their formatting and buttons, in the form in which they wait to be sent."""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, Field
from telegramify_markdown import convert, split_entities

from memory.text import clean

LONGEST = 4096  # UTF-16 units, as Telegram counts


class Button(BaseModel):
    """Carries `data` back to us, or opens an address: in the browser, or as an `app` inside of Telegram."""

    label: str
    data: str = ""
    url: str = ""
    app: str = ""


class Part(BaseModel):
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


class Answer(BaseModel):
    """Everything that one update is answered with. `alert` is shown over the chat, to whoever pressed a button."""

    parts: list[Part] = Field(default_factory=list)
    query_id: str = ""
    alert: str = ""


def formatted(markdown: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """A model's Markdown as texts that fit into a message each, with what is bold, code or a link in it."""
    text, entities = convert(fit_to_send(markdown))
    return [
        (piece, [entity.to_dict() for entity in found])
        for piece, found in split_entities(text, entities, LONGEST)
        if piece.strip()
    ]


def fit_to_send(text: str) -> str:
    """Halves of a character that came apart are joined, what is none becomes a sign that says so."""
    return clean(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def plain(text: str) -> list[str]:
    """A text of our own in pieces that fit into a message, cut at line ends where there are any."""
    return [piece for piece, _ in split_entities(text, [], LONGEST) if piece.strip()]


def units(text: str) -> int:
    """How long Telegram thinks it is."""
    return len(text.encode("utf-16-le")) // 2


def rows_of(buttons: Iterable[Button], width: int) -> list[list[Button]]:
    listed = list(buttons)
    return [listed[start : start + width] for start in range(0, len(listed), width)]
