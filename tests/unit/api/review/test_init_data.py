"""Telegram's word for who opened a Mini App: every part of it counts, and nothing else does."""

import json
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode

from api.review.init_data import AHEAD, LASTS, TelegramUser, verify_init_data
from tests.conftest import NOON
from tests.mini_app import TOKEN, init_data, signed
from tests.tables import table

ADA = {"id": 279058397, "first_name": "Ada", "username": "ada_l", "language_code": "en"}


def test_who_it_is_is_known_from_what_telegram_signed() -> None:
    assert verify_init_data(init_data(ADA, NOON), TOKEN, NOON) == TelegramUser(279058397, "ada_l", NOON)


def test_the_order_of_the_fields_does_not_matter() -> None:
    pairs = parse_qsl(init_data(ADA, NOON))

    assert verify_init_data(urlencode(pairs[::-1]), TOKEN, NOON) == TelegramUser(279058397, "ada_l", NOON)


def test_a_signature_for_others_is_one_of_the_signed_fields() -> None:
    data = init_data(ADA, NOON, signature="abc-DEF_123")

    assert verify_init_data(data, TOKEN, NOON) is not None
    assert verify_init_data(data.replace("abc-DEF_123", "abc-DEF_124"), TOKEN, NOON) is None


@table("field", ["query_id", "user", "auth_date", "hash"])
def test_whatever_is_changed_or_left_out_is_noticed(field: str) -> None:
    fields = dict(parse_qsl(init_data(ADA, NOON)))

    changed = {**fields, field: f"{fields[field][:-1]}{'1' if fields[field][-1] == '0' else '0'}"}
    missing = {name: value for name, value in fields.items() if name != field}

    assert changed != fields
    assert verify_init_data(urlencode(changed), TOKEN, NOON) is None
    assert verify_init_data(urlencode(missing), TOKEN, NOON) is None


def test_what_was_added_later_is_noticed() -> None:
    assert verify_init_data(init_data(ADA, NOON) + "&start_param=x", TOKEN, NOON) is None


@table("field", ["user", "auth_date", "hash", "query_id"])
def test_a_field_that_stands_there_twice_is_refused(field: str) -> None:
    data = init_data(ADA, NOON)
    value = dict(parse_qsl(data))[field]

    assert verify_init_data(f"{data}&{urlencode({field: value})}", TOKEN, NOON) is None
    assert verify_init_data(f"{urlencode({field: value})}&{data}", TOKEN, NOON) is None


def test_another_bot_cannot_vouch_for_anybody() -> None:
    assert verify_init_data(init_data(ADA, NOON, "654321:another"), TOKEN, NOON) is None


@table(
    ("age", "is_taken"),
    [
        (timedelta(0), True),
        (LASTS, True),
        (LASTS + timedelta(seconds=1), False),
        (timedelta(days=400), False),
        (-AHEAD, True),
        (-AHEAD - timedelta(seconds=1), False),
        (-timedelta(days=1), False),
    ],
)
def test_it_holds_for_ten_minutes_and_not_before_its_time(age: timedelta, is_taken: bool) -> None:
    assert (verify_init_data(init_data(ADA, NOON - age), TOKEN, NOON) is not None) is is_taken


@table("told", ["", "soon", "-1", "1e9", "9" * 15, "９９９", "1731758400.5", " 1731758400"])
def test_a_day_that_is_none_is_refused(told: str) -> None:
    assert verify_init_data(init_data(ADA, NOON, auth_date=told), TOKEN, NOON) is None


@table(
    "user",
    [
        None,
        [],
        "279058397",
        279058397,
        {},
        {"id": None},
        {"id": "279058397"},
        {"id": True},
        {"id": 2.5},
        {"id": 0},
        {"id": -5},
        {"id": 2**60},
        {"id": [279058397]},
        {"id": 279058397, "is_bot": True},
    ],
)
def test_a_user_who_is_none_is_nobody(user: object) -> None:
    assert verify_init_data(init_data(user, NOON), TOKEN, NOON) is None


@table("told", ["", "{", "{'id': 1}", "[" * 15_000, '{"id": ' + "9" * 6000 + "}", "NaN"])
def test_a_user_that_cannot_be_read_is_nobody(told: str) -> None:
    assert verify_init_data(signed({"auth_date": str(int(NOON.timestamp())), "user": told}), TOKEN, NOON) is None


def test_without_a_user_it_is_nobody() -> None:
    assert verify_init_data(signed({"auth_date": str(int(NOON.timestamp()))}), TOKEN, NOON) is None


@table("name", [None, 7, "", "a b", "ada@l", "x" * 65, "аda"])
def test_a_name_that_is_none_is_left_out(name: object) -> None:
    assert verify_init_data(init_data({**ADA, "username": name}, NOON), TOKEN, NOON) == TelegramUser(
        279058397, "", NOON
    )


def test_lines_cannot_be_drawn_elsewhere_than_they_were_signed() -> None:
    """Two fields as one with a line break in it have the same signature."""
    fields = dict(parse_qsl(init_data(ADA, NOON)))
    merged = {
        "auth_date": f"{fields['auth_date']}\nquery_id={fields['query_id']}",
        "user": fields["user"],
        "hash": fields["hash"],
    }
    split = dict(parse_qsl(signed({"auth_date": fields["auth_date"], "z": f"1\nuser={json.dumps(ADA)}"})))
    split |= {"z": "1", "user": json.dumps(ADA)}

    assert verify_init_data(urlencode(merged), TOKEN, NOON) is None
    assert verify_init_data(urlencode(split), TOKEN, NOON) is None


@table(
    "data",
    [
        "",
        "&",
        "=",
        "hash",
        "hash=",
        "a=1&b",
        "%ff=%fe&hash=00",
        "user=%7B%7D&hash=" + "0" * 64,
        "x" * 100_000,
        "a&" * 99,
    ],
)
def test_what_is_no_data_at_all_is_nobody(data: str) -> None:
    assert verify_init_data(data, TOKEN, NOON) is None


def test_a_hash_in_other_letters_is_none() -> None:
    fields = dict(parse_qsl(init_data(ADA, NOON)))

    assert verify_init_data(urlencode({**fields, "hash": fields["hash"].upper()}), TOKEN, NOON) is None
    assert verify_init_data(urlencode({**fields, "hash": "ａ" * 64}), TOKEN, NOON) is None
