"""People who talk to the bot: each method is one thing that a person does in Telegram."""

from dataclasses import dataclass
from typing import Any

from tests.telegram.chats import Chat, Json, Said, Sent, Standing, sent
from tests.telegram.entities import LONGEST_CAPTION, LONGEST_TEXT, Entity, trimmed, units
from tests.telegram.groups import Group, enter, leave
from tests.telegram.members import change_rank, member
from tests.telegram.world import INSIDE, World, mark

MessageRef = Said | Sent | int


@dataclass(frozen=True)
class Tap:
    """A tap on a button, by the id under which the bot answers it."""

    id: str
    update_id: int | None


class Person:
    """Somebody with a Telegram account."""

    def __init__(self, world: World, user: Json) -> None:
        self.world = world
        self.id: int = user["id"]
        self.user = user
        names = ("first_name", "last_name", "username")
        shown = {"id": self.id, "type": "private", **{name: user[name] for name in names if name in user}}
        self.chat = world.chats[self.id] = Chat(self.id, shown)

    def say(
        self,
        text: str,
        *,
        to: Group | None = None,
        thread: int | None = None,
        reply_to: MessageRef | None = None,
        quote: str | None = None,
        entities: list[Entity] | None = None,
        date: float | None = None,
    ) -> Said:
        """Writes a text; commands, mentions, hashtags and links are marked by Telegram."""
        text, given = trimmed(text, entities or [])
        assert 1 <= units(text) <= LONGEST_TEXT, "Telegram's own apps would not send this as one message"
        return self.send({"text": text}, to=to, thread=thread, reply_to=reply_to, quote=quote, given=given, date=date)

    def send(
        self,
        content: Json,
        *,
        to: Group | None = None,
        thread: int | None = None,
        reply_to: MessageRef | None = None,
        quote: str | None = None,
        given: list[Entity] | None = None,
        date: float | None = None,
    ) -> Said:
        """Any message at all, for example `{"location": …}`; the other ways to send end here."""
        world = self.world
        with world.lock:
            chat = self.chat if to is None else to.chat
            if to is None:
                if chat.blocked:
                    self.unblock()
                chat.opened = True
            else:
                assert chat.members.get(self.id) in INSIDE, f"{self.user['first_name']} is not in that group"
                if thread is not None:
                    to.topic(thread)
            assert units(content.get("caption", "")) <= LONGEST_CAPTION, "captions are shorter"
            replied = None if reply_to is None else chat.messages[id_of(reply_to)]
            if replied is not None and quote is not None:
                start = replied.text.index(quote)
                spot = {"text": quote, "position": units(replied.text[:start]), "is_manual": True}
                content = {**content, "quote": spot}
            standing = world.post(chat, self.user, content, thread=thread, replied=replied, given=given, date=date)
            return self.told("message", chat, standing)

    def told(self, kind: str, chat: Chat, standing: Standing) -> Said:
        heard = self.world.hears(chat, standing.message)
        update_id = self.world.updates.add(kind, standing.message) if heard else None
        return Said(standing.message["message_id"], chat.id, update_id)

    def edit(self, said: Said, text: str) -> Said:
        """Changes a text or a caption of one's own."""
        with self.world.lock:
            chat = self.world.chats[said.chat_id]
            standing = chat.messages[said.message_id]
            assert standing.message["from"]["id"] == self.id, "people edit only what they wrote"
            standing.edits.append(standing.text)
            words = "text" if "text" in standing.message else "caption"
            standing.edited_at = self.world.clock()
            standing.message = {**standing.message, words: text.strip(), "edit_date": int(standing.edited_at)}
            mark(standing.message, [])
            return self.told("edited_message", chat, standing)

    def delete(self, spoken: Said | Sent) -> None:
        """Takes a message away for everybody; Telegram tells the bot nothing about it."""
        with self.world.lock:
            del self.world.chats[spoken.chat_id].messages[spoken.message_id]

    def forward(self, text: str, *, origin: "str | Person | Group" = "Bob", **how: Any) -> Said:
        """Passes on the words of somebody: by name only, a person, or a group."""
        date = int(self.world.clock()) - 3600
        if isinstance(origin, Person):
            source: Json = {"type": "user", "sender_user": origin.user}
        elif isinstance(origin, Group):
            source = {"type": "chat", "sender_chat": origin.chat.shown}
        else:
            source = {"type": "hidden_user", "sender_user_name": origin}
        return self.send({"text": text, "forward_origin": {**source, "date": date}}, **how)

    def send_document(
        self,
        name: str,
        content: bytes,
        caption: str = "",
        *,
        mime: str = "text/plain",
        size: int | None = None,
        **how: Any,
    ) -> Said:
        kept = {**self.world.store(content, name, size=size), "file_name": name, "mime_type": mime}
        return self.send({"document": kept, **captioned(caption)}, **how)

    def send_photo(self, caption: str = "", content: bytes = b"a photo", **how: Any) -> Said:
        sizes = [
            {**self.world.store(content, "photo.jpg", folder="photos"), "width": width, "height": width}
            for width in (90, 800)
        ]
        return self.send({"photo": sizes, **captioned(caption)}, **how)

    def send_voice(self, content: bytes = b"a voice", seconds: int = 3, **how: Any) -> Said:
        kept = self.world.store(content, "voice.oga", folder="voice")
        return self.send({"voice": {**kept, "duration": seconds, "mime_type": "audio/ogg"}}, **how)

    def send_sticker(self, emoji: str = "👍", **how: Any) -> Said:
        kept = self.world.store(b"a sticker", "sticker.webp", folder="stickers")
        shape = {"type": "regular", "width": 512, "height": 512, "is_animated": False, "is_video": False}
        return self.send({"sticker": {**kept, **shape, "emoji": emoji, "set_name": "tests"}}, **how)

    def tap(self, message: Sent, label: str | None = None, *, data: str | None = None) -> Tap:
        """Taps a button by its label as it stands now, or sends data that a changed message no longer shows."""
        world = self.world
        with world.lock:
            chat = world.chats[message.chat_id]
            standing = chat.messages.get(message.message_id)
            if data is None:
                buttons = [one for row in sent(standing).buttons for one in row] if standing else []
                fitting = [meaning for name, meaning in buttons if name == label]
                assert fitting, f"No button {label!r} there; the message shows {[name for name, _ in buttons]}"
                data = fitting[0]
            query: Json = {"id": str(len(world.callbacks) + 1), "from": self.user, "chat_instance": str(chat.id)}
            gone = {"chat": chat.shown, "message_id": message.message_id, "date": 0}
            query.update(data=data, message=standing.message if standing else gone)
            world.callbacks[query["id"]] = None
            return Tap(query["id"], world.updates.add("callback_query", query))

    def react(self, message: Said | Sent, *emojis: str) -> int | None:
        """Sets one's reactions; in groups only a bot that is an administrator hears of them."""
        world = self.world
        with world.lock:
            chat = world.chats[message.chat_id]
            if not chat.private and chat.members.get(world.bot.id) != "administrator":
                return None
            old = chat.moods.get((message.message_id, self.id), ())
            chat.moods[message.message_id, self.id] = emojis
            change: Json = {"chat": chat.shown, "message_id": message.message_id, "user": self.user}
            change.update(date=int(world.clock()), old_reaction=moods(old), new_reaction=moods(emojis))
            return world.updates.add("message_reaction", change)

    def block(self) -> int | None:
        return self.shut(True)

    def unblock(self) -> int | None:
        return self.shut(False)

    def shut(self, blocked: bool) -> int | None:
        world = self.world
        with world.lock:
            self.chat.blocked = blocked
            before, after = ("member", "kicked") if blocked else ("kicked", "member")
            change = {
                "chat": self.chat.shown,
                "from": self.user,
                "date": int(world.clock()),
                "old_chat_member": member(world, self.chat, world.bot.id, before),
                "new_chat_member": member(world, self.chat, world.bot.id, after),
            }
            return world.updates.add("my_chat_member", change)

    def joins(self, group: Group) -> int | None:
        with self.world.lock:
            return enter(self.world, group.chat, self.id, self.id)

    def leaves(self, group: Group) -> int | None:
        with self.world.lock:
            return leave(self.world, group.chat, self.id, self.id)

    def invites_bot(self, group: Group) -> int | None:
        with self.world.lock:
            return enter(self.world, group.chat, self.world.bot.id, self.id)

    def removes_bot(self, group: Group) -> int | None:
        with self.world.lock:
            return leave(self.world, group.chat, self.world.bot.id, self.id)

    def promotes_bot(self, group: Group) -> int | None:
        with self.world.lock:
            return change_rank(self.world, group.chat, self.world.bot.id, "administrator", by=self.id)

    def answers(self) -> list[Sent]:
        """What stands now from the bot in the private chat with this person."""
        with self.world.lock:
            return self.chat.written_by(self.world.bot.id)


def id_of(spoken: MessageRef) -> int:
    return spoken if isinstance(spoken, int) else spoken.message_id


def captioned(caption: str) -> Json:
    return {"caption": caption} if caption else {}


def moods(emojis: tuple[str, ...]) -> list[Json]:
    return [{"type": "emoji", "emoji": one} for one in emojis]
