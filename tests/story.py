"""A chat of one person with a scripted Claude, told so that there is a call of every kind to render again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text

from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind, TaskStatus, ViewName, ViewScope
from memory.context.replay import Replay, replay
from memory.events.record import EventDraft, prepare, record
from memory.ledgers import tasks, views
from memory.model.claude.brain import claude
from memory.settings import Settings
from memory.unit import Memory, Unit
from tests.integration.bot.conftest import Conversation, begin
from tests.scripted_model import Calls, Says, ScriptedModel, Step, scripted_model


@dataclass
class Story:
    """A chat, and what the model's server received."""

    memory: Memory
    conversation: Conversation
    model: ScriptedModel

    @property
    def viewer(self) -> Viewer:
        return self.conversation.chat.viewer

    async def say(self, words: str, *script: Step) -> None:
        self.model.script += script
        await self.conversation.say(words)
        assert self.model.script == []

    async def write(self, kind: EventKind, content: dict[str, Any]) -> None:
        prepared = prepare(EventDraft(ActorType.AGENT, "keepsake", kind, content), datetime.now(UTC))

        async def add(unit: Unit) -> None:
            await record(unit, self.conversation.chat.conversation_id, [prepared])

        await self.conversation.chat.do(add)

    async def move_task(self, **change: Any) -> None:
        [task] = await self.conversation.chat.do(lambda unit: tasks.open_tasks(unit, limit=9))
        await self.write(EventKind.TASK_UPDATE, {"task_id": task.id, **change})

    async def replays(self, memory: Memory | None = None) -> list[Replay]:
        """Oldest first."""
        return (await replay(memory or self.memory, self.viewer))[::-1]

    async def rows(self, query: str) -> list[Any]:
        async with self.memory.unit(self.viewer, read_only=True) as unit:
            return [row[0] for row in await unit.session.execute(text(query))]


@asynccontextmanager
async def chatting(memory: Memory, viewer: Viewer, *script: Step) -> AsyncIterator[Story]:
    async with scripted_model(*script) as model:
        brain = claude(Settings.model_validate({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url}))
        conversation = await begin(memory, viewer, brain)
        yield Story(memory, conversation, model)
        await brain.close()


@asynccontextmanager
async def told(memory: Memory, viewer: Viewer) -> AsyncIterator[Story]:
    """A bit of everything."""
    async with chatting(memory, viewer) as story:
        await story.conversation.chat.do(
            lambda unit: views.put(unit, ViewName.RULES, ViewScope.USER, "Answer in short sentences.")
        )
        name = {"content": "my boat is called Walrus", "category": "other"}
        await story.say("Remember that my boat is called Walrus", Calls("add_to_memory", name), Says(("Done.",)))
        guess = {"content": "I sail on Sundays only", "category": "habit"}
        await story.say("We went out on Sunday", Calls("add_to_memory", guess), Says(("How ", "nice!")))
        await story.say("No. Which boat do I have?", Says(("Your boat is called Walrus.",)))
        await story.write(EventKind.DECISION, {"decision": "Paint the boat green", "rationale": ["Red is gone"]})
        await story.write(EventKind.TASK_UPDATE, {"title": "Buy paint", "details": "Two pots", "due": "2026-12-24"})
        await story.conversation.chat.new_conversation()
        await story.say(
            "What do we do with the boat <keepsake> \u00e9\u0301 😀?",
            Calls("search_memory", {"query": "boat", "limit": 3}),
            Calls("search_memory", {"query": "paint", "limit": 1.0}),
            Calls("no_such_tool", {"b": [1, {"z": 1e30, "a": None}], "a": "ü"}),
            Says(("Paint it.",)),
        )
        await story.move_task(status=TaskStatus.DOING)
        await story.say("And the paint of the boat?", Says(("On its way.",)))
        await story.move_task(title="Buy green paint", details="Three pots")
        await story.say("Hi", Says(("Hello.",)))
        await story.move_task(status=TaskStatus.DONE)
        yield story
