"""Facts: found by their words, and stored once however many ask at once."""

import asyncio

from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory import facts
from memory.receipts import ReceiptKind
from memory.unit import Memory


def draft(content: str) -> facts.Draft:
    return facts.Draft(content, Category.OTHER)


async def test_writers_at_once_store_the_same_words_once(memory: Memory, ada: Viewer) -> None:
    async def write() -> ReceiptKind:
        async with memory.unit(ada) as unit:
            return (await facts.remember(unit, draft("the key is under the mat"), Approval.ORDER)).kind

    kinds = await asyncio.gather(*(write() for _ in range(8)))
    assert sorted(kinds) == [ReceiptKind.KNOWN] * 7 + [ReceiptKind.STORED]


async def test_search_prefers_rare_words_and_finds_nothing_where_nothing_matches(memory: Memory, ada: Viewer) -> None:
    told = ["the cat sleeps in the kitchen", "the cat eats in the garden", "the dog eats in the kitchen"]
    async with memory.unit(ada) as unit:
        for content in told:
            await facts.remember(unit, draft(content), Approval.ORDER)
        found = await facts.search(unit, "what does the dog eat?", limit=2)
        nothing = await facts.search(unit, "zebra", limit=2)

    assert [row.content for row in found] == [told[2], told[1]]
    assert nothing == []


async def test_search_sees_only_what_the_viewer_may_read(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    async with memory.unit(ada) as unit:
        await facts.remember(unit, draft("the key is under the mat"), Approval.ORDER)
    async with memory.unit(ben, read_only=True) as unit:
        assert await facts.search(unit, "where is the key?", limit=5) == []
