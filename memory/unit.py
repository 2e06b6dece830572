"""One unit of work: a transaction for a viewer at a moment, with the keys to what is sensitive."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from db.engine import NOBODY, Database, see_as
from db.errors import Collided
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
        """The same transaction, and the same person, in another of their spaces; what is refused there leaves nothing
        behind."""
        assert (viewer.tenant, viewer.user) == (self.viewer.tenant, self.viewer.user)
        async with self.session.begin_nested():
            await see_as(self.session, viewer)
            yield replace(self, viewer=viewer, vault=self.vault.as_viewer(viewer))
            await see_as(self.session, self.viewer)

    @asynccontextmanager
    async def in_private(self) -> AsyncIterator["Unit"]:
        """The same, as the person sees it who is alone with the assistant: all that is theirs, be it ever so sensitive,
        which the channel `agent` does not load."""
        if self.viewer.channel == Channel.PRIVATE:
            yield self
            return
        async with self.as_viewer(Viewer.in_private(self.viewer.tenant, self.viewer.person)) as private:
            yield private


@dataclass(frozen=True, slots=True)
class Limits:
    """How long things may wait for their owner, and how long they are kept."""

    undo: timedelta = timedelta(hours=24)
    proposals: timedelta = timedelta(days=7)
    invitations: timedelta = timedelta(days=7)
    artifacts: timedelta = timedelta(days=90)
    bundles: timedelta | None = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Memory:
    """Opens units of work; everything in this package is done inside one."""

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
        patience: timedelta | None = None,
    ) -> AsyncIterator[Unit]:
        async with self.database.transaction(viewer, read_only=read_only, patience=patience) as session:
            vault = Vault(session, viewer, self.keyring)
            yield Unit(session, viewer, now or datetime.now(UTC), vault, self.limits)

    async def write(self, viewer: Viewer, work: Callable[[Unit], Awaitable[T]], *, now: datetime | None = None) -> T:
        """One unit of work; if it came in another's way, once more."""

        async def attempt() -> T:
            async with self.unit(viewer, now=now) as unit:
                return await work(unit)

        try:
            return await attempt()
        except Collided:
            return await attempt()

    async def tenants(self, own: str) -> list[str]:
        """Everybody who has something kept in this database by now: one's own tenant, then the others."""
        async with self.database.transaction(NOBODY, read_only=True) as session:
            return list(dict.fromkeys([own, *await tenants.tenants(session)]))

    async def rewrap_keys(self, tenant: str) -> int:
        """After the deployment got a new key: wrap every person's data key by it. Gives how many that were."""
        async with self.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
            users = await wrapped_otherwise(session, self.keyring.newest_name)
        for user in users:
            async with self.unit(Viewer.in_private(tenant, user)) as unit:
                await unit.vault.rewrap()
        return len(users)
