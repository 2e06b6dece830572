"""The snapshot: what fades leaves it first; it moves on with the window, and what changed since stands in the tail."""

from dataclasses import replace
from datetime import timedelta

from db.vocabulary import Category
from memory.context.items import fact_item
from memory.context.snapshot import advance_snapshot, select_facts
from tests.conftest import NOON
from tests.rows import fact

TEA, BOSS = fact("I like tea", id="tea00000"), fact("Alec is my boss", id="boss0000", category=Category.PERSON)
COFFEE = replace(TEA, content="I like coffee", version=2)
PLENTY = 6_000


def test_what_changed_before_the_window_began_replaces_what_was_pinned() -> None:
    assert advance_snapshot([TEA], [BOSS, COFFEE], [BOSS, COFFEE], PLENTY) == ([COFFEE, BOSS], [])


def test_what_changed_since_stays_in_the_tail_and_the_snapshot_as_it_was() -> None:
    water = replace(TEA, content="I like water", version=3)

    assert advance_snapshot([TEA], [COFFEE], [water], PLENTY) == ([COFFEE], [water])
    assert advance_snapshot([TEA], [], [BOSS], PLENTY) == ([TEA], [BOSS])


def test_what_there_is_no_room_for_stays_in_the_tail() -> None:
    room = fact_item(TEA).tokens

    assert advance_snapshot([TEA], [BOSS], [BOSS], room) == ([TEA], [BOSS])


def test_the_order_of_the_snapshot_does_not_hang_on_when_something_came_in() -> None:
    assert advance_snapshot([TEA], [BOSS], [], PLENTY) == advance_snapshot([BOSS], [TEA], [], PLENTY)


# What there is room for

YEAR = timedelta(days=365)
OLD = replace(TEA, id="old00000", updated_at=NOON - YEAR)
ROOM_FOR_ONE = fact_item(TEA).tokens


def test_all_facts_stand_in_it_while_they_fit_however_faded() -> None:
    assert select_facts([OLD, BOSS], NOON + 20 * YEAR) == [OLD, BOSS]


def test_what_faded_leaves_first_and_a_recall_brings_it_back() -> None:
    recalled = replace(OLD, recall_count=1, recalled_at=NOON)

    assert select_facts([OLD, TEA], NOON, ROOM_FOR_ONE) == [TEA]
    assert select_facts([recalled, TEA], NOON, ROOM_FOR_ONE) == [recalled]


def test_what_is_important_fades_too_but_later() -> None:
    important = replace(OLD, id="much0000", importance=1.0)

    assert select_facts([important, OLD], NOON, ROOM_FOR_ONE) == [important]
    assert select_facts([important, TEA], NOON, ROOM_FOR_ONE) == [TEA]


def test_of_equally_strong_ones_the_newer_stays_and_then_the_id_decides() -> None:
    newer = replace(TEA, id="new00000", updated_at=NOON + timedelta(minutes=1))
    same = replace(TEA, id="same0000")

    assert select_facts([TEA, newer], NOON - YEAR, ROOM_FOR_ONE) == [newer]
    assert select_facts([TEA, same], NOON, ROOM_FOR_ONE) == select_facts([same, TEA], NOON, ROOM_FOR_ONE) == [same]
