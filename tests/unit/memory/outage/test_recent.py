"""The last words of each conversation in RAM, and whether the database is away."""

import pytest

from memory.outage.recent import LONGEST, MOST_CONVERSATIONS, MOST_MESSAGES, Recent, RecentMessage
from memory.outage.state import LOOK_AGAIN, Outage

NOW = 1000.0


def test_the_last_messages_are_there_in_order_and_begin_with_a_person() -> None:
    recent = Recent()
    for number in range(MOST_MESSAGES + 1):
        recent.add("cnv", RecentMessage(number % 2 == 0, str(number)))

    said = recent.messages("cnv")
    assert said[0] == RecentMessage(True, "2")
    assert said[-1] == RecentMessage(True, str(MOST_MESSAGES))


def test_what_is_held_is_bounded_and_the_most_silent_goes_first() -> None:
    recent = Recent()
    for number in range(MOST_CONVERSATIONS):
        recent.add(f"cnv_{number}", RecentMessage(True, "x" * 2 * LONGEST))
    recent.add("cnv_0", RecentMessage(True, "again"))
    recent.add("one more", RecentMessage(True, "hello"))

    assert recent.messages("cnv_1") == []
    assert recent.messages("cnv_0")[-1] == RecentMessage(True, "again")
    assert len(recent.messages("cnv_2")[0].text) == LONGEST


def test_a_conversation_that_is_over_is_forgotten() -> None:
    recent = Recent()
    recent.add("cnv", RecentMessage(True, "a secret of ours"))
    recent.forget("cnv")
    recent.forget("never was")

    assert recent.messages("cnv") == []


def test_a_person_is_forgotten_wherever_they_spoke_and_nobody_else_is() -> None:
    recent = Recent()
    for person in ("ada", "ben"):
        recent.add("group", RecentMessage(True, f"words of {person}", person=person))
    recent.add("alone", RecentMessage(True, "by herself", person="ada"))
    recent.forget_person("ada")

    assert [heard.text for heard in recent.messages("group")] == ["words of ben"]
    assert recent.messages("alone") == []


def test_an_outage_is_told_once_to_each_conversation_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.outage.state.time.monotonic", lambda: NOW)
    outage = Outage()
    outage.notice()

    assert outage.is_on
    assert [outage.tell("a"), outage.tell("a"), outage.tell("b")] == [True, False, True]
    outage.over()
    assert not outage.is_on
    assert outage.tell("a")


def test_after_a_while_somebody_may_look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.outage.state.time.monotonic", lambda: NOW)
    outage = Outage()
    outage.notice()
    assert outage.is_on
    monkeypatch.setattr("memory.outage.state.time.monotonic", lambda: NOW + LOOK_AGAIN)

    assert not outage.is_on
    assert outage.has_begun
