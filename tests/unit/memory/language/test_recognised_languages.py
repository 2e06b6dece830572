"""Languages that are only recognised: a file of theirs is read, and one that does not fit is named with its key."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.language.detection import likely_languages, script_language
from memory.language.lexicon import LexiconError, recognised_languages
from memory.language.lexicon_cache import set_extra_folders
from tests.tables import table

LATIN = 'name = "elvish"\nrank = 500\n[detection]\nscript = "latin"\nfunction_words = ["ilya", "elen"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "recognised").mkdir()
    yield tmp_path
    set_extra_folders()


def test_a_language_is_recognised_once_its_file_is_there(folder: Path) -> None:
    (folder / "recognised" / "qq.toml").write_text(LATIN)
    assert likely_languages(["ilya", "elen"]) == ()

    set_extra_folders(folder)

    assert likely_languages(["ilya", "elen"]) == ("elvish",)


def test_among_languages_of_one_script_letters_tell_and_the_first_rank_has_the_rest(folder: Path) -> None:
    marked = LATIN.replace('"latin"', '"cyrillic"\nletters = "ґї"')
    (folder / "recognised" / "qq.toml").write_text(marked)

    set_extra_folders(folder)

    assert [script_language(word) for word in ("їжак", "еж")] == ["elvish", "russian"]


@table(
    ("wrong", "told"),
    [
        (LATIN.replace('function_words = ["ilya", "elen"]\n', ""), "detection.function_words: Field required"),
        (f'{LATIN}stop_words = ["a"]\n', "detection.stop_words: Extra inputs are not permitted"),
        (LATIN.replace("rank = 500\n", ""), "rank: Field required"),
        (f'{LATIN}[orders]\nverbs = ["a"]\n', "orders: Extra inputs are not permitted"),
    ],
)
def test_a_file_with_a_missing_or_unknown_key_is_refused_with_its_name_and_the_key(
    folder: Path, wrong: str, told: str
) -> None:
    (folder / "recognised" / "qq.toml").write_text(wrong)
    set_extra_folders(folder)

    with pytest.raises(LexiconError) as refused:
        recognised_languages()

    assert str(refused.value) == f"qq.toml: {told}"
