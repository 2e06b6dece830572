"""Rolling summaries: their ranges and chain, what a prompt shows of them, and everything that can go wrong."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from db.engine import Database
from db.queries.consolidation.consolidation import advance_progress
from db.queries.privacy.erasure import blank_event
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, EventKind
from memory.consolidation.passes import Passes
from memory.consolidation.scheduler import Scheduler
from memory.context.build import Bundle, BundleOptions, build_bundle
from memory.context.sections import SectionName
from memory.errors import DatabaseAway
from memory.events.record import EventDraft as Words
from memory.events.record import prepare, record
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.privacy.forgetting.forget import ForgetRequest, erase, forget, purge_own
from memory.refusals import SENTENCES, Refusal
from memory.unit import Memory
from tests.background_jobs import Bench, bench_for, heard, keeps_record, record_of
from tests.company import aloud, found_together
from tests.conftest import wait_until_blocked
from tests.scripted_model import Fails, Says, Step, Thought, Writes
from tests.story import chatting
from tests.waiting import STUCK, eventually

PATIENT = timedelta(minutes=5)  # a busy machine must not change what is found


@pytest.fixture
def always() -> Thought:
    return keeps_record


async def test_the_oldest_twenty_of_more_than_thirty_messages_are_summarised(bench: Bench) -> None:
    await bench.talk(15)
    assert await bench.summarise() == 0
    await bench.talk(1, start=15)
    assert await bench.summarise() == 1

    assert await bench.chain() == [(0, 19, 0, None)]
    [(refs, words, spent)] = await bench.rows("SELECT refs, text, generation_ms FROM summaries")
    assert refs == bench.said[:20]
    assert words == "Number 0 is about the weather\nHeard number 9."
    assert spent >= 0
    assert [number for number, _, _ in heard(bench.model.requests[0])] == list(range(20))


async def test_versions_build_on_each_other_and_read_only_what_is_new(bench: Bench) -> None:
    await bench.talk(46)
    assert await bench.summarise() == 4

    assert await bench.chain() == [(0, 19, 0, None), (0, 39, 20, 19), (0, 59, 40, 39), (0, 79, 60, 59)]
    assert [number for number, _, _ in heard(bench.model.requests[-1])] == list(range(60, 80))
    assert await bench.summarise() == 0


async def test_source_003s_table_of_versions_comes_out_of_the_passes(memory: Memory, ada: Viewer) -> None:
    async with bench_for(memory, ada, KEEPSAKE_SUMMARIES="sliding", KEEPSAKE_SUMMARY_MESSAGES=14) as bench:
        bench.model.always = keeps_record
        made = []
        for exchanges in (2, 1, 2, 2, 1, 2):
            await bench.talk(exchanges, start=len(bench.said) // 2)
            made.append(await bench.summarise())

        assert made == [0, 1, 1, 1, 1, 1]
        assert await bench.chain() == [(0, 5, 0, None), (0, 9, 6, 5), (0, 13, 10, 9), (2, 15, 14, 13), (6, 19, 16, 15)]


async def test_a_summary_and_a_message_that_come_at_once_wait_for_each_other_in_one_order(
    bench: Bench, superuser_url: str
) -> None:
    """A message takes the conversation, for its number, and then the counts of its shelf."""
    await bench.talk(16)
    said = prepare(Words(ActorType.HUMAN, bench.viewer.person, EventKind.MESSAGE, {"text": "One more"}), bench.now)
    async with bench.memory.unit(bench.viewer) as unit:
        await advance_progress(unit.session, unit.viewer, bench.conversation, extracted=0)  # only locks it
        making = asyncio.create_task(bench.summarise())
        await asyncio.to_thread(wait_until_blocked, superuser_url)
        await record(unit, bench.conversation, [said])

    assert await making == 1
    assert await bench.rows("SELECT content ->> 'text' FROM events WHERE message_seq = 32") == [("One more",)]


async def test_a_failed_attempt_stores_nothing_and_is_made_later(bench: Bench) -> None:
    bench.model.always = None
    await bench.talk(16)
    assert await bench.summarise(record_of()) == 0

    assert [status for status, *_ in await bench.states()] == ["processing"]
    assert await bench.rows("SELECT 1 FROM chunks WHERE summary_id IS NOT NULL") == []
    assert await bench.summarise() == 0  # its lease holds
    assert await bench.summarise(keeps_record, later=61) == 1
    assert await bench.chain() == [(0, 19, 0, None)]


# What goes wrong


FAILURES = {
    "malformed JSON": Writes('{"points": [{"text": "half a'),
    "no JSON at all": Writes("I would rather talk about something else."),
    "another form": Writes({"summary": "They spoke."}),
    "a refusal": Writes("", stop_reason="refusal"),
    "cut off": Writes({"points": [], "digest": ""}, stop_reason="max_tokens"),
    "an empty summary": record_of(),
    "empty words": record_of(("  ", [0])),
    "no message is named": record_of(("They spoke of the weather.", [])),
    "messages that are none": record_of(("They spoke of the weather.", [400, -1])),
    "another number": record_of(("Number 77 is about the weather", [0])),
    "another name": record_of(("They spoke with Wilhelmina about the weather", [0, 1])),
    "a stream where none was asked for": Says(("They spoke.",)),
    "the key is refused": Fails("401"),
    "a bad request": Fails("400"),
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
async def test_whatever_fails_nothing_partial_is_stored_and_the_next_pass_makes_it(bench: Bench, failure: Step) -> None:
    bench.model.always = None
    await bench.talk(16)
    assert await bench.summarise(failure) == 0

    [(status, attempts, reason)] = await bench.states()
    assert (status, attempts) == ("processing", 1)
    assert reason
    assert "weather" not in reason
    for table in ("chunks WHERE summary_id IS NOT NULL", "topics", "notices", "proposals", "facts"):
        assert await bench.rows(f"SELECT 1 FROM {table}") == []
    assert await bench.rows("SELECT summarised FROM conversations") == [(0,)]
    assert await bench.summarise(keeps_record, later=61) == 1
    assert await bench.chain() == [(0, 19, 0, None)]


async def test_a_model_that_takes_too_long_is_one_more_failure(memory: Memory, ada: Viewer) -> None:
    async with bench_for(memory, ada, KEEPSAKE_MODEL_SECONDS=1) as bench:
        await bench.talk(16)
        bench.model.ponders = never
        assert await bench.summarise() == 0
        bench.model.ponders = None

        [(_, _, reason)] = await bench.states()
        assert "longer than 1 second" in reason
        bench.jobs.structured_llm._client.seconds = STUCK  # type: ignore[union-attr]
        assert await bench.summarise(keeps_record, later=61) == 1


async def test_a_model_that_is_busy_is_asked_again_within_its_time(bench: Bench) -> None:
    bench.model.always = None
    await bench.talk(16)

    assert await bench.summarise(Fails("529"), Fails("429"), keeps_record) == 1
    assert len(bench.model.requests) == 3


async def test_after_three_failures_it_is_parked_with_its_reason_and_tried_again_a_step_later(bench: Bench) -> None:
    bench.model.always = None
    await bench.talk(16)
    for _ in range(3):
        assert await bench.summarise(record_of(), later=3600) == 0
    assert await bench.states() == [("failed", 3, "AnswerUnfit: The summary is empty.")]
    await bench.talk(9, start=16)
    assert await bench.summarise(later=3600) == 0
    assert len(bench.model.requests) == 3

    await bench.talk(1, start=25)
    assert await bench.summarise(keeps_record) == 1
    assert await bench.chain() == [(0, 39, 0, None)]
    assert await bench.summarise() == 0


async def test_who_dies_with_it_three_times_parks_it_too(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    await bench.talk(16)

    async def die(*_: object) -> None:
        raise KilledError

    monkeypatch.setattr("memory.consolidation.summaries.summarise._make", die)
    for _ in range(3):
        with pytest.raises(KilledError):
            await bench.summarise(later=3600)
    assert await bench.summarise(later=3600) == 0

    [(status, attempts, reason)] = await bench.states()
    assert (status, attempts, reason) == ("failed", 4, f"AnswerUnfit: {SENTENCES[Refusal.ANSWER_TRIES]}")


class KilledError(Exception):
    """Stands for a kill -9: nobody tidies up."""


async def test_a_process_that_dies_between_the_call_and_the_write_leaves_it_to_the_next(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bench.talk(16)

    async def die(*_: object, **__: object) -> bool:
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr("memory.consolidation.summaries.summaries.complete", die)
        with pytest.raises(KilledError):
            await bench.summarise()
    assert await bench.rows("SELECT 1 FROM chunks WHERE summary_id IS NOT NULL") == []
    lease = bench.jobs.lease.total_seconds()
    assert await bench.summarise(later=lease - 1) == 0  # the lease of the dead one holds
    assert await bench.summarise(later=1) == 1
    assert await bench.chain() == [(0, 19, 0, None)]


async def never(request: dict[str, Any]) -> Step:
    await asyncio.Event().wait()
    raise AssertionError


class Holding:
    """A model that thinks about the first request until it is told to answer, and about no other."""

    def __init__(self, bench: Bench) -> None:
        self.model, self.told = bench.model, asyncio.Event()
        bench.model.ponders = self.ponder

    async def ponder(self, request: dict[str, Any]) -> Step:
        if request is self.model.requests[0]:
            await self.told.wait()
        return keeps_record(request)

    async def asked(self) -> None:
        await eventually(lambda: self.model.requests)


async def test_two_processes_at_once_make_one_version(bench: Bench, app_url: str) -> None:
    holding = Holding(bench)
    await bench.talk(16)
    database = Database(app_url)
    other = Passes(replace(bench.jobs, memory=Memory(database, bench.memory.keyring)))
    work = [bench.summarise(), other.summaries(bench.now), bench.passes.summaries(bench.now)]
    tasks = [asyncio.create_task(each) for each in work]
    await eventually(lambda: sum(task.done() for task in tasks) == 2 or len(bench.model.requests) > 1)
    holding.told.set()
    made = await asyncio.gather(*tasks)
    await database.close()

    assert sum(made) == 1
    assert len(bench.model.requests) == 1
    assert await bench.chain() == [(0, 19, 0, None)]


async def test_who_was_too_slow_does_not_write_over_who_took_over(bench: Bench) -> None:
    await bench.talk(16, words="Sourdough bread, the sourdough starter, part {}")
    holding = Holding(bench)
    slow = asyncio.create_task(bench.summarise())
    await holding.asked()
    assert await bench.passes.summaries(bench.now + timedelta(hours=1)) == 1
    noted = await bench.rows("SELECT * FROM topics")
    holding.told.set()

    assert noted
    assert await slow == 0
    assert await bench.rows("SELECT * FROM topics") == noted
    assert await bench.chain() == [(0, 19, 0, None)]
    assert len(await bench.rows("SELECT 1 FROM chunks WHERE summary_id IS NOT NULL")) == 1


async def test_a_pass_that_is_stopped_gives_its_work_back_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model has not answered when it has stopped."""
    monkeypatch.setattr("memory.consolidation.jobs.GIVE_BACK_SECONDS", STUCK)
    monkeypatch.setattr("memory.consolidation.scheduler.SECONDS_TO_STOP", STUCK)
    await bench.talk(16)
    holding = Holding(bench)
    scheduler = Scheduler(bench.passes, bench.jobs.metrics, every={"summaries": 3600})
    scheduler.start()
    await holding.asked()
    await scheduler.stop()

    assert not holding.told.is_set()
    assert await bench.states() == []
    assert await bench.summarise() == 1


