"""An outage: how long it lasts, for whom, and who was told."""

from memory.outage.state import Outage


def watched() -> Outage:
    outage = Outage()
    outage.is_watched = True
    outage.notice()
    return outage


def test_an_outage_is_over_for_a_chat_when_what_was_said_in_it_has_been_brought_in() -> None:
    outage = watched()
    with outage.talking("ada"):
        quiet = outage.quiet()
        outage.over()
        assert outage.is_on_for("ada")
        assert not outage.is_on_for("ben")
        outage.caught_up(quiet)
        assert outage.is_on_for("ada")
    outage.caught_up(outage.quiet())
    assert not outage.is_on_for("ada")


def test_what_began_after_the_spool_was_read_is_not_caught_up_with() -> None:
    outage = watched()
    with outage.talking("ada"):
        pass
    quiet = outage.quiet()
    with outage.talking("ada"):
        pass
    outage.over()
    outage.caught_up(quiet)
    assert outage.is_on_for("ada")


def test_each_chat_is_told_once_an_outage() -> None:
    outage = watched()
    assert outage.tell("ada")
    assert not outage.tell("ada")
    outage.over()
    outage.notice()
    assert outage.tell("ada")
