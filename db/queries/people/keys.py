"""API keys: kept by their hash, admitted one call at a time, and revoked."""

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
    """Without a `user` it is the tenant's; without an `agent` it speaks for no agent alone."""

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
    """Whose a key is; `wait` tells for how many seconds it came too early, and then it was not counted."""

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
    """A key of the viewer's, or, for a viewer who is nobody, of the tenant's."""
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
    """Who has this key, for a viewer who is nobody; nothing where it is unknown or revoked."""
    query = text("SELECT key_id, user_id, agent_id, scopes, wait FROM wall.admit_key(:hash, :burst, :rate)")
    found = (await session.execute(query.bindparams(hash=hash, burst=burst, rate=a_second))).one_or_none()
    if found is None:
        return None
    key_id, user, agent, scopes, wait = found
    return Admission(key_id, user, agent, frozenset(map(Scope, scopes)), wait)


async def keys(session: AsyncSession) -> Sequence[KeyRow]:
    """All keys of a tenant, oldest first, for a viewer who is nobody; without their names."""
    query = text("SELECT id, user_id, agent_id, scopes, '', created_at, last_used_at, revoked_at FROM wall.key_list()")
    return [_key(*row) for row in await session.execute(query)]


async def key_names(session: AsyncSession, viewer: Viewer) -> dict[str, str]:
    """Of the viewer's own keys, by their ids; for a viewer who is nobody, of the tenant's."""
    query = select(ApiKey.id, ApiKey.name).where(
        ApiKey.tenant_id == viewer.tenant, ApiKey.user_id.is_not_distinct_from(viewer.user)
    )
    return {row.id: row.name for row in await session.execute(query)}


async def own_keys(session: AsyncSession, viewer: Viewer) -> Sequence[KeyRow]:
    """The viewer's own keys that open something, oldest first."""
    query = (
        select(*COLUMNS)
        .where(ApiKey.tenant_id == viewer.tenant, ApiKey.user_id == viewer.person, ApiKey.revoked_at.is_(None))
        .order_by(ApiKey.created_at, ApiKey.id)
    )
    return [_key(*row) for row in await session.execute(query)]


async def revoke(session: AsyncSession, viewer: Viewer, key_id: str, now: datetime) -> bool:
    """A key of the viewer's; whether there was one to revoke."""
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
