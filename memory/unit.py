"""A unit of work: one transaction for one viewer at one moment, with access to the encryption keys."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from db.engine import NOBODY, Database, switch_viewer
from db.errors import Deadlock
from db.queries.people import tenants
from db.queries.people.people import wrapped_otherwise
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.privacy.encryption import Keyring
from memory.privacy.vault import Vault

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unit:
    session: AsyncSession
    viewer: Viewer
    now: datetime
    vault: Vault
    limits: "Limits"

    @asynccontextmanager
    async def as_viewer(self, viewer: Viewer) -> AsyncIterator["Unit"]:
        """Continue this transaction as the same person in another of their spaces, within a savepoint."""
        assert (viewer.tenant, viewer.user) == (self.viewer.tenant, self.viewer.user)
        async with self.session.begin_nested():
            await switch_viewer(self.session, viewer)
            yield replace(self, viewer=viewer, vault=self.vault.as_viewer(viewer))
            await switch_viewer(self.session, self.viewer)

    @asynccontextmanager
    async def in_private(self) -> AsyncIterator["Unit"]:
        """Continue in the person's private channel, which sees all their data, including sensitive data that the
        channel `agent` does not load."""
        if self.viewer.channel == Channel.PRIVATE:
            yield self
            return
        async with self.as_viewer(Viewer.in_private(self.viewer.tenant, self.viewer.person)) as private:
            yield private


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things wait for their owner, and how long they are stored."""

    undo: timedelta = timedelta(hours=24)
    proposals: timedelta = timedelta(days=7)
    invitations: timedelta = timedelta(days=7)
    artifacts: timedelta = timedelta(days=90)
    bundles: timedelta | None = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Memory:
    """Opens units of work; everything in this package happens inside one."""

    database: Database
    keyring: Keyring
    limits: Limits = Limits()

    @asynccontextmanager
    async def unit(
        self,
        viewer: Viewer,
        *,
        now: datetime | None = None,
        read_only: bool = False,
        statement_timeout: timedelta | None = None,
    ) -> AsyncIterator[Unit]:
        async with self.database.transaction(
            viewer, read_only=read_only, statement_timeout=statement_timeout
        ) as session:
            vault = Vault(session, viewer, self.keyring)
            yield Unit(session, viewer, now or datetime.now(UTC), vault, self.limits)

    async def write(self, viewer: Viewer, work: Callable[[Unit], Awaitable[T]], *, now: datetime | None = None) -> T:
        """Run `work` in a unit; retry it once after a deadlock or serialization failure."""

        async def attempt() -> T:
            async with self.unit(viewer, now=now) as unit:
                return await work(unit)

        try:
            return await attempt()
        except Deadlock:
            return await attempt()

    async def tenants(self, own: str) -> list[str]:
        """All tenants with data in this database, `own` first."""
        async with self.database.transaction(NOBODY, read_only=True) as session:
            return list(dict.fromkeys([own, *await tenants.tenants(session)]))

    async def rewrap_keys(self, tenant: str) -> int:
        """Wrap every person's data key with the deployment's newest key. Return how many were rewrapped."""
        async with self.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
            users = await wrapped_otherwise(session, self.keyring.newest_name)
        for user in users:
            async with self.unit(Viewer.in_private(tenant, user)) as unit:
                await unit.vault.rewrap()
        return len(users)
