"""What is sealed is searched by opening it: within bounds, by the clock, and ranked as what has an index."""

import threading
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.retrieval.recall import RecallFilter, candidates
from db.queries.retrieval.sealed import rarities
from db.viewer import Viewer
from db.vocabulary import ActorType, Channel, EventKind
from memory.events.record import EventDraft, prepare, record
from memory.language.terms import query_terms
from memory.retrieval import sealed
from memory.retrieval.sealed import SealedResults, search_sealed
from memory.unit import Memory
from tests.conftest import NOON

FILLING = "We spoke about the weather and the garden on the way to the harbour. " * 60


async def say(
    memory: Memory,
    viewer: Viewer,
    *texts: str,
    now: datetime = NOON,
    sensitive: bool = True,
    kind: EventKind = EventKind.MESSAGE,
    **given: Any,
) -> list[str]:
    """Events in a conversation of their own; gives their ids."""
    name = "decision" if kind == EventKind.DECISION else "text"
    drafts = [EventDraft(ActorType.HUMAN, viewer.person, kind, {name: text}, **given) for text in texts]
    prepared = [prepare(draft, now, sensitive=sensitive) for draft in drafts]
    async with memory.unit(viewer, now=now) as unit:
        conversation = timed_id("cnv", now)
        await start_conversation(unit.session, viewer, conversation_id=conversation, agent_id="x", now=now)
        await record(unit, conversation, prepared)
    return [each.event.id for each in prepared]


async def opened(
    memory: Memory, viewer: Viewer, question: str, only: RecallFilter | None = None, *, seconds: float = 300.0
) -> SealedResults:
    async with memory.unit(viewer, now=NOON, read_only=True) as unit:
        return await search_sealed(unit, query_terms(question), only or RecallFilter(), seconds=seconds)


def best(found: SealedResults) -> str | None:
    return max(found.found.values(), key=lambda each: each.words).event_id


async def test_no_more_parts_are_opened_than_the_bound_and_the_answer_says_so(
    memory: Memory, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed, "MAX_PARTS", 40)
    [told] = await say(memory, ada, "My doctor keeps the zither", now=NOON - timedelta(days=9))
    await say(memory, ada, *(f"{number}. {FILLING * 3}" for number in range(20)))
    found = await opened(memory, ada, "Who keeps the zither?")

    assert (len(found.found), found.complete) == (40, False)
    assert best(found) == told


class TickingClock:
    """In place of the module `time`: every look at it takes a millisecond, and to sleep takes none."""

    def __init__(self) -> None:
        self.now, self.rests = 0.0, 0

    def monotonic(self) -> float:
        self.now += 0.001
        return self.now

    def sleep(self, seconds: float) -> None:
        self.rests += 1


