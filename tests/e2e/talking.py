"""People who talk with the bot in a fake Telegram: what they ask, and what they are answered."""

import re
from collections.abc import Callable
from typing import TypeVar

from tests.telegram import FakeTelegram, Person
from tests.waiting import until

Found = TypeVar("Found")

TAG = re.compile(r"\bm(\d+)\b")
"""A number that a message carries, and its answer too."""


def seen(telegram: FakeTelegram, condition: Callable[[], Found]) -> Found:
    """Waits for it; what happened in Telegram is told where it never comes."""
    return until(condition, telegram.account)


def ask(telegram: FakeTelegram, person: Person, words: str) -> str:
    """The first answer to these words."""
    before = len(person.answers())
    person.say(words)
    seen(telegram, lambda: len(person.answers()) > before)
    return person.answers()[before].text


def people_of(telegram: FakeTelegram, count: int) -> list[Person]:
    return [telegram.person(100 + number, f"Ada{number}") for number in range(count)]


def answered(person: Person) -> list[int]:
    """The numbers of the answers, as they stand in the chat."""
    return [int(number) for each in person.answers() for number in re.findall(r"answer m(\d+)", each.text)]
