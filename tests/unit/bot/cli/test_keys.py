"""The list of keys: aligned, without a secret, and whatever a name holds in one line; and whose word a key carries."""

import json
from datetime import UTC, datetime

import pytest

from bot import texts
from bot.cli.keys import describe_holder, keys_as_json, keys_as_table, parse_scopes
from bot.language import available_languages, use_language
from db.queries.people.keys import KeyRow
from db.vocabulary import Scope
from memory.errors import Refused
from tests.tables import table

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
EVENING = datetime(2026, 11, 16, 18, 30, tzinfo=UTC)
OWNER = KeyRow("key_01", "api:ada", None, frozenset(Scope), "my laptop", NOON, EVENING, None)
AGENT = KeyRow("key_02", None, "coder", frozenset({Scope.READ}), "", NOON, None, EVENING)


def test_keys_stand_below_each_other_with_a_dash_for_what_is_not() -> None:
    assert keys_as_table([OWNER, AGENT]) == (
        "id      name       for         agent  scopes            created (UTC)     last used         revoked\n"
        "key_01  my laptop  api:ada     –      read,write,admin  2026-11-16 12:00  2026-11-16 18:30  –\n"
        "key_02  –          the tenant  coder  read              2026-11-16 12:00  –                 2026-11-16 18:30"
    )


def test_without_keys_the_list_says_how_to_make_one() -> None:
    assert keys_as_table([]) == texts.KEYS_NONE
    assert json.loads(keys_as_json([])) == []


def test_a_name_that_drives_terminals_or_hides_stands_in_its_line_and_harmless() -> None:
    nasty = KeyRow("key_03", None, None, frozenset({Scope.READ}), "a\n\x1b[2Jb\u202e键", NOON, None, None)
    _, line = keys_as_table([nasty]).splitlines()

    assert "\x1b" not in line
    assert "\u202e" not in line
    assert "键" in line


def test_a_program_reads_the_list_as_json() -> None:
    first, second = json.loads(keys_as_json([OWNER, AGENT]))

    assert first == {
        "id": "key_01",
        "name": "my laptop",
        "user": "api:ada",
        "agent": None,
        "scopes": ["admin", "read", "write"],
        "created_at": "2026-11-16T12:00:00+00:00",
        "last_used_at": "2026-11-16T18:30:00+00:00",
        "revoked_at": None,
    }
    assert (second["user"], second["agent"], second["last_used_at"]) == (None, "coder", None)


@table(
    ("words", "scopes"),
    [("read", ["read"]), ("write, read", ["write", "read"]), ("admin,admin", ["admin"])],
)
def test_scopes_are_named_with_commas_between_them(words: str, scopes: list[str]) -> None:
    assert parse_scopes(words) == scopes


@table("words", ["", ",", "read,", "READ", "read write", "everything", "read;write"])
def test_what_is_no_scope_is_refused_with_what_is_wanted(words: str) -> None:
    with pytest.raises(Refused, match="read, write or admin"):
        parse_scopes(words)


@table("language", available_languages())
def test_whose_word_a_key_carries_is_told_for_each_kind_of_key(language: str) -> None:
    with use_language(language):
        told = [describe_holder(user, agent) for user in ("api:ada", None) for agent in (None, "coder")]

    assert len(set(told)) == 4
    assert [("api:ada" in each, "coder" in each) for each in told] == [
        (True, False),
        (True, True),
        (False, False),
        (False, True),
    ]
