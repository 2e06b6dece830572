"""What came by another hand: how fast it is looked through, and what a summary of it is for."""

from datetime import timedelta

import pytest

from db.queries.consolidation.consolidation import with_pending_secondhand
from db.queries.consolidation.summaries import digests_before
from db.tables.events import IMPORTED, SECONDHAND
from db.viewer import Viewer
from memory.facts import proposals
from tests.background_jobs import Bench, fact, finds, heard, record_of
from tests.scripted_model import Thought, Writes

LIVE = "I play the cello in an orchestra"


@pytest.fixture
def always() -> Thought:
    return finds_all


def finds_all(request: dict[str, object]) -> Writes:
    """As many as are let through, each line for itself."""
    own = [(number, words) for number, who, words in heard(request) if who == "the person's own"]
    return finds(*(fact(number, part) for number, words in own for part in words.split(". ")))


async def came(bench: Bench, number: int, facts: int = 10) -> None:
    """A conversation of another program, in which so much is told."""
    await bench.begin()
    told = ". ".join(f"My cousin Tom{number}x{each} is called Tom{number}x{each}" for each in range(facts))
    await bench.say(told, tags=(SECONDHAND, IMPORTED))
    await bench.answer()
    await bench.end()


async def waiting(bench: Bench) -> list[str]:
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        return [str(card.row.content) for card in await proposals.waiting_cards(unit)]


async def answer_all(bench: Bench) -> None:
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        for card in await proposals.waiting_cards(unit):
            await proposals.accept(unit, card.row.id, card.row.content_hash)


@pytest.mark.slow
async def test_it_waits_while_its_owner_has_cards_to_answer_and_loses_nothing(bench: Bench) -> None:
    for number in range(4):
        await came(bench, number)
    calls = []
    for _ in range(4):
        await bench.extract()
        await bench.extract(later=3600)
        calls.append(len(bench.model.requests))
        assert len(await waiting(bench)) == 10
        await answer_all(bench)

    assert calls == [1, 2, 3, 4]
    assert await bench.rows("SELECT count(*) FROM facts") == [(40,)]
    assert await bench.extract() == 0


async def test_few_cards_do_not_hold_it_up_and_the_newest_comes_first(bench: Bench) -> None:
    for number in range(3):
        await came(bench, number, facts=2)
    await bench.extract()

    assert [words.partition(" is ")[0] for words in await waiting(bench)] == [
        f"My cousin Tom{number}x{each}" for number in (2, 1, 0) for each in (0, 1)
    ]


async def test_what_is_said_today_does_not_wait_for_it(bench: Bench) -> None:
    await came(bench, 0)
    await came(bench, 1)
    await bench.extract()
    before = await waiting(bench)
    await bench.begin()
    await bench.exchange(LIVE)
    await bench.extract()

    assert await waiting(bench) == [*before, LIVE]


async def test_one_persons_cards_hold_up_nobody_else(bench: Bench, ben: Viewer) -> None:
    for number in range(3):
        await came(bench, number)
    await bench.extract()
    bens = Bench(bench.memory, ben, bench.model, bench.jobs, now=bench.now - timedelta(days=900))
    await came(bens, 7, facts=1)
    await bench.extract()

    async with bench.memory.unit(ben, now=bench.now) as unit:
        assert [card.row.content for card in await proposals.waiting_cards(unit)] == [
            "My cousin Tom7x0 is called Tom7x0"
        ]


async def test_any_number_of_conversations_may_wait(bench: Bench) -> None:
    await came(bench, 0, facts=1)
    [(conversation,)] = await bench.rows("SELECT id FROM conversations WHERE next_message_seq > 0")
    many = [conversation, *(f"cnv_{number}" for number in range(70_000))]
    async with bench.memory.unit(bench.viewer, read_only=True) as unit:
        assert await with_pending_secondhand(unit.session, unit.viewer, many) == {conversation}


async def test_a_summary_does_not_look_through_it_out_of_turn(bench: Bench) -> None:
    await came(bench, 0)
    await bench.extract()
    await bench.begin()
    await bench.say("My sister is called Marta", tags=(SECONDHAND,))
    await bench.talk(16)
    bench.model.always = None
    found = fact(0, "My sister is called Marta")
    assert await bench.summarise(record_of(("They spoke of the weather.", [0, 1]), facts=[found])) == 1
    assert len(await waiting(bench)) == 10

    await answer_all(bench)
    await bench.extract(finds(found))
    assert await waiting(bench) == ["My sister is called Marta"]


async def test_an_imported_conversation_is_found_by_search_and_is_none_of_the_last_ones(bench: Bench) -> None:
    bench.model.always = None
    await bench.talk(3, "Number {} is about the garden")
    await bench.end()
    await bench.summarise(record_of(("They spoke of the garden.", [0]), digest="They spoke of the garden."))
    await bench.begin()
    for number in range(3):
        await bench.say(f"Number {number} is about the weather", tags=(SECONDHAND, IMPORTED))
        await bench.answer()
    await bench.end()
    await bench.summarise(record_of(("They spoke of the weather.", [0]), digest="They spoke of the weather."))
    here = await bench.begin()

    async with bench.memory.unit(bench.viewer) as unit:
        shown = await digests_before(unit.session, unit.viewer, here, unit.now + timedelta(days=1), limit=5)
    assert [row.digest for row in shown if row.digest] == ["They spoke of the garden."]
    assert await bench.rows("SELECT count(*) FROM chunks WHERE text = 'They spoke of the weather.'") == [(1,)]
    assert await bench.rows("SELECT count(*) FROM topics WHERE name LIKE '%weather%'") == [(0,)]
