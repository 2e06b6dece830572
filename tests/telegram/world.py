"""All that Telegram keeps, under one lock, because tests reach in from other threads."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.telegram.chats import Chat, Json, Standing
from tests.telegram.entities import Entity, cut, with_found
from tests.telegram.limits import Flood
from tests.telegram.request import Params, Refused, bad
from tests.telegram.trouble import Troubles
from tests.telegram.updates import Updates

TOKEN = "4711:a-token-for-tests-of-thirty-five-chars"
SERVICE = frozenset(
    "new_chat_members left_chat_member new_chat_title group_chat_created migrate_to_chat_id migrate_from_chat_id "
    "pinned_message forum_topic_created forum_topic_closed forum_topic_edited message_auto_delete_timer_changed".split()
)
INSIDE = ("creator", "administrator", "member")


@dataclass(frozen=True)
class Bot:
    """The bot under test."""

    id: int
    username: str
    name: str


@dataclass
class Call:
    """One request of the bot; the code is 0 until it is answered."""

    method: str
    params: Params
    at: float
    code: int = 0
    error: str = ""


@dataclass(frozen=True)
class Stored:
    """A file on Telegram's side; its size may be claimed, to be large without being so."""

    path: str
    content: bytes
    size: int


@dataclass
class Hook:
    """The webhook, as set."""

    url: str = ""
    secret: str = ""
    error: str = ""
    error_at: float = 0


@dataclass
class World:
    """The state behind the Bot API."""

    token: str = TOKEN
    reads_all: bool = False
    flood: bool = False
    keep_calls: bool = True
    clock: Callable[[], float] = time.time
    url: str = ""
    bot: Bot = field(default_factory=lambda: Bot(4711, "keepsake_test_bot", "Keepsake"))
    lock: threading.RLock = field(default_factory=threading.RLock)
    users: dict[int, Json] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    files: dict[str, Stored] = field(default_factory=dict)
    commands: dict[tuple[str, str], list[Json]] = field(default_factory=dict)
    menu_buttons: dict[int | None, Json] = field(default_factory=dict)
    callbacks: dict[str, Json | None] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[BaseException] = field(default_factory=list)
    updates: Updates = field(default_factory=Updates)
    troubles: Troubles = field(default_factory=Troubles)
    hook: Hook = field(default_factory=Hook)

    def __post_init__(self) -> None:
        self.limits = Flood(self.clock)
        self.bot_user: Json = {
            "id": self.bot.id,
            "is_bot": True,
            "first_name": self.bot.name,
            "username": self.bot.username,
        }
        self.users[self.bot.id] = self.bot_user

    @property
    def me(self) -> Json:
        return {
            **self.bot_user,
            "can_join_groups": True,
            "can_read_all_group_messages": self.reads_all,
            "supports_inline_queries": False,
            "can_connect_to_business": False,
            "has_main_web_app": False,
            "has_topics_enabled": False,
        }

    def chat(self, params: Params) -> Chat:
        """The chat a call is about, if the bot could know it."""
        asked = params.get("chat_id")
        if asked is None or asked == "":
            raise bad("chat_id is empty")
        if isinstance(asked, str) and asked.startswith("@"):
            name = asked[1:].lower()
            chat = next((one for one in self.chats.values() if one.shown.get("username", "").lower() == name), None)
        else:
            chat = self.chats.get(params.number("chat_id"))
        if chat is None:
            raise bad("chat not found")
        if chat.moved_to is not None:
            raise Refused(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                migrate_to_chat_id=chat.moved_to,
            )
        return chat

    def open_chat(self, params: Params) -> Chat:
        """The chat a call is about, if the bot may write there."""
        chat = self.chat(params)
        if chat.private:
            if chat.blocked:
                raise Refused(403, "Forbidden: bot was blocked by the user")
            if not chat.opened:
                raise Refused(403, "Forbidden: bot can't initiate conversation with a user")
        elif chat.members.get(self.bot.id) not in INSIDE:
            kind = chat.shown["type"]
            kicked = chat.members.get(self.bot.id) == "kicked"
            raise Refused(
                403, f"Forbidden: bot {'was kicked from' if kicked else 'is not a member of'} the {kind} chat"
            )
        return chat

    def post(
        self,
        chat: Chat,
        sender: Json,
        content: Json,
        *,
        thread: int | None = None,
        replied: Standing | None = None,
        date: float | None = None,
        given: list[Entity] | None = None,
    ) -> Standing:
        """Puts a message into a chat; entities are made here, for text and captions alike."""
        now = self.clock() if date is None else date
        message: Json = {"message_id": chat.next_id(), "from": sender, "chat": chat.shown, "date": int(now), **content}
        message.update(chat.thread_of(thread, replied))
        if replied is not None:
            message["reply_to_message"] = brief(replied.message)
        elif chat.forum and thread:
            # An ordinary message in a topic comes as a reply to the message that opened the topic.
            message["reply_to_message"] = brief(chat.messages[thread].message)
        mark(message, given or [])
        standing = Standing(message, now, given=given or [])
        chat.messages[message["message_id"]] = standing
        return standing

    def hears(self, chat: Chat, message: Json) -> bool:
        """Whether privacy mode lets the bot see a message of somebody else."""
        if chat.private:
            return not chat.blocked
        status = chat.members.get(self.bot.id)
        if status not in INSIDE:
            return False
        if self.reads_all or status == "administrator" or is_service(message):
            return True
        replied = message.get("reply_to_message") or {}
        to_the_bot = (replied.get("from") or {}).get("id") == self.bot.id
        return (to_the_bot and not is_service(replied)) or self.is_addressed(message)

    def is_addressed(self, message: Json) -> bool:
        text = message.get("text") or message.get("caption") or ""
        me = f"@{self.bot.username}".lower()
        for one in message.get("entities") or message.get("caption_entities") or []:
            if one["type"] == "mention" and cut(text, one["offset"], one["length"]).lower() == me:
                return True
            if one["type"] == "bot_command" and one["offset"] == 0:
                _, at, whom = cut(text, one["offset"], one["length"]).lower().partition("@")
                if not at or f"@{whom}" == me:
                    return True
        return False

    def store(self, content: bytes, name: str, *, folder: str = "documents", size: int | None = None) -> Json:
        """Keeps a file and gives the ids by which it is asked for."""
        number = len(self.files) + 1
        file_id, suffix = f"file-{number}", name.rpartition(".")[2] if "." in name else "bin"
        kept = Stored(f"{folder}/file_{number}.{suffix}", content, len(content) if size is None else size)
        self.files[file_id] = kept
        return {"file_id": file_id, "file_unique_id": f"unique-{number}", "file_size": kept.size}


def mark(message: Json, given: list[Entity]) -> None:
    """Sets the entities of a text or a caption, those that Telegram finds included."""
    for words, entities in (("text", "entities"), ("caption", "caption_entities")):
        if words in message:
            marks = with_found(message[words], given)
            message.pop(entities, None)
            if marks:
                message[entities] = marks


def brief(message: Json) -> Json:
    """A message as it stands inside of another one, which shows only one level."""
    return {name: value for name, value in message.items() if name != "reply_to_message"}


def is_service(message: Json) -> bool:
    return not SERVICE.isdisjoint(message)
