"""The whole bot in the event loop of a test: the real client against a fake Telegram, a real database, and a brain that
is offline or speaks by a script. One bot serves the tests of a module, each with people of its own."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

os.environ.setdefault("PTB_TIMEDELTA", "1")  # else the client warns about what it will do some day

import psycopg
import pytest
import pytest_asyncio
from psycopg.rows import dict_row

from bot.language import OFFLINE_LOCALE
from bot.telegram.app import run_bot
from db.embedded import EmbeddedServer
from db.engine import Database
from memory.concurrency.deadline import finish_late_work
from memory.model.brain import Brain
from memory.model.claude.brain import claude
from memory.model.offline import OfflineBrain
from memory.settings import Settings
from memory.wiring import Runtime
from tests.integration.bot.runtime import house_on
from tests.scripted_model import QUIETLY, Says, ScriptedModel, Step, Thought, scripted_model
from tests.telegram import FakeTelegram, Group, Person, Said, Sent, Tap, fake_telegram
from tests.waiting import STUCK, UNHURRIED, eventually

NUMBERS = count(10**9)


class Script(list[Step | Thought]):
    """Says something harmless when nothing is planned."""

    def pop(self, at: Any = -1) -> Step | Thought:
        return super().pop(at) if self else Says(("Very well.",))


@dataclass
class Bot:
    """A bot that runs, and what a test asks of it."""

    telegram: FakeTelegram
    runtime: Runtime
    admin: "psycopg.Connection[dict[str, Any]]"
    model: ScriptedModel | None
    told: list[str] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: NUMBERS)

    @property
    def tenant(self) -> str:
        return self.runtime.settings.tenant

    @property
    def script(self) -> list[Step | Thought]:
        assert self.model
        return self.model.script

    def person(self, name: str = "Ada", **how: Any) -> Person:
        """Somebody whom no other test knows."""
        return self.telegram.person(next(self.numbers), name, **how)

    def rows(self, query: str, **values: Any) -> list[dict[str, Any]]:
        """What a superuser sees of this bot's tenant; `{mine}` in the query is the condition."""
        mine = query.replace("{mine}", "tenant_id = %(tenant)s")
        return self.admin.execute(mine.encode(), {"tenant": self.tenant, **values}).fetchall()

    def of(self, person: Person, table: str, order: str = "random()") -> list[dict[str, Any]]:
        """Rows of somebody. Ids of one millisecond sort by chance: a test that needs an order names the column."""
        return self.rows(
            f"SELECT * FROM {table} WHERE {{mine}} AND user_id = %(user)s ORDER BY {order}", user=of(person)
        )

    async def done(self, spoken: Said | Tap | int | None) -> None:
        """Until an update was taken, and its answer sent."""
        update = spoken if isinstance(spoken, int) or spoken is None else spoken.update_id
        assert update is not None, "the bot is not told of this"
        await eventually(lambda: update not in self.telegram.pending and self.is_over(update), self.account)

    def account(self) -> str:
        """What can be told when an update is never dealt with."""
        open_ones = self.rows("SELECT update_id, state, failures, why FROM inbox WHERE {mine} AND state <> 'done'")
        calls = [(call.method, call.code, call.error) for call in self.telegram.calls[-10:]]
        return f"unconfirmed: {self.telegram.pending}; open: {open_ones}; last calls: {calls}"

    def is_over(self, update: int) -> bool:
        found = self.rows("SELECT state FROM inbox WHERE {mine} AND update_id = %(update)s", update=update)
        return not found or found[0]["state"] in {"done", "parked"}

    async def ask(self, person: Person, words: str | Said, **how: Any) -> list[Sent]:
        """Say something, or wait for what was said; gives the messages that came in answer."""
        before = {each.message_id for each in person.answers()}
        await self.done(person.say(words, **how) if isinstance(words, str) else words)
        return [each for each in person.answers() if each.message_id not in before]

    async def tap(self, person: Person, message: Sent, label: str | None = None, *, data: str | None = None) -> str:
        """Press a button; gives what was shown over the chat."""
        tap = person.tap(message, label, data=data)
        await self.done(tap)
        shown = self.telegram.answer_to(tap)
        assert shown is not None, "a button that is pressed must be answered"
        return str(shown.get("text") or "")

    def now(self, message: Sent) -> Sent:
        """A message of the bot as it stands now."""
        return next(each for each in self.telegram.messages(message.chat_id) if each.message_id == message.message_id)

    def versions(self, person: Person) -> list[dict[str, Any]]:
        """Every version of every fact of somebody, oldest first."""
        return self.rows(
            """SELECT v.* FROM fact_versions AS v JOIN facts AS f USING (tenant_id)
               WHERE v.tenant_id = %(tenant)s AND f.id = v.fact_id AND f.user_id = %(user)s ORDER BY v.change""",
            user=of(person),
        )

    def facts(self, person: Person) -> list[str]:
        """The words of what is remembered of somebody."""
        newest = {row["fact_id"]: row for row in self.versions(person)}
        return sorted(row["content"] for row in newest.values() if not row["forgotten"])

    def holding(self, words: str) -> set[str]:
        """The tables in which these words stand, whosever they are and in whatever column."""
        tables = self.rows("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'")
        query = "SELECT FROM {} AS t WHERE strpos(t::text, %(words)s) > 0 OR strpos(t::text, %(hex)s) > 0 LIMIT 1"
        values = {"words": words, "hex": words.encode().hex()}
        return {each["name"] for each in tables if self.rows(query.format(each["name"]), **values)}


