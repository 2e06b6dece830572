"""Groups in a test: who is inside, which topics there are, and what Telegram tells the bot about comings and goings."""

from tests.telegram.chats import Chat, Json, Sent
from tests.telegram.members import change_rank
from tests.telegram.world import INSIDE, World

SUPERGROUP = "-100"


class Group:
    """A group as a test holds it."""

    def __init__(self, world: World, chat: Chat) -> None:
        self.world = world
        self.id = chat.id
        self.chat = chat

    def topic(self, thread: int, name: str = "") -> int:
        """Makes a topic that was there before; it opens with a message of its own id, as on Telegram."""
        with self.world.lock:
            if thread not in self.chat.topics:
                assert self.chat.forum, f"{self.chat.shown['title']} has no topics: pass forum=True"
                assert thread not in self.chat.messages, f"message {thread} stands there; give the topic another id"
                self.chat.topics[thread] = name or f"Topic {thread}"
                opening = {"forum_topic_created": {"name": self.chat.topics[thread], "icon_color": 7322096}}
                host = next(iter(self.chat.members))
                last, self.chat.last_id = self.chat.last_id, thread - 1
                standing = self.world.post(self.chat, self.world.users[host], opening)
                standing.message.update(message_thread_id=thread, is_topic_message=True)
                self.chat.last_id = last
        return thread

    def answers(self) -> list[Sent]:
        """What stands here now from the bot."""
        with self.world.lock:
            return self.chat.written_by(self.world.bot.id)


def make_group(
    world: World, group_id: int, title: str, ranks: dict[int, str], *, forum: bool, username: str | None
) -> Group:
    kind = "supergroup" if forum or username or str(group_id).startswith(SUPERGROUP) else "group"
    shown: Json = {"id": group_id, "type": kind, "title": title}
    if forum:
        shown["is_forum"] = True
    if username:
        shown["username"] = username
    chat = world.chats[group_id] = Chat(group_id, shown, members=ranks)
    return Group(world, chat)


def announce(world: World, chat: Chat, by: int, service: Json) -> int | None:
    """A service message, which the bot sees whenever it is inside."""
    standing = world.post(chat, world.users[by], service)
    if chat.members.get(world.bot.id) not in INSIDE:
        return None
    return world.updates.add("message", standing.message)


def enter(world: World, chat: Chat, user_id: int, by: int) -> int | None:
    change_rank(world, chat, user_id, "member", by=by)
    user = world.users[user_id]
    return announce(world, chat, by, {"new_chat_members": [user], "new_chat_member": user})


def leave(world: World, chat: Chat, user_id: int, by: int) -> int | None:
    """Whoever is put out hears of it only as a change of its own rank."""
    out_by_others = by != user_id
    change_rank(world, chat, user_id, "kicked" if out_by_others else "left", by=by)
    return announce(world, chat, by, {"left_chat_member": world.users[user_id]})


def migrate(world: World, old: Chat, new_id: int) -> Group:
    """A group becomes a supergroup with another id; both chats say so."""
    ranks = dict(old.members)
    group = make_group(world, new_id, old.shown["title"], ranks, forum=False, username=None)
    group.chat.shown["type"] = "supergroup"
    host = next(iter(ranks))
    announce(world, old, host, {"migrate_to_chat_id": new_id})
    announce(world, group.chat, host, {"migrate_from_chat_id": old.id})
    old.moved_to = new_id
    return group
