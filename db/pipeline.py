"""Runs several queries in one round trip. They are ordinary functions of db/queries."""

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


async def pipelined(session: AsyncSession, *questions: Question) -> list[Any]:
    """The results in order. Each question executes one statement, without a list in an IN. All are sent together once
    the last one is there."""
    batch = _Batch(session, len(questions))
    return await asyncio.gather(*(question(cast(AsyncSession, batch)) for question in questions))


class _Batch:
    """Collects one statement from each question in place of a session, then sends them all."""

    def __init__(self, session: AsyncSession, expected: int) -> None:
        self._session = session
        self._expected = expected
        self._pending: list[tuple[Executable, asyncio.Future[Result[Any]]]] = []

    async def execute(self, statement: Executable) -> Result[Any]:
        answer: asyncio.Future[Result[Any]] = asyncio.get_running_loop().create_future()
        self._pending.append((statement, answer))
        if len(self._pending) == self._expected:
            await self._send()
        return await answer

    async def _send(self) -> None:
        connection = await self._session.connection()
        driver = await driver_of(connection)
        # These statements run in every turn. Prepared ones are short, so all are sent before the first answer comes.
        prepare = True if driver.prepare_threshold is not None else None
        cursors = []
        try:
            async with driver.pipeline():
                for statement, _ in self._pending:
                    # SQLAlchemy caches its own statements in the same way: compiling one takes longer than running it.
                    compiled, extracted, parameters, _ = statement._compile_w_cache(
                        connection.dialect, compiled_cache=COMPILED, column_keys=[]
                    )
                    values = compiled.construct_params(parameters, extracted_parameters=extracted)
                    cursors.append(await driver.execute(compiled.string, values, prepare=prepare))
        except BaseException:
            for _, answer in self._pending:
                answer.cancel()
            raise
        for (_, answer), cursor in zip(self._pending, cursors, strict=True):
            names = [column.name for column in cursor.description or ()]
            answer.set_result(IteratorResult(SimpleResultMetaData(names), iter(await cursor.fetchall())))
