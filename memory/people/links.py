"""Sign-in links and sessions of the review page: a signed link opens once and becomes a session.

A link is made for one person and signed with the deployment's key; its database row lets it be opened once. Of a
session cookie the database stores only a hash.
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
from memory.refusals import Refusal
from memory.unit import Memory, Unit

LINK_LASTS = timedelta(minutes=10)
SESSION_LASTS = timedelta(hours=1)
TOKEN = re.compile(r"([A-Za-z0-9_-]{1,64})\.(web_[0-9A-Z]{26})\.([0-9a-f]{64})")
COOKIE = re.compile(r"([A-Za-z0-9_-]{1,64})\.[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A person's session at the review page."""

    viewer: Viewer
    session_id: str


async def make_link(unit: Unit, keyring: Keyring) -> str:
    """Create a sign-in token for the viewer. It opens once, within LINK_LASTS."""
    link = timed_id("web", unit.now)
    await queries.add_session(
        unit.session, unit.viewer, id=link, hash=None, expires_at=unit.now + LINK_LASTS, now=unit.now
    )
    return f"{unit.viewer.tenant}.{link}.{_signature(keyring.keys[0], unit.viewer.tenant, link)}"


async def open_link(memory: Memory, token: str, now: datetime) -> str:
    """Open a link and return the cookie of a new session. Raises NotFound if the link is used, expired or invalid."""
    match = TOKEN.fullmatch(token)
    if match is None or not _is_signed_by_us(memory.keyring, match):
        raise NotFound(Refusal.LINK_NOT_FOUND)
    tenant, link, _ = match.groups()
    cookie = _new_cookie(tenant)
    async with memory.database.transaction(Viewer.nobody(tenant)) as session:
        user = await queries.open_link(session, link, _hash(cookie), now=now, until=now + SESSION_LASTS)
    if user is None:
        raise NotFound(Refusal.LINK_NOT_FOUND)
    return cookie


async def is_own_link(unit: Unit, token: str) -> bool:
    """Whether the link was made for this viewer."""
    match = TOKEN.fullmatch(token)
    if match is None or match[1] != unit.viewer.tenant:
        return False
    return await queries.has_session(unit.session, unit.viewer, match[2])


async def begin_session(unit: Unit) -> str:
    """Start a session for a viewer who was authenticated elsewhere, and return its cookie."""
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


async def find_session(memory: Memory, cookie: str, now: datetime) -> BrowserSession | None:
    """Return the session of this cookie, or None if it is invalid or expired."""
    match = COOKIE.fullmatch(cookie)
    if match is None:
        return None
    tenant = match[1]
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        found = await queries.session_of(session, _hash(cookie), now)
    return None if found is None else BrowserSession(Viewer.in_private(tenant, found[1]), found[0])


async def open_sessions(unit: Unit) -> Sequence[SessionRow]:
    """List the viewer's active sessions, oldest first, without unopened links."""
    return await queries.open_sessions(unit.session, unit.viewer, unit.now)


async def end_session(unit: Unit, session_id: str) -> None:
    await queries.end_session(unit.session, unit.viewer, session_id)


async def end_all_sessions(unit: Unit) -> None:
    """End all sessions of the viewer. Authentication from elsewhere up to now no longer starts a session."""
    await queries.end_sessions(unit.session, unit.viewer)
    await note_leaving(unit.session, unit.viewer, unit.now)


def form_token(keyring: Keyring, session: BrowserSession) -> str:
    """Return the CSRF token for the forms of this session."""
    return hmac.new(_key(keyring.keys[0], "form"), session.session_id.encode(), sha256).hexdigest()


def is_form_token(keyring: Keyring, session: BrowserSession, token: str) -> bool:
    return hmac.compare_digest(form_token(keyring, session).encode(), token.encode())


def signature_of(keyring: Keyring, session: BrowserSession, text: str) -> str:
    """Sign a text that one page of this session passes to the next in its URL."""
    signed = f"{session.session_id}\0{text}".encode()
    return hmac.new(_key(keyring.keys[0], "address"), signed, sha256).hexdigest()[:32]


def is_signed(keyring: Keyring, session: BrowserSession, text: str, signature: str) -> bool:
    return hmac.compare_digest(signature_of(keyring, session, text).encode(), signature.encode())


def _is_signed_by_us(keyring: Keyring, match: re.Match[str]) -> bool:
    """Whether the link is signed by one of the deployment's keys, current or earlier."""
    tenant, link, signature = match.groups()
    return any(hmac.compare_digest(_signature(key, tenant, link), signature) for key in keyring.keys)


def _signature(key: bytes, tenant: str, link: str) -> str:
    return hmac.new(_key(key, "link"), f"{tenant}\0{link}".encode(), sha256).hexdigest()


def _key(key: bytes, purpose: str) -> bytes:
    """Derive a separate key for each purpose, so that a signature is valid for one purpose only."""
    return hmac.digest(key, f"keepsake {purpose}".encode(), "sha256")


def _new_cookie(tenant: str) -> str:
    return f"{tenant}.{secrets.token_urlsafe(32)}"


def _hash(cookie: str) -> bytes:
    return sha256(cookie.encode()).digest()