async def test_a_database_that_goes_away_in_the_middle_loses_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    await bench.talk(16)

    async def away(*_: object, **__: object) -> bool:
        raise DatabaseAway("The database does not answer.")

    with monkeypatch.context() as patched:
        patched.setattr("memory.consolidation.summaries.summaries.complete", away)
        assert await bench.summarise() == 0
    assert [status for status, *_ in await bench.states()] == ["processing"]
    assert await bench.summarise(later=bench.jobs.lease.total_seconds()) == 1


# Drift


async def test_a4_a_sentence_with_a_changed_number_or_name_is_dropped_and_the_rest_stays(bench: Bench) -> None:
    """Said on a Monday; the date of next Friday is found, though nobody spelled it."""
    bench.model.always = None
    await bench.exchange("Marta paid 450 euros for the boat and we sail next Friday", "Noted.")
    await bench.talk(15, start=1)
    await bench.summarise(
        record_of(
            ("Marta paid 540 euros for the boat.", [0]),
            ("Berta paid 450 euros for the boat.", [0]),
            ("They sail on 2026-11-29.", [0]),
            ("Marta paid 450 euros for the boat.", [0]),
            ("They sail on 2026-11-27.", [0]),
            digest="Marta bought a boat for 540 euros. Marta bought a boat for 450 euros.",
        )
    )

    [(words, digest)] = await bench.rows("SELECT text, digest FROM summaries")
    assert words == "Marta paid 450 euros for the boat.\nThey sail on 2026-11-27."
    assert digest == "Marta bought a boat for 450 euros."


