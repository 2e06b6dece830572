"""Checks names that callers choose: they are kept as they are, so none of them may be a secret, or ours."""

import re
from collections.abc import Iterable
from functools import lru_cache

from api.problems import Problem
from memory.people.keys import OURS
from memory.privacy.redaction import redact

OUR_ID = re.compile(r"[a-z]{3}_[0-9A-Z]{26}|[A-Za-z0-9]{8}")


def ensure_harmless(field: str, names: Iterable[str | None]) -> None:
    for name in names:
        if name and not OUR_ID.fullmatch(name) and (kinds := _secrets_in(name)):
            raise Problem.about(field, f"That looks like a secret ({', '.join(kinds)}), which is never stored.")


def ensure_not_ours(field: str, name: str) -> None:
    """Nobody speaks or asks in our name."""
    if name.casefold() in OURS:
        raise Problem.about(field, f"{name} is Keepsake's own name. Choose another.")


@lru_cache(10_000)
def _secrets_in(name: str) -> tuple[str, ...]:
    """The same names come again and again."""
    return redact(name).kinds
