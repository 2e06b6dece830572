"""The snapshot moves on with the window: what changed before it began stands in it, what changed since in the tail."""

from dataclasses import replace

from db.vocabulary import Category
from memory.context.items import fact_item
from memory.context.snapshot import moved_on
from tests.rows import fact

TEA, BOSS = fact("I like tea", id="tea00000"), fact("Alec is my boss", id="boss0000", category=Category.PERSON)
COFFEE = replace(TEA, content="I like coffee", version=2)
PLENTY = 6_000


def test_what_changed_before_the_window_began_replaces_what_was_pinned() -> None:
    assert moved_on([TEA], [BOSS, COFFEE], [BOSS, COFFEE], PLENTY) == ([COFFEE, BOSS], [])


def test_what_changed_since_stays_in_the_tail_and_the_snapshot_as_it_was() -> None:
    water = replace(TEA, content="I like water", version=3)

    assert moved_on([TEA], [COFFEE], [water], PLENTY) == ([COFFEE], [water])
    assert moved_on([TEA], [], [BOSS], PLENTY) == ([TEA], [BOSS])


def test_what_there_is_no_room_for_stays_in_the_tail() -> None:
    room = fact_item(TEA).tokens

    assert moved_on([TEA], [BOSS], [BOSS], room) == ([TEA], [BOSS])


def test_the_order_of_the_snapshot_does_not_hang_on_when_something_came_in() -> None:
    assert moved_on([TEA], [BOSS], [], PLENTY) == moved_on([BOSS], [TEA], [], PLENTY)
