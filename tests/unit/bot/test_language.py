"""Every sentence in every language: complete, with the same gaps, marks and commands, and said to the right person."""

import asyncio
import re
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from babel.messages.catalog import Catalog

from bot import catalogues, formatting
from bot import texts as english
from bot.commands.registry import Where, help_text
from bot.language import (
    OFFLINE_LOCALE,
    available_languages,
    format_day,
    format_list,
    format_moment,
    match_language,
    terminal_language,
    texts,
    use_language,
)
from bot.telegram.sending import keyboards
from memory.language.orders import find_orders
from memory.language.yes_and_no import asks_nothing_else, is_plain_yes, starts_with_no
from memory.translation import LOCALE, Plural
from tests.tables import table

OTHERS = available_languages()[1:]
SENTENCES = catalogues.sentences()
# Sentences that are rightly the same as in English: names, marks, and words that both languages have.
ALIKE: set[object] = {
    "ID",
    "id",
    "JWT",
    "Keepsake",
    "DATABASE_URL, {address}",
    "• {day}, {who}: “{words}”",
    "{speaker}, {moment}",
    "{traits}; {sensitivity}",
    "embedder",
    "long polling",
    "token",
    "tokens",
}
ALIKE_IN: dict[str, set[object]] = {
    "de": {"Chunks", "Name"},
    "es": {"No", "total"},
    "fr": {
        "agent",
        "conversation",
        "extractions",
        "messages",
        "Pages",
        "Questions",
        "total",
        "Version {version}",
        ("{count} message", "{count} messages"),
    },
    "pt": {"Hobbies", "status", "total"},
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
    "zh": ("好", "不用"),
}
QUOTED = re.compile(r"[“„«]\s?([^“”„«»]*)\s?[”“»]")


@table("language", OTHERS)
def test_a_catalogue_has_a_sound_translation_of_every_sentence_and_of_no_other(language: str) -> None:
    """`python -m bot.catalogues` brings it up to date; empty translations are for a translator."""
    before = (LOCALE / f"{language}.po").read_text(encoding="utf-8")
    catalogue = catalogues.update(catalogues.read_catalogue(language), SENTENCES)

    assert list(catalogues.problems(catalogue, SENTENCES)) == []
    assert catalogues.render(catalogue, language) == before
    assert {each.id for each in catalogue if each.id and each.string == each.id} <= ALIKE | ALIKE_IN.get(
        language, set()
    )


def test_a_plural_and_a_plain_sentence_never_share_a_key() -> None:
    singulars = {each.one for each in SENTENCES if isinstance(each, Plural)}

    assert singulars & SENTENCES.keys() == set()


@table(
    ("sentence", "translation", "problem"),
    [
        ("Bye.", "", "not translated: Bye."),
        ("Bye {name}.", "Tschüss.", "gaps should be ['{name}'], not []: Tschüss."),
        ("See /memory undo.", "Siehe /memory.", "commands should be ['/memory undo'], not ['/memory']: Siehe /memory."),
        ("Set `x`.", "Setze `y`.", "names should be ['`x`'], not ['`y`']: Setze `y`."),
        (
            "See https://a.b",
            "Siehe https://a.c",
            "names should be ['https://a.b'], not ['https://a.c']: Siehe https://a.c",
        ),
        ("✓ Done", "Erledigt", "marks should be ['✓'], not []: Erledigt"),
    ],
)
def test_what_a_translation_lacks_is_reported(sentence: str, translation: str, problem: str) -> None:
    catalogue = Catalog(locale="de")
    catalogue.add(sentence, translation)

    assert next(catalogues.problems(catalogue, [sentence])) == problem


def test_only_a_form_of_a_single_number_may_leave_out_the_count() -> None:
    cards = Plural("{count} card", "{count} cards")
    problems = {}
    for language, forms in (("de", ("eine Karte", "Karten")), ("ru", ("карточка", "{count} карточки", "{count} карт"))):
        catalogue = Catalog(locale=language)
        catalogue.add((cards.one, cards.other), forms)
        problems[language] = list(catalogues.problems(catalogue, [cards]))

    assert problems == {
        "de": ["gaps should be ['{count}'], not []: Karten"],
        "ru": ["gaps should be ['{count}'], not []: карточка"],
    }


def test_an_update_keeps_translations_and_drops_sentences_that_are_gone() -> None:
    before = Catalog(locale="de")
    for id, string in (
        ("Bye.", "Tschüss."),
        ("Gone.", "Weg."),
        (("{count} day", "{count} days"), ("ein Tag", "{count} Tage")),
    ):
        before.add(id, string)
    found: dict[str | Plural, str] = {"New.": "NEW", Plural("{count} day", "{count} days"): "DAYS", "Bye.": "BYE"}

    after = catalogues.update(before, found)

    assert [(each.id, each.string) for each in after if each.id] == [
        ("New.", ""),
        (("{count} day", "{count} days"), ("ein Tag", "{count} Tage")),
        ("Bye.", "Tschüss."),
    ]
    assert "Plural-Forms: nplurals=2; plural=(n != 1);" in catalogues.render(after, "de")


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
    assert match_language(code) == language


