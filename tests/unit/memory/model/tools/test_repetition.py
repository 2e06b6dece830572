"""Repetition: what a model says again in words of its own is known again, and news is not taken for it."""

from db.vocabulary import Category
from memory.consolidation.extraction.drafts import FactForm, OwnMessage, check_facts
from memory.language.claims.statements import differs_in_tense, says_more, says_the_same, statement
from memory.model.tools.repetition import own_wording
from tests.conftest import NOON
from tests.tables import table

TEA = "I like green tea in the morning"


@table(
    "again",
    [
        "The user likes green tea in the morning",
        "likes green tea in the morning a lot, the user",
        "User enjoys green tea in the morning",
        "It is true that I really like green tea",
    ],
)
def test_what_is_known_is_known_again_in_other_words(again: str) -> None:
    assert says_the_same(statement(again, NOON), statement(TEA, NOON))


@table(
    "new",
    [
        "I like green tea with honey",
        "I no longer like green tea",
        "My brother likes chess",
        "I like green grass in the morning dew",
    ],
)
def test_news_a_change_and_another_thing_are_no_repetition(new: str) -> None:
    assert not says_the_same(statement(new, NOON), statement(TEA, NOON))


@table(
    ("now", "before"),
    [
        ("Alec is my boss", "Alec was my boss"),
        ("I'm a nurse in Porto", "I was a nurse in Porto"),
        ("I have a red boat", "The user had a red boat"),
        ("Ada works at Siemens", "Ada worked at Siemens"),
        ("I live in Oslo", "The user lived in Oslo"),
        ("I love green tea", "I loved green tea"),
        ("Alec ist mein Chef", "Alec war mein Chef"),
        ("Ich wohne in Oslo", "Ich wohnte in Oslo"),
        ("Alec es mi jefe", "Alec era mi jefe"),
        ("Vivo en Oslo", "Vivía en Oslo"),
        ("Alec est mon patron", "Alec était mon patron"),
        ("Alec é meu chefe", "Alec era meu chefe"),
        ("У меня есть собака", "У меня была собака"),
        ("Я живу в Осло", "Я жил в Осло"),
        ("रमेश मेरे मालिक हैं", "रमेश मेरे मालिक थे"),
    ],
)
def test_what_was_is_not_what_is(now: str, before: str) -> None:
    present, past = statement(now, NOON), statement(before, NOON)

    assert not says_the_same(past, present)
    assert not says_the_same(present, past)
    assert not says_more(statement(f"{before} 2019", NOON), present)


@table(
    ("one", "other"),
    [
        ("The user was born in Oslo", "I was born in Oslo"),
        ("My daughter is named Mia", "My daughter's name is Mia"),
        ("I have been to Japan", "The user was in Japan"),
        ("It is true that I had a red boat", "I had a red boat"),
        ("I moved to Oslo", "The user has moved to Oslo"),
        ("I have lived in Oslo since 2019", "Lives in Oslo since 2019"),
        ("My meeting was moved and is on Friday", "My meeting was moved, it is on Friday"),
    ],
)
def test_another_way_to_tell_the_same_time_is_no_other_time(one: str, other: str) -> None:
    assert not differs_in_tense(statement(one, NOON), statement(other, NOON))


def test_two_things_of_one_person_are_two_things() -> None:
    heat, office = (statement(f"Ada dislikes the {thing}", NOON, "Ada") for thing in ("heat", "office"))

    assert not says_the_same(heat, office)
    assert not says_more(heat, office)


def test_how_much_somebody_likes_something_makes_no_other_statement() -> None:
    assert says_the_same(statement("I really like green tea a lot", NOON), statement("I like green tea", NOON))
    assert says_the_same(statement("I like green tea", NOON), statement("I really like green tea a lot", NOON))


def test_the_same_of_somebody_else_is_not_more_of_it() -> None:
    mine = statement("I work as a nurse", NOON)

    assert says_more(statement("I work as a nurse in Porto", NOON), mine)
    assert not says_more(statement("My sister works as a nurse", NOON, "sister"), mine)


@table(
    ("content", "message", "kept"),
    [
        ("User enjoys green tea in the morning", f"{TEA}!", TEA),
        ("The user likes green tea in the morning", TEA, "The user likes green tea in the morning"),
        (
            "Works at the Siemens office in Porto",
            "At the Siemens office in Porto",
            "Works at the Siemens office in Porto",
        ),
        ("The user does not like green tea", f"{TEA}.", "The user does not like green tea"),
        ("The user adores the opera", TEA, "The user adores the opera"),
        (
            "User enjoys green tea in the morning",
            "Do I like green tea in the morning?",
            "User enjoys green tea in the morning",
        ),
    ],
)
def test_what_a_message_tells_by_itself_stays_in_its_writers_words(content: str, message: str, kept: str) -> None:
    assert own_wording(content, message) == kept


@table(
    ("message", "question", "quote", "content", "kept"),
    [
        (TEA, "", TEA, "User enjoys green tea in the morning", TEA),
        (TEA, "", TEA, "The user likes green tea", "The user likes green tea"),
        ("In Porto", "Where do you live?", "In Porto", "lives in Porto", "lives in Porto"),
        (
            "At Siemens in Porto",
            "Where do you work?",
            "At Siemens in Porto",
            "works at Siemens in Porto",
            "works at Siemens in Porto",
        ),
    ],
)
def test_a_finding_is_told_in_words_that_were_said(
    message: str, question: str, quote: str, content: str, kept: str
) -> None:
    found = FactForm(message=0, quote=quote, content=content, category=Category.OTHER, confidence=0.9)

    [finding] = check_facts([found], {0: OwnMessage("evt_1", message, NOON, question)})
    assert finding.undated == kept
