"""Every sentence in every language: complete, with the same gaps, marks and commands, and said to the right person."""

import ast
import asyncio
import re
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

import memory
from bot import catalogues, formatting
from bot import texts as english
from bot.commands.registry import Where, help_text
from bot.language import (
    VOICE,
    known,
    known_languages,
    listed,
    retold,
    speaking,
    spoken,
    spoken_day,
    spoken_moment,
    terminal_language,
    texts,
    translated,
    written,
)
from bot.telegram.sending import keyboards
from memory.errors import KeyMissing, ModelAway, NotFound, Refused
from memory.language.orders import find_orders
from memory.language.yes_and_no import asks_nothing_else, plain_yes, starts_with_no
from tests.tables import table

OTHERS = known_languages()[1:]
SAID = catalogues.sentences()
# The same word in both languages, a name, or nothing but marks.
ALIKE = {
    "ID",
    "id",
    "agent",
    "JWT",
    "No",
    "token",
    "tokens",
    "embedder",
    "messages ({count})",
    "DATABASE_URL, {address}",
    "• {day}, {who}: “{words}”",
    "{speaker}, {moment}",
    "Keepsake",
    "Name",
    "Pages",
    "Version {version}",
}
YES_AND_NO = {
    "en": ("yes", "no"),
    "es": ("sí", "no"),
    "de": ("ja", "nein"),
    "fr": ("oui", "non"),
    "pt": ("sim", "não"),
    "ru": ("да", "нет"),
    "ar": ("نعم", "لا"),
    "hi": ("हाँ", "नहीं"),
    "zh": ("是", "不用"),
}
QUOTED = re.compile(r"[“„«]\s?([^“”„«»]*)\s?[”“»]")


@cache
def words_of(language: str) -> dict[str, str]:
    return {str(each.id): str(each.string) for each in written(language) if each.id}


def traits(sentence: str) -> dict[str, object]:
    """What must be the same in all languages: gaps, commands, names that are typed, lines and how they begin."""
    return {
        "gaps": sorted(re.findall(r"\{[^{}]*\}", sentence)),
        "commands": sorted(re.findall(r"(?<![\w/])/[a-z]+(?: (?:undo|accept|reject|use personal|yes))?", sentence)),
        "names": sorted(re.findall(r"`[^`]+`|[A-Z]+_[A-Z_]+|--\w+|@\w+|Ctrl-\w|(?<![A-Z])ID(?![A-Za-z])", sentence)),
        "lines": re.findall(r"^ +/[a-z]+(?: [a-z]+(?= |$))?", sentence, re.MULTILINE) if "\n" in sentence else [],
        "breaks": sentence.count("\n"),
        "mark": [mark for mark in "✓▸✎•✗‹→�" if mark in sentence],
        "edges": (sentence[: len(sentence) - len(sentence.lstrip())], sentence[len(sentence.rstrip()) :]),
    }


@table("language", OTHERS)
def test_a_catalogue_has_words_for_all_that_is_said_and_for_nothing_else(language: str) -> None:
    words = words_of(language)

    assert list(words) == list(SAID)
    assert [sentence for sentence, told in words.items() if not told] == []
    assert {sentence for sentence, told in words.items() if told == sentence} <= ALIKE


@table("language", OTHERS)
def test_a_translation_has_the_gaps_the_marks_and_the_commands_of_the_sentence(language: str) -> None:
    words = words_of(language)

    assert {s: traits(told) for s, told in words.items()} == {s: traits(s) for s in words}
    assert [told for s, told in words.items() if s[0] in "✓▸✎•✗‹" and told[0] != s[0]] == []


@table("language", OTHERS)
def test_a_catalogue_is_as_the_command_writes_it(language: str) -> None:
    before = (catalogues.FOLDER / f"{language}.po").read_text(encoding="utf-8")

    assert catalogues.as_file(catalogues.updated(written(language), SAID), language) == before


def test_an_error_that_people_read_keeps_its_sentence_apart_from_what_fills_it() -> None:
    """An f-string cannot be looked up, so it may stand only where a model or another program is answered."""
    runtime = Path(memory.__path__[0])
    for_models = catalogues.FOR_MODELS | {"model/tools/add_to_memory.py"}
    for path in runtime.rglob("*.py"):
        if path.relative_to(runtime).as_posix() not in for_models:
            told = catalogues._told(ast.parse(path.read_text(encoding="utf-8")))
            assert [ast.unparse(each) for each in told if isinstance(each, ast.JoinedStr)] == []


