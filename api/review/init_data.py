"""Verifies Telegram's `initData`, which says who opened a Mini App and is signed with the bot's token.

The signing key is HMAC("WebAppData", token). The hash covers all other fields, sorted, one per line, including the
field `signature`, which exists for third parties without the token.
"""

import hmac
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from urllib.parse import parse_qsl

LASTS = timedelta(minutes=10)
AHEAD = timedelta(seconds=30)  # allowed clock difference
LONGEST, MAX_FIELDS = 16_384, 50
HASH = re.compile(r"[0-9a-f]{64}")
NUMBER = re.compile(r"[0-9]{1,15}")
NAME = re.compile(r"[A-Za-z0-9_]{1,64}")


@dataclass(frozen=True, slots=True)
class TelegramUser:
    id: int
    username: str
    vouched_at: datetime


def verify_init_data(data: str, token: str, now: datetime) -> TelegramUser | None:
    """Return the user, or None if the data is malformed, too old, or not signed by Telegram for this bot."""
    fields = _fields(data)
    if fields is None:
        return None
    presented = fields.pop("hash", "")
    if not HASH.fullmatch(presented) or not hmac.compare_digest(_signature(fields, token), presented):
        return None
    vouched_at = _moment(fields.get("auth_date", ""))
    if vouched_at is None or not -AHEAD <= now - vouched_at <= LASTS:
        return None
    return _user(fields.get("user", ""), vouched_at)


def _fields(data: str) -> dict[str, str] | None:
    """Parse the fields. A repeated field or a line break makes what was signed ambiguous, and is rejected."""
    if len(data) > LONGEST:
        return None
    try:
        pairs = parse_qsl(data, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError:
        return None
    fields = dict(pairs)
    is_plain = len(fields) == len(pairs) and not any("\n" in part for pair in pairs for part in pair)
    return fields if is_plain else None


def _signature(fields: dict[str, str], token: str) -> str:
    secret = hmac.digest(b"WebAppData", token.encode(), "sha256")
    lines = "\n".join(f"{name}={value}" for name, value in sorted(fields.items()))
    return hmac.new(secret, lines.encode(), sha256).hexdigest()


def _moment(text: str) -> datetime | None:
    if not NUMBER.fullmatch(text):
        return None
    try:
        return datetime.fromtimestamp(int(text), UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _user(text: str, vouched_at: datetime) -> TelegramUser | None:
    try:
        user = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(user, dict):
        return None
    number, name = user.get("id"), user.get("username", "")
    # isinstance(True, int) holds, so the exact type is compared.
    if type(number) is not int or not 0 < number < 2**52 or user.get("is_bot") is True:
        return None
    return TelegramUser(number, name if isinstance(name, str) and NAME.fullmatch(name) else "", vouched_at)
