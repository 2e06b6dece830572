"""Identifiers: short ones fit what the database wants, timed ones sort by time."""

import re
from datetime import timedelta

from db.ids import named_id, short_id, timed_id
from tests.conftest import NOON


def test_short_ids_are_eight_letters_or_digits_and_differ() -> None:
    made = {short_id() for _ in range(1000)}

    assert len(made) == 1000
    assert all(re.fullmatch("[A-Za-z0-9]{8}", each) for each in made)


def test_timed_ids_sort_by_time() -> None:
    made = [timed_id("evt", NOON + timedelta(milliseconds=ms)) for ms in range(50)]

    assert made == sorted(made)
    assert re.fullmatch("evt_[0-9A-HJKMNP-TV-Z]{26}", made[0])


def test_named_ids_are_the_same_for_the_same_names_and_no_others() -> None:
    made = named_id("cnv", "ab", "c")

    assert made == named_id("cnv", "ab", "c")
    assert re.fullmatch("cnv_[0-9A-HJKMNP-TV-Z]{26}", made)
    assert len({made, named_id("cnv", "a", "bc"), named_id("cnv", "abc"), named_id("cnv", "ab", "c", "")}) == 4
