"""The pool and its only door, `transaction(viewer)`; the only commit of the program stands here."""

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

from db.errors import Collided, DatabaseAway, DatabaseHangs, TooSlow, WriteRefused
from db.viewer import Viewer

BEGIN_AS_VIEWER = sql.SQL(
    "BEGIN READ {access}; SELECT"
    " set_config('keepsake.tenant', {tenant}, true), set_config('keepsake.user', {user}, true),"
    " set_config('keepsake.space', {space}, true), set_config('keepsake.channel', {channel}, true),"
    " set_config('statement_timeout', {patience}, true),"
    # One person's rows need no second core.
    " set_config('max_parallel_workers_per_gather', '0', true)"
)
STATEMENT_SECONDS, POOL_SECONDS = 30.0, 30.0
SERVED_BY = "keepsake_served_by"
NOBODY = Viewer.nobody("")
# A server that does not even take up a transaction in this time hangs; so do all that it was asked before.
ANSWERS_WITHIN, SECOND_LOOK = 3.0, 0.5
HANGS_FOR = 8.0  # seconds in which it is asked by nobody but who looks for it
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
            pool_timeout=POOL_SECONDS,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args=CONNECT_ARGS,
        )
        self._waiting: dict[psycopg.AsyncConnection, float] = {}
        self._hangs_until = 0.0

    @asynccontextmanager
    async def transaction(
        self, viewer: Viewer, *, read_only: bool = False, patience: timedelta | None = None
    ) -> AsyncIterator[AsyncSession]:
        """One unit of work as this viewer: committed at the end, rolled back on any error. A statement that takes
        longer than our patience is given up, as `TooSlow`."""
        if time.monotonic() < self._hangs_until:
            raise DatabaseHangs("The database does not answer (it hangs).")
        with driver_errors_translated(), self._hanging_told():
            session = await self._open(viewer, read_only, patience)
            driver = await driver_of(await session.connection())
            self._waiting[driver] = time.monotonic()
            try:
                async with session:
                    yield session
                    await _commit(session)
            finally:
                self._waiting.pop(driver, None)

    @contextmanager
    def _hanging_told(self) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        except OperationalError as error:
            if began < self._hangs_until - HANGS_FOR or time.monotonic() - began > ANSWERS_WITHIN:
                raise DatabaseHangs("The database does not answer (it hangs).") from error
            raise

    def waits_since(self, seconds: float) -> bool:
        """Whether somebody has been in a transaction for longer than that."""
        return any(time.monotonic() - began > seconds for began in self._waiting.values())

    async def look(self) -> None:
        """Whether the database is there; raises when it is away."""
        began = time.monotonic()
        with driver_errors_translated():
            try:
                async with await self._open(NOBODY, True) as session:
                    await _commit(session)
            except OperationalError:
                if time.monotonic() - began > ANSWERS_WITHIN:
                    self._hangs_until = time.monotonic() + HANGS_FOR
                raise
        self._hangs_until = 0.0

    async def close(self) -> None:
        await self._engine.dispose()

    async def _open(self, viewer: Viewer, read_only: bool, patience: timedelta | None = None) -> AsyncSession:
        """A session with its viewer declared. A connection that died in the pool is tried anew, once; the pool then
        knows that all of its age are dead too."""
        patience = timedelta(seconds=STATEMENT_SECONDS) if patience is None else patience
        try:
            return await self._open_once(viewer, read_only, patience)
        except OperationalError as error:
            if not error.connection_invalidated or time.monotonic() < self._hangs_until:
                raise
            return await self._open_once(viewer, read_only, patience)

    async def _open_once(self, viewer: Viewer, read_only: bool, patience: timedelta) -> AsyncSession:
        session = AsyncSession(self._engine, expire_on_commit=False)
        try:
            try:
                connection = await session.connection(execution_options={"no_parameters": True})
            except OperationalError as error:
                if isinstance(error.orig, psycopg.errors.ConnectionTimeout):
                    self._break_off()
                raise
            driver = await driver_of(connection)
            alarm = _Alarm(lambda: self._break_off(driver))
            try:
                await _begin(connection, viewer, read_only, patience)
            finally:
                alarm.cancel()
        except BaseException:
            await session.close()
            raise
        return session

    def _break_off(self, *also: psycopg.AsyncConnection) -> None:
        """The server hangs. Nothing that waits for it could be cancelled without asking it; so the lines are cut, and
        all who wait hear that it is away."""
        self._hangs_until = time.monotonic() + HANGS_FOR
        for each in {*also, *self._waiting}:
            if not each.closed:
                with socket.socket(fileno=os.dup(each.fileno())) as line, suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)


class _Alarm:
    """Goes off when it is not cancelled in time. It looks twice: when the program itself was held up, the answer may
    be there and only not read yet."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._ring = ring
        self._next = self._loop.call_later(ANSWERS_WITHIN, self._once_more)

    def _once_more(self) -> None:
        self._next = self._loop.call_later(SECOND_LOOK, self._ring)

    def cancel(self) -> None:
        self._next.cancel()


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
    await _prepare_nothing_behind_a_pooler(connection)
    begin = BEGIN_AS_VIEWER.format(
        access=sql.SQL("ONLY" if read_only else "WRITE"),
        tenant=viewer.tenant,
        user=viewer.user or "",
        space=viewer.space or "",
        channel=str(viewer.channel),
        patience=str(max(1, round(patience / timedelta(milliseconds=1)))),
    )
    await connection.exec_driver_sql(begin.as_string(await driver_of(connection)))


async def _prepare_nothing_behind_a_pooler(connection: AsyncConnection) -> None:
    """pgbouncer and its like hand each transaction to any server process, where a name that we prepared on one stands
    for nothing, or for another's statement. They show themselves: the process that we logged in at is not the one that
    answers. Asked once for each connection."""
    known = (await connection.get_raw_connection()).info
    if SERVED_BY not in known:
        driver = await driver_of(connection)
        served_by = (await connection.exec_driver_sql("SELECT pg_backend_pid()")).scalar_one()
        if served_by != driver.info.backend_pid:
            driver.prepare_threshold = None
        known[SERVED_BY] = served_by


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
        match error.orig if isinstance(error, DBAPIError) else error:
            case psycopg.errors.QueryCanceled():
                raise TooSlow("The database took longer than this was worth.") from error
            case psycopg.errors.DeadlockDetected():
                raise Collided("Two changes came in each other's way.") from error
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
