"""Classifies failures of model calls: the message for the user, whether to retry, and how long to wait."""

import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from memory.errors import ModelAway
from memory.model.claude.stream import StreamBroke
from memory.model.claude.wire import EXTRAS
from memory.refusals import Refusal

FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0
RETRIED_STATUSES = frozenset({408, 409, 429})


@dataclass(frozen=True, slots=True)
class CallFailure:
    """A failed call: the error to raise, whether to retry, and the server's Retry-After."""

    away: ModelAway
    is_transient: bool = True
    retry_after: float | None = None


def classify_failure(error: Exception, seconds: float) -> CallFailure:
    """Classify an error; `seconds` is the time limit of the call."""
    import anthropic

    match error:
        case TimeoutError():
            return CallFailure(ModelAway(Refusal.MODEL_TIMEOUT, most=seconds), is_transient=False)
        case anthropic.AuthenticationError() | anthropic.PermissionDeniedError():
            return CallFailure(ModelAway(Refusal.MODEL_KEY_WRONG), is_transient=False)
        case anthropic.APIStatusError(status_code=status, response=response):
            is_transient = _is_transient(status, response.headers)
            if is_transient or status in RETRIED_STATUSES:
                return CallFailure(ModelAway(Refusal.MODEL_BUSY), is_transient, _retry_after(response.headers))
            away = ModelAway(Refusal.MODEL_REFUSED_STATUS, status=status)
            return CallFailure(away, is_transient=False)
        case anthropic.APIConnectionError():
            return CallFailure(ModelAway(Refusal.MODEL_UNREACHABLE))
        case StreamBroke(kind="overloaded_error" | "rate_limit_error"):
            return CallFailure(ModelAway(Refusal.MODEL_BUSY))
        case StreamBroke(is_transient=False):
            return CallFailure(ModelAway(Refusal.MODEL_REFUSED), is_transient=False)
        case _:
            return CallFailure(ModelAway(Refusal.MODEL_BROKE_OFF))


def call_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions of a failed call."""
    import anthropic
    import httpx2

    return (anthropic.APIError, httpx2.HTTPError, json.JSONDecodeError, UnicodeDecodeError, StreamBroke, TimeoutError)


def rejects_extras(error: Exception) -> bool:
    """Return whether a server rejected fields that only Claude's own server accepts."""
    import anthropic

    refused = isinstance(error, anthropic.BadRequestError | anthropic.UnprocessableEntityError)
    return refused and any(extra in str(error) for extra in EXTRAS)


def _is_transient(status: int, headers: Mapping[str, str]) -> bool:
    if (should_retry := headers.get("x-should-retry")) in {"true", "false"}:
        return should_retry == "true"
    return status in RETRIED_STATUSES or status >= 500


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """The Retry-After header in seconds; it may be a number or a date."""
    value = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except ValueError:
            return None
    return seconds if seconds > 0 else None


def backoff(attempt: int) -> float:
    longest: float = min(FIRST_WAIT * 2 ** min(attempt, 10), LONGEST_WAIT)
    return longest * random.uniform(0.75, 1)  # noqa: S311  (spreads load, hides nothing)
