"""The audit rules: duplicates, echoes of the assistant, contradictions and facts never recalled."""

from datetime import timedelta

from db.queries.facts.facts import FactRow
from db.vocabulary import Approval, Attribute
from memory.privacy.audit_rules import (
    AuditMessage,
    EchoFinder,
    find_contradictions,
    find_duplicates,
    find_never_recalled,
    first_with_current_words,
)
from tests.conftest import NOON
from tests.rows import fact
from tests.tables import table

BEFORE, AFTER = NOON - timedelta(hours=1), NOON + timedelta(hours=1)


def facts(*words: str) -> list[FactRow]:
    return [fact(each, id=f"id{at}") for at, each in enumerate(words)]


def ids(groups: list[tuple[FactRow, ...]]) -> list[tuple[str, ...]]:
    return [tuple(row.id for row in group) for group in groups]


@table(
    ("one", "other"),
    [
        ("Alec is my boss", "alec is my  BOSS"),
        ("Alec is my boss", "My boss is Alec"),
        ("I like green tea", "I like green tea from the shop at the corner"),
        ("My sister Mia plays the violin", "Mia, my sister, is playing violin"),
        ("Ich trinke gern grünen Tee", "Grünen Tee trinke ich gern"),
        ("我喜欢绿茶", "绿茶我喜欢"),
        ("🎉🎉🎉🎉🎉", "🎉🎉🎉🎉🎉"),
    ],
)
def test_what_says_the_same_is_a_duplicate_whichever_was_first(one: str, other: str) -> None:
    assert ids(find_duplicates(facts(one, other))) == [("id0", "id1")]
    assert ids(find_duplicates(facts(other, one))) == [("id0", "id1")]


@table(
    ("one", "other"),
    [
        ("Alec is my boss", "Bob is my boss"),
        ("I get up at 6", "I get up at 7"),
        ("I eat meat", "I do not eat meat"),
        ("I like green tea", "I like black coffee"),
        ("🎉🎉🎉🎉🎉", "🚀🚀🚀🚀🚀"),
    ],
)
def test_what_names_something_else_is_no_duplicate(one: str, other: str) -> None:
    assert find_duplicates(facts(one, other)) == []


@table(
    ("one", "other"),
    [
        ("I eat meat", "I do not eat meat"),
        ("I eat meat", "I no longer eat meat"),
        ("I smoke at home", "I stopped smoking at home"),
        ("Ich esse Fleisch", "Ich esse kein Fleisch"),
        ("我吃肉", "我不吃肉"),
    ],
)
def test_the_same_words_with_another_negation_contradict_each_other(one: str, other: str) -> None:
    assert ids(find_contradictions(facts(one, other))) == [("id0", "id1")]
    assert ids(find_contradictions(facts(other, one))) == [("id1", "id0")]


def test_two_negations_of_the_same_do_not_contradict_each_other() -> None:
    assert find_contradictions(facts("I never eat meat", "I don't eat meat")) == []


def test_facts_about_one_subject_in_other_words_may_contradict_each_other_and_stand_in_one_group() -> None:
    rows = [
        fact("Mia lives in Rome", id="rome", subject="Mia"),
        fact("I like green tea", id="tea"),
        fact("Mia lives in Paris", id="paris", subject="mia"),
        fact("Mia does not live in Paris", id="not", subject="Mia"),
    ]

    assert ids(find_contradictions(rows)) == [("rome", "paris", "not")]


def test_facts_that_one_fact_of_the_same_subject_covers_do_not_contradict_it() -> None:
    rows = [
        fact("Mia lives in Rome", id="a", subject="Mia"),
        fact("Mia lives in Rome with her dog", id="b", subject="Mia"),
        fact("In Rome lives Mia", id="c", subject="Mia"),
    ]

    assert find_contradictions(rows) == []


