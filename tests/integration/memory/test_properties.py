"""Whatever is done to facts, in whatever order: versions have no gaps, the past stays as it was, bytes are the same."""

import asyncio
import re
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from db.engine import Database
from db.queries.facts.facts import FactRow
from db.queries.people.people import welcome
from db.viewer import Viewer
from db.vocabulary import Approval, Attribute, Category, Visibility
from memory.context.items import fact_item
from memory.context.render import memory_text
from memory.context.sections import SectionName
from memory.context.snapshot import select_facts
from memory.errors import Refused
from memory.facts import facts, history
from memory.facts.facts import FactDraft
from memory.facts.receipts import Receipt, ReceiptKind
from memory.people import spaces
from memory.privacy.encryption import Keyring
from memory.unit import Memory, Unit
from tests.conftest import NOON
from tests.rows import fact

T = TypeVar("T")
MINUTE = timedelta(minutes=1)
LATER = NOON + timedelta(days=1)
TOLD = [
    FactDraft("the key is under the mat", Category.CONTEXT),
    FactDraft("Alec is my boss", Category.PERSON, subject="Alec"),
    FactDraft("Alec plays the cello", Category.HOBBY, subject="Alec"),
    FactDraft("I have diabetes", Category.OTHER),
    FactDraft("lives in Oslo", Category.CONTEXT, attribute=Attribute.LOCATION),
    FactDraft("lives in Paris", Category.CONTEXT, attribute=Attribute.LOCATION),
]


@dataclass
class World:
    """One loop and one connection for all examples of a test; each example meets a person of its own."""

    memory: Memory
    tenant: str
    runner: asyncio.Runner
    numbers: Iterator[int] = field(default_factory=count)

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(coroutine)

    async def meet(self) -> Viewer:
        viewer = Viewer.in_private(self.tenant, f"test:{next(self.numbers)}")
        async with self.memory.database.transaction(viewer) as session:
            await welcome(session, viewer, name="someone", timezone="UTC", now=NOON)
        return viewer


@pytest.fixture
def world(app_url: str, tenant: str) -> Iterator[World]:
    with asyncio.Runner() as runner:
        database = Database(app_url, pool_size=1)
        yield World(Memory(database, Keyring((b"a key for tests, of 32 bytes ...",))), tenant, runner)
        runner.run(database.close())


@dataclass(frozen=True)
class Step:
    """Something done: to which of the facts it fits, with which words, where, and how long after the one before."""

    what: str
    which: int
    words: int
    at_home: bool
    minutes: int


BEGINNING = [Step("remember", 0, words, at_home=False, minutes=1) for words in (0, 4)]


@dataclass(frozen=True)
class Lived:
    viewer: Viewer
    receipts: list[Receipt]
    known: dict[datetime, list[FactRow]]
    """What was remembered after each moment."""


def steps(earliest: int) -> st.SearchStrategy[list[Step]]:
    whats = st.sampled_from("remember revise hide restore undo share unshare".split())
    step = st.builds(
        Step, whats, st.integers(0, 5), st.integers(0, len(TOLD) - 1), st.booleans(), st.integers(earliest, 2)
    )
    return st.lists(step, min_size=6, max_size=16)


def fits(step: Step, row: FactRow) -> bool:
    match step.what:
        case "restore":
            return row.forgotten or row.version > 1
        case "unshare":
            return row.visibility == Visibility.SHARED
        case _:
            return not row.forgotten


async def do(unit: Unit, step: Step, fact_id: str) -> Receipt:
    draft = TOLD[step.words]
    match step.what:
        case "remember":
            return await facts.remember(unit, draft, Approval.ORDER, separate=step.at_home)
        case "revise":
            return await facts.revise(unit, fact_id, draft, Approval.COMMAND)
        case "hide":
            return await facts.hide(unit, fact_id, Approval.COMMAND)
        case "restore":
            return await history.restore(unit, fact_id, step.words or None)
        case "undo":
            return await history.undo(unit, fact_id if step.at_home else None)
        case "share":
            return await facts.share(unit, fact_id)
        case _:
            return await facts.unshare(unit, fact_id)


async def live(world: World, life: Sequence[Step]) -> Lived:
    viewer, now = await world.meet(), NOON
    async with world.memory.unit(viewer, now=now) as unit:
        home = await spaces.create_space(unit, "home")
    present: dict[str, FactRow] = {}
    lived = Lived(viewer, [], {NOON: []})
    for step in [*BEGINNING, *life]:
        now += step.minutes * MINUTE
        place = replace(viewer, space=home) if step.at_home else viewer
        fitting = [row.id for row in present.values() if fits(step, row)] or ["neverwas"]
        try:
            async with world.memory.unit(place, now=now) as unit:
                receipt = await do(unit, step, fitting[step.which % len(fitting)])
        except Refused:
            continue
        lived.receipts.append(receipt)
        present[receipt.row.id] = receipt.row
        async with world.memory.unit(viewer, read_only=True) as unit:
            lived.known[now] = await facts.all_facts(unit)
    return lived


