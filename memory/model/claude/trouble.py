"""How a call of a model can fail: told in a sentence, whether it may pass, and how long to wait before asking again."""

import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from memory.errors import ModelAway
from memory.model.claude.stream import StreamBroke
from memory.model.claude.wire import EXTRAS

FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0
ASKED_AGAIN = frozenset({408, 409, 429})
BUSY = "The model is busy just now; please try again in a moment."


@dataclass(frozen=True, slots=True)
class Trouble:
    """How a failure is told, whether it may pass, and how long the server wants to be left alone."""

    away: ModelAway
    passes: bool = True
    wait: float | None = None


def told(error: Exception, seconds: float) -> Trouble:
    """`seconds` is how long the call was allowed to take."""
    import anthropic

    match error:
        case TimeoutError():
            return Trouble(ModelAway("The model took longer than {most:g} seconds.", most=seconds), passes=False)
        case anthropic.AuthenticationError() | anthropic.PermissionDeniedError():
            return Trouble(ModelAway("ANTHROPIC_API_KEY was refused; please check it."), passes=False)
        case anthropic.APIStatusError(status_code=status, response=response):
            passes = _passes(status, response.headers)
            if passes or status in ASKED_AGAIN:
                return Trouble(ModelAway(BUSY), passes, _wait_asked_for(response.headers))
            away = ModelAway("The model's server refused the call (status {status}).", status=status)
            return Trouble(away, passes=False)
        case anthropic.APIConnectionError():
            return Trouble(ModelAway("There is no connection to the model just now."))
        case StreamBroke(kind="overloaded_error" | "rate_limit_error"):
            return Trouble(ModelAway(BUSY))
        case StreamBroke(passes=False):
            return Trouble(ModelAway("The model's server refused the call."), passes=False)
        case _:
            return Trouble(ModelAway("The connection to the model broke off."))


def failures() -> tuple[type[Exception], ...]:
    """All that a call can end with, besides an answer."""
    import anthropic
    import httpx2

    return (anthropic.APIError, httpx2.HTTPError, json.JSONDecodeError, UnicodeDecodeError, StreamBroke, TimeoutError)


def knows_no_extras(error: Exception) -> bool:
    """Whether a server refused the call because of what only Claude's own knows."""
    import anthropic

    refused = isinstance(error, anthropic.BadRequestError | anthropic.UnprocessableEntityError)
    return refused and any(extra in str(error) for extra in EXTRAS)


def _passes(status: int, headers: Mapping[str, str]) -> bool:
    if (told := headers.get("x-should-retry")) in {"true", "false"}:
        return told == "true"
    return status in ASKED_AGAIN or status >= 500


def _wait_asked_for(headers: Mapping[str, str]) -> float | None:
    """Retry-After, in seconds or as a date."""
    told = headers.get("retry-after", "")
    try:
        seconds = float(told)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(told).timestamp() - time.time()
        except ValueError:
            return None
    return seconds if seconds > 0 else None


def backoff(attempt: int) -> float:
    longest: float = min(FIRST_WAIT * 2 ** min(attempt, 10), LONGEST_WAIT)
    return longest * random.uniform(0.75, 1)  # noqa: S311  (spreads load, hides nothing)
