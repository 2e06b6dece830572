"""Thirty days with a model that repeats, echoes and invents: what is remembered is what the person said, and once."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from db.queries.facts.facts import FactRow, versions_of
from db.queries.people.people import choose_mode
from db.viewer import Viewer
from db.vocabulary import Mode, ProposalKind
from memory.consolidation.extraction.similarity import FactSimilarity
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.errors import Refused
from memory.facts import facts, proposals
from memory.facts.proposals import Card
from memory.language.claims.negation import negations_in
from memory.language.terms import key_terms, stem
from memory.metrics import Metrics
from memory.model.claude.brain import claude
from memory.model.vendors import structured_llm_from
from memory.privacy.memory_audit import audit_memory
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.turn.chat import Chat
from memory.turn.state import UserMessage
from memory.unit import Memory
from memory.wiring import Runtime, cannot_revive
from tests.repetitive_model import SYNONYMS, Liar
from tests.scripted_model import scripted_model
from tests.waiting import UNHURRIED

DAYS = 30

# What the person says on which day; on the others, and in between, they only ask.
TOLD = {
    0: ["I like green tea in the morning"],
    1: ["My sister is called Marta"],
    3: ["I live in Porto", "I failed my driving test twice"],
    5: ["Green tea is what I like in the morning"],
    8: ["I work as a nurse in the children's hospital"],
    10: ["My sister Marta lives in Lisbon with two cats"],
    12: ["Marta is what my sister is called, you know"],
    13: ["I really failed my driving test twice"],
    16: ["I live in Braga now"],
    18: ["Remember that I play the cello on Sundays"],
    20: ["As a nurse I work in the children's hospital"],
    23: ["On Sundays I play the cello"],
    25: ["In the morning I like green tea, every morning"],
    27: ["I live in Braga now, as I said"],
}
ASKED = (
    "What shall I cook tonight?",
    "How does one repair a bicycle?",
    "What do you know of me?",
    "Which tea goes with cake?",
    "Where is my sister?",
    "How do I get to the hospital from home?",
)
# The things that they are about, by words that nothing else has.
THINGS = {
    "tea": {"tea"},
    "sister's home": {"lisbon", "cat"},
    "sister's name": {"sister", "marta"},
    "home": {"porto", "braga"},
    "test": {"driv"},
    "work": {"nurs"},
    "cello": {"cello"},
}
UNWANTED = {Mode.CONFIRM: "test", Mode.AUTO: None}
MEANS = {stem(new): stem(old) for old, new in SYNONYMS.items()}
IDLE = key_terms("true lot really what said every now told")


def thing(words: str) -> str | None:
    """Which of the things that the person told these words are about; none for a lie."""
    told = key_terms(words)
    return next((name for name, signs in THINGS.items() if signs & told), None)


def meaning(words: str) -> frozenset[str]:
    """What a person understands, whatever the words."""
    return frozenset(MEANS.get(word, word) for word in key_terms(words)) - IDLE


@dataclass
class Person:
    """Says yes to what is true, in whatever words, and no to the rest and to what they do not want remembered."""

    memory: Memory
    chat: Chat
    model: Liar
    jobs: Jobs
    now: datetime
    unwanted: str | None
    told: list[str] = field(default_factory=list)
    declined: list[Card] = field(default_factory=list)
    came_back: list[str] = field(default_factory=list)

    async def say(self, words: str) -> None:
        self.now += timedelta(minutes=20)
        self.model.message = words
        if not words.endswith("?"):
            self.told.append(words)

        async def show(_: str) -> None:
            pass

        said = await self.chat.say(UserMessage(words, sent_at=self.now), show)
        await self.chat.mark_cards_shown(said.cards)
        await self.decide()

    async def decide(self) -> None:
        async with self.memory.unit(self.chat.viewer) as unit:
            for card in await proposals.waiting_cards(unit):
                self.came_back += [str(card.row.content) for no in self.declined if asks_the_same(card, no)]
                try:
                    async with unit.session.begin_nested():
                        if self.is_true(card):
                            await proposals.accept(unit, card.row.id, card.row.content_hash)
                            continue
                except Refused:
                    pass  # it was stored, or has changed, since it was asked
                else:
                    self.declined.append(card)
                await proposals.reject(unit, card.row.id)

    def is_true(self, card: Card) -> bool:
        words = str(card.row.content)
        means, name = meaning(words), thing(words)
        if (
            card.row.kind == ProposalKind.FORGET
            or name in (None, self.unwanted)
            or negations_in(words)
            or len(means) < 2
        ):
            return False
        if card.about and (thing(card.about.words) != name or meaning(card.about.words) == means):
            return False
        last = [said for said in self.told if thing(said) == name][-1:] if name == "home" else self.told
        return any(means <= meaning(said) for said in last)

    async def live(self, day: int) -> None:
        """Every second thing that they say is something that they tell, as long as there is any."""
        told = TOLD.get(day, [])
        for number in range(max(3, 2 * len(told))):
            asked = ASKED[(3 * day + number) % len(ASKED)]
            await self.say(told[number // 2] if number % 2 and number // 2 < len(told) else asked)
        self.now += timedelta(hours=2)
        passes = Passes(self.jobs)
        await passes.summaries(self.now)
        await passes.extractions(self.now)
        await self.decide()
        await self.chat.new_conversation()
        self.now += timedelta(hours=20)
        await passes.summaries(self.now)
        await self.decide()
        await passes.clearing(self.now)


def asks_the_same(card: Card, other: Card) -> bool:
    one, two = card.row, other.row
    return (one.kind, one.fact_id, meaning(str(one.content))) == (two.kind, two.fact_id, meaning(str(two.content)))


@asynccontextmanager
async def person(memory: Memory, viewer: Viewer, mode: Mode) -> AsyncIterator[Person]:
    liar = Liar()
    async with scripted_model() as model:
        model.always = liar.answer
        settings = Settings.model_validate(
            {"KEEPSAKE_TENANT": viewer.tenant, "ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url}
        ).model_copy(update=UNHURRIED)
        brain, llm = claude(settings), structured_llm_from(settings)
        assert llm is not None
        runtime = Runtime(settings, memory, VectorIndex(memory, viewer.tenant, None), brain, cannot_revive)
        chat = Chat(runtime, viewer)
        await chat.begin(name="Ada", timezone="UTC")
        async with memory.unit(viewer) as unit:
            await choose_mode(unit.session, viewer, mode)
        jobs = Jobs(memory, settings, llm, FactSimilarity(None), Metrics())
        yield Person(memory, chat, liar, jobs, datetime.now(UTC) + timedelta(hours=1), UNWANTED[mode])
        await brain.close()
        await llm.close()


async def remembered(memory: Memory, viewer: Viewer) -> tuple[list[FactRow], dict[str, list[FactRow]], set[str]]:
    """The facts, all of their versions, and who spoke the messages that those came from."""
    async with memory.unit(viewer, read_only=True) as unit:
        rows = await facts.own_facts(unit)
        versions = await versions_of(unit.session, viewer, [row.id for row in rows])
        sources = text(
            "SELECT DISTINCT COALESCE(e.actor_type, 'nobody') FROM fact_versions AS v"
            " LEFT JOIN events AS e ON e.tenant_id = v.tenant_id AND e.id = v.source_event_id"
        )
        speakers = set((await unit.session.execute(sources)).scalars())
    return rows, {row.id: [each for each in versions if each.id == row.id] for row in rows}, speakers


@pytest.mark.slow
@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.CONFIRM])
async def test_after_thirty_days_each_thing_is_remembered_once_and_only_as_its_owner_said_it(
    memory: Memory, ada: Viewer, mode: Mode
) -> None:
    async with person(memory, ada, mode) as somebody:
        for day in range(DAYS):
            await somebody.live(day)

    rows, versions, speakers = await remembered(memory, ada)
    rot = await audit_memory(memory, ada)
    assert Counter(thing(row.words) for row in rows) == Counter(THINGS.keys() - {UNWANTED[mode]})
    assert [[row.words for row in group] for group in rot.duplicates] == []
    assert [row.words for row in rot.echoes] == []
    assert all(any(meaning(row.words) <= meaning(said) for said in somebody.told) for row in rows)
    assert speakers == {"human"}
    assert (bool(somebody.declined), somebody.came_back) == (True, [])
    [home] = [versions[row.id] for row in rows if thing(row.words) == "home"]
    assert ("Porto" in home[0].words, "Braga" in home[-1].words) == (True, True)
    assert any(row.recall_count for row in rows)