@pytest.mark.slow
def test_versions_have_no_gap_and_every_receipt_has_its_own(world: World) -> None:
    @settings(derandomize=True, deadline=None, max_examples=18)
    @given(steps(earliest=-2))
    def holds(life: list[Step]) -> None:
        world.run(hold(life))

    async def hold(life: list[Step]) -> None:
        lived = await live(world, life)
        written = [(done.row.id, done.row.version) for done in lived.receipts if done.kind != ReceiptKind.KNOWN]
        found = []
        for fact_id in {fact_id for fact_id, _ in written}:
            async with world.memory.unit(lived.viewer, read_only=True) as unit:
                rows = await history.history(unit, fact_id)
            assert [row.version for row in rows] == list(range(1, len(rows) + 1))
            assert [row.updated_at for row in rows] == sorted(row.updated_at for row in rows)
            found += [(row.id, row.version) for row in rows]
        assert sorted(found) == sorted(written)

    holds()


@pytest.mark.slow
def test_a_moment_shows_again_what_was_known_then(world: World) -> None:
    @settings(derandomize=True, deadline=None, max_examples=18)
    @given(steps(earliest=0))
    def holds(life: list[Step]) -> None:
        world.run(hold(life))

    async def hold(life: list[Step]) -> None:
        lived = await live(world, life)
        async with world.memory.unit(lived.viewer, read_only=True) as unit:
            assert await history.as_of(unit, NOON - MINUTE) == []
            for moment, known in lived.known.items():
                for later in (timedelta(0), MINUTE / 2):
                    assert await history.as_of(unit, moment + later) == known
            assert await history.as_of(unit, datetime.max.replace(tzinfo=NOON.tzinfo)) == known

    holds()


@dataclass(frozen=True)
class Told:
    """A fact that was told at a minute of its own."""

    minute: int
    category: Category
    importance: float
    padding: int

    @property
    def draft(self) -> FactDraft:
        content = f"fact of minute {self.minute} {'é' * self.padding}"
        return FactDraft(content, self.category, subject=f"minute {self.minute}", importance=self.importance)


TELLINGS = st.lists(
    st.builds(
        Told,
        st.integers(0, 60),
        st.sampled_from([Category.HABIT, Category.OTHER, Category.PERSON]),
        st.sampled_from([0.25, 0.5, 0.75]),
        st.integers(0, 60),
    ),
    min_size=2,
    max_size=7,
    unique_by=lambda told: told.minute,
)


def test_the_snapshot_does_not_depend_on_the_order_in_which_facts_were_told(world: World) -> None:
    @settings(derandomize=True, deadline=None, max_examples=10)
    @given(TELLINGS.flatmap(lambda told: st.tuples(st.just(told), st.permutations(told))), st.integers(100, 1000))
    def holds(orders: tuple[list[Told], list[Told]], most_tokens: int) -> None:
        one, other = [world.run(snapshot(order, most_tokens)) for order in orders]
        assert one == other

    async def snapshot(order: list[Told], most_tokens: int) -> str:
        viewer = await world.meet()
        for told in order:
            async with world.memory.unit(viewer, now=NOON + told.minute * MINUTE) as unit:
                await facts.remember(unit, told.draft, Approval.ORDER)
        async with world.memory.unit(viewer, read_only=True) as unit:
            rows = await facts.all_facts(unit)
        return re.sub(
            r"\[id:\w{8}\]",
            "[id]",
            memory_text({SectionName.MEMORY: [fact_item(row) for row in select_facts(rows, LATER, most_tokens)]}),
        )

    holds()


def rows_of(tellings: list[Told]) -> list[FactRow]:
    return [
        fact(
            told.draft.content,
            id=f"{told.minute:08}",
            category=told.category,
            importance=told.importance,
            updated_at=NOON + told.minute * MINUTE,
        )
        for told in tellings
    ]


def size(row: FactRow) -> int:
    return fact_item(row).tokens


@settings(derandomize=True, deadline=None)
@given(TELLINGS.map(rows_of), st.integers(0, 700), st.randoms(use_true_random=False))
def test_a_snapshot_keeps_its_budget_and_what_is_important_and_new(
    rows: list[FactRow], most_tokens: int, chance: Any
) -> None:
    kept = select_facts(rows, LATER, most_tokens)
    wished = sorted(rows, key=lambda row: (row.importance, row.updated_at), reverse=True)

    assert sum(map(size, kept)) <= most_tokens
    assert kept == [row for row in rows if row in kept]
    for place, row in enumerate(wished):
        before = sum(size(better) for better in wished[:place] if better in kept)
        assert (row in kept) is (before + size(row) <= most_tokens)

    shuffled = chance.sample(rows, len(rows))
    assert {row.id for row in select_facts(shuffled, LATER, most_tokens)} == {row.id for row in kept}
    assert select_facts(tuple(rows), LATER, most_tokens) == kept


@settings(derandomize=True, deadline=None)
@given(TELLINGS.map(rows_of))
def test_all_facts_are_in_the_snapshot_while_they_fit(rows: list[FactRow]) -> None:
    assert select_facts(rows, LATER) == rows
    assert select_facts(rows, LATER, sum(map(size, rows))) == rows
    assert len(select_facts(rows, LATER, sum(map(size, rows)) - 1)) < len(rows)


def test_what_cannot_be_opened_is_not_in_the_snapshot() -> None:
    closed = replace(fact("I have diabetes"), content=None, sealed=b"sealed")

    assert select_facts([closed], LATER) == []
