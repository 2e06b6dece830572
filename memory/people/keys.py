"""API keys: made once and shown once, kept by their hash, each for a tenant, an agent or one person.

A key tells its tenant, so that it is looked for inside one: `ks.home.…`. Whose word it carries follows from whose it
is:

    user alone       the owner: reads, writes, and answers cards
    user and agent   an agent of this one person: proposes, never approves
    agent alone      an agent of the tenant: for itself, and for the API's own users, whom it names
    neither          the tenant's backend: the same for any agent
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
from memory.unit import Memory, Unit

TENANT = re.compile(r"[A-Za-z0-9_-]{1,64}")
KEY = re.compile(r"ks\.([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{43}")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@:-]{0,63}")
API_USER, AGENT_ITSELF = "api:", "agent:"
OURS = ("assistant", "keepsake")  # under these names the program itself speaks and asks
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Pace:
    """How many calls a key may make at once, and how many a second for ever."""

    burst: int
    a_second: float


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who calls: a key that was admitted."""

    tenant: str
    admission: Admission

    @property
    def is_owner(self) -> bool:
        """Whether this key carries a person's own word."""
        return self.admission.user is not None and self.admission.agent is None

    def as_agent(self, agent: str) -> "Bearer":
        """The same for a model, whoever gave it the key: a person's own word is not a model's to give."""
        return replace(self, admission=replace(self.admission, agent=agent)) if self.is_owner else self


def without_key(tenant: str, user: str, agent: str) -> Bearer:
    """An agent of somebody who starts it on the machine itself: whoever can read the database needs no key."""
    ensure_agent(agent)
    return Bearer(tenant, Admission(f"here:{agent}", user, agent, frozenset({Scope.READ, Scope.WRITE}), wait=0))


def ensure_agent(name: str) -> None:
    """One that can be told from others, and from us."""
    if not NAME.fullmatch(name):
        raise Refused("The name of an agent has 1 to 64 letters, digits and . _ @ : -")
    if name.casefold() in OURS:
        raise Refused("The names {ours} are Keepsake's own. Choose another for the agent.", ours=", ".join(OURS))


async def make_key(
    memory: Memory,
    tenant: str,
    *,
    user: str | None = None,
    agent: str | None = None,
    scopes: Sequence[Scope] = (Scope.READ, Scope.WRITE),
    name: str = "",
) -> tuple[str, str]:
    """A new key; gives its id, and the key itself, which nobody can show again."""
    if not TENANT.fullmatch(tenant):
        raise Refused("The name of a tenant has 1 to 64 letters, digits and _ -")
    if agent is not None:
        ensure_agent(agent)
    if not scopes:
        raise Refused("A key needs a scope: read, write or admin.")
    if len(name) > LONGEST_NAME:
        raise Refused("The name of a key has at most {most} characters.", most=LONGEST_NAME)
    secret, now = f"ks.{tenant}.{secrets.token_urlsafe(32)}", datetime.now(UTC)
    key_id = timed_id("key", now)
    keeper = _keeper(tenant, user)
    async with memory.unit(keeper, now=now) as unit:
        await know_tenant(unit.session, keeper, now)
        if user is not None and not await is_known(unit.session, keeper):
            if not user.startswith(API_USER):
                raise NotFound("Nobody here is called {user}. Only users of the API need no chat before.", user=user)
            called = user.removeprefix(API_USER)
            if not NAME.fullmatch(called):
                raise Refused("The name of a user of the API has 1 to 64 letters, digits and . _ @ : -")
            await welcome(unit.session, keeper, name=called, timezone="UTC", now=now)
        await queries.add_key(
            unit.session, keeper, id=key_id, agent=agent, hash=_hash(secret), scopes=scopes, name=visible(name), now=now
        )
    return key_id, secret


async def list_keys(memory: Memory, tenant: str) -> Sequence[KeyRow]:
    """All keys of a tenant. Their names are read as whom they belong to: nobody sees everybody's words."""
    found = await _all_keys(memory, tenant)
    names: dict[str, str] = {}
    for user in {key.user for key in found}:
        async with memory.unit(_keeper(tenant, user), read_only=True) as unit:
            names |= await queries.key_names(unit.session, unit.viewer)
    return [replace(key, name=names.get(key.id, "")) for key in found]


async def _all_keys(memory: Memory, tenant: str) -> Sequence[KeyRow]:
    async with memory.unit(Viewer.nobody(tenant), read_only=True) as unit:
        return await queries.keys(unit.session)


def _keeper(tenant: str, user: str | None) -> Viewer:
    return Viewer.in_private(tenant, user) if user is not None else Viewer.nobody(tenant)


async def revoke_key(memory: Memory, tenant: str, key_id: str) -> KeyRow:
    """From now on it opens nothing, in any process."""
    key = next((each for each in await _all_keys(memory, tenant) if each.id == key_id), None)
    if key is None or key.revoked_at is not None:
        raise NotFound("There is no such key, or it is revoked already.")
    keeper = _keeper(tenant, key.user)
    async with memory.unit(keeper) as unit:
        await queries.revoke(unit.session, keeper, key_id, unit.now)
    return key


async def own_keys(unit: Unit) -> Sequence[KeyRow]:
    """The viewer's own keys that open something, oldest first."""
    return await queries.own_keys(unit.session, unit.viewer)


async def revoke_own_key(unit: Unit, key_id: str) -> bool:
    """A key of the viewer's; whether there was one to revoke."""
    return await queries.revoke(unit.session, unit.viewer, key_id, unit.now)


async def admit(memory: Memory, secret: str, pace: Pace) -> Bearer | None:
    """Who has this key; nobody, where it is made up or revoked. One call of it is counted."""
    told = KEY.fullmatch(secret)
    if told is None:
        return None
    async with memory.database.transaction(Viewer.nobody(told[1])) as session:
        admission = await queries.admit(session, _hash(secret), burst=pace.burst, a_second=pace.a_second)
    return None if admission is None else Bearer(told[1], admission)


def _hash(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
