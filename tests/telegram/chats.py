"""Chats and what stands in them, kept as the Bot API shows it, and as tests read it."""

from dataclasses import dataclass, field
from typing import Any

from tests.telegram.entities import Entity
from tests.telegram.request import Upload

Json = dict[str, Any]
Buttons = list[list[tuple[str, str]]]


@dataclass
class Standing:
    """A message in a chat, with what only the fake knows about it."""

    message: Json
    at: float
    given: list[Entity] = field(default_factory=list)
    markup: Json | None = None
    document: Upload | None = None
    edits: list[str] = field(default_factory=list)
    edited_at: float | None = None
    silent: bool = False

    @property
    def text(self) -> str:
        return str(self.message.get("text", self.message.get("caption", "")))

    @property
    def private(self) -> bool:
        return bool(self.message["chat"]["type"] == "private")


@dataclass(frozen=True)
class Sent:
    """A message of the bot, as it stands in the chat now."""

    message_id: int
    chat_id: int
    thread: int | None
    text: str
    entities: list[Entity]
    buttons: Buttons
    reply_to: int | None
    document: Upload | None
    edits: list[str]
    sent_at: float
    edited_at: float | None
    markup: Json | None
    silent: bool
    protected: bool
    previewed: bool
    """Whether Telegram was let look behind its links."""

    @property
    def labels(self) -> list[str]:
        return [label for row in self.buttons for label, _ in row]


@dataclass(frozen=True)
class Draft:
    """A partial answer that was shown and is gone by itself."""

    draft_id: int
    text: str
    entities: list[Entity]
    at: float


@dataclass(frozen=True)
class Said:
    """A message of a person, and the update that told the bot about it, if one did."""

    message_id: int
    chat_id: int
    update_id: int | None


@dataclass
class Chat:
    """One chat as Telegram keeps it."""

    id: int
    shown: Json
    members: dict[int, str] = field(default_factory=dict)
    topics: dict[int, str] = field(default_factory=dict)
    messages: dict[int, Standing] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)
    actions: list[tuple[str, float]] = field(default_factory=list)
    reactions: dict[int, list[str]] = field(default_factory=dict)
    moods: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    last_id: int = 0
    opened: bool = False
    blocked: bool = False
    moved_to: int | None = None

    @property
    def private(self) -> bool:
        return bool(self.shown["type"] == "private")

    @property
    def forum(self) -> bool:
        return bool(self.shown.get("is_forum"))

    def written_by(self, user_id: int) -> list[Sent]:
        return [sent(one) for one in self.messages.values() if one.message["from"]["id"] == user_id]

    def next_id(self) -> int:
        self.last_id += 1
        while self.last_id in self.messages:
            self.last_id += 1
        return self.last_id

    def thread_of(self, thread: int | None, replied: Standing | None) -> Json:
        """Topics are threads of a forum; elsewhere a supergroup counts the replies to one message as a thread."""
        if self.forum:
            if thread is None and replied is not None and replied.message.get("is_topic_message"):
                thread = replied.message["message_thread_id"]
            return {"message_thread_id": thread, "is_topic_message": True} if thread else {}
        if replied is None or self.shown["type"] != "supergroup":
            return {}
        return {"message_thread_id": replied.message.get("message_thread_id", replied.message["message_id"])}


def sent(standing: Standing) -> Sent:
    message = standing.message
    rows = (standing.markup or {}).get("inline_keyboard", [])
    replied = message.get("reply_to_message")
    return Sent(
        message_id=message["message_id"],
        chat_id=message["chat"]["id"],
        thread=message["message_thread_id"] if message.get("is_topic_message") else None,
        text=standing.text,
        entities=standing.given,
        buttons=[[(one["text"], meaning(one)) for one in row] for row in rows],
        reply_to=replied["message_id"] if replied else None,
        document=standing.document,
        edits=list(standing.edits),
        sent_at=standing.at,
        edited_at=standing.edited_at,
        markup=standing.markup,
        silent=standing.silent,
        protected=bool(message.get("has_protected_content")),
        previewed=not message.get("link_preview_options", {}).get("is_disabled"),
    )


def meaning(button: Json) -> str:
    """What a tap sends or opens."""
    web_app = button.get("web_app") or {}
    copied = button.get("copy_text") or {}
    return str(button.get("callback_data") or button.get("url") or web_app.get("url") or copied.get("text") or "")
