"""Telegram as a test holds it: people and groups come from here, and what the bot did is read here."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from tests import waiting
from tests.telegram.api import spelled
from tests.telegram.chats import Draft, Json, Sent
from tests.telegram.groups import Group, make_group, migrate
from tests.telegram.people import Person, Tap
from tests.telegram.request import Params
from tests.telegram.trouble import Trouble, refusal
from tests.telegram.world import Call, World

QUIET = ("getUpdates", "getMe", "deleteWebhook")

Found = TypeVar("Found")


class FakeTelegram(World):
    """All methods may be called from the test's thread while the server runs in another one."""

    def person(
        self, user_id: int, name: str, *, language: str | None = "en", username: str | None = None, surname: str = ""
    ) -> Person:
        user: Json = {"id": user_id, "is_bot": False, "first_name": name}
        more = {"last_name": surname, "username": username, "language_code": language}
        user.update({field: value for field, value in more.items() if value})
        with self.lock:
            assert user_id not in self.users, f"{user_id} is somebody else"
            self.users[user_id] = user
            return Person(self, user)

    def group(
        self,
        group_id: int,
        title: str,
        *,
        members: Iterable[Person] = (),
        admins: Iterable[Person] = (),
        forum: bool = False,
        username: str | None = None,
        bot: str = "member",
    ) -> Group:
        """The first admin, or else the first member, has made it; `bot` is the rank of the bot ("left": not inside)."""
        leaders = [person.id for person in admins]
        ranks = dict.fromkeys(leaders, "administrator")
        ranks.update({person.id: "member" for person in members if person.id not in ranks})
        assert ranks, "somebody must have made the group"
        ranks[next(iter(ranks))] = "creator"
        with self.lock:
            return make_group(self, group_id, title, {**ranks, self.bot.id: bot}, forum=forum, username=username)

    def migrate(self, group: Group, new_id: int) -> Group:
        with self.lock:
            return migrate(self, group.chat, new_id)

    def reoffer(self, update_id: int) -> None:
        """A confirmed update comes again, as Telegram does when a confirmation was lost."""
        with self.lock:
            self.updates.reoffer(update_id)

    # Trouble

    def fail(
        self,
        method: str,
        times: int = 1,
        code: int = 429,
        description: str | None = None,
        *,
        retry_after: int = 1,
        chat_id: int | None = None,
    ) -> None:
        """The next calls are refused and have no effect."""
        self.plan(Trouble(method, times, chat_id, refusal=refusal(code, description, retry_after)))

    def hang(
        self, method: str, seconds: float, times: int = 1, after_effect: bool = False, *, chat_id: int | None = None
    ) -> None:
        """The next calls are answered late."""
        self.plan(Trouble(method, times, chat_id, seconds=seconds, after_effect=after_effect))

    def drop_connection(
        self, method: str, times: int = 1, after_effect: bool = False, *, chat_id: int | None = None
    ) -> None:
        """The next calls get no answer, whether they had their effect or not."""
        self.plan(Trouble(method, times, chat_id, drops=True, after_effect=after_effect))

    def forget_method(self, method: str) -> None:
        """From now on this server does not know the method."""
        self.troubles.forgotten.add(spelled(method))

    def plan(self, trouble: Trouble) -> None:
        trouble.method = spelled(trouble.method)
        with self.lock:
            self.troubles.plan(trouble)

    # Reading

    def note(self, method: str, params: Params) -> Call:
        call = Call(method, params, self.clock())
        with self.lock:
            self.counts[method] += 1
            if self.keep_calls:
                self.calls.append(call)
        return call

    def messages(self, chat_id: int) -> list[Sent]:
        """What stands in that chat now from the bot."""
        with self.lock:
            return self.chats[chat_id].written_by(self.bot.id) if chat_id in self.chats else []

    def drafts(self, chat_id: int) -> list[Draft]:
        with self.lock:
            return list(self.chats[chat_id].drafts)

    def actions(self, chat_id: int) -> list[str]:
        with self.lock:
            return [action for action, _ in self.chats[chat_id].actions]

    def reactions(self, chat_id: int) -> dict[int, list[str]]:
        """The bot's own reactions, by message."""
        with self.lock:
            return dict(self.chats[chat_id].reactions)

    def calls_of(self, method: str) -> list[Call]:
        with self.lock:
            return [call for call in self.calls if call.method == method]

    def answer_to(self, tap: Tap) -> Json | None:
        """What the bot showed after a tap: its text and whether it was an alert; None while it is silent."""
        with self.lock:
            return self.callbacks[tap.id]

    @property
    def pending(self) -> list[int]:
        """The ids of updates that the bot has not confirmed."""
        with self.lock:
            return list(self.updates.waiting)

    async def until(self, condition: Callable[[], Found]) -> Found:
        """Waits until something is so, and gives it; tells what happened instead when it never is."""
        return await waiting.eventually(condition, self.account)

    def wait_until(self, condition: Callable[[], Found]) -> Found:
        """The same for a test without a loop."""
        return waiting.until(condition, self.account)

    def account(self) -> str:
        """The last messages and calls, for whoever reads a failed test."""
        with self.lock:
            standing = [one for chat in self.chats.values() for one in chat.messages.values()]
            calls = [call for call in self.calls if call.method not in QUIET][-10:]
            waiting = list(self.updates.waiting)
        standing = sorted(standing, key=lambda one: one.at)[-10:]
        told = [f"It did not happen. Unconfirmed updates: {waiting or 'none'}.", "Last messages:"]
        for one in standing:
            told.append(
                f"  in {one.message['chat']['id']} from {one.message['from']['first_name']}: {one.text[:200]!r}"
            )
        told.append("Last calls:")
        told += [f"  {call.method} {call.code or 'unanswered'} {call.error} {str(call.params)[:200]}" for call in calls]
        return "\n".join(told)