async def test_the_clock_stops_the_search_which_a_thread_makes_and_rests_in_between(
    memory: Memory, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(memory, ada, *(f"{number}. {FILLING}" for number in range(20)))
    clock, threads, search = TickingClock(), set[threading.Thread](), sealed._search

    def watched(*given: Any) -> SealedResults:
        threads.add(threading.current_thread())
        return search(*given)

    monkeypatch.setattr(sealed, "_search", watched)
    whole = await opened(memory, ada, "harbour garden")
    monkeypatch.setattr(sealed, "time", clock)
    stopped = await opened(memory, ada, "harbour garden", seconds=0.05)

    assert whole.complete
    assert not stopped.complete
    assert 0 < len(stopped.found) < len(whole.found)
    assert clock.now < 0.06
    assert clock.rests >= 5  # after every five milliseconds of work
    assert threading.main_thread() not in threads
    assert await opened(memory, ada, "harbour", seconds=0.0) == SealedResults({}, False, 0.0)


async def test_what_a_glance_does_not_see_is_compared_all_the_same(memory: Memory, ada: Viewer) -> None:
    """The German stemmer reads "ae" as "ä": no beginning of the word asked for stands in the text."""
    [told] = await say(memory, ada, "Die Aerzte sagen, dass ich die Diabetes nicht mehr habe")
    found = await opened(memory, ada, "Was sagten mir die Ärzte über das Kind?")

    assert [each.event_id for each in found.found.values() if each.words > 0] == [told]
    assert found.complete


async def test_a_search_is_limited_by_the_kind_the_tags_and_the_time_of_an_event(memory: Memory, ada: Viewer) -> None:
    yesterday = NOON - timedelta(days=1)
    [old] = await say(memory, ada, "The zither is old", now=yesterday)
    [tagged] = await say(memory, ada, "The zither is loud", tags=("music", "home"))
    [decided] = await say(memory, ada, "We keep the zither", kind=EventKind.DECISION)

    async def of(**only: Any) -> set[str | None]:
        found = await opened(memory, ada, "zither", RecallFilter(**only))
        return {each.event_id for each in found.found.values()}

    assert await of() == {old, tagged, decided}
    assert await of(kinds=["decision"]) == {decided}
    assert await of(tags=["music"]) == {tagged}
    assert await of(tags=["music", "work"]) == set()
    assert await of(since=NOON) == {tagged, decided}
    assert await of(until=NOON) == {old}
    assert await of(without_events=[old, decided]) == {tagged}


async def test_words_count_as_they_do_in_what_has_an_index(memory: Memory, ada: Viewer) -> None:
    said = ["The zither is in the attic, and the zither is old", "The attic is dark", "We eat at noon"]
    await say(memory, ada, *said, sensitive=False)
    await say(memory, ada, said[0])
    terms = query_terms("Is the zither in the attic, or the balalaika?")
    async with memory.unit(ada, now=NOON, read_only=True) as unit:
        pool = await candidates(unit.session, ada, terms=terms, vector=None, model=None, only=RecallFilter())
        found = await search_sealed(unit, terms, RecallFilter(), seconds=300.0)

    [part] = found.found.values()
    assert part.words == pytest.approx(max(row.words for row in pool.rows))
    assert found.rarity == pytest.approx(pool.rarity)


async def test_a_word_that_stands_in_sealed_words_alone_is_counted_too(memory: Memory, ada: Viewer) -> None:
    await say(memory, ada, "We eat at noon", sensitive=False)
    await say(memory, ada, "The zither is old")
    found = await opened(memory, ada, "Where are zither and balalaika?")

    async with memory.unit(ada, now=NOON, read_only=True) as unit:
        rare = (await rarities(unit.session, ada, ["zither"])).of["zither"]
    assert found.rarity == pytest.approx(rare) != 0


async def test_a_word_too_common_to_tell_anything_is_left_out(
    memory: Memory, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.queries.retrieval.sealed.MAX_POSTINGS", 3)
    await say(memory, ada, *["The boat is old"] * 5, "The zither is new", sensitive=False)
    async with memory.unit(ada, now=NOON, read_only=True) as unit:
        known = await rarities(unit.session, ada, ["boat", "zither", "balalaika"])
        alone = await rarities(unit.session, ada, ["boat"])

    assert set(known.of) == {"zither", "balalaika"}
    assert known.held == {"zither"}
    assert alone.held == {"boat"}


async def test_what_is_too_much_to_read_at_once_stays_and_hides_nothing_else(
    memory: Memory, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed, "MAX_BYTES", 20_000)
    [told] = await say(memory, ada, "The zither is old", now=NOON - timedelta(days=1))
    await say(memory, ada, FILLING * 9)
    found = await opened(memory, ada, "zither")

    assert {each.event_id for each in found.found.values()} == {told}
    assert not found.complete


@pytest.mark.parametrize("channel", [Channel.AGENT, Channel.PUBLIC])
async def test_where_nothing_sensitive_is_loaded_nothing_is_opened(
    memory: Memory, ada: Viewer, channel: Channel
) -> None:
    await say(memory, ada, "The zither is old")

    assert await opened(memory, replace(ada, channel=channel), "zither") == SealedResults({})