async def test_a4_where_a_summary_and_a_message_disagree_the_message_stands_in_the_bundle_before_it(
    bench: Bench,
) -> None:
    bench.model.always = None
    await bench.exchange("The boat is moored at the northern pier", "Noted.")
    await bench.talk(15, start=1)
    await bench.summarise(record_of(("The boat is moored at the southern pier.", [0])))
    await bench.begin()
    await bench.say("At which pier is the boat moored?")
    made = await shown(bench, "At which pier is the boat moored?")

    told = [item.text for item in made.items(SectionName.RETRIEVED_EVIDENCE)]
    at = {words: number for number, words in enumerate(told)}
    northern = next(number for words, number in at.items() if "northern pier" in words)
    southern = next(number for words, number in at.items() if "southern pier" in words)
    assert northern < southern


# What a prompt shows


async def shown(bench: Bench, query: str = "And now?", **options: Any) -> Bundle:
    return await build_bundle(
        bench.memory,
        None,
        bench.viewer,
        bench.conversation,
        query,
        now=bench.now,
        options=BundleOptions(deadline=PATIENT, **options),
    )


async def test_the_context_of_a_turn_is_the_newest_digest_and_the_messages_after_it(bench: Bench) -> None:
    await bench.talk(26)
    raw = await shown(bench, window=50)
    assert raw.items(SectionName.SUMMARY) == ()
    assert len(raw.items(SectionName.RECENT_WINDOW)) == 52 - 20  # more than a window and a step are not waited for
    await bench.summarise()
    made = await shown(bench, window=50)

    [digest] = made.items(SectionName.SUMMARY)
    assert digest.text.splitlines() == [
        "- Number 0 is about the weather",
        "- Heard number 9.",
        "- Number 10 is about the weather",
        "- Heard number 19.",
    ]
    window = made.items(SectionName.RECENT_WINDOW)
    assert [item.refs[0] for item in window] == bench.said[40:]


