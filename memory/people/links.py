"""The way into the review page: a signed link that works once, and the session that it becomes.

A link is made for one person; it is signed by the key of this deployment, and its row in the database lets it be opened
once. What its cookie holds is known to nobody else: the database has its hash.
"""

import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from db.ids import timed_id
from db.queries.people import web_sessions as queries
from db.queries.people.people import note_leaving
from db.queries.people.web_sessions import SessionRow
from db.viewer import Viewer
from memory.errors import NotFound
from memory.privacy.encryption import Keyring
from memory.unit import Memory, Unit

LINK_LASTS = timedelta(minutes=10)
SESSION_LASTS = timedelta(hours=1)
TOKEN = re.compile(r"([A-Za-z0-9_-]{1,64})\.(web_[0-9A-Z]{26})\.([0-9a-f]{64})")
COOKIE = re.compile(r"([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{43}")
GONE = "This link is used or too old. Ask for a new one with /memory web."


@dataclass(frozen=True, slots=True)
class WebVisit:
    """A person at the review page."""

    viewer: Viewer
    session_id: str


async def make_link(unit: Unit, keyring: Keyring) -> str:
    """A token for the viewer's own page; it opens once, soon."""
    link = timed_id("web", unit.now)
    await queries.add_session(
        unit.session, unit.viewer, id=link, hash=None, expires_at=unit.now + LINK_LASTS, now=unit.now
    )
    return f"{unit.viewer.tenant}.{link}.{_signature(keyring.keys[0], unit.viewer.tenant, link)}"


async def open_link(memory: Memory, token: str, now: datetime) -> str:
    """The cookie of a new session; raises where the link is used, old or not ours."""
    told = TOKEN.fullmatch(token)
    if told is None or not _is_ours(memory.keyring, told):
        raise NotFound(GONE)
    tenant, link, _ = told.groups()
    cookie = _new_cookie(tenant)
    async with memory.database.transaction(Viewer.nobody(tenant)) as session:
        user = await queries.open_link(session, link, _hash(cookie), now=now, until=now + SESSION_LASTS)
    if user is None:
        raise NotFound(GONE)
    return cookie


async def is_own(unit: Unit, token: str) -> bool:
    """Whether the link was made for this viewer."""
    told = TOKEN.fullmatch(token)
    if told is None or told[1] != unit.viewer.tenant:
        return False
    return await queries.has_session(unit.session, unit.viewer, told[2])


async def begin_session(unit: Unit) -> str:
    """The cookie of a session for a viewer whom somebody else vouches for."""
    cookie = _new_cookie(unit.viewer.tenant)
    await queries.add_session(
        unit.session,
        unit.viewer,
        id=timed_id("web", unit.now),
        hash=_hash(cookie),
        expires_at=unit.now + SESSION_LASTS,
        now=unit.now,
    )
    return cookie


async def visit_of(memory: Memory, cookie: str, now: datetime) -> WebVisit | None:
    """Who comes with this cookie; nobody, where it is made up or over."""
    told = COOKIE.fullmatch(cookie)
    if told is None:
        return None
    tenant = told[1]
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        found = await queries.session_of(session, _hash(cookie), now)
    return None if found is None else WebVisit(Viewer.in_private(tenant, found[1]), found[0])


async def open_sessions(unit: Unit) -> Sequence[SessionRow]:
    """The viewer's own that are not over, oldest first; links that nobody opened are none."""
    return await queries.open_sessions(unit.session, unit.viewer, unit.now)


async def end_session(unit: Unit, session_id: str) -> None:
    await queries.end_session(unit.session, unit.viewer, session_id)


async def leave_everywhere(unit: Unit) -> None:
    """All sessions of the viewer's; and what somebody else vouched for until now opens none any more."""
    await queries.end_sessions(unit.session, unit.viewer)
    await note_leaving(unit.session, unit.viewer, unit.now)


def form_token(keyring: Keyring, visit: WebVisit) -> str:
    """What a form of this session carries, so that no other page can send it."""
    return hmac.new(_key(keyring.keys[0], "form"), visit.session_id.encode(), sha256).hexdigest()


def is_form_token(keyring: Keyring, visit: WebVisit, token: str) -> bool:
    return hmac.compare_digest(form_token(keyring, visit).encode(), token.encode())


def signature_of(keyring: Keyring, visit: WebVisit, text: str) -> str:
    """Of what a page of this session says to the next one by its address."""
    told = f"{visit.session_id}\0{text}".encode()
    return hmac.new(_key(keyring.keys[0], "address"), told, sha256).hexdigest()[:32]


def is_signed(keyring: Keyring, visit: WebVisit, text: str, signature: str) -> bool:
    return hmac.compare_digest(signature_of(keyring, visit, text).encode(), signature.encode())


def _is_ours(keyring: Keyring, told: re.Match[str]) -> bool:
    """Signed by a key of this deployment, perhaps by the one before."""
    tenant, link, signature = told.groups()
    return any(hmac.compare_digest(_signature(key, tenant, link), signature) for key in keyring.keys)


def _signature(key: bytes, tenant: str, link: str) -> str:
    return hmac.new(_key(key, "link"), f"{tenant}\0{link}".encode(), sha256).hexdigest()


def _key(key: bytes, purpose: str) -> bytes:
    """A key of its own for each purpose, so that what signs one thing signs nothing else."""
    return hmac.digest(key, f"keepsake {purpose}".encode(), "sha256")


def _new_cookie(tenant: str) -> str:
    return f"{tenant}.{secrets.token_urlsafe(32)}"


def _hash(cookie: str) -> bytes:
    return sha256(cookie.encode()).digest()
