"""A workshop for tests: conversations as long as it takes, and a model that keeps their record from a script."""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import text

from db.ids import timed_id
from db.queries.events.conversations import end_conversation, start_conversation
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.consolidation.extraction.similarity import FactSimilarity
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.events.record import EventDraft, PreparedEvent, prepare, record
from memory.metrics import Metrics
from memory.model.claude.structured import ClaudeStructuredLLM
from memory.model.vendors import structured_llm_from
from memory.retrieval.embedders.base import Embedder
from memory.settings import Settings
from memory.unit import Memory
from tests.conftest import NOON
from tests.scripted_model import ScriptedModel, Step, Thought, Writes, scripted_model, words_of
from tests.waiting import STUCK

LINE = re.compile(r"^\[(\d+)\] \w+ [\d-]+ [\d:]+, (.*?): (.*)$", re.MULTILINE)


@dataclass
class Bench:
    """Somebody's conversation, and the passes over it."""

    memory: Memory
    viewer: Viewer
    model: ScriptedModel
    jobs: Jobs
    conversation: str = ""
    now: datetime = NOON
    said: list[str] = field(default_factory=list)
    """The ids of the events, in order."""

    @property
    def passes(self) -> Passes:
        return Passes(self.jobs)

    async def begin(self, viewer: Viewer | None = None) -> str:
        self.viewer = viewer or self.viewer
        self.conversation, self.said = timed_id("cnv", self.now), []
        async with self.memory.unit(self.viewer, now=self.now) as unit:
            await start_conversation(
                unit.session, self.viewer, conversation_id=self.conversation, agent_id="keepsake", now=self.now
            )
        return self.conversation

    async def end(self) -> None:
        async with self.memory.unit(self.viewer, now=self.now) as unit:
            await end_conversation(unit.session, self.viewer, self.conversation, self.now)

    async def say(self, words: str, *, by: Viewer | None = None, tags: tuple[str, ...] = (), **told: Any) -> str:
        return await self._add(ActorType.HUMAN, by or self.viewer, {"text": words, **told}, tags)

    async def answer(self, words: str = "All right.", *, to: Viewer | None = None) -> str:
        return await self._add(ActorType.AGENT, to or self.viewer, {"text": words})

    async def exchange(self, words: str, answer: str = "All right.") -> None:
        await self.say(words)
        await self.answer(answer)

    async def talk(self, exchanges: int, words: str = "Number {} is about the weather", start: int = 0) -> None:
        said = []
        for number in range(start, start + exchanges):
            said.append(self._prepared(ActorType.HUMAN, self.viewer, {"text": words.format(number)}))
            said.append(self._prepared(ActorType.AGENT, self.viewer, {"text": f"Heard number {number}."}))
        async with self.memory.unit(self.viewer, now=self.now) as unit:
            await record(unit, self.conversation, said)

    async def _add(self, actor: ActorType, by: Viewer, content: dict[str, Any], tags: tuple[str, ...] = ()) -> str:
        said = self._prepared(actor, by, content, tags)
        async with self.memory.unit(by, now=self.now) as unit:
            await record(unit, self.conversation, [said])
        return said.event.id

    def _prepared(
        self, actor: ActorType, by: Viewer, content: dict[str, Any], tags: tuple[str, ...] = ()
    ) -> PreparedEvent:
        """A second later than the one before."""
        self.now += timedelta(seconds=1)
        name = by.person if actor == ActorType.HUMAN else "keepsake"
        said = prepare(EventDraft(actor, name, EventKind.MESSAGE, content, tags=tags), self.now)
        self.said.append(said.event.id)
        return said

    async def summarise(self, *script: Step | Thought, later: float = 0) -> int:
        self.now += timedelta(seconds=later)
        self.model.script += script
        return await self.passes.summaries(self.now)

    async def extract(self, *script: Step | Thought, later: float = 61) -> int:
        self.now += timedelta(seconds=later)
        self.model.script += script
        return await self.passes.extractions(self.now)

    async def rows(self, query: str, viewer: Viewer | None = None, **values: Any) -> list[Any]:
        async with self.memory.unit(viewer or self.viewer, read_only=True) as unit:
            return [tuple(row) for row in await unit.session.execute(text(query), values)]

    async def chain(self) -> list[Any]:
        """Start, end, first message read, and where the base ends, of every completed version."""
        return await self.rows(
            "SELECT s.start_seq, s.end_seq, s.new_seq, b.end_seq FROM summaries AS s LEFT JOIN summaries AS b"
            " ON b.id = s.base_id WHERE s.conversation_id = :c AND s.status = 'completed' ORDER BY s.end_seq",
            c=self.conversation,
        )

    async def states(self) -> list[Any]:
        return await self.rows(
            "SELECT status, attempts, reason FROM summaries WHERE conversation_id = :c ORDER BY end_seq, created_at",
            c=self.conversation,
        )


Bencher = Callable[..., Any]


@asynccontextmanager
async def bench_for(
    memory: Memory, viewer: Viewer, *script: Step | Thought, embedder: Embedder | None = None, **settings: Any
) -> AsyncIterator[Bench]:
    async with scripted_model(*script) as model:
        given = {
            "KEEPSAKE_TENANT": viewer.tenant,
            "ANTHROPIC_API_KEY": "k",
            "ANTHROPIC_BASE_URL": model.url,
            "KEEPSAKE_MODEL_SECONDS": STUCK,
            **settings,
        }
        chosen = Settings.model_validate(given)
        llm = structured_llm_from(chosen)
        assert isinstance(llm, ClaudeStructuredLLM)
        bench = Bench(memory, viewer, model, Jobs(memory, chosen, llm, FactSimilarity(embedder), Metrics()))
        await bench.begin()
        yield bench
        await llm.close()


def heard(request: dict[str, Any]) -> list[tuple[int, str, str]]:
    """The new messages of a request, each with its number and who said it."""
    new = words_of(request).partition("New messages:")[2]
    return [(int(number), who, words) for number, who, words in LINE.findall(new)]


def keeps_record(request: dict[str, Any]) -> Writes:
    """As a faithful model does, if a dull one: the first and the last message in their own words."""
    said = heard(request)
    first, last = said[0], said[-1]
    points = [{"text": words, "messages": [number]} for number, _, words in {first[0]: first, last[0]: last}.values()]
    return Writes({"points": points, "digest": f"They began with: {first[2]}", "overall": "", "facts": []})


def record_of(
    *points: tuple[str, Sequence[int]], digest: str = "", overall: str = "", facts: Sequence[Any] = ()
) -> Writes:
    told = [{"text": words, "messages": list(messages)} for words, messages in points]
    return Writes({"points": told, "digest": digest, "overall": overall, "facts": list(facts)})


def fact(message: int, quote: str, content: str = "", **more: Any) -> dict[str, Any]:
    usual = {"category": "context", "subject": None, "attribute": None, "changes": None, "confidence": 0.9}
    return {"message": message, "quote": quote, "content": content or quote, **usual, **more}


def finds(*facts: dict[str, Any]) -> Writes:
    return Writes({"facts": list(facts)})
