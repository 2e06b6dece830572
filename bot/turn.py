"""One message through the house: write it down, gather, answer, write down the answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

from bot import texts
from db.ids import timed_id
from db.queries.events import start_conversation
from db.queries.facts import FactRow, active_facts
from db.queries.people import welcome
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.agent import Outcome, Show, converse
from memory.brain import ToolResult, ToolUse
from memory.context.build import build_context
from memory.errors import DatabaseAway, ModelAway, WriteRefused
from memory.receipts import Receipt
from memory.record import Draft, Prepared, prepare, record
from memory.tools import TOOLS, Caller
from memory.wiring import House

AGENT = "keepsake"
SPECS = tuple(tool.spec for tool in TOOLS)
ENDINGS = {"rounds": texts.TOO_MANY_STEPS, "refusal": texts.REFUSED, "max_tokens": texts.CUT_OFF}

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(slots=True)
class Said:
    """What the user is told besides the words of the answer."""

    receipts: list[Receipt] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    failed: bool = False

    def fail(self, notice: str) -> None:
        self.failed = True
        self.notices.append(notice)


@dataclass(slots=True)
class Chat:
    """One person's conversation with the assistant."""

    house: House
    viewer: Viewer
    conversation_id: str = ""

    async def begin(self, *, name: str, timezone: str) -> None:
        """Know the person, and start a conversation."""
        async with self.house.database.transaction(self.viewer) as session:
            await welcome(session, self.viewer, name=name, timezone=timezone, now=datetime.now(UTC))
        await self.begin_anew()

    async def begin_anew(self) -> None:
        now = datetime.now(UTC)
        conversation_id = timed_id("cnv", now)

        async def start() -> None:
            async with self.house.database.transaction(self.viewer) as session:
                await start_conversation(session, self.viewer, conversation_id=conversation_id, agent_id=AGENT, now=now)

        await self._surely(start)
        self.conversation_id = conversation_id

    async def facts(self) -> list[FactRow]:
        """All of them: what is remembered may not be hidden from its owner."""

        async def read() -> list[FactRow]:
            async with self.house.database.transaction(self.viewer, read_only=True) as session:
                return list(await active_facts(session, self.viewer))

        return await self._surely(read)

    async def say(self, text: str, show: Show) -> Said:
        """Take one message and answer it. It is written down before the brain is asked, or this raises."""
        now = datetime.now(UTC)
        draft = Draft(ActorType.HUMAN, self.viewer.person, EventKind.MESSAGE, {"text": text})
        message = await asyncio.to_thread(prepare, draft, now)
        await self._surely(lambda: self._record([message]))
        said = Said()
        if message.left_out:
            said.notices.append(texts.secrets_left_out(message.left_out))
        try:
            await self._answer(message, now, said, show)
        except ModelAway as trouble:
            said.fail(texts.MODEL_AWAY.format(why=trouble))
        except (DatabaseAway, WriteRefused) as trouble:
            log.warning("an answer was not kept: %s", type(trouble).__name__)
            said.fail(texts.ANSWER_NOT_KEPT)
        return said

    async def _surely(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do it; if the database was away, try to bring it back and do it once more."""
        try:
            return await work()
        except DatabaseAway:
            await self.house.revive()
            return await work()

    async def _answer(self, message: Prepared, now: datetime, said: Said, show: Show) -> None:
        """What there is of an answer is written down, also when it breaks off."""
        async with self.house.database.transaction(self.viewer, read_only=True) as session:
            window = self.house.settings.window_messages
            context = await build_context(session, self.viewer, self.conversation_id, window=window, tools=SPECS)
        caller = Caller(
            database=self.house.database,
            viewer=self.viewer,
            event_id=message.event.id,
            message=message.text,
            now=now,
            timezone=context.timezone,
            receipts=said.receipts,
        )
        outcome = Outcome()
        try:
            await converse(self.house.brain, context.request, TOOLS, caller, show, outcome)
        finally:
            await self._write_down(outcome)
        if outcome.ended in ENDINGS:
            said.notices.append(ENDINGS[outcome.ended])

    async def _write_down(self, outcome: Outcome) -> None:
        drafts = [_step(step) for step in outcome.steps]
        if outcome.text:
            content = {"text": outcome.text, "ended": outcome.ended}
            drafts.append(Draft(ActorType.AGENT, AGENT, EventKind.MESSAGE, content))
        if drafts:
            now = datetime.now(UTC)
            await self._record([await asyncio.to_thread(prepare, draft, now) for draft in drafts])

    async def _record(self, prepared: list[Prepared]) -> None:
        async with self.house.database.transaction(self.viewer) as session:
            await record(session, self.viewer, self.conversation_id, prepared)


def _step(step: ToolUse | ToolResult) -> Draft:
    match step:
        case ToolUse(id, name, arguments):
            content = {"call": id, "tool": name, "arguments": dict(arguments)}
            return Draft(ActorType.AGENT, AGENT, EventKind.TOOL_CALL, content)
        case ToolResult(id, result, is_error):
            return Draft(ActorType.TOOL, AGENT, EventKind.TOOL_RESULT, {"call": id, "text": result, "error": is_error})
