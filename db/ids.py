"""New ids: short for models to type, derived where the same row may be created again, time-ordered otherwise."""

import secrets
import string
from datetime import datetime
from hashlib import sha256

SHORT_ALPHABET = string.ascii_letters + string.digits
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def short_id() -> str:
    """Eight characters of A-Za-z0-9, as a fact is named in prompts and commands."""
    return "".join(secrets.choice(SHORT_ALPHABET) for _ in range(8))


def timed_id(prefix: str, now: datetime) -> str:
    """`evt_01J…`: 48 bits of milliseconds, then 80 random bits. Such ids sort by time."""
    return f"{prefix}_{_digits(int(now.timestamp() * 1000) << 80 | secrets.randbits(80))}"


def derived_id(prefix: str, source_id: str, part: int) -> str:
    """The id of a part of `source_id`. It is always the same, and sorts by the time of its source."""
    digits = _digits(int.from_bytes(sha256(f"{source_id}/{part}".encode()).digest()[:10]))
    return f"{prefix}_{source_id[4:14]}{digits[-16:]}"


def named_id(prefix: str, *names: str) -> str:
    """The id of something named elsewhere. The same names always give the same id."""
    joined = "\0".join(f"{len(name)}:{name}" for name in names)
    return f"{prefix}_{_digits(int.from_bytes(sha256(joined.encode()).digest()[:16]))}"


def _digits(number: int) -> str:
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