async def test_a_slow_summary_never_delays_a_turn(bench: Bench) -> None:
    await bench.talk(16)
    holding = Holding(bench)
    making = asyncio.create_task(bench.summarise())
    await holding.asked()
    made = await shown(bench, window=50)

    assert not making.done()
    assert len(made.items(SectionName.RECENT_WINDOW)) == 32
    holding.told.set()
    assert await making == 1


async def test_what_leaves_the_window_leaves_the_digest_and_is_still_found(memory: Memory, ada: Viewer) -> None:
    async with bench_for(memory, ada, KEEPSAKE_SUMMARIES="sliding", KEEPSAKE_SUMMARY_MESSAGES=4) as bench:
        bench.model.always = keeps_record
        await bench.exchange("My flamingo is called Rosalind", "A fine name.")
        await bench.talk(2, start=1)
        assert await bench.summarise() == 1
        await bench.talk(2, start=3)
        assert await bench.summarise() == 1
        made = await shown(bench, "What was the flamingo called?")

        [digest] = made.items(SectionName.SUMMARY)
        assert "Rosalind" not in digest.text
        assert any("Rosalind" in item.text for item in made.items(SectionName.RETRIEVED_EVIDENCE))


async def test_every_version_is_a_chunk_of_its_own_with_what_it_read(bench: Bench) -> None:
    await bench.talk(26)
    await bench.summarise()

    found = await bench.rows("SELECT text, kind, ts FROM chunks WHERE summary_id IS NOT NULL ORDER BY ts")
    assert [(words, kind) for words, kind, _ in found] == [
        ("Number 0 is about the weather\nHeard number 9.", "summary"),
        ("Number 10 is about the weather\nHeard number 19.", "summary"),
    ]
    [last] = await bench.rows("SELECT ts FROM events WHERE message_seq = 19")
    assert found[0][2] == last[0]


