"""API keys: shown once, stored as a hash, each for a tenant, an agent or one person.

A key contains its tenant (`ks.home.…`), so that it is looked up within one. What it may do depends on its owner:

    user alone       the owner: reads, writes, and answers cards
    user and agent   an agent of this one person: proposes, never approves
    agent alone      an agent of the tenant: for itself, and for the API's own users, whom it names
    neither          the tenant's backend: acts for any agent
"""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from db.ids import timed_id
from db.queries.people import keys as queries
from db.queries.people.keys import Admission, KeyRow
from db.queries.people.people import is_known, welcome
from db.queries.people.tenants import know_tenant
from db.viewer import Viewer
from db.vocabulary import Scope
from memory.cleaning import visible
from memory.errors import NotFound, Refused
from memory.refusals import Refusal
from memory.unit import Memory, Unit

TENANT = re.compile(r"[A-Za-z0-9_-]{1,64}")
KEY = re.compile(r"ks\.([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{43}")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@:-]{0,63}")
API_USER, AGENT_USER = "api:", "agent:"
RESERVED_NAMES = ("assistant", "keepsake")  # the program's own names as a speaker
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A token bucket for the calls of a key: its size and its refill rate."""

    burst: int
    per_second: float


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """The caller of an API, authenticated by a key."""

    tenant: str
    admission: Admission

    @property
    def is_owner(self) -> bool:
        """Whether the key is a person's own, and not an agent's."""
        return self.admission.user is not None and self.admission.agent is None

    def as_agent(self, agent: str) -> "KeyHolder":
        """Treat an owner's key as an agent's where a model uses it: a model cannot approve for its owner."""
        return replace(self, admission=replace(self.admission, agent=agent)) if self.is_owner else self


def local_agent(tenant: str, user: str, agent: str) -> KeyHolder:
    """An agent started on this machine. It needs no key, because its user can read the database anyway."""
    ensure_agent(agent)
    return KeyHolder(tenant, Admission(f"here:{agent}", user, agent, frozenset({Scope.READ, Scope.WRITE}), wait=0))


def ensure_agent(name: str) -> None:
    """Refuse invalid agent names and the program's own."""
    if not NAME.fullmatch(name):
        raise Refused(Refusal.AGENT_NAME)
    if name.casefold() in RESERVED_NAMES:
        raise Refused(Refusal.AGENT_NAME_TAKEN, names=", ".join(RESERVED_NAMES))


async def make_key(
    memory: Memory,
    tenant: str,
    *,
    user: str | None = None,
    agent: str | None = None,
    scopes: Sequence[Scope] = (Scope.READ, Scope.WRITE),
    name: str = "",
) -> tuple[str, str]:
    """Create a key. Returns its id and the key itself, which cannot be shown again."""
    if not TENANT.fullmatch(tenant):
        raise Refused(Refusal.TENANT_NAME)
    if agent is not None:
        ensure_agent(agent)
    if not scopes:
        raise Refused(Refusal.KEY_SCOPES)
    if len(name) > LONGEST_NAME:
        raise Refused(Refusal.KEY_NAME, most=LONGEST_NAME)
    secret, now = f"ks.{tenant}.{secrets.token_urlsafe(32)}", datetime.now(UTC)
    key_id = timed_id("key", now)
    owner = _owner_of(tenant, user)
    async with memory.unit(owner, now=now) as unit:
        await know_tenant(unit.session, owner, now)
        if user is not None and not await is_known(unit.session, owner):
            if not user.startswith(API_USER):
                raise NotFound(Refusal.KEY_USER_NOT_FOUND, user=user)
            api_name = user.removeprefix(API_USER)
            if not NAME.fullmatch(api_name):
                raise Refused(Refusal.API_USER_NAME)
            await welcome(unit.session, owner, name=api_name, timezone="UTC", now=now)
        await queries.add_key(
            unit.session, owner, id=key_id, agent=agent, hash=_hash(secret), scopes=scopes, name=visible(name), now=now
        )
    return key_id, secret


async def list_keys(memory: Memory, tenant: str) -> Sequence[KeyRow]:
    """List all keys of a tenant. Each name is read as the key's owner, because no viewer may read everybody's words."""
    found = await _all_keys(memory, tenant)
    names: dict[str, str] = {}
    for user in {key.user for key in found}:
        async with memory.unit(_owner_of(tenant, user), read_only=True) as unit:
            names |= await queries.key_names(unit.session, unit.viewer)
    return [replace(key, name=names.get(key.id, "")) for key in found]


async def _all_keys(memory: Memory, tenant: str) -> Sequence[KeyRow]:
    async with memory.unit(Viewer.nobody(tenant), read_only=True) as unit:
        return await queries.keys(unit.session)


def _owner_of(tenant: str, user: str | None) -> Viewer:
    return Viewer.in_private(tenant, user) if user is not None else Viewer.nobody(tenant)


async def revoke_key(memory: Memory, tenant: str, key_id: str) -> KeyRow:
    """Revoke a key, in all processes at once."""
    key = next((each for each in await _all_keys(memory, tenant) if each.id == key_id), None)
    if key is None or key.revoked_at is not None:
        raise NotFound(Refusal.KEY_NOT_FOUND)
    owner = _owner_of(tenant, key.user)
    async with memory.unit(owner) as unit:
        await queries.revoke(unit.session, owner, key_id, unit.now)
    return key


async def own_keys(unit: Unit) -> Sequence[KeyRow]:
    """List the viewer's active keys, oldest first."""
    return await queries.own_keys(unit.session, unit.viewer)


async def revoke_own_key(unit: Unit, key_id: str) -> bool:
    """Revoke a key of the viewer's. Returns False if there is no such active key."""
    return await queries.revoke(unit.session, unit.viewer, key_id, unit.now)


async def authenticate_key(memory: Memory, secret: str, limit: RateLimit) -> KeyHolder | None:
    """Return the holder of a key, or None if it is invalid or revoked. Counts one call against its rate limit."""
    match = KEY.fullmatch(secret)
    if match is None:
        return None
    async with memory.database.transaction(Viewer.nobody(match[1])) as session:
        admission = await queries.admit(session, _hash(secret), burst=limit.burst, a_second=limit.per_second)
    return None if admission is None else KeyHolder(match[1], admission)


def _hash(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