def test_two_values_of_a_single_valued_attribute_contradict_each_other() -> None:
    one = fact("I live in Rome", id="a", attribute=Attribute.LOCATION)
    other = fact("My home is Paris", id="b", attribute=Attribute.LOCATION)
    family = fact("Mia is my sister", id="c", subject="Mia", attribute=Attribute.FAMILY_MEMBER)
    birthday = fact("Mia has her birthday on 3 May", id="d", subject="Mia", attribute=Attribute.IMPORTANT_DATE)

    assert ids(find_contradictions([one, other, family, birthday])) == [("a", "b")]


def test_facts_stored_long_ago_and_never_recalled_are_found() -> None:
    old = NOON - timedelta(days=31)
    rows = [
        fact("old and never", id="a", updated_at=old),
        fact("old and once", id="b", updated_at=old, recall_count=1),
        fact("young and never", id="c", updated_at=NOON - timedelta(days=29)),
    ]

    assert [row.id for row in find_never_recalled(rows, NOON)] == ["a"]


def test_sealed_facts_that_cannot_be_opened_are_skipped() -> None:
    closed = [fact("x", id=name) for name in ("a", "b")]
    blind = [FactRow(**{**{n: getattr(row, n) for n in FactRow.__slots__}, "content": None}) for row in closed]

    assert (
        find_duplicates(blind),
        find_contradictions(blind),
        EchoFinder(blind, {row.id: row for row in blind}).echoes,
    ) == (
        [],
        [],
        [],
    )


def echoes_of(row: FactRow, *messages: AuditMessage) -> list[str]:
    finder = EchoFinder([row], {row.id: row})
    for message in messages:
        finder.add(message)
    return [found.id for found in finder.echoes]


def owner(text: str, event_id: str = "evt_1") -> AuditMessage:
    return AuditMessage(event_id, True, text, BEFORE)


def assistant(text: str, **given: object) -> AuditMessage:
    return AuditMessage("evt_2", False, text, given.get("at", BEFORE))  # type: ignore[arg-type]


BOSS = fact("My boss is called Mallory", approval=Approval.CARD)


def test_what_an_assistant_said_and_its_owner_never_did_is_an_echo() -> None:
    assert echoes_of(BOSS, owner("Who is my boss?"), assistant("Your boss is called Mallory.")) == [BOSS.id]
    assert echoes_of(BOSS, owner("They write: my boss is called Mallory"), assistant("Boss called Mallory")) == [
        BOSS.id
    ]


def test_what_its_owner_said_at_any_time_is_no_echo() -> None:
    said = assistant("Your boss is called Mallory.")

    assert echoes_of(BOSS, owner("My boss is called Mallory."), said) == []
    assert echoes_of(BOSS, said, owner("Yes, Mallory is what my boss is called.")) == []
    assert echoes_of(BOSS) == []


def test_what_was_said_after_it_was_stored_is_no_echo() -> None:
    assert echoes_of(BOSS, assistant("Your boss is called Mallory.", at=AFTER)) == []
    assert echoes_of(BOSS, assistant(f"stored: [id:{BOSS.id}] My boss is called Mallory")) == []


@table("approval", [Approval.COMMAND, Approval.IMPORT])
def test_what_its_owner_typed_or_imported_is_no_echo(approval: Approval) -> None:
    typed = fact("My boss is called Mallory", approval=approval)

    assert echoes_of(typed, assistant("Your boss is called Mallory.")) == []


def test_a_fact_from_its_owners_message_may_put_it_in_other_words() -> None:
    row = fact("Prefers short answers in German", approval=Approval.CARD, source_event_id="evt_1")
    repeated = assistant("Noted: you prefer short answers in German.")

    assert echoes_of(row, owner("short answers in German, that is what I like"), repeated) == []
    assert echoes_of(row, owner("short answers in German, that is what I like", "evt_9"), repeated) == [row.id]
    assert echoes_of(row, owner("What do I prefer?"), repeated) == [row.id]


def test_words_are_as_old_as_the_version_that_introduced_them() -> None:
    versions = [
        fact("My boss is Alec", version=1, approval=Approval.ORDER),
        fact("My boss is Mallory", version=2, approval=Approval.CARD),
        fact("My boss is Mallory", version=3, approval=Approval.COMMAND),
    ]

    assert first_with_current_words(versions).version == 2
    assert first_with_current_words(versions[:1]).version == 1
