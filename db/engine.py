"""The connection pool. All access goes through `transaction(viewer)`, and only this module commits."""

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import timedelta

import psycopg
from psycopg import sql
from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, TimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession, create_async_engine
from sqlalchemy.pool import NullPool

from db.errors import DatabaseAway, DatabaseHangs, Deadlock, StatementTimeout, WriteRefused
from db.viewer import Viewer

BEGIN_AS_VIEWER = sql.SQL(
    "BEGIN READ {access}; SELECT"
    " set_config('keepsake.tenant', {tenant}, true), set_config('keepsake.user', {user}, true),"
    " set_config('keepsake.space', {space}, true), set_config('keepsake.channel', {channel}, true),"
    " set_config('statement_timeout', {statement_timeout}, true),"
    # One person's rows are too few for parallel workers.
    " set_config('max_parallel_workers_per_gather', '0', true)"
)
STATEMENT_SECONDS, POOL_SECONDS = 30.0, 30.0
SERVED_BY = "keepsake_served_by"
NOBODY = Viewer.nobody("")
# A server that does not begin a transaction in this time is hanging. Then every open transaction is cut off.
BEGIN_TIMEOUT, BEGIN_GRACE = 3.0, 0.5
HANG_SECONDS = 8.0  # how long only `ping` may use a server that was found hanging
# Keepalives also notice a server that vanished from the network without closing its connections.
CONNECT_ARGS = {"connect_timeout": 5, "keepalives_idle": 30, "keepalives_interval": 10, "tcp_user_timeout": 30_000}


class Database:
    """A connection pool. It connects with the first transaction.

    The driver is in autocommit mode, so that it sends no BEGIN. Ours also sets the viewer, in the same round trip.
    """

    def __init__(self, url: str, *, pool_size: int = 10) -> None:
        self._engine = create_async_engine(
            driver_url(url),
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=POOL_SECONDS,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args=CONNECT_ARGS,
        )
        self._began_at: dict[psycopg.AsyncConnection, float] = {}
        """Open transactions, by connection."""
        self._hangs_until = 0.0

    @asynccontextmanager
    async def transaction(
        self, viewer: Viewer, *, read_only: bool = False, statement_timeout: timedelta | None = None
    ) -> AsyncIterator[AsyncSession]:
        """Open a transaction for this viewer. Commits at the end, rolls back on any error. A statement that takes too
        long raises `StatementTimeout`."""
        if time.monotonic() < self._hangs_until:
            raise DatabaseHangs("The database does not answer (it hangs).")
        with translate_driver_errors(), self._recognise_hang():
            session = await self._open(viewer, read_only, statement_timeout)
            driver = await driver_of(await session.connection())
            self._began_at[driver] = time.monotonic()
            try:
                async with session:
                    yield session
                    await _commit(session)
            finally:
                self._began_at.pop(driver, None)

    @contextmanager
    def _recognise_hang(self) -> Iterator[None]:
        """Raise `DatabaseHangs` if the connection broke because the server hangs, found out here or elsewhere."""
        began = time.monotonic()
        try:
            yield
        except OperationalError as error:
            if began < self._hangs_until - HANG_SECONDS or time.monotonic() - began > BEGIN_TIMEOUT:
                raise DatabaseHangs("The database does not answer (it hangs).") from error
            raise

    def has_transaction_older_than(self, seconds: float) -> bool:
        return any(time.monotonic() - began > seconds for began in self._began_at.values())

    async def ping(self) -> None:
        """Raise `DatabaseAway` if the database does not answer. Also works during the pause after a hang."""
        began = time.monotonic()
        with translate_driver_errors():
            try:
                async with await self._open(NOBODY, True) as session:
                    await _commit(session)
            except OperationalError:
                if time.monotonic() - began > BEGIN_TIMEOUT:
                    self._hangs_until = time.monotonic() + HANG_SECONDS
                raise
        self._hangs_until = 0.0

    async def close(self) -> None:
        await self._engine.dispose()

    async def _open(self, viewer: Viewer, read_only: bool, statement_timeout: timedelta | None = None) -> AsyncSession:
        """Begin a transaction for the viewer. If the pooled connection was dead, retry once: the pool has discarded all
        connections of its age by then."""
        if statement_timeout is None:
            statement_timeout = timedelta(seconds=STATEMENT_SECONDS)
        try:
            return await self._open_once(viewer, read_only, statement_timeout)
        except OperationalError as error:
            if not error.connection_invalidated or time.monotonic() < self._hangs_until:
                raise
            return await self._open_once(viewer, read_only, statement_timeout)

    async def _open_once(self, viewer: Viewer, read_only: bool, statement_timeout: timedelta) -> AsyncSession:
        session = AsyncSession(self._engine, expire_on_commit=False)
        try:
            try:
                connection = await session.connection(execution_options={"no_parameters": True})
            except OperationalError as error:
                if isinstance(error.orig, psycopg.errors.ConnectionTimeout):
                    self._cut_connections()
                raise
            driver = await driver_of(connection)
            watchdog = _Watchdog(lambda: self._cut_connections(driver))
            try:
                await _begin(connection, viewer, read_only, statement_timeout)
            finally:
                watchdog.cancel()
        except BaseException:
            await session.close()
            raise
        return session

    def _cut_connections(self, *also: psycopg.AsyncConnection) -> None:
        """Shut down the sockets of all open transactions, because the server hangs. A query can be cancelled only with
        the server's help; this way its caller gets an error."""
        self._hangs_until = time.monotonic() + HANG_SECONDS
        for connection in {*also, *self._began_at}:
            if not connection.closed:
                with socket.socket(fileno=os.dup(connection.fileno())) as line, suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)


