"""An outage: how long it lasts, for whom, and who was told."""

from memory.outage.state import Outage


def watched() -> Outage:
    outage = Outage()
    outage.is_watched = True
    outage.report()
    return outage


def test_an_outage_is_over_for_a_chat_when_what_was_said_in_it_has_been_brought_in() -> None:
    outage = watched()
    with outage.answering("ada"):
        quiet = outage.idle_chats()
        outage.end()
        assert outage.is_active_for("ada")
        assert not outage.is_active_for("ben")
        outage.mark_caught_up(quiet)
        assert outage.is_active_for("ada")
    outage.mark_caught_up(outage.idle_chats())
    assert not outage.is_active_for("ada")


def test_what_began_after_the_spool_was_read_is_not_caught_up_with() -> None:
    outage = watched()
    with outage.answering("ada"):
        pass
    quiet = outage.idle_chats()
    with outage.answering("ada"):
        pass
    outage.end()
    outage.mark_caught_up(quiet)
    assert outage.is_active_for("ada")


def test_each_chat_is_told_once_an_outage() -> None:
    outage = watched()
    assert outage.needs_notice("ada")
    assert not outage.needs_notice("ada")
    outage.end()
    outage.report()
    assert outage.needs_notice("ada")
