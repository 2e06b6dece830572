"""What an embedder is given and gives, and when the breaker opens."""

import asyncio
from collections.abc import Sequence
from math import inf, nan

import pytest

from memory.errors import EmbedderAway
from memory.retrieval.embedders.base import PLACEHOLDER, Vector, batches, prepare_text, unit_vector
from memory.retrieval.embedders.bundled_child import lower_priority
from memory.retrieval.embedders.bundled_engine import missing_instructions
from memory.retrieval.embedders.circuit_breaker import CircuitBreaker
from tests.tables import table


@table("text", ["\ufdfa" * 3000, "a\x00b\ud800" * 3000, "\u0301" * 3000, "x" * 1_000_000, "ﬁ" * 3000])
def test_a_text_is_made_fit_for_the_engine(text: str) -> None:
    made = prepare_text(text)

    assert 0 < len(made) <= 2000
    assert not {"\x00", "\ud800", "\ufdfa"} & set(made)
    assert made.encode()
    assert prepare_text(made) == made


@table("text", ["", " \n", "\x00", "\udfff\ud800"])
def test_a_text_without_anything_becomes_a_sign_that_stands_for_nothing(text: str) -> None:
    assert prepare_text(text) == PLACEHOLDER


def test_the_child_works_where_it_may_not_stand_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> int:
        raise PermissionError("as under a systemd unit that forbids @resources")

    monkeypatch.setattr("os.nice", refuse)
    monkeypatch.setattr("pathlib.Path.write_text", lambda *_: refuse(0))

    lower_priority()


def test_a_vector_gets_length_one_and_what_has_no_direction_is_none() -> None:
    assert unit_vector([3, 4]) == [0.6, 0.8]
    assert unit_vector([1e-320, 0]) == [1, 0]
    assert [unit_vector(numbers) for numbers in ([], [0, 0], [1, nan], [inf, 1], [1.7e308, 1.7e308])] == [None] * 5


def test_batches_keep_the_order_and_respect_count_and_size() -> None:
    assert list(batches(["a", "b", "c"], most=2, size=100)) == [["a", "b"], ["c"]]
    assert list(batches(["aa", "ä", "x" * 9, "b"], most=9, size=4)) == [["aa", "ä"], ["x" * 9], ["b"]]
    assert list(batches([], most=2, size=4)) == []


def test_a_processor_without_the_instructions_is_told_by_its_flags() -> None:
    assert missing_instructions("processor : 0\nflags\t\t: fpu avx avx2 fma\n") == []
    assert missing_instructions("processor : 0\nflags\t\t: fpu avx sse4_2 fma4\n") == ["AVX2", "FMA"]


class Moody:
    """An embedder that is away as long as it is told to be."""

    model = "moody"

    def __init__(self) -> None:
        self.away = True
        self.calls = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def warm(self) -> None:
        await self.query("")

    async def query(self, text: str) -> Vector:
        self.calls += 1
        await self.gate.wait()
        if self.away:
            raise EmbedderAway("It is away.")
        return [1.0]

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return [await self.query(text) for text in texts]

    async def close(self) -> None:
        self.calls = -1


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def opened(moody: Moody, clock: Clock) -> CircuitBreaker:
    breaker = CircuitBreaker(moody, clock=clock)
    for _ in range(3):
        with pytest.raises(EmbedderAway):
            await breaker.query("x")
    return breaker


async def test_after_three_failures_in_a_row_nobody_is_asked_for_thirty_seconds() -> None:
    moody, clock = Moody(), Clock()
    breaker = await opened(moody, clock)
    moody.away = False
    clock.now += 29.9

    with pytest.raises(EmbedderAway, match=r"It is away\."):
        await breaker.passages(["x"])
    assert moody.calls == 3
    clock.now += 0.1
    assert await breaker.query("x") == [1.0]
    assert await breaker.passages(["x"]) == [[1.0]]


async def test_a_success_between_failures_keeps_the_breaker_closed() -> None:
    moody = Moody()
    breaker = CircuitBreaker(moody, clock=Clock())
    for away in (True, True, False, True, True, False):
        moody.away = away
        await asyncio.gather(breaker.warm(), return_exceptions=True)

    assert moody.calls == 6


async def test_only_one_call_tries_and_when_it_fails_the_wait_begins_anew() -> None:
    moody, clock = Moody(), Clock()
    breaker = await opened(moody, clock)
    clock.now += 30
    moody.gate.clear()
    trial = asyncio.create_task(breaker.query("x"))
    await asyncio.sleep(0)

    with pytest.raises(EmbedderAway):
        await breaker.query("x")
    moody.gate.set()
    await asyncio.gather(trial, return_exceptions=True)
    clock.now += 29
    with pytest.raises(EmbedderAway):
        await breaker.query("x")
    assert moody.calls == 4


async def test_a_try_that_is_cancelled_leaves_room_for_the_next() -> None:
    moody, clock = Moody(), Clock()
    breaker = await opened(moody, clock)
    clock.now += 30
    moody.gate.clear()
    trial = asyncio.create_task(breaker.query("x"))
    await asyncio.sleep(0)
    trial.cancel()
    with pytest.raises(asyncio.CancelledError):
        await trial
    assert moody.calls == 4
    moody.gate.set()
    moody.away = False

    assert await breaker.query("x") == [1.0]
