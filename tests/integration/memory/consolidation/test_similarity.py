"""Near-duplicates by vectors of the bundled embedder: what says the same is near, what only shares words is not."""

from collections.abc import Sequence

import pytest

from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.consolidation.extraction.similarity import SAME_FACT_DISTANCE, FactSimilarity
from memory.errors import EmbedderAway
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.retrieval.embedders.base import Embedder, Vector
from memory.retrieval.embedders.bundled_engine import why_unsupported
from memory.retrieval.embedders.factory import make_embedder
from memory.settings import Settings
from memory.unit import Memory
from tests.background_jobs import bench_for, fact, finds

SAME = (
    ("I am allergic to peanuts", "I have a peanut allergy"),
    ("I work as a nurse in Porto", "I'm a nurse at a hospital in Porto"),
    ("my sister Marta lives in Coimbra", "Marta, my sister, has her home in Coimbra"),
    ("I prefer short answers", "I like answers to be short"),
    ("Ich bin Vegetarier", "I am a vegetarian"),
    ("I get up at six every day", "I wake up at 6 each morning"),
    ("my dog is called Rex", "I have a dog named Rex"),
    ("I speak Spanish fluently", "I am fluent in Spanish"),
    ("my wife's birthday is in March", "my wife was born in March"),
    ("I play the cello", "I'm a cello player"),
    ("I live in Berlin", "mein Zuhause ist Berlin"),
    ("мой сын учится в Праге", "мой сын студент в Праге"),
)
OTHER = (
    ("I am allergic to peanuts", "I like peanuts in my soup"),
    ("I work as a nurse in Porto", "I was born in Porto"),
    ("my sister Marta lives in Coimbra", "my sister Marta plays the piano"),
    ("I prefer short answers", "I prefer answers in German"),
    ("I am a vegetarian", "my son is a vegetarian"),
    ("I get up at six every day", "I go running every day"),
    ("my dog is called Rex", "my cat is called Tom"),
    ("I speak Spanish fluently", "I am learning Spanish cooking"),
    ("my wife's birthday is in March", "my wife works in a bank"),
    ("I play the cello", "I play tennis"),
    ("I live in Berlin", "my parents live in Berlin"),
    ("I like tea", "I like coffee"),
    ("I love hiking", "I love my wife"),
    ("Alec is my boss", "Alec likes fishing"),
)
needs_engine = pytest.mark.skipif(
    bool(why_unsupported()), reason=f"the bundled embedder cannot run here: {why_unsupported()}"
)


async def near(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> int:
    similarity = FactSimilarity(embedder)
    return sum([(await similarity.distances(one, {"x": other}))["x"] <= SAME_FACT_DISTANCE for one, other in pairs])


@pytest.mark.slow
@needs_engine
async def test_what_says_the_same_is_near_and_what_only_shares_words_is_not() -> None:
    made = make_embedder(Settings())
    assert made is not None
    try:
        assert await near(made, SAME) >= 9
        assert await near(made, OTHER) == 0
    finally:
        await made.close()


@needs_engine
async def test_the_same_in_other_words_is_not_asked_again(memory: Memory, ada: Viewer) -> None:
    made = make_embedder(Settings())
    async with bench_for(memory, ada, embedder=made) as bench:
        async with memory.unit(ada) as unit:
            await facts.remember(unit, FactDraft("I have a peanut allergy", Category.OTHER), Approval.COMMAND)
        await bench.exchange("I am allergic to peanuts. My cat is called Tom")
        await bench.extract(finds(fact(0, "I am allergic to peanuts"), fact(0, "My cat is called Tom")))
        async with memory.unit(ada, now=bench.now) as unit:
            waiting = [card.row.content for card in await proposals.waiting_cards(unit)]
    assert made is not None
    await made.close()

    assert waiting == ["My cat is called Tom"]


class Away:
    """An embedder that is down."""

    model = "away"

    async def warm(self) -> None:
        raise EmbedderAway("no vectors just now")

    async def query(self, text: str) -> Vector:
        raise EmbedderAway("no vectors just now")

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        raise EmbedderAway("no vectors just now")

    async def close(self) -> None:
        return


async def test_without_an_embedder_words_alone_are_compared(memory: Memory, ada: Viewer) -> None:
    async with bench_for(memory, ada, embedder=Away()) as bench:
        async with memory.unit(ada) as unit:
            await facts.remember(unit, FactDraft("I have a peanut allergy", Category.OTHER), Approval.COMMAND)
        await bench.exchange("I am allergic to peanuts")
        assert await bench.extract(finds(fact(0, "I am allergic to peanuts"))) == 1
        async with memory.unit(ada, now=bench.now) as unit:
            assert len(await proposals.waiting_cards(unit)) == 1
