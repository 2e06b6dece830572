"""Recalling: a reply used a fact when it tells it, and not when it repeats the person."""

from dataclasses import replace
from typing import Any

from db.queries.people.people import Choices
from db.vocabulary import Mode, Visibility
from memory.context.budget import BudgetSection
from memory.context.build import Bundle
from memory.context.items import Item, fact_item, words_in
from memory.context.sections import SectionName
from memory.facts.recalling import facts_used
from tests.conftest import NOON
from tests.rows import fact
from tests.tables import table

TEA = fact("I drink green tea every morning", id="tea00000")
BOSS = fact("Alec is my boss", id="boss0000", subject="Alec")


def bundle(*items: Item, among: SectionName = SectionName.MEMORY) -> Bundle:
    sections = (BudgetSection(among, items, sum(item.tokens for item in items)),)
    return Bundle("acb_1", NOON, 65_000, sections, (), {}, Choices("UTC", Mode.CONFIRM, frozenset()))


@table(
    ("reply", "message", "found"),
    [
        ("Your boss Alec may know.", "Whom can I ask?", {"boss0000"}),
        ("How about a green tea, as every morning?", "What shall I drink?", {"tea00000"}),
        ("Alec is your boss!", "Alec is my boss", set()),
        ("Alec is your boss!", "Did you know that my boss is called Alec?", set()),
        ("Ask your boss.", "Whom can I ask?", set()),
        ("Green is a colour.", "What is green?", set()),
        ("You drink green tea each day.", "I drink green tea, don't I?", set()),
        ("", "Whom can I ask?", set()),
    ],
)
def test_a_fact_is_recalled_where_the_reply_tells_it_and_the_person_did_not(
    reply: str, message: str, found: set[str]
) -> None:
    assert facts_used(bundle(fact_item(TEA), fact_item(BOSS)), reply, message) == found


@table("among", [SectionName.MEMORY, SectionName.MEMORY_CHANGES])
def test_facts_of_the_snapshot_and_those_that_changed_since_count_alike(among: SectionName) -> None:
    assert facts_used(bundle(fact_item(BOSS), among=among), "Alec, your boss.", "Who?") == {"boss0000"}


def test_nothing_else_that_stands_in_a_prompt_is_taken_for_a_fact() -> None:
    assert (
        facts_used(bundle(fact_item(BOSS), among=SectionName.RETRIEVED_EVIDENCE), "Alec, your boss.", "Who?") == set()
    )


@table("given", [{}, {"visibility": Visibility.SHARED}, {"subject": None}])
def test_what_stands_around_a_fact_in_its_line_is_none_of_its_words(given: dict[str, Any]) -> None:
    item = fact_item(replace(BOSS, **given))

    assert words_in(item).endswith("Alec is my boss")
    assert facts_used(bundle(item), "Alec, your boss.", "Who?") == {"boss0000"}
