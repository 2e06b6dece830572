"""Asks the database several questions in one round trip; the questions are ordinary functions of db/queries."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

from sqlalchemy import Executable
from sqlalchemy.engine import IteratorResult, Result
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.util import LRUCache

from db.engine import driver_of

COMPILED: LRUCache[Any, Any] = LRUCache(200)
Question = Callable[[AsyncSession], Awaitable[Any]]


async def together(session: AsyncSession, *questions: Question) -> list[Any]:
    """The answers in order. Each question makes one statement, without a list in an IN; they are sent as one when all
    are there."""
    batch = _Batch(session, len(questions))
    return await asyncio.gather(*(question(cast(AsyncSession, batch)) for question in questions))


class _Batch:
    """Stands in for a session until every question has said what it asks."""

    def __init__(self, session: AsyncSession, expected: int) -> None:
        self._session = session
        self._expected = expected
        self._asked: list[tuple[Executable, asyncio.Future[Result[Any]]]] = []

    async def execute(self, statement: Executable) -> Result[Any]:
        answer: asyncio.Future[Result[Any]] = asyncio.get_running_loop().create_future()
        self._asked.append((statement, answer))
        if len(self._asked) == self._expected:
            await self._send()
        return await answer

    async def _send(self) -> None:
        connection = await self._session.connection()
        driver = await driver_of(connection)
        # They are sent in every turn: prepared at once they are short, so that all are sent before an answer comes.
        prepare = True if driver.prepare_threshold is not None else None
        cursors = []
        try:
            async with driver.pipeline():
                for statement, _ in self._asked:
                    # What SQLAlchemy does for every statement of its own: to compile one takes longer than to run it.
                    compiled, extracted, given, _ = statement._compile_w_cache(
                        connection.dialect, compiled_cache=COMPILED, column_keys=[]
                    )
                    values = compiled.construct_params(given, extracted_parameters=extracted)
                    cursors.append(await driver.execute(compiled.string, values, prepare=prepare))
        except BaseException:
            for _, answer in self._asked:
                answer.cancel()
            raise
        for (_, answer), cursor in zip(self._asked, cursors, strict=True):
            names = [column.name for column in cursor.description or ()]
            answer.set_result(IteratorResult(SimpleResultMetaData(names), iter(await cursor.fetchall())))