async def test_up_to_five_digests_of_earlier_conversations_stand_in_the_snapshot(bench: Bench) -> None:
    for number in range(7):
        await bench.talk(2, words=f"Conversation {number} about boats, part {{}}")
        await bench.end()
        await bench.summarise(later=60)
        bench.now += timedelta(days=1)
        await bench.begin()
    await bench.say("Hello again")
    made = await shown(bench)

    told = [item.text for item in made.items(SectionName.EARLIER)]
    assert [line.rpartition("Conversation ")[2][:1] for line in told] == list("23456")
    assert made.token_used_est <= 65_000


async def test_a_digest_that_is_made_in_the_middle_of_a_conversation_does_not_change_its_beginning(
    bench: Bench,
) -> None:
    await bench.talk(2, words="About boats, part {}")
    await bench.end()
    await bench.begin()
    await bench.exchange("Hello again")
    before = await shown(bench)
    await bench.summarise(later=60)
    after = await shown(bench)

    assert before.items(SectionName.EARLIER) == after.items(SectionName.EARLIER) == ()


async def test_the_last_ten_conversations_keep_their_digest_and_all_keep_their_points(bench: Bench) -> None:
    for number in range(12):
        await bench.talk(2, words=f"Conversation {number}, part {{}}")
        await bench.end()
        await bench.summarise(later=60)
        await bench.begin()

    assert await bench.rows("SELECT count(*), count(digest), count(text) FROM summaries") == [(12, 10, 12)]


async def test_an_overview_comes_with_the_third_conversation_and_only_says_what_was_said(bench: Bench) -> None:
    overviews = []
    for number in range(4):
        await bench.talk(2, words=f"Boats in harbour {number}, part {{}}")
        await bench.end()
        bench.model.always = lambda request: Writes(
            {
                "points": [{"text": "They spoke of boats.", "messages": [0]}],
                "digest": "They spoke of boats.",
                "overall": "Boats come up again and again. Wilhelmina owns 77 of them.",
                "facts": [],
            }
        )
        await bench.summarise(later=60)
        overviews.append(await bench.rows("SELECT overall FROM summaries ORDER BY created_at DESC LIMIT 1"))
        await bench.begin()

    assert overviews == [[(None,)], [(None,)], *[[("Boats come up again and again.",)]] * 2]
    await bench.say("Hello")
    [overall, *_] = (await shown(bench)).items(SectionName.EARLIER)
    assert overall.text.startswith("- In all: Boats come up again and again. Topics: ")
    assert "harbour" in overall.text


