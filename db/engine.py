"""The pool and its only door, `transaction(viewer)`; the only commit of the program stands here."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import psycopg
from psycopg import sql
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, TimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession, create_async_engine
from sqlalchemy.pool import NullPool

from db.errors import DatabaseAway, WriteRefused
from db.viewer import Viewer

BEGIN_AS_VIEWER = sql.SQL(
    "BEGIN READ {access}; SELECT"
    " set_config('keepsake.tenant', {tenant}, true), set_config('keepsake.user', {user}, true),"
    " set_config('keepsake.space', {space}, true), set_config('keepsake.channel', {channel}, true)"
)
CONNECT_SECONDS = 5


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
            connect_args={"connect_timeout": CONNECT_SECONDS},
        )

    @asynccontextmanager
    async def transaction(self, viewer: Viewer, *, read_only: bool = False) -> AsyncIterator[AsyncSession]:
        """One unit of work as this viewer: committed at the end, rolled back on any error."""
        with driver_errors_translated():
            async with await self._open(viewer, read_only) as session:
                yield session
                await session.commit()

    async def close(self) -> None:
        await self._engine.dispose()

    async def _open(self, viewer: Viewer, read_only: bool) -> AsyncSession:
        """A session with its viewer declared; a connection that died in the pool is replaced once."""
        try:
            return await self._open_once(viewer, read_only)
        except psycopg.OperationalError:
            return await self._open_once(viewer, read_only)

    async def _open_once(self, viewer: Viewer, read_only: bool) -> AsyncSession:
        session = AsyncSession(self._engine, expire_on_commit=False)
        try:
            connection = await session.connection()
            try:
                await _begin(connection, viewer, read_only)
            except psycopg.OperationalError:
                await connection.invalidate()
                raise
        except BaseException:
            await session.close()
            raise
        return session


async def _begin(connection: AsyncConnection, viewer: Viewer, read_only: bool) -> None:
    """The transaction and its viewer in one round trip."""
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, psycopg.AsyncConnection)
    await driver.execute(
        BEGIN_AS_VIEWER.format(
            access=sql.SQL("ONLY" if read_only else "WRITE"),
            tenant=viewer.tenant,
            user=viewer.user or "",
            space=viewer.space or "",
            channel=str(viewer.channel),
        )
    )


@asynccontextmanager
async def one_connection(url: str) -> AsyncIterator[AsyncConnection]:
    """A single connection with no viewer, committed at the end: for migrations, and to look before the pool opens."""
    engine = create_async_engine(
        driver_url(url), poolclass=NullPool, hide_parameters=True, connect_args={"connect_timeout": CONNECT_SECONDS}
    )
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
        raise DatabaseAway(f"The database does not answer ({_first_line(error)}).") from error
    except TimeoutError as error:
        raise DatabaseAway("The database is busy: no connection came free in time.") from error
    except DBAPIError as error:
        diagnosis = error.orig.diag if isinstance(error.orig, psycopg.Error) else None
        rule = (diagnosis.constraint_name or diagnosis.message_primary) if diagnosis else None
        raise WriteRefused(f"The database refused that: {rule or type(error).__name__}.") from error


def _first_line(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    lines = str(cause).strip().splitlines()
    return lines[0].rstrip(".:") if lines else type(cause).__name__
