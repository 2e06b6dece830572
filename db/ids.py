"""New identifiers: short where a model must type them, time-ordered everywhere else."""

import secrets
import string
from datetime import datetime

SHORT_ALPHABET = string.ascii_letters + string.digits
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def short_id() -> str:
    """Eight characters of A-Za-z0-9, as a fact is named in prompts and commands."""
    return "".join(secrets.choice(SHORT_ALPHABET) for _ in range(8))


def timed_id(prefix: str, now: datetime) -> str:
    """`evt_01J…`: 48 bits of milliseconds, then 80 random bits, in an order that sorts by time."""
    number = int(now.timestamp() * 1000) << 80 | secrets.randbits(80)
    digits = "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
    return f"{prefix}_{digits}"