async def test_a_conversation_of_a_few_words_is_not_worth_a_call(bench: Bench) -> None:
    await bench.exchange("Hi", "Hello.")
    await bench.end()

    assert await bench.summarise(later=3600) == 0
    assert await bench.summarise(later=3600) == 0
    assert bench.model.requests == []


async def test_a_conversation_that_has_been_silent_long_enough_is_closed(bench: Bench) -> None:
    await bench.talk(3)
    assert await bench.summarise(later=3600) == 0
    assert await bench.summarise(later=6 * 3600) == 1

    assert await bench.chain() == [(0, 5, 0, None)]


async def test_topics_are_noted_without_a_call_and_at_most_fifty(bench: Bench) -> None:
    await bench.talk(2, words="Sourdough bread, the sourdough starter, part {}")
    await bench.end()
    await bench.summarise(later=60)

    found = await bench.rows("SELECT name FROM topics")
    assert "sourdough" in {name for (name,) in found}
    assert len(bench.model.requests) == 1


# What is sensitive, forgotten, or somebody else's


async def test_a_summary_of_something_sensitive_is_sealed_and_still_shown_to_its_owner(bench: Bench) -> None:
    await bench.exchange("I was diagnosed with diabetes in 2019", "I am sorry.")
    await bench.talk(15, start=1)
    await bench.summarise()

    [(words, points, digest, sealed)] = await bench.rows("SELECT text, points, digest, sealed FROM summaries")
    assert (words, points, digest) == (None, None, None)
    assert b"diabetes" not in sealed
    assert await bench.rows("SELECT 1 FROM chunks WHERE summary_id IS NOT NULL") == []
    made = await shown(bench)
    assert "diabetes" in made.items(SectionName.SUMMARY)[0].text
    assert any("diabetes" in words for words in made.sensitive)


async def test_deleting_takes_it_out_of_the_digest_at_once_and_purging_makes_the_version_anew(bench: Bench) -> None:
    await bench.exchange("My boat is called Walrus", "A fine name.")
    await bench.talk(15, start=1)
    await bench.summarise()
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        kept = await facts.remember(
            unit,
            FactDraft("My boat is called Walrus", Category.OTHER, source_event_id=bench.said[0], span=(0, 24)),
            Approval.COMMAND,
        )
        await facts.hide(unit, kept.row.id, Approval.COMMAND)
    assert "Walrus" not in (await shown(bench)).items(SectionName.SUMMARY)[0].text
    bench.now += timedelta(days=2)
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        await purge_own(unit)
    assert await bench.rows("SELECT 1 FROM summaries") == []

    assert await bench.summarise() == 2  # and its end, because it has been silent since
    assert await bench.chain() == [(0, 19, 0, None), (0, 31, 20, 19)]
    assert await bench.rows("SELECT 1 FROM summaries AS s WHERE s::text ILIKE '%walrus%'") == []


async def test_deleting_what_was_never_said_leaves_the_digests_alone(bench: Bench) -> None:
    """Neither a fact that was typed nor a summary has a source; that does not make one the source of the other."""
    await bench.talk(2)
    await bench.end()
    await bench.summarise(later=60)
    await bench.begin()
    await bench.talk(16)
    await bench.summarise()
    before = await shown(bench)
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        kept = await facts.remember(unit, FactDraft("My boat is called Walrus", Category.OTHER), Approval.COMMAND)
        await facts.hide(unit, kept.row.id, Approval.COMMAND)
    after = await shown(bench)

    for name in (SectionName.SUMMARY, SectionName.EARLIER):
        assert [item.text for item in after.items(name)] == [item.text for item in before.items(name)] != []


