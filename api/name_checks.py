"""Checks names chosen by callers, which are stored verbatim: no secrets, no reserved names."""

import re
from collections.abc import Iterable
from functools import lru_cache

from api.problems import Problem
from memory.people.keys import RESERVED_NAMES
from memory.privacy.redaction import redact

OUR_ID = re.compile(r"[a-z]{3}_[0-9A-Z]{26}|[A-Za-z0-9]{8}")


def ensure_no_secrets(field: str, names: Iterable[str | None]) -> None:
    for name in names:
        if name and not OUR_ID.fullmatch(name) and (kinds := _secrets_in(name)):
            raise Problem.about(field, f"This looks like a secret ({', '.join(kinds)}); secrets are never stored.")


def ensure_not_reserved(field: str, name: str) -> None:
    if name.casefold() in RESERVED_NAMES:
        raise Problem.about(field, f"{name} is Keepsake's own name. Choose another.")


@lru_cache(10_000)
def _secrets_in(name: str) -> tuple[str, ...]:
    return redact(name).kinds
