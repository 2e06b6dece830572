"""Several questions in one round trip: the same answers as one by one, and an error is everybody's."""

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.engine import Database
from db.errors import WriteRefused
from db.pipeline import pipelined
from db.queries.people.people import choices_of, is_known
from db.queries.people.spaces import spaces_of
from db.tables import User
from db.viewer import Viewer


async def test_the_answers_are_those_of_the_questions_one_by_one(database: Database, ada: Viewer) -> None:
    async with database.transaction(ada, read_only=True) as session:
        choices, known, spaces = await pipelined(
            session,
            lambda session: choices_of(session, ada),
            lambda session: is_known(session, ada),
            lambda session: spaces_of(session, ada),
        )

        assert choices == await choices_of(session, ada)
        assert known is True
        assert spaces == await spaces_of(session, ada)


async def test_one_wrong_question_spoils_all_and_the_next_transaction_is_well(database: Database, ada: Viewer) -> None:
    async def wrong(session: AsyncSession) -> object:
        return await session.execute(text("SELECT 1 / 0"))

    async def right(session: AsyncSession) -> object:
        return (await session.execute(select(User.name))).scalar_one()

    with pytest.raises(WriteRefused, match="division by zero"):
        async with database.transaction(ada, read_only=True) as session:
            await pipelined(session, right, wrong)
    async with database.transaction(ada, read_only=True) as session:
        assert await pipelined(session, right, right) == ["ada", "ada"]