class _Watchdog:
    """Calls `on_timeout` unless it is cancelled in time.

    The grace is for a stalled event loop, where the answer may have arrived and only needs to be read.
    """

    def __init__(self, on_timeout: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_timeout = on_timeout
        self._timer = self._loop.call_later(BEGIN_TIMEOUT, self._wait_for_grace)

    def _wait_for_grace(self) -> None:
        self._timer = self._loop.call_later(BEGIN_GRACE, self._on_timeout)

    def cancel(self) -> None:
        self._timer.cancel()


async def switch_viewer(session: AsyncSession, viewer: Viewer) -> None:
    """Let the row-level policies show another viewer's rows. A rollback of the savepoint or transaction undoes this."""
    query = text(
        "SELECT set_config('keepsake.tenant', :tenant, true), set_config('keepsake.user', :user, true),"
        " set_config('keepsake.space', :space, true), set_config('keepsake.channel', :channel, true)"
    )
    values = {"tenant": viewer.tenant, "user": viewer.user or "", "space": viewer.space or ""}
    await session.execute(query, {**values, "channel": str(viewer.channel)})


async def _commit(session: AsyncSession) -> None:
    """Commit. Raises if a statement has failed and its error was swallowed: PostgreSQL would roll back silently."""
    driver = await driver_of(await session.connection())
    if driver.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
        raise WriteRefused("A statement of this transaction failed, so none of it was kept.")
    await session.commit()


async def driver_of(connection: AsyncConnection) -> psycopg.AsyncConnection:
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, psycopg.AsyncConnection)
    return driver


async def _begin(connection: AsyncConnection, viewer: Viewer, read_only: bool, statement_timeout: timedelta) -> None:
    """Begin a transaction and set its viewer in one round trip. A string of several statements takes no parameters."""
    await _disable_prepared_statements_behind_pooler(connection)
    begin = BEGIN_AS_VIEWER.format(
        access=sql.SQL("ONLY" if read_only else "WRITE"),
        tenant=viewer.tenant,
        user=viewer.user or "",
        space=viewer.space or "",
        channel=str(viewer.channel),
        statement_timeout=str(max(1, round(statement_timeout / timedelta(milliseconds=1)))),
    )
    await connection.exec_driver_sql(begin.as_string(await driver_of(connection)))


async def _disable_prepared_statements_behind_pooler(connection: AsyncConnection) -> None:
    """Disable prepared statements behind a pooler such as pgbouncer, which may run each transaction in another backend.

    Behind a pooler, the backend that answers is not the one that we logged in to. Checked once per connection.
    """
    info = (await connection.get_raw_connection()).info
    if SERVED_BY not in info:
        driver = await driver_of(connection)
        served_by = (await connection.exec_driver_sql("SELECT pg_backend_pid()")).scalar_one()
        if served_by != driver.info.backend_pid:
            driver.prepare_threshold = None
        info[SERVED_BY] = served_by


@asynccontextmanager
async def one_connection(url: str, *, autocommit: bool = False) -> AsyncIterator[AsyncConnection]:
    """A single connection without a viewer, for migrations and for checks before the pool opens. Commits at the end;
    with `autocommit`, each statement commits, for those that cannot run in a transaction."""
    engine = create_async_engine(driver_url(url), poolclass=NullPool, hide_parameters=True, connect_args=CONNECT_ARGS)
    if autocommit:
        engine = engine.execution_options(isolation_level="AUTOCOMMIT")
    try:
        with translate_driver_errors():
            async with engine.begin() as connection:
                yield connection
    finally:
        await engine.dispose()


def driver_url(url: str) -> URL:
    """Make any PostgreSQL URL name the driver that we use."""
    return make_url(url).set(drivername="postgresql+psycopg")


def hide_password(url: str) -> str:
    """Return the URL with its password masked, fit to be shown."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=True)


@contextmanager
def translate_driver_errors() -> Iterator[None]:
    """Translate the driver's errors into ours. Messages about statements may contain personal data and are dropped."""
    try:
        yield
    except (OperationalError, InterfaceError, psycopg.OperationalError) as error:
        match error.orig if isinstance(error, DBAPIError) else error:
            case psycopg.errors.QueryCanceled():
                raise StatementTimeout("The database took too long to answer.") from error
            case psycopg.errors.DeadlockDetected():
                raise Deadlock("Two changes blocked each other.") from error
        raise DatabaseAway(f"The database does not answer ({_first_line(error)}).") from error
    except TimeoutError as error:
        raise DatabaseAway("The database is busy: no connection became free in time.") from error
    except (DBAPIError, psycopg.Error) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        diagnosis = cause.diag if isinstance(cause, psycopg.Error) else None
        rule = (diagnosis.constraint_name or diagnosis.message_primary) if diagnosis else None
        raise WriteRefused(f"The database refused that: {rule or type(error).__name__}.") from error


def _first_line(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    lines = str(cause).strip().splitlines()
    return lines[0].rstrip(".:") if lines else type(cause).__name__