def of(person: Person) -> str:
    return f"telegram:{person.id}"


Running = Callable[..., Any]


@asynccontextmanager
async def run(
    database: Database,
    superuser_url: str,
    folder: Path,
    *script: Step | Thought,
    scripted: bool = False,
    silence: float = STUCK,
    brain: Brain | None = None,
    tenant: str | None = None,
    telegram: FakeTelegram | None = None,
    **wishes: Any,
) -> AsyncIterator[Bot]:
    """A bot on a database, from its start to its end; `wishes` are settings by their variables, and `silence` is how
    long its model may say nothing in the middle of an answer."""
    if telegram is None:
        async with fake_telegram() as telegram, scripted_model(*script) as model:
            async with run(
                database, superuser_url, folder, scripted=scripted, silence=silence, brain=brain, tenant=tenant,
                telegram=telegram, model=model, **wishes
            ) as bot:  # fmt: skip
                yield bot
            return
    model = wishes.pop("model", None)
    settings = Settings.model_validate(
        {
            "TELEGRAM_BOT_TOKEN": telegram.token,
            "TELEGRAM_BASE_URL": telegram.url,
            "KEEPSAKE_TENANT": tenant or f"test-{secrets.randbelow(10**12):012}",
            "KEEPSAKE_DATA_DIR": str(folder),
            "KEEPSAKE_MESSAGES_PER_SECOND": "0",
            **QUIETLY,
            "ANTHROPIC_API_KEY": "k",
            "ANTHROPIC_BASE_URL": model.url if model else None,
            **wishes,
        }
    ).model_copy(update=UNHURRIED)
    if scripted and model is not None:
        model.script = Script(model.script)
        brain = claude(settings, silence=silence)
    brain = brain or OfflineBrain(OFFLINE_LOCALE)
    runtime = house_on(database, settings, brain)
    with psycopg.connect(superuser_url, autocommit=True, row_factory=dict_row) as admin:
        bot = Bot(telegram, runtime, admin, model if scripted else None)
        running = asyncio.create_task(run_bot(runtime, "UTC", bot.told.append))
        try:
            await eventually(lambda: running.done() or telegram.calls_of("getUpdates"))
            yield bot
        finally:
            running.cancel()
            ended = await asyncio.gather(running, return_exceptions=True)
            await brain.close()
            await finish_late_work()
            await database.close()
        assert isinstance(ended[0], asyncio.CancelledError), f"the bot ended by itself: {ended[0]!r}"


@pytest.fixture(scope="module")
def begin(
    server: EmbeddedServer, worker_database: str, bots_database: Database, tmp_path_factory: pytest.TempPathFactory
) -> Running:
    """Starts a bot: `async with begin(…) as bot`."""

    def make(*script: Step | Thought, folder: Path | None = None, **wishes: Any) -> Any:
        superuser = server.url("postgres", worker_database)
        return run(bots_database, superuser, folder or tmp_path_factory.mktemp("data"), *script, **wishes)

    return make


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def offline(begin: Running) -> AsyncIterator[Bot]:
    """A bot that needs no model."""
    async with begin() as bot:
        yield bot


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scripted(begin: Running) -> AsyncIterator[Bot]:
    """A bot whose model does what `bot.script` says."""
    async with begin(scripted=True) as bot:
        yield bot


@pytest.fixture
def ada(request: pytest.FixtureRequest) -> Person:
    """Somebody new to the bot of the module."""
    name = "scripted" if "scripted" in request.fixturenames else "offline"
    bot: Bot = request.getfixturevalue(name)
    if bot.model:
        bot.script.clear()  # what a test before did not use up
    return bot.person()


__all__ = ["Bot", "Group", "Running", "begin", "of", "offline", "run", "scripted"]
