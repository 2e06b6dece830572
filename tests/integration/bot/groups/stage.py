"""The whole bot on a stage: real client, real SDK, real database, between two servers that play along."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from bot.telegram.app import run_bot
from db.engine import Database
from db.viewer import Viewer
from memory.concurrency.deadline import finish_late_work
from memory.context.replay import Replay, replay
from memory.model.claude.brain import claude
from memory.settings import Settings
from memory.wiring import Runtime
from tests.integration.bot.runtime import house_on
from tests.scripted_model import QUIETLY, Calls, Says, ScriptedModel, Step, Thought, scripted_model
from tests.telegram import FakeTelegram, Group, Person, Sent, fake_telegram
from tests.waiting import STUCK, UNHURRIED, eventually

ME = "@keepsake_test_bot"
USUAL = Says(("All right.",))
OPEN = "SELECT count(*) FROM inbox WHERE tenant_id = %s AND state IN ('waiting', 'working')"


class Script(list[Step | Thought]):
    """What a test wrote down for the model, and after that the same few words for ever."""

    def pop(self, at: Any = -1) -> Step | Thought:
        return super().pop(at) if self else USUAL


@dataclass
class Stage:
    telegram: FakeTelegram
    model: ScriptedModel
    settings: Settings
    admin: "psycopg.Connection[Any]"
    database: Database
    told: list[str] = field(default_factory=list)
    runtime: Runtime | None = None

    @asynccontextmanager
    async def playing(self) -> AsyncIterator["Stage"]:
        """The bot runs, from its start to its orderly end."""
        before = len(self.told)
        async with self.opened_house() as self.runtime:
            running = asyncio.create_task(run_bot(self.runtime, "UTC", self.told.append))
            try:
                await eventually(lambda: running.done() or any("is listening" in line for line in self.told[before:]))
                if running.done():
                    await running
                yield self
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)

    @asynccontextmanager
    async def opened_house(self) -> AsyncIterator[Runtime]:
        """The house alone, with no bot in it."""
        brain = claude(self.settings, silence=STUCK)
        try:
            yield house_on(self.database, self.settings, brain)
        finally:
            await brain.close()
            await finish_late_work()
            await self.database.close()

    async def quiet(self) -> None:
        """Until everything that was said is dealt with."""
        await eventually(lambda: not self.telegram.pending and not self.rows(OPEN)[0], self.account)

    def account(self) -> str:
        """What can be told when something is never dealt with."""
        waiting = self.rows("SELECT row(update_id, state, why)::text FROM inbox WHERE tenant_id = %s")
        calls = [(call.method, call.code, call.error) for call in self.telegram.calls[-10:]]
        return f"unconfirmed: {self.telegram.pending}; inbox: {waiting}; last calls: {calls}"

    def rows(self, query: str, *values: Any) -> list[Any]:
        """The first column of what stands in this test's tables, read past the wall; the first value is the tenant."""
        found = self.admin.execute(query.encode(), (self.settings.tenant, *values)).fetchall()
        return [row[0] for row in found]

    def plays(self, *steps: Step | Thought) -> None:
        self.model.script.extend(steps)

    async def say(self, person: Person, text: str, **how: Any) -> list[Sent]:
        """Somebody says something; gives what the bot says in that chat until it is quiet again."""
        group: Group | None = how.get("to")
        answers = group.answers if group else person.answers
        before = {each.message_id for each in answers()}
        person.say(text, **how)
        await self.quiet()
        return [each for each in answers() if each.message_id not in before]

    async def tap(self, person: Person, message: Sent, label: str | None = None, **how: Any) -> dict[str, Any]:
        """Somebody presses a button; gives what is shown to them over the chat."""
        tap = person.tap(message, label, **how)
        await self.quiet()
        answer = self.telegram.answer_to(tap)
        assert answer is not None, "the button still turns"
        return answer

    def viewer(self, person: Person) -> Viewer:
        return Viewer.in_private(self.settings.tenant, f"telegram:{person.id}")

    async def replayed(self, person: Person) -> list[Replay]:
        assert self.runtime
        return await replay(self.runtime.memory, self.viewer(person))

    @property
    def asked(self) -> list[str]:
        """Every request to the model, as text."""
        return [json.dumps(each, ensure_ascii=False) for each in self.model.requests]

    @property
    def groups_see(self) -> str:
        """All that ever stood in a group from the bot, what was shown over it by buttons, and all that models got."""
        with self.telegram.lock:
            chats = [chat for chat in self.telegram.chats.values() if not chat.private]
            shown = [[one.text, *one.edits, str(one.markup)] for chat in chats for one in chat.messages.values()]
            return f"{shown} {self.telegram.callbacks}"


def tool(name: str, **arguments: Any) -> Calls:
    return Calls(name, arguments)


def last_words(request: dict[str, Any]) -> str:
    """The newest message in a request, with what stands around it."""
    return json.dumps(request["messages"][-1], ensure_ascii=False)


@asynccontextmanager
async def staged(
    app_url: str,
    superuser_url: str,
    database: Database,
    tenant: str,
    folder: Path,
    *,
    reads_all: bool = False,
    ending: str = "",
    **chosen: Any,
) -> AsyncIterator[Stage]:
    async with fake_telegram(reads_all=reads_all) as telegram, scripted_model() as model:
        model.script = Script()
        settings = {
            "TELEGRAM_BOT_TOKEN": telegram.token,
            "TELEGRAM_BASE_URL": telegram.url + ending,
            "DATABASE_URL": app_url,
            **QUIETLY,
            "ANTHROPIC_API_KEY": "k",
            "ANTHROPIC_BASE_URL": model.url,
            "KEEPSAKE_DATA_DIR": str(folder),
            "KEEPSAKE_EMBEDDER": "off",
            "KEEPSAKE_TENANT": tenant,
            "KEEPSAKE_MESSAGES_PER_SECOND": "0",
        }
        with psycopg.connect(superuser_url, autocommit=True) as admin:
            set_up = Settings.model_validate({**settings, **chosen}).model_copy(update=UNHURRIED)
            yield Stage(telegram, model, set_up, admin, database)


Make = Callable[..., Any]
