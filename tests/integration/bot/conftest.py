"""Chats whose words are gathered: with the offline brain, and with Claude's SDK against a scripted server."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import text

from bot import formatting
from bot.commands.memory import memory_command
from bot.language import OFFLINE_LOCALE
from bot.telegram import client
from bot.telegram.sending import preview
from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from db.engine import Database
from db.queries.facts.facts import FactRow
from db.viewer import Viewer
from memory.context.replay import replay
from memory.facts import facts
from memory.facts.proposals import Card, waiting_cards
from memory.model.brain import Brain
from memory.model.claude.brain import claude
from memory.model.offline import OfflineBrain
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.turn.chat import Chat
from memory.turn.outcome import Outcome
from memory.unit import Memory
from memory.wiring import Runtime, cannot_revive
from tests.scripted_model import ScriptedModel, Step, Thought, scripted_model
from tests.waiting import STUCK, UNHURRIED

PATIENT = Settings.model_validate({"KEEPSAKE_EMBEDDER": "off"}).model_copy(update=UNHURRIED)


@pytest.fixture(scope="session", autouse=True)
def patient_with_telegram() -> None:
    """A Telegram that is slow to answer because the machine is busy has not lost the message."""
    client.READ_SECONDS = client.CONNECT_SECONDS = int(STUCK)
    preview.MAX_SENDING = STUCK


class Conversation:
    """A chat whose words are gathered."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self.home = chat.viewer
        self.company = [self]
        """All who talk in this house, each alone."""

    async def somebody_else(self) -> "Conversation":
        """A person whom this house does not know yet, for the next case of a table."""
        viewer = Viewer.in_private(self.home.tenant, f"test:person{len(self.company)}")
        other = Conversation(Chat(self.chat.runtime, viewer))
        await other.chat.begin(name="Ada", timezone="Europe/Lisbon")
        self.company.append(other)
        other.company = self.company
        return other

    async def say(self, words: str) -> tuple[str, Outcome]:
        shown: list[str] = []

        async def show(delta: str) -> None:
            shown.append(delta)

        said = await self.chat.say(words, show)
        await self.chat.mark_cards_shown(said.cards)
        return "".join(shown), said

    async def type(self, command: str) -> str:
        """A /memory command."""
        return await memory_command(self.chat, command)

    async def facts(self) -> list[FactRow]:
        return await self.chat.do(facts.all_facts)

    async def cards(self) -> list[Card]:
        return await self.chat.do(waiting_cards)

    def lines(self, said: Outcome) -> list[str]:
        return [*formatting.outcome_lines(said), *formatting.cards_lines(said.cards)]

    async def events(self) -> list[tuple[str, str, Any]]:
        query = "SELECT actor_type, kind, content FROM events WHERE conversation_id = :c ORDER BY seq"
        async with self.chat.runtime.memory.unit(self.chat.viewer, read_only=True) as unit:
            found = await unit.session.execute(text(query), {"c": self.chat.conversation_id})
            return [(actor, kind, content) for actor, kind, content in found]

    async def rows(self, query: str, **values: Any) -> list[Any]:
        """The first column of what this person sees."""
        async with self.chat.runtime.memory.unit(self.chat.viewer, read_only=True) as unit:
            return list((await unit.session.execute(text(query), values)).scalars())


async def begin(memory: Memory, viewer: Viewer, brain: Brain) -> Conversation:
    chat = Chat(Runtime(PATIENT, memory, VectorIndex(memory, viewer.tenant, None), brain, cannot_revive), viewer)
    await chat.begin(name="Ada", timezone="Europe/Lisbon")
    return Conversation(chat)


async def ensure_every_call_replays(conversation: Conversation) -> None:
    """Whatever a test did: each call that it made can be rendered again, byte for byte, but for what was forgotten."""
    for each in conversation.company:
        found = await replay(each.chat.runtime.memory, each.home)
        assert [call for call in found if call.is_different] == []


@pytest.fixture(scope="session")
def bots_database(server: EmbeddedServer, worker_database: str) -> Database:
    """One for all bots of a worker: it remembers its statements compiled. Who runs a bot on it closes it afterwards,
    because its connections belong to the loop of that bot."""
    return Database(server.url(APPLICATION, worker_database))


@pytest.fixture
async def offline(memory: Memory, tenant: str) -> AsyncIterator[Conversation]:
    conversation = await begin(memory, Viewer.in_private(tenant, "test:ada"), OfflineBrain(OFFLINE_LOCALE))
    yield conversation
    await ensure_every_call_replays(conversation)


Scripted = Callable[..., Any]


@pytest.fixture
def scripted(memory: Memory, tenant: str) -> Scripted:
    @asynccontextmanager
    async def make(*script: Step | Thought) -> AsyncIterator[tuple[Conversation, ScriptedModel]]:
        async with scripted_model(*script) as model:
            brain = claude(Settings.model_validate({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url}))
            conversation = await begin(memory, Viewer.in_private(tenant, "test:ada"), brain)
            yield conversation, model
            await brain.close()
        await ensure_every_call_replays(conversation)

    return make
