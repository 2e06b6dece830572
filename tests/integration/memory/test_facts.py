"""Facts: found by their words, and stored once however many ask at once."""

import asyncio

from db.engine import Database
from db.viewer import Viewer
from db.vocabulary import Category
from memory import facts
from tests.conftest import NOON


def draft(content: str) -> facts.Draft:
    return facts.Draft(content, Category.OTHER, None, None, None)


async def test_writers_at_once_store_the_same_words_once(database: Database, ada: Viewer) -> None:
    async def write() -> bool:
        async with database.transaction(ada) as session:
            return (await facts.remember(session, ada, draft("the key is under the mat"), NOON)).is_new

    assert sorted(await asyncio.gather(*(write() for _ in range(8)))) == [False] * 7 + [True]


async def test_search_prefers_rare_words_and_finds_nothing_where_nothing_matches(
    database: Database, ada: Viewer
) -> None:
    told = ["the cat sleeps in the kitchen", "the cat eats in the garden", "the dog eats in the kitchen"]
    async with database.transaction(ada) as session:
        for content in told:
            await facts.remember(session, ada, draft(content), NOON)
        found = await facts.search(session, ada, "what does the dog eat?", limit=2)
        nothing = await facts.search(session, ada, "zebra", limit=2)

    assert [row.content for row in found] == [told[2], told[1]]
    assert nothing == []


async def test_search_sees_only_what_the_viewer_may_read(database: Database, ada: Viewer, ben: Viewer) -> None:
    async with database.transaction(ada) as session:
        await facts.remember(session, ada, draft("the key is under the mat"), NOON)
    async with database.transaction(ben, read_only=True) as session:
        assert await facts.search(session, ben, "where is the key?", limit=5) == []
