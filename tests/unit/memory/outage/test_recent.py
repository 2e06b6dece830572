"""The last words of each conversation in RAM, and whether the database is away."""

import pytest

from memory.outage.recent import MAX_CONVERSATIONS, MAX_LENGTH, MAX_MESSAGES, RecentMessage, RecentMessages
from memory.outage.state import LOOK_AGAIN, Outage

NOW = 1000.0


def test_the_last_messages_are_there_in_order_and_begin_with_a_person() -> None:
    recent = RecentMessages()
    for number in range(MAX_MESSAGES + 1):
        recent.add("cnv", RecentMessage(number % 2 == 0, str(number)))

    said = recent.messages("cnv")
    assert said[0] == RecentMessage(True, "2")
    assert said[-1] == RecentMessage(True, str(MAX_MESSAGES))


def test_what_is_held_is_bounded_and_the_most_silent_goes_first() -> None:
    recent = RecentMessages()
    for number in range(MAX_CONVERSATIONS):
        recent.add(f"cnv_{number}", RecentMessage(True, "x" * 2 * MAX_LENGTH))
    recent.add("cnv_0", RecentMessage(True, "again"))
    recent.add("one more", RecentMessage(True, "hello"))

    assert recent.messages("cnv_1") == []
    assert recent.messages("cnv_0")[-1] == RecentMessage(True, "again")
    assert len(recent.messages("cnv_2")[0].text) == MAX_LENGTH


def test_a_conversation_that_is_over_is_forgotten() -> None:
    recent = RecentMessages()
    recent.add("cnv", RecentMessage(True, "a secret of ours"))
    recent.forget("cnv")
    recent.forget("never was")

    assert recent.messages("cnv") == []


def test_a_person_is_forgotten_wherever_they_spoke_and_nobody_else_is() -> None:
    recent = RecentMessages()
    for person in ("ada", "ben"):
        recent.add("group", RecentMessage(True, f"words of {person}", person=person))
    recent.add("alone", RecentMessage(True, "by herself", person="ada"))
    recent.forget_person("ada")

    assert [heard.text for heard in recent.messages("group")] == ["words of ben"]
    assert recent.messages("alone") == []


def test_an_outage_is_told_once_to_each_conversation_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.outage.state.time.monotonic", lambda: NOW)
    outage = Outage()
    outage.report()

    assert outage.is_active
    assert [outage.needs_notice("a"), outage.needs_notice("a"), outage.needs_notice("b")] == [True, False, True]
    outage.end()
    assert not outage.is_active
    assert outage.needs_notice("a")


def test_after_a_while_somebody_may_look_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.outage.state.time.monotonic", lambda: NOW)
    outage = Outage()
    outage.report()
    assert outage.is_active
    monkeypatch.setattr("memory.outage.state.time.monotonic", lambda: NOW + LOOK_AGAIN)

    assert not outage.is_active
    assert outage.is_reported
