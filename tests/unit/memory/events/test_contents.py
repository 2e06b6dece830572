"""Contents of events: what is taken out of their fields, and that names are words too."""

from typing import Any

from db.vocabulary import ActorType, ArtifactKind, EventKind, Sensitivity
from memory.events.contents import content_length, redact_content, texts_in
from memory.events.record import EventDraft, prepare
from memory.ledgers.artifacts import prepare_artifact
from memory.model.tools.ledger_entries import entry_text
from tests.conftest import NOON
from tests.tables import table

OUT = "[password left out]"
CARD = "[card number left out]"


@table(
    ("given", "kept"),
    [
        ({"tool": "login", "args": {"password": "Tr0ub4dor&3xyz"}}, {"tool": "login", "args": {"password": OUT}}),
        ({"env": {"DB_PASSWORD": "correct horse battery"}}, {"env": {"DB_PASSWORD": OUT}}),
        ({"accessToken": "abcdefghijk", "SIGNING_KEY": "abcdefghijk"}, {"accessToken": OUT, "SIGNING_KEY": OUT}),
        ({"passwords": ["hunter2", ["swordfish"]]}, {"passwords": [OUT, [OUT]]}),
        ({"Authorization": "Basic dXNlcjpwYXNz"}, {"Authorization": OUT}),
        ({"пароль": "кошка123", "密码": "maomi"}, {"пароль": OUT, "密码": OUT}),
        ({"pin": 4829, "password": 123456}, {"pin": OUT, "password": OUT}),
        ({"card": 4111111111111111, "cards": [4111111111111111]}, {"card": CARD, "cards": [CARD]}),
        ({"password=hunter2-hunter3": 1}, {f"password={OUT}": 1}),
        ({"password": "see AKIAIOSFODNN7EXAMPLE"}, {"password": OUT}),
    ],
)
def test_a_name_tells_that_its_value_is_a_secret(given: dict[str, Any], kept: dict[str, Any]) -> None:
    left_out: list[str] = []

    assert redact_content(given, left_out) == kept
    assert left_out
    assert redact_content(kept, []) == kept  # nothing is found twice


@table(
    "harmless",
    [
        {"max_tokens": 65_000, "input_tokens": 12_345, "key_count": 12_345_678},
        {"pinned": 12_345, "ping_ms": 1_234, "pass": 120, "fail": 3},
        {"passport": "green", "compass": "north", "passenger": "Bob", "monkey": "see"},
        {"password": None, "has_password": True, "token": "", "secret": "no"},
        {"key": "ArrowDown", "Key": "settings.theme", "issue": {"key": "HOUSE-1234"}},
        {"at": 1_700_000_000_000, "size": -4_111_111_111_111_111, "share": 0.5, "huge": 10**5000},
    ],
)
def test_what_only_looks_like_such_a_name_or_value_stays(harmless: dict[str, Any]) -> None:
    left_out: list[str] = []

    assert redact_content(harmless, left_out) == harmless
    assert left_out == []


def test_what_is_told_of_a_file_holds_no_secret_by_its_name() -> None:
    meta = {"name": "x.txt", "password": "hunter2-hunter3", "card": 4111111111111111}

    assert prepare_artifact(b"words", kind=ArtifactKind.BLOB, meta=meta).meta == {
        "name": "x.txt",
        "password": OUT,
        "card": CARD,
    }


def test_names_are_words_too() -> None:
    content = {"text": "hi", "I was diagnosed with HIV last year": True}
    prepared = prepare(EventDraft(ActorType.HUMAN, "user", EventKind.MESSAGE, content), NOON)

    assert prepared.event.sensitivity == Sensitivity.HIGH
    assert list(texts_in({"a": ["b", {"c": 1}]})) == ["b", "c", "a"]
    assert entry_text({"decision": "Paint", "scope": "user", "Ada is late": True}) == "Paint\nAda is late"


@table("long", [{"x" * 5_000: 1}, {"a": [""] * 5_000}, {"a": [0] * 5_000}, {"a": ["x" * 5_000]}])
def test_a_content_is_as_long_as_it_takes_to_look_it_through(long: dict[str, Any]) -> None:
    assert content_length(long) >= 5_000