def test_the_terminal_speaks_what_is_set_first() -> None:
    assert terminal_language({"LC_ALL": "", "LC_MESSAGES": "fr_FR.UTF-8", "LANG": "de_DE.UTF-8"}) == "fr_FR.UTF-8"
    assert terminal_language({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}) == "C"
    assert terminal_language({}) is None


async def test_two_people_are_answered_at_once_each_in_their_language() -> None:
    ready = asyncio.Barrier(2)

    async def ask(code: str) -> list[str]:
        with use_language(code):
            before = texts.GOODBYE
            await ready.wait()
            return [before, texts.GOODBYE, OFFLINE_LOCALE.phrases().welcome]

    german, french = await asyncio.gather(ask("de"), ask("fr"))

    assert german == ["Tschüss.", "Tschüss.", "Gern geschehen."]
    assert french == ["Au revoir.", "Au revoir.", "Je t'en prie."]
    assert texts.GOODBYE == "Bye."


def test_a_day_has_its_name_in_every_language() -> None:
    told = {}
    for language in available_languages():
        with use_language(language):
            told[language] = format_day(date(2026, 11, 17))
    assert told["en"] == "17 November 2026"
    assert told["de"] == "17. November 2026"
    assert told["es"] == "17 de noviembre de 2026"
    assert told["ru"] == "17 ноября 2026\u202fг."
    assert told["zh"] == "2026年11月17日"
    assert len(set(told.values())) == len(available_languages())
    moment = datetime(2026, 11, 17, 7, 36, tzinfo=UTC).astimezone(ZoneInfo("Europe/Berlin"))
    assert format_moment(moment) == "17 November 2026 08:36"


def test_things_are_listed_with_an_and_or_an_or() -> None:
    assert (format_list(["a", "b"]), format_list(["a", "b"], either=True)) == ("a and b", "a or b")
    with use_language("de"):
        assert (format_list(["a", "b"]), format_list(["a", "b"], either=True)) == ("a und b", "a oder b")


@table("language", available_languages())
def test_what_an_order_looks_like_is_told_in_words_that_are_understood_as_one(language: str) -> None:
    with use_language(language):
        for told in map(help_text, Where):
            example = QUOTED.search(told.split("\n")[0])
            assert example
            assert find_orders(example[1]), example[1]
        for told in (texts.START_HINT, texts.OFFLINE.greeting, texts.OFFLINE.nothing_known, texts.MEMORY_LIST_EMPTY):
            example = QUOTED.search(told)
            assert example
            assert find_orders(re.sub(r"\s*…+\s*", " Alec 123 ", example[1])), example[1]


@table("language", available_languages())
def test_the_yes_and_the_no_that_a_card_asks_for_are_understood(language: str) -> None:
    assert language in YES_AND_NO
    yes, no = YES_AND_NO[language]
    with use_language(language):
        assert yes in texts.CARD_HOW_TO_ANSWER
        assert no in texts.CARD_HOW_TO_ANSWER
        assert asks_nothing_else(texts.OFFLINE.asked)
        assert starts_with_no(texts.BUTTON_NO)
    assert is_plain_yes(yes)
    assert starts_with_no(no)
    assert not starts_with_no(yes)


@table("language", available_languages())
def test_menus_and_buttons_have_room_for_their_words(language: str) -> None:
    alerts = {"BUTTON_OLD", "BUTTON_NOT_YOURS"}
    with use_language(language):
        assert all(1 <= len(told) <= 256 for told in texts.MENU_LINES.values())  # Telegram's limit
        for name in vars(english):
            if name.startswith("BUTTON_"):
                assert len(getattr(texts, name)) <= (200 if name in alerts else 24)
        assert all(formatting.columns(name) <= 20 for name in texts.DOCTOR_NAMES.values())


@table("language", available_languages())
def test_every_sentence_can_be_filled_in_and_the_program_still_knows_its_own_marks(language: str) -> None:
    from bot.telegram.handlers.messages import EDIT_PROMPT

    filled = {"id": "aB3dE6gH", "content": "I like tea", "before": "I like milk", "words": "I like tea"}
    with use_language(language):
        assert all(line.format(**filled).startswith("✓ ") for line in texts.RECEIPTS.values())
        assert all(line.format(**filled).startswith("▸ ") for line in texts.CARDS.values())
        asked = EDIT_PROMPT.match(texts.EDIT_ASK.format(**filled))
        assert asked
        assert asked[1] == "aB3dE6gH"
        assert keyboards.why_button("evt_1", 7).label == texts.BUTTON_WHY
        assert formatting.memory_usage("show").endswith(texts.MEMORY_IDS)
        assert "/forget" in help_text(Where.TELEGRAM_PRIVATE)
