"""ETags: conditional reads and writes."""

from hashlib import sha256
from http import HTTPStatus

from api.api_call import ApiResponse
from api.problems import Problem

CHANGED = "It has changed since you read it. Read it again."


def etag_matches(given: str | None, tag: str) -> bool:
    """Whether an If-Match or If-None-Match header names this tag. Weak tags match, because a proxy that compresses
    responses marks them as weak."""
    if given is None:
        return False
    return given.strip() == "*" or tag in {each.strip().removeprefix("W/") for each in given.split(",")}


def ensure_match(if_match: str | None, tag: str | None) -> None:
    """Raise 412 if the If-Match header does not name the current tag, or if there is no current version."""
    if if_match is not None and (tag is None or not etag_matches(if_match, tag)):
        raise Problem(HTTPStatus.PRECONDITION_FAILED, CHANGED)


def content_hash(words: str) -> str:
    return sha256(words.encode()).hexdigest()[:32]


def not_modified(tag: str) -> ApiResponse:
    return ApiResponse({}, HTTPStatus.NOT_MODIFIED, {"ETag": tag})
