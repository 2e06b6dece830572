"""Who is what in a chat, in the Bot API's words, and how the bot is told when that changes."""

from tests.telegram.chats import Chat, Json
from tests.telegram.world import World

RIGHTS = (
    "can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members can_promote_members "
    "can_change_info can_invite_users can_post_stories can_edit_stories can_delete_stories can_pin_messages "
    "can_manage_topics".split()
)


def member(world: World, chat: Chat, user_id: int, status: str | None = None) -> Json:
    """A member of a chat in the Bot API's words."""
    status = status or ("member" if chat.private else chat.members.get(user_id, "left"))
    told: Json = {"user": world.users[user_id], "status": status}
    if status == "creator":
        told["is_anonymous"] = False
    if status == "administrator":
        told.update(dict.fromkeys(RIGHTS, True), can_be_edited=False, is_anonymous=False)
    if status == "kicked":
        told["until_date"] = 0
    return told


def change_rank(world: World, chat: Chat, user_id: int, status: str, *, by: int) -> int | None:
    """A member comes, goes, rises or falls; gives the id of the update about it."""
    old = member(world, chat, user_id)
    chat.members[user_id] = status
    of_the_bot = user_id == world.bot.id
    if not of_the_bot and chat.members.get(world.bot.id) != "administrator":
        return None
    change = {
        "chat": chat.shown,
        "from": world.users[by],
        "date": int(world.clock()),
        "old_chat_member": old,
        "new_chat_member": member(world, chat, user_id),
    }
    return world.updates.add("my_chat_member" if of_the_bot else "chat_member", change)
