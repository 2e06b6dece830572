"""The words of the languages: one file each, checked when they are loaded, made into patterns at their first use."""

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import BaseModel

from memory.language import lexicon, lexicon_cache
from memory.language.claims.drift import DriftSource, unsupported_claims
from memory.language.claims.negation import negations_in
from memory.language.detection import likely_languages
from memory.language.lexicon import LexiconError, languages
from memory.language.lexicon_cache import warm_lexicon, warming_lexicon
from memory.language.orders import find_forget_orders, find_orders
from memory.language.precheck import may_hold_fact
from memory.language.sensitivity import sensitivity_of
from memory.language.small_talk import needs_recall
from memory.language.time.dates import annotate_dates
from memory.language.time.numbers import numbers_in
from memory.language.time.time_spans import time_span_in
from memory.language.topics import topics_in
from memory.language.transient import is_transient
from memory.language.yes_and_no import is_plain_yes, starts_with_no
from memory.privacy.redaction import redact
from memory.translation import available_languages, match_language, translate, use_language
from tests.made_up_language import FOLDER, languages_of
from tests.tables import table

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)  # a Wednesday
MADE_UP = (FOLDER / "vo.toml").read_text()


def test_every_language_that_has_words_has_a_catalogue() -> None:
    assert available_languages() == tuple(languages()) == ("en", "es", "de", "fr", "pt", "ru", "ar", "hi", "zh")


def texts_in(section: BaseModel, path: str) -> Iterator[tuple[str, str]]:
    for name, value in section:
        if isinstance(value, BaseModel):
            yield from texts_in(value, f"{path}.{name}")
        elif isinstance(value, str):
            yield f"{path}.{name}", value


@table("code", available_languages())
def test_every_pattern_of_a_language_is_one_and_never_matches_nothing(code: str) -> None:
    """What matches the empty text would match anywhere."""
    wrong = [path for path, source in texts_in(languages()[code], code) if re.compile(source).fullmatch("")]

    assert wrong == []


def test_a_made_up_language_is_one_file_and_one_catalogue() -> None:
    words = "mipo drako blinka Alec"
    assert (find_orders(f"zorbu kwa {words}"), match_language("vo")) == ([], "en")
    with languages_of():
        [kept], [forgotten] = find_orders(f"Zorbu kwa {words}!"), find_forget_orders(f"glorbu {words}")
        assert (kept.words, forgotten.words) == (words, words)
        assert find_orders(f"Nupo zorbu kwa {words}") == []
        assert (is_plain_yes("Yumpa, mirka"), starts_with_no("nupo"), starts_with_no("nupo gruz")) == (
            True,
            True,
            False,
        )
        assert (may_hold_fact(f"hojo, {words}"), may_hold_fact("kunta mipo drako")) == (True, False)
        assert (is_transient("mo blinka tirzi"), is_transient("ewiko mo blinka tirzi")) == (True, False)
        assert negations_in(f"nupo {words}") == {"nupo"}
        assert annotate_dates("mo blinka nexu frizi", NOON) == "mo blinka nexu frizi (2026-11-27)"
        assert time_span_in("gestu", NOON) == time_span_in("yesterday", NOON)
        assert [number.values for number in numbers_in("mo vlabu trik kwa", "made-up")] == [{3}]
        assert likely_languages(["mipo", "kwa", "mo"]) == ("made-up",)
        assert (sensitivity_of("mipo kankrozika"), sensitivity_of("fonzi 5551234")) == ("high", "low")
        told = ("kodzi vlam hizu gluk7", "kodzi vlam: gluk", "kodzi vlam: wozu", "klofzi: gluk7", "klofzi: gluk")
        assert [bool(redact(each).kinds) for each in told] == [True, True, False, True, False]
        assert (needs_recall("hojo gluk"), topics_in(["blip marathon", "blip marathon"])) == (False, ["marathon"])
        assert unsupported_claims("Alec blinka.", [DriftSource("mo", NOON)]) == ["Alec"]
        with use_language("vo"):
            assert translate("✓ Deleted [{id}]: {content}") == "✓ Glorbuda [{id}]: {content}"
        assert find_orders("merk dir, dass ich Tee mag")
    assert (find_orders(f"zorbu kwa {words}"), match_language("vo")) == ([], "en")


def needed(shape: type[BaseModel], *path: str) -> Iterator[tuple[str, ...]]:
    """The keys that every language must have."""
    for name, field in shape.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from needed(field.annotation, *path, name)
        elif field.is_required():
            yield (*path, name)


def without(*path: str) -> str:
    """The made-up file, but for one key."""
    *table_of, key = path
    kept: list[str] = []
    now_in: list[str] = []
    for line in MADE_UP.splitlines():
        now_in = line.strip("[]").split(".") if line.startswith("[") else now_in
        if now_in != table_of or not line.startswith(f"{key} = "):
            kept.append(line)
    return "\n".join(kept)


@table("path", [*needed(lexicon.Language)])
def test_a_key_that_is_left_out_is_named_with_its_file(path: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "vo.toml").write_text(without(*path))
    told = rf"^vo\.toml: {re.escape('.'.join(path))}: Field required$"

    with languages_of(tmp_path), pytest.raises(LexiconError, match=told):
        languages()


@table(
    ("before", "after", "told"),
    [
        ("[orders]\n", "[orders]\nremembr = 'zorbu'\n", "orders.remembr: Extra inputs are not permitted"),
        ("[passing]\n", "[mood]\n", "passing: Field required; mood: Extra inputs are not permitted"),
        ("rank = 100", "rank = 'high'", "rank: Input should be a valid integer"),
        ("remember = 'zorbu'", "remember = '{memory}'", "orders: Value error, no part is called memory"),
        ("remember = 'zorbu'", "remember = [1]", "orders.remember: Input should be a valid string"),
        ("remember = 'zorbu'", "remember = 'zorbu", "invalid character"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(before: str, after: str, told: str, tmp_path: Path) -> None:
    assert before in MADE_UP
    (tmp_path / "vo.toml").write_text(MADE_UP.replace(before, after, 1))

    with languages_of(tmp_path), pytest.raises(LexiconError) as trouble:
        languages()
    assert str(trouble.value).startswith("vo.toml: ")
    assert told in str(trouble.value)


IMPORTED = """
import bot.cli.main, bot.telegram.app, api.serving
from memory.language.lexicon_cache import _cached
print(len(_cached) > 20, [make.__wrapped__.__name__ for make in _cached if make.cache_info().currsize])
"""


def test_no_words_are_read_and_no_pattern_is_made_when_the_program_is_imported() -> None:
    ran = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True)

    assert ran.stdout == "True []\n"


def test_what_was_warmed_is_made() -> None:
    warm_lexicon()

    assert [make for make in lexicon_cache._cached if not make.cache_info().currsize] == []  # type: ignore[attr-defined]


async def test_who_leaves_early_waits_for_what_is_being_made_and_for_nothing_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, left = threading.Event(), threading.Event()
    made: list[str] = []
    threads: list[threading.Thread] = []

    def first() -> None:
        threads.append(threading.current_thread())
        begun.set()
        left.wait()
        made.append("first")

    def second() -> None:
        made.append("second")

    monkeypatch.setattr(lexicon_cache, "_cached", [first, second])
    async with warming_lexicon():
        await asyncio.to_thread(begun.wait)
        asyncio.get_running_loop().call_soon(left.set)

    assert made == ["first"]
    assert [thread.is_alive() for thread in threads] == [False]
