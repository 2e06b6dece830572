"""Sentences with a count have the forms of each language; catalogues that are not compiled are noticed."""

import os
from pathlib import Path

import pytest

from api.review.rendering import fill_in
from memory import translation
from memory.translation import Plural, Texts, catalogue_trouble, translate, use_language
from tests import catalogue_files
from tests.catalogue_files import translations_of
from tests.tables import table

CARDS = Plural("{count} card", "{count} cards")
RUSSIAN = ("{count} карточка", "{count} карточки", "{count} карточек")
ARABIC = ("لا بطاقات", "بطاقة", "بطاقتان", "{count} بطاقات", "{count} بطاقة", "{count} بطاقة!")


def test_the_compiled_catalogues_are_those_of_the_po_files() -> None:
    assert catalogue_trouble() is None, "run `make catalogues`"


@table(("count", "sentence"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), ("1", "1 card"), ("21", "21 cards")])
def test_english_has_two_forms(count: int | str, sentence: str) -> None:
    assert CARDS.format(count=count) == sentence


@table(
    ("language", "forms", "count", "sentence"),
    [
        ("ru", RUSSIAN, 1, "1 карточка"),
        ("ru", RUSSIAN, 2, "2 карточки"),
        ("ru", RUSSIAN, 5, "5 карточек"),
        ("ru", RUSSIAN, 11, "11 карточек"),
        ("ru", RUSSIAN, 21, "21 карточка"),
        ("ar", ARABIC, 0, "لا بطاقات"),
        ("ar", ARABIC, 1, "بطاقة"),
        ("ar", ARABIC, 2, "بطاقتان"),
        ("ar", ARABIC, 3, "3 بطاقات"),
        ("ar", ARABIC, 11, "11 بطاقة!"),
        ("ar", ARABIC, 100, "100 بطاقة"),
        ("zh", ("{count} 张卡片",), 1, "1 张卡片"),
        ("de", ("", ""), 1, "1 card"),
    ],
)
def test_each_language_has_its_own_forms(
    tmp_path: Path, language: str, forms: tuple[str, ...], count: int, sentence: str
) -> None:
    with translations_of(tmp_path, language, {CARDS: forms}), use_language(language):
        assert CARDS.format(count=count) == sentence
        assert fill_in(CARDS, count=count) == sentence.replace(str(count), f"<bdi>{count}</bdi>")


@table(
    ("language", "written"),
    [("en", "65,536"), ("de", "65.536"), ("ru", "65\xa0536"), ("hi", "65,536"), ("zh", "65,536")],
)
def test_large_numbers_are_written_as_each_language_writes_them(tmp_path: Path, language: str, written: str) -> None:
    module = type(translation)("sentences")
    module.LIMIT = "at most {limit:,} bytes of “{name}”"  # type: ignore[attr-defined]
    with translations_of(tmp_path, language, {module.LIMIT: module.LIMIT}), use_language(language):
        expected = f"at most {written} bytes of “a,b”"

        assert Texts(module).LIMIT.format(limit=65_536, name="a,b") == expected
        assert translate(module.LIMIT).format(limit=65_536, name="a,b") == expected
        assert Plural("{n:,} byte", "{n:,} bytes", gap="n").format(n=65_536) == f"{written} bytes"


def test_a_plural_in_a_module_of_sentences_is_translated(tmp_path: Path) -> None:
    module = type(translation)("sentences")
    module.WAITING = {"cards": CARDS}  # type: ignore[attr-defined]
    module.MINUTES = Plural("{minutes} minute", "{minutes} minutes", gap="minutes")  # type: ignore[attr-defined]
    texts = Texts(module)
    with translations_of(tmp_path, "ru", {CARDS: RUSSIAN}), use_language("ru"):
        assert texts.WAITING["cards"].format(count=21) == "21 карточка"
        assert texts.MINUTES.format(minutes=1) == "1 minute"


def test_a_sentence_that_nobody_has_translated_stays_english(tmp_path: Path) -> None:
    with translations_of(tmp_path, "de", {"Bye.": "Tschüss."}), use_language("de-AT"):
        assert (translate("Bye."), translate("Hello."), translate("")) == ("Tschüss.", "Hello.", "")
    assert translate("Bye.") == "Bye."


def test_a_catalogue_that_is_not_compiled_or_out_of_date_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translation, "LOCALE", tmp_path)
    assert catalogue_trouble() == (
        "There are no compiled catalogues, so everything is said in English. Run `make catalogues`."
    )
    source = tmp_path / "de.po"
    source.write_text('msgid ""\nmsgstr "Language: de\\n"\n')
    assert catalogue_trouble() == "These catalogues are not compiled or out of date: de. Run `make catalogues`."
    catalogue_files.compile_catalogue(source)
    assert catalogue_trouble() is None
    os.utime(source, (2e9, 2e9))
    assert catalogue_trouble() == "These catalogues are not compiled or out of date: de. Run `make catalogues`."
