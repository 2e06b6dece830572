"""What an error of memory is told as over HTTP."""

from http import HTTPStatus

from api.problems import problem_from
from memory.errors import TooBusy


def test_whoever_sends_too_much_at_once_is_told_when_to_come_back() -> None:
    problem = problem_from(TooBusy("Too many long texts are waiting."))

    assert problem.status == HTTPStatus.SERVICE_UNAVAILABLE
    assert problem.detail == "Too many long texts are waiting."
    assert problem.headers == {"Retry-After": "5"}
