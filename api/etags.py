"""ETags: whether what somebody has is still what stands here."""

from hashlib import sha256
from http import HTTPStatus

from api.call import ApiAnswer
from api.problems import Problem

CHANGED = "It has changed since you read it. Read it again."


def matches(given: str | None, tag: str) -> bool:
    """Whether a header of tags names this one. A proxy that compresses answers calls them weak on their way."""
    if given is None:
        return False
    return given.strip() == "*" or tag in {each.strip().removeprefix("W/") for each in given.split(",")}


def ensure_same(wanted: str | None, tag: str | None) -> None:
    """By If-Match: only if it is still this; where there is nothing, it is not."""
    if wanted is not None and (tag is None or not matches(wanted, tag)):
        raise Problem(HTTPStatus.PRECONDITION_FAILED, CHANGED)


def hash_of(words: str) -> str:
    return sha256(words.encode()).hexdigest()[:32]


def unchanged(tag: str) -> ApiAnswer:
    return ApiAnswer({}, HTTPStatus.NOT_MODIFIED, {"ETag": tag})
