"""API keys: stored by their hash, admitted call by call, and revoked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import ApiKey
from db.viewer import Viewer
from db.vocabulary import Scope

COLUMNS = (
    ApiKey.id,
    ApiKey.user_id,
    ApiKey.agent_id,
    ApiKey.scopes,
    ApiKey.name,
    ApiKey.created_at,
    ApiKey.last_used_at,
    ApiKey.revoked_at,
)


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key without a `user` is the tenant's. A key without an `agent` is not bound to one."""

    id: str
    user: str | None
    agent: str | None
    scopes: frozenset[Scope]
    name: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Admission:
    """The owner of a key. If `wait` is not 0, the call came so many seconds too early and was not counted."""

    key_id: str
    user: str | None
    agent: str | None
    scopes: frozenset[Scope]
    wait: float


async def add_key(
    session: AsyncSession,
    viewer: Viewer,
    *,
    id: str,
    agent: str | None,
    hash: bytes,
    scopes: Sequence[Scope],
    name: str,
    now: datetime,
) -> None:
    """Add a key of the viewer or, for `Viewer.nobody`, of the tenant."""
    await session.execute(
        insert(ApiKey).values(
            tenant_id=viewer.tenant,
            id=id,
            user_id=viewer.user,
            agent_id=agent,
            hash=hash,
            scopes=list(scopes),
            name=name,
            created_at=now,
        )
    )


async def admit(session: AsyncSession, hash: bytes, *, burst: int, a_second: float) -> Admission | None:
    """Look up a key and count this call. None if it is unknown or revoked. For `Viewer.nobody`."""
    query = text("SELECT key_id, user_id, agent_id, scopes, wait FROM wall.admit_key(:hash, :burst, :rate)")
    row = (await session.execute(query.bindparams(hash=hash, burst=burst, rate=a_second))).one_or_none()
    if row is None:
        return None
    key_id, user, agent, scopes, wait = row
    return Admission(key_id, user, agent, frozenset(map(Scope, scopes)), wait)


async def keys(session: AsyncSession) -> Sequence[KeyRow]:
    """All keys of a tenant without their names, oldest first. For `Viewer.nobody`."""
    query = text("SELECT id, user_id, agent_id, scopes, '', created_at, last_used_at, revoked_at FROM wall.key_list()")
    return [_key(*row) for row in await session.execute(query)]


async def key_names(session: AsyncSession, viewer: Viewer) -> dict[str, str]:
    """Names by id of the viewer's own keys or, for `Viewer.nobody`, of the tenant's."""
    query = select(ApiKey.id, ApiKey.name).where(
        ApiKey.tenant_id == viewer.tenant, ApiKey.user_id.is_not_distinct_from(viewer.user)
    )
    return {row.id: row.name for row in await session.execute(query)}


async def own_keys(session: AsyncSession, viewer: Viewer) -> Sequence[KeyRow]:
    """The viewer's own keys that are not revoked, oldest first."""
    query = (
        select(*COLUMNS)
        .where(ApiKey.tenant_id == viewer.tenant, ApiKey.user_id == viewer.person, ApiKey.revoked_at.is_(None))
        .order_by(ApiKey.created_at, ApiKey.id)
    )
    return [_key(*row) for row in await session.execute(query)]


async def revoke(session: AsyncSession, viewer: Viewer, key_id: str, now: datetime) -> bool:
    """Revoke a key of the viewer. Return False if there is none to revoke."""
    changed = await session.execute(
        update(ApiKey)
        .where(ApiKey.tenant_id == viewer.tenant, ApiKey.id == key_id, ApiKey.revoked_at.is_(None))
        .values(revoked_at=now)
        .returning(ApiKey.id)
    )
    return changed.first() is not None


def _key(
    id: str,
    user: str | None,
    agent: str | None,
    scopes: Sequence[str],
    name: str,
    created: datetime,
    used: datetime | None,
    revoked: datetime | None,
) -> KeyRow:
    return KeyRow(id, user, agent, frozenset(map(Scope, scopes)), name, created, used, revoked)
