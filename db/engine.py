"""The pool and its only door, `transaction(viewer)`; the only commit of the program stands here."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta

import psycopg
from psycopg import sql
from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, TimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession, create_async_engine
from sqlalchemy.pool import NullPool

from db.errors import DatabaseAway, TooSlow, WriteRefused
from db.viewer import Viewer

BEGIN_AS_VIEWER = sql.SQL(
    "BEGIN READ {access}; SELECT"
    " set_config('keepsake.tenant', {tenant}, true), set_config('keepsake.user', {user}, true),"
    " set_config('keepsake.space', {space}, true), set_config('keepsake.channel', {channel}, true),"
    " set_config('statement_timeout', {patience}, true),"
    # One person's rows need no second core.
    " set_config('max_parallel_workers_per_gather', '0', true)"
)
PATIENCE = timedelta(seconds=30)
# A server that vanished without a word is noticed, on a network too.
CONNECT_ARGS = {"connect_timeout": 5, "keepalives_idle": 30, "keepalives_interval": 10, "tcp_user_timeout": 30_000}


class Database:
    """One pool. Nothing connects before the first transaction.

    The driver is in autocommit mode, so that it sends no BEGIN of its own: ours carries the viewer along.
    """

    def __init__(self, url: str, *, pool_size: int = 10) -> None:
        self._engine = create_async_engine(
            driver_url(url),
            pool_size=pool_size,
            max_overflow=0,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args=CONNECT_ARGS,
        )

    @asynccontextmanager
    async def transaction(
        self, viewer: Viewer, *, read_only: bool = False, patience: timedelta = PATIENCE
    ) -> AsyncIterator[AsyncSession]:
        """One unit of work as this viewer: committed at the end, rolled back on any error. A statement that takes
        longer than our patience is given up, as `TooSlow`."""
        with driver_errors_translated():
            async with await self._open(viewer, read_only, patience) as session:
                yield session
                await _commit(session)

    async def close(self) -> None:
        await self._engine.dispose()

    async def _open(self, viewer: Viewer, read_only: bool, patience: timedelta) -> AsyncSession:
        """A session with its viewer declared. A connection that died in the pool is tried anew, once; the pool then
        knows that all of its age are dead too."""
        try:
            return await self._open_once(viewer, read_only, patience)
        except OperationalError as error:
            if not error.connection_invalidated:
                raise
            return await self._open_once(viewer, read_only, patience)

    async def _open_once(self, viewer: Viewer, read_only: bool, patience: timedelta) -> AsyncSession:
        session = AsyncSession(self._engine, expire_on_commit=False)
        try:
            connection = await session.connection(execution_options={"no_parameters": True})
            await _begin(connection, viewer, read_only, patience)
        except BaseException:
            await session.close()
            raise
        return session


async def see_as(session: AsyncSession, viewer: Viewer) -> None:
    """From here on the wall shows another viewer's rows, until the transaction or its savepoint is rolled back."""
    query = text(
        "SELECT set_config('keepsake.tenant', :tenant, true), set_config('keepsake.user', :user, true),"
        " set_config('keepsake.space', :space, true), set_config('keepsake.channel', :channel, true)"
    )
    seen = {"tenant": viewer.tenant, "user": viewer.user or "", "space": viewer.space or ""}
    await session.execute(query, {**seen, "channel": str(viewer.channel)})


async def _commit(session: AsyncSession) -> None:
    """COMMIT after a failed statement would be a silent ROLLBACK; whoever swallowed that error hears of it here."""
    driver = await driver_of(await session.connection())
    if driver.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
        raise WriteRefused("A statement of this transaction failed, so none of it was kept.")
    await session.commit()


async def driver_of(connection: AsyncConnection) -> psycopg.AsyncConnection:
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, psycopg.AsyncConnection)
    return driver


async def _begin(connection: AsyncConnection, viewer: Viewer, read_only: bool, patience: timedelta) -> None:
    """The transaction and its viewer in one round trip: two statements in one string, so with no parameters."""
    begin = BEGIN_AS_VIEWER.format(
        access=sql.SQL("ONLY" if read_only else "WRITE"),
        tenant=viewer.tenant,
        user=viewer.user or "",
        space=viewer.space or "",
        channel=str(viewer.channel),
        patience=str(max(1, round(patience / timedelta(milliseconds=1)))),
    )
    await connection.exec_driver_sql(begin.as_string(await driver_of(connection)))


@asynccontextmanager
async def one_connection(url: str, *, autocommit: bool = False) -> AsyncIterator[AsyncConnection]:
    """A single connection with no viewer, committed at the end: for migrations, and to look before the pool opens.
    What cannot run inside a transaction is committed by itself."""
    engine = create_async_engine(driver_url(url), poolclass=NullPool, hide_parameters=True, connect_args=CONNECT_ARGS)
    if autocommit:
        engine = engine.execution_options(isolation_level="AUTOCOMMIT")
    try:
        with driver_errors_translated():
            async with engine.begin() as connection:
                yield connection
    finally:
        await engine.dispose()


def driver_url(url: str) -> URL:
    """Any spelling of a PostgreSQL address, for the one driver that we use."""
    return make_url(url).set(drivername="postgresql+psycopg")


def shown(url: str) -> str:
    """The address as a person may see it, its password hidden."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=True)


@contextmanager
def driver_errors_translated() -> Iterator[None]:
    """The one seam where the driver's errors become ours. Their text may hold a user's words, so it stays behind."""
    try:
        yield
    except (OperationalError, InterfaceError, psycopg.OperationalError) as error:
        if isinstance(error, psycopg.errors.QueryCanceled) or isinstance(
            getattr(error, "orig", None), psycopg.errors.QueryCanceled
        ):
            raise TooSlow("The database took longer than this was worth.") from error
        raise DatabaseAway(f"The database does not answer ({_first_line(error)}).") from error
    except TimeoutError as error:
        raise DatabaseAway("The database is busy: no connection came free in time.") from error
    except (DBAPIError, psycopg.Error) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        diagnosis = cause.diag if isinstance(cause, psycopg.Error) else None
        rule = (diagnosis.constraint_name or diagnosis.message_primary) if diagnosis else None
        raise WriteRefused(f"The database refused that: {rule or type(error).__name__}.") from error


def _first_line(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    lines = str(cause).strip().splitlines()
    return lines[0].rstrip(".:") if lines else type(cause).__name__
