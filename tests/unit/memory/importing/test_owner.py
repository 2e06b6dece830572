"""Who is "I" in an export of Telegram: said, written there, known here, or the only one who is left."""

from pathlib import Path
from typing import Any

import pytest

from memory.errors import Refused
from memory.importing import owner
from memory.importing.account import Account
from memory.importing.files import find_export
from memory.importing.owner import ExportOwner
from memory.importing.reader import scan_export
from memory.importing.telegram import exported_id
from tests.exports import ADA, BEN, ZONE, as_json, telegram_account, telegram_chat, telegram_message
from tests.tables import table

BOTH = (telegram_message(1, "Hello", BEN), telegram_message(2, "Hi", ADA), telegram_message(3, "Well?", BEN))
CLEO = telegram_message(4, "Hey", ("user333", "Cleo"))


def account(folder: Path, document: dict[str, Any]) -> Account:
    return scan_export(find_export(as_json(folder, document)), ZONE).account


def me_in(account: Account, person: str, asked: str | None) -> ExportOwner:
    return owner.find_owner(account, person, exported_id(person), asked)


def group(*more: dict[str, Any]) -> dict[str, Any]:
    return telegram_chat(*BOTH, *more, type="private_supergroup", id=9)


@table("asked", ["Ben", "ben", "user222", "222", " @Ben "])
def test_whoever_says_who_they_are_is_believed(tmp_path: Path, asked: str) -> None:
    assert me_in(account(tmp_path, telegram_account(group())), "telegram:111", asked) == ExportOwner("user222", "Ben")


@table("person", ["terminal:ada", "telegram:111"])
def test_the_account_says_whose_it_is(tmp_path: Path, person: str) -> None:
    assert me_in(account(tmp_path, telegram_account(group(CLEO))), person, None) == ExportOwner("user111", "Ada")


@table("document", [telegram_account(group(CLEO)), telegram_chat(*BOTH)])
def test_nobody_gets_the_words_of_another_account_unasked(tmp_path: Path, document: dict[str, Any]) -> None:
    found = account(tmp_path, document)
    with pytest.raises(Refused, match=r"for telegram:333, but it belongs to Ada \(user111\)\."):
        me_in(found, "telegram:333", None)

    assert me_in(found, "telegram:333", "111") == ExportOwner("user111", "Ada")


def test_an_owner_by_whose_number_nobody_speaks_is_not_believed(tmp_path: Path) -> None:
    found = account(tmp_path, telegram_account(group(CLEO), own=999))
    with pytest.raises(Refused, match=r"Which of these are you\?"):
        me_in(found, "terminal:ada", None)

    assert me_in(found, "terminal:ada", "999") == ExportOwner("user999", "user999")


def test_who_only_listened_is_told_from_the_other_side(tmp_path: Path) -> None:
    listened = telegram_chat(BOTH[0], BOTH[2])
    with pytest.raises(Refused, match=r"no messages of yours, only from Ben \(user222\)\."):
        me_in(account(tmp_path, listened), "terminal:ada", None)

    assert me_in(account(tmp_path, listened), "terminal:ada", "111") == ExportOwner("user111", "user111")
    assert me_in(account(tmp_path, listened), "telegram:111", None) == ExportOwner("user111", "user111")
    assert me_in(account(tmp_path, telegram_account(listened)), "terminal:ada", None) == ExportOwner(
        "user111", "user111"
    )


def test_who_is_known_here_by_the_number_is_known_there(tmp_path: Path) -> None:
    assert me_in(account(tmp_path, group(CLEO)), "telegram:333", None) == ExportOwner("user333", "Cleo")


@table("person", ["terminal:ada", "telegram:111"])
def test_in_a_chat_of_two_it_is_the_other_one(tmp_path: Path, person: str) -> None:
    assert me_in(account(tmp_path, telegram_chat(*BOTH)), person, None) == ExportOwner("user111", "Ada")


def test_a_chat_of_two_tells_it_for_all(tmp_path: Path) -> None:
    saved = telegram_chat(telegram_message(1, "Note"), type="saved_messages", id=111)
    for known in (telegram_chat(*BOTH), saved):
        found = account(tmp_path, telegram_account(group(CLEO), known, own=None))
        assert me_in(found, "terminal:ada", None) == ExportOwner("user111", "Ada")


@table("asked", [None, "Dora", "", "user"])
def test_where_nobody_can_tell_one_is_asked_with_the_names(tmp_path: Path, asked: str | None) -> None:
    with pytest.raises(Refused) as refusal:
        me_in(account(tmp_path, group(CLEO)), "terminal:ada", asked)

    assert str(refusal.value).endswith(
        "Use --as with a name or a number: Ben (user222), Ada (user111), Cleo (user333)."
    )


SHIFTED = 1 << 32


@table("shift", [0, SHIFTED])
@table("own", [111, None])
def test_numbers_of_old_exports_are_those_of_today(tmp_path: Path, shift: int, own: int | None) -> None:
    """Their chats tell the kind in their number; who speaks in them does so in some years only."""
    said = [telegram_message(1, "Hi", from_id=222 + shift), telegram_message(2, "Ho", from_id=111 + shift)]
    found = account(tmp_path, telegram_account(telegram_chat(*said, id=222 + SHIFTED), own=own))

    assert found.message_counts.keys() == {"user111", "user222"}
    assert me_in(found, "terminal:ada", None).id == "user111"


def test_a_number_of_today_may_be_as_large_as_an_old_one(tmp_path: Path) -> None:
    large = (f"user{SHIFTED + 222}", "Ben")
    found = account(tmp_path, telegram_chat(telegram_message(1, "Hi", large), BOTH[1], id=SHIFTED + 222))

    assert me_in(found, "terminal:ada", None) == ExportOwner("user111", "Ada")


def test_a_name_that_two_people_have_does_not_do(tmp_path: Path) -> None:
    namesake = telegram_message(4, "Hey", ("user333", "Ada"))
    with pytest.raises(Refused, match=r": Ada \(user111\), Ada \(user333\)\."):
        me_in(account(tmp_path, group(namesake)), "terminal:ada", "Ada")


def test_of_very_many_the_most_talkative_are_named(tmp_path: Path) -> None:
    crowd = [telegram_message(n, "Hi", (f"user{n}", f"Name{n}")) for n in range(1000, 1100)]
    with pytest.raises(Refused) as refusal:
        me_in(account(tmp_path, group(*crowd)), "terminal:ada", None)

    assert str(refusal.value).count("(user") == 20
    assert str(refusal.value).endswith(", ….")


def test_where_nobody_speaks_nobody_is_asked(tmp_path: Path) -> None:
    silent = telegram_chat({"id": 1, "type": "service", "date": "2020-01-01T00:00:00"}, type="private_group")

    assert me_in(account(tmp_path, silent), "terminal:ada", None) == ExportOwner("", "")