@table(
    ("code", "language"),
    [
        ("pt-BR", "pt"),
        ("zh-hans", "zh"),
        ("zh-TW", "zh"),
        ("de_AT", "de"),
        ("de_DE.UTF-8", "de"),
        ("ru_RU@euro", "ru"),
        ("RU", "ru"),
        ("tlh", "en"),
        ("C.UTF-8", "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_a_code_means_a_language_that_we_speak_or_english(code: str | None, language: str) -> None:
    assert known(code) == language


def test_the_terminal_speaks_what_is_set_first() -> None:
    assert terminal_language({"LC_ALL": "", "LC_MESSAGES": "fr_FR.UTF-8", "LANG": "de_DE.UTF-8"}) == "fr_FR.UTF-8"
    assert terminal_language({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}) == "C"
    assert terminal_language({}) is None


async def test_two_people_are_answered_at_once_each_in_their_language() -> None:
    ready = asyncio.Barrier(2)

    async def ask(code: str) -> list[str]:
        with speaking(code):
            before = texts.GOODBYE
            await ready.wait()
            return [before, texts.GOODBYE, VOICE.phrases().welcome]

    german, french = await asyncio.gather(ask("de"), ask("fr"))

    assert german == ["Tschüss.", "Tschüss.", "Gern geschehen."]
    assert french == ["Au revoir.", "Au revoir.", "Je t'en prie."]
    assert texts.GOODBYE == "Bye."


def test_what_a_catalogue_lacks_is_said_in_english() -> None:
    with speaking("de"):
        assert translated("Nobody has translated this.") == "Nobody has translated this."
        assert texts.PROMPT == english.PROMPT


def test_an_error_is_told_to_a_person_in_their_language_and_to_a_model_in_english() -> None:
    refusal = Refused("A space needs a name of 1 to {most} characters.", most=100)
    with speaking("de"):
        assert spoken(refusal) == "Ein Raum braucht einen Namen von 1 bis 100 Zeichen."
        assert spoken(NotFound()) == ""
        assert spoken(KeyMissing("{braces} of a person's own")) == "{braces} of a person's own"
    assert spoken(refusal) == str(refusal) == "A space needs a name of 1 to 100 characters."
    assert str(ModelAway("The model took longer than {most:g} seconds.", most=0.5)).endswith("0.5 seconds.")


def test_what_a_tool_refused_is_told_again_in_the_language_that_is_spoken() -> None:
    with speaking("fr"):
        assert retold("Not stored: a fact has 5 to 500 characters.") == "Pas retenu : un fait a de 5 à 500 caractères."
        assert retold("Not kept: a text has at most 1,000 bytes.") == "Pas gardé : un texte a au plus 1,000 octets."
        assert retold("Something else {most}") == "Something else {most}"
    assert retold("Not stored: a fact has 5 to 500 characters.") == "Not stored: a fact has 5 to 500 characters."


def test_a_day_has_its_name_in_every_language() -> None:
    told = {}
    for language in known_languages():
        with speaking(language):
            told[language] = spoken_day(date(2026, 11, 17))
    assert told["en"] == "17 November 2026"
    assert told["de"] == "17. November 2026"
    assert told["es"] == "17 de noviembre de 2026"
    assert told["ru"] == "17 ноября 2026\u202fг."
    assert told["zh"] == "2026年11月17日"
    assert len(set(told.values())) == len(known_languages())
    moment = datetime(2026, 11, 17, 7, 36, tzinfo=UTC).astimezone(ZoneInfo("Europe/Berlin"))
    assert spoken_moment(moment) == "17 November 2026 08:36"


def test_things_are_listed_with_an_and_or_an_or() -> None:
    assert (listed(["a", "b"]), listed(["a", "b"], either=True)) == ("a and b", "a or b")
    with speaking("de"):
        assert (listed(["a", "b"]), listed(["a", "b"], either=True)) == ("a und b", "a oder b")


@table("language", known_languages())
def test_what_an_order_looks_like_is_told_in_words_that_are_understood_as_one(language: str) -> None:
    with speaking(language):
        for told in map(help_text, Where):
            example = QUOTED.search(told.split("\n")[0])
            assert example
            assert find_orders(example[1]), example[1]
        for told in (texts.HINT, texts.OFFLINE.greeting, texts.OFFLINE.nothing_known, texts.NOTHING_REMEMBERED):
            example = QUOTED.search(told)
            assert example
            assert find_orders(re.sub(r"\s*…+\s*", " Alec 123 ", example[1])), example[1]


@table("language", known_languages())
def test_the_yes_and_the_no_that_a_card_asks_for_are_understood(language: str) -> None:
    assert language in YES_AND_NO
    yes, no = YES_AND_NO[language]
    with speaking(language):
        assert yes in texts.ANSWER_ONE
        assert no in texts.ANSWER_ONE
        assert asks_nothing_else(texts.OFFLINE.asked)
        assert starts_with_no(texts.BUTTON_NO)
    assert plain_yes(yes)
    assert starts_with_no(no)
    assert not starts_with_no(yes)


@table("language", known_languages())
def test_menus_and_buttons_have_room_for_their_words(language: str) -> None:
    alerts = {"BUTTON_OLD", "BUTTON_NOT_YOURS"}
    with speaking(language):
        assert all(1 <= len(told) <= 256 for told in texts.MENU_LINES.values())  # Telegram's limit
        for name in vars(english):
            if name.startswith("BUTTON_"):
                assert len(getattr(texts, name)) <= (200 if name in alerts else 24)
        assert all(formatting.columns(name) <= 12 for name in texts.DOCTOR_NAMES.values())


@table("language", known_languages())
def test_every_sentence_can_be_filled_in_and_the_program_still_knows_its_own_marks(language: str) -> None:
    from bot.telegram.handlers.messages import ASKED

    filled = {"id": "aB3dE6gH", "content": "I like tea", "before": "I like milk", "words": "I like tea"}
    with speaking(language):
        assert all(line.format(**filled).startswith("✓ ") for line in texts.RECEIPTS.values())
        assert all(line.format(**filled).startswith("▸ ") for line in texts.CARDS.values())
        asked = ASKED.match(texts.ASK_WORDS.format(**filled))
        assert asked
        assert asked[1] == "aB3dE6gH"
        assert keyboards.why_button("evt_1", 7).label == texts.BUTTON_WHY
        assert formatting.memory_usage("show").endswith(texts.MEMORY_IDS)
        assert "/forget" in help_text(Where.TELEGRAM_PRIVATE)
