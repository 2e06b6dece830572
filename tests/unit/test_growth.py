"""The measure of growth itself: it tells a square from a line, also on a machine that has other things to do."""

import threading
import time
from random import Random

import pytest

from tests.growth import Growth, growth

pytestmark = pytest.mark.no_cover


def line(text: str) -> int:
    return sum(map(ord, text))


def square(text: str) -> int:
    return sum(one is other for one in text for other in text)


def test_a_line_is_in_proportion() -> None:
    assert growth(line, "a" * 500_000).is_in_proportion


def test_sorting_is_in_proportion() -> None:
    assert growth(sorted, "".join(Random(1).choices("abcdefgh", k=200_000))).is_in_proportion


def test_a_square_is_not() -> None:
    assert not growth(square, "a" * 2_000).is_in_proportion


def test_what_other_threads_do_meanwhile_does_not_count() -> None:
    over = threading.Event()

    def spin() -> None:
        while not over.is_set():
            line("a" * 1_000)

    others = [threading.Thread(target=spin) for _ in range(3)]
    for other in others:
        other.start()
    began = time.perf_counter()
    linear, quadratic = growth(line, "a" * 500_000), growth(square, "a" * 2_000)
    waited = time.perf_counter() - began
    over.set()
    for other in others:
        other.join()

    assert waited > 2 * (linear.long + quadratic.long)
    assert linear.is_in_proportion
    assert not quadratic.is_in_proportion


def test_a_try_that_was_disturbed_is_made_up_for_by_the_next_one() -> None:
    disturbed = iter([0, 0, 50])  # the first call, a tenth, and then the text

    def work(text: str) -> None:
        for _ in range(1 + next(disturbed, 0)):
            line(text)

    assert growth(work, "a" * 200_000).is_in_proportion


@pytest.mark.parametrize(("long", "is_fine"), [(0.10, True), (0.40, True), (0.50, False), (1.00, False)])
def test_four_times_the_proportion_is_the_limit(long: float, is_fine: bool) -> None:
    assert Growth(long, 0.01).is_in_proportion is is_fine
