"""The inbox itself: what comes again is known, and what was answered elsewhere is emptied."""

from datetime import timedelta

from db.queries.events import inbox
from db.viewer import Viewer
from memory.unit import Memory


async def test_an_update_that_comes_again_is_not_new(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada) as unit:
        assert await inbox.add_update(unit.session, ada, 1, "chat", b"sealed", unit.now)
        assert await inbox.record_number(unit.session, ada, 2, unit.now)
    async with memory.unit(ada) as unit:
        assert not await inbox.add_update(unit.session, ada, 1, "chat", b"again", unit.now)
        assert not await inbox.record_number(unit.session, ada, 2, unit.now)


async def test_what_was_answered_while_the_database_was_away_is_emptied_and_handed_out_no_more(
    memory: Memory, ada: Viewer
) -> None:
    async with memory.unit(ada) as unit:
        await inbox.add_update(unit.session, ada, 1, "chat", b"sealed", unit.now)
        await inbox.mark_done(unit.session, ada, 1, unit.now)
    async with memory.unit(ada) as unit:
        held = await inbox.find_update(unit.session, ada, 1)
        assert held is not None
        assert held.payload is None
    nobody = Viewer.nobody(ada.tenant)
    async with memory.database.transaction(nobody) as session:
        assert await inbox.claim(session, "a process", timedelta(seconds=30), 10) == []


async def test_more_waits_in_a_chat_until_it_was_handed_out(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada) as unit:
        assert not await inbox.has_waiting_updates(unit.session, ada, "chat")
        await inbox.add_update(unit.session, ada, 1, "chat", b"sealed", unit.now)
        assert await inbox.has_waiting_updates(unit.session, ada, "chat")
        assert not await inbox.has_waiting_updates(unit.session, ada, "another chat")