async def test_a_version_in_the_middle_that_goes_with_a_message_is_made_again_where_it_was(bench: Bench) -> None:
    await bench.talk(36)
    await bench.summarise()
    assert [row[:3] for row in await bench.chain()] == [(0, 19, 0), (0, 39, 20), (0, 59, 40)]
    async with bench.memory.unit(bench.viewer) as unit:
        await blank_event(unit.session, bench.said[24])
    assert [row[:3] for row in await bench.chain()] == [(0, 19, 0), (0, 59, 40)]

    assert await bench.summarise() == 1
    assert await bench.chain() == [(0, 19, 0, None), (0, 39, 20, 19), (0, 59, 40, 39)]
    assert await bench.summarise() == 0


async def test_a_version_in_the_middle_that_is_given_up_keeps_nothing_after_it_from_being_made(bench: Bench) -> None:
    await bench.talk(36)
    await bench.summarise()
    async with bench.memory.unit(bench.viewer) as unit:
        await blank_event(unit.session, bench.said[24])
    bench.model.always = None
    for _ in range(3):
        assert await bench.summarise(record_of(), later=700) == 0
    asked = len(bench.model.requests)

    assert await bench.summarise(later=700) == 0
    assert len(bench.model.requests) == asked
    await bench.talk(12, start=36)
    assert await bench.summarise(keeps_record) == 1
    assert [row[:3] for row in await bench.chain()] == [(0, 19, 0), (0, 59, 40), (0, 79, 60)]


async def test_a_summary_that_its_owner_cleared_does_not_come_back(bench: Bench) -> None:
    await bench.talk(20)
    await bench.summarise()
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        assert (await forget(unit, ForgetRequest(clear_summary=True))).summaries == 1

    assert await bench.summarise() == 0
    await bench.talk(16, start=20)
    assert await bench.summarise() == 1
    assert [row[:3] for row in await bench.chain()] == [(40, 59, 40)]


async def test_in_a_group_the_summary_is_the_groups_and_goes_when_a_member_takes_their_words_home(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    async with bench_for(memory, ada) as bench:
        bench.model.always = keeps_record
        await bench.begin(aloud(ada, space))
        await bench.say("The picnic is at the lake", by=aloud(ben, space))
        await bench.answer(to=aloud(ben, space))
        await bench.talk(15, start=1)
        assert await bench.summarise() == 1
        as_space = replace(aloud(ada, space), user=None)
        made = await build_bundle(memory, None, as_space, bench.conversation, "Where?", now=bench.now)
        assert "picnic" in made.items(SectionName.SUMMARY)[0].text
        assert await bench.rows("SELECT user_id FROM summaries") == [(ada.person,)]

        await erase(memory, ben.tenant, ben.person)
        assert await bench.rows("SELECT 1 FROM summaries") == []
        assert await bench.summarise() == 1
        assert await bench.rows("SELECT 1 FROM summaries AS s WHERE s::text LIKE '%picnic%'") == []


async def test_a_stranger_sees_no_summary_and_a_conversation_that_is_not_kept_has_none(
    bench: Bench, ben: Viewer
) -> None:
    await bench.talk(16)
    await bench.summarise()

    assert await bench.rows("SELECT 1 FROM summaries", viewer=ben) == []
    assert await bench.rows("SELECT 1 FROM extractions", viewer=ben) == []


async def test_a_call_with_a_digest_renders_again_byte_for_byte(memory: Memory, ada: Viewer) -> None:
    async with chatting(memory, ada) as story:
        for number in range(4):
            await story.say(f"Boats, part {number}", Says((f"Heard {number}.",)))
        chat = story.conversation.chat
        async with bench_for(memory, ada) as bench:
            bench.model.always = keeps_record
            bench.conversation, bench.now = chat.conversation_id, datetime.now(UTC)
            bench.jobs.settings.__dict__.update(summaries="sliding", summary_messages=6)
            assert await bench.summarise() == 1
            await story.say("And now?", Says(("Now this.",)))
            await chat.new_conversation()
            assert await bench.summarise(later=1) >= 1
            await story.say("A new beginning", Says(("Yes.",)))
        assert "Boats, part 1" in str(story.model.requests[-2]["messages"])
        assert all(each.is_same for each in await story.replays())
