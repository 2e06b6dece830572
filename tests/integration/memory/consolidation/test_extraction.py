"""Extraction: when it is asked for, what of a model's findings is let through, and what becomes of it."""

from datetime import timedelta

import pytest

from db.queries.people.people import choose_categories, choose_mode
from db.tables.events import SECONDHAND, TELLING
from db.viewer import Viewer
from db.vocabulary import Approval, Attribute, Category, Mode
from memory.errors import DatabaseAway
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.facts.receipts import ReceiptKind
from memory.privacy.forgetting.forget import purge_own
from memory.turn import background_notices
from memory.unit import Memory
from tests.background_jobs import Bench, bench_for, fact, finds, heard, record_of
from tests.company import aloud, found_together
from tests.scripted_model import Writes

VEGAN = "I have been vegan since 2019"


async def cards(bench: Bench, viewer: Viewer | None = None) -> list[str]:
    async with bench.memory.unit(viewer or bench.viewer, now=bench.now) as unit:
        return [str(card.row.content) for card in await proposals.waiting_cards(unit)]


async def kept(bench: Bench) -> list[str]:
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        return [row.words for row in await facts.own_facts(unit)]


async def choose(bench: Bench, mode: Mode) -> None:
    async with bench.memory.unit(bench.viewer) as unit:
        await choose_mode(unit.session, unit.viewer, mode)


# When


async def test_nothing_is_asked_while_nobody_tells_anything(bench: Bench) -> None:
    await bench.exchange("What is the capital of Peru?", "Lima.")
    await bench.exchange("Thanks!", "You are welcome.")

    assert await bench.extract(later=3600) == 0
    assert bench.model.requests == []


async def test_an_exchange_that_tells_something_waits_for_a_minute_of_quiet(bench: Bench) -> None:
    await bench.exchange(VEGAN)
    assert await bench.extract(later=30) == 0
    assert bench.model.requests == []

    assert await bench.extract(finds(fact(0, VEGAN)), later=31) == 1
    assert await cards(bench) == [VEGAN]
    assert await bench.extract(later=3600) == 0


async def test_five_exchanges_that_tell_something_are_looked_through_together_at_once(bench: Bench) -> None:
    for words in ("My name is Ada", VEGAN, "I live in Porto", "My brother is called Tom"):
        await bench.exchange(words)
    await bench.exchange("What is the time?", "Noon.")
    assert await bench.extract(later=1) == 0
    await bench.exchange("I work as a nurse")
    assert await bench.extract(finds(), later=1) == 1

    told = heard(bench.model.requests[0])
    assert [number for number, who, _ in told if who == "the person's own"] == [0, 2, 4, 6, 10]
    assert len(bench.model.requests) == 1


async def test_facts_are_found_in_the_call_of_the_summary_where_one_is_due(bench: Bench) -> None:
    await bench.talk(9)
    await bench.exchange(VEGAN)
    await bench.talk(6, start=10)
    made = await bench.summarise(
        record_of(("They spoke of the weather.", [0, 1]), facts=[fact(18, VEGAN, category="preference")])
    )

    assert made == 1
    assert await cards(bench) == [VEGAN]
    assert await bench.extract(later=3600) == 0
    assert len(bench.model.requests) == 1


async def test_a_summary_that_fails_leaves_the_facts_to_a_call_of_their_own(bench: Bench) -> None:
    await bench.exchange(VEGAN)
    await bench.talk(15, start=1)
    assert await bench.summarise(record_of()) == 0

    assert await bench.extract(finds(fact(0, VEGAN))) == 1
    assert await cards(bench) == [VEGAN]


async def test_a_person_who_keeps_things_by_their_own_orders_only_is_not_looked_through(bench: Bench) -> None:
    await choose(bench, Mode.MANUAL)
    await bench.exchange(VEGAN)

    await bench.extract(later=3600)
    assert bench.model.requests == []
    assert await cards(bench) == []


# What is let through


@pytest.mark.parametrize(
    "lie",
    [
        pytest.param(fact(0, "I have been vegan since 2021"), id="an invented quotation"),
        pytest.param(fact(1, "You also like jazz"), id="the assistant's words"),
        pytest.param(fact(0, "You also like jazz"), id="the assistant's words under another number"),
        pytest.param(fact(2, "I owe Bob 500 euros"), id="a forwarded message"),
        pytest.param(fact(4, "my salary is 5000 euros"), id="a quotation"),
        pytest.param(fact(0, VEGAN, confidence=0.59), id="a guess"),
        pytest.param(fact(6, "I'm so tired today"), id="what passes"),
        pytest.param(fact(99, VEGAN), id="a message that is none"),
    ],
)
async def test_what_its_owner_did_not_say_themselves_is_dropped(bench: Bench, lie: dict[str, object]) -> None:
    await bench.exchange(VEGAN, "Good to know. You also like jazz.")
    await bench.say("I owe Bob 500 euros", forwarded_from="Bob")
    await bench.answer()
    await bench.exchange('Translate this: "my salary is 5000 euros and I live in Rome"')
    await bench.exchange("I'm so tired today")
    await bench.extract(finds(lie))

    assert (await cards(bench), await kept(bench)) == ([], [])


async def test_a_wording_that_says_something_else_is_replaced_by_the_persons_own(bench: Bench) -> None:
    await bench.exchange("I don't like coffee and my sister is called Marta")
    await bench.extract(
        finds(
            fact(0, "I don't like coffee", "The user likes coffee"),
            fact(0, "my sister is called Marta", "The user's sister Martha lives in Rome"),
        )
    )

    assert await cards(bench) == ["I don't like coffee", "my sister is called Marta"]


async def test_a_day_becomes_a_date_and_the_words_stay(bench: Bench) -> None:
    await bench.exchange("My flight to Rome leaves next Friday")  # said on Monday, 2026-11-16
    await bench.extract(finds(fact(0, "My flight to Rome leaves next Friday", category="milestone")))

    [card] = await cards(bench)
    assert card.startswith("My flight to Rome leaves next Friday (2026-11-")


async def test_at_most_ten_are_asked(bench: Bench) -> None:
    words = [f"My cousin number {number} is called Tom{number}" for number in range(13)]
    await bench.exchange(". ".join(words))
    await bench.extract(finds(*(fact(0, each) for each in words)))

    assert len(await cards(bench)) == 10


# What becomes of it


async def test_in_mode_auto_it_is_stored_and_its_owner_gets_a_receipt_once(bench: Bench) -> None:
    await choose(bench, Mode.AUTO)
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(0, VEGAN)))

    assert await kept(bench) == [VEGAN]
    async with bench.memory.unit(bench.viewer, now=bench.now + timedelta(days=1)) as unit:
        told = await background_notices.take_pending(unit)
    assert [(receipt.kind, receipt.row.words) for receipt in told.receipts] == [(ReceiptKind.STORED, VEGAN)]
    assert told.receipts[0].row.source_event_id == bench.said[0]
    async with bench.memory.unit(bench.viewer, now=bench.now + timedelta(days=2)) as unit:
        assert (await background_notices.take_pending(unit)).receipts == []


async def test_what_waits_for_its_owners_word_is_told_once_while_it_waits(bench: Bench) -> None:
    await bench.exchange(f"{VEGAN}. My sister is called Marta")
    await bench.extract(finds(fact(0, VEGAN), fact(0, "My sister is called Marta")))
    async with bench.memory.unit(bench.viewer, now=bench.now + timedelta(minutes=1)) as unit:
        [first, _] = await proposals.waiting_cards(unit)
        await proposals.reject(unit, first.row.id)
    async with bench.memory.unit(bench.viewer, now=bench.now + timedelta(days=1)) as unit:
        assert (await background_notices.take_pending(unit)).cards == 1
        assert (await background_notices.take_pending(unit)).cards == 0


@pytest.mark.parametrize(
    "known",
    [VEGAN, "I HAVE been vegan since 2019!", "The user has been vegan since 2019", "vegan since 2019, and happy"],
)
async def test_what_is_known_is_not_asked_again(bench: Bench, known: str) -> None:
    async with bench.memory.unit(bench.viewer) as unit:
        await facts.remember(unit, FactDraft(known, Category.PREFERENCE), Approval.COMMAND)
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(0, VEGAN), fact(0, VEGAN, "The user has been vegan since 2019")))

    assert (await cards(bench), len(await kept(bench))) == ([], 1)


async def test_a_no_stands_also_in_other_words(bench: Bench) -> None:
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(0, VEGAN)))
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        [card] = await proposals.waiting_cards(unit)
        await proposals.reject(unit, card.row.id)
    await bench.exchange("As you know, since 2019 I have been vegan")
    await bench.extract(finds(fact(2, "since 2019 I have been vegan")))

    assert await cards(bench) == []


async def test_a_no_stands_after_the_purge_too(bench: Bench) -> None:
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(0, VEGAN)))
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        [card] = await proposals.waiting_cards(unit)
        await proposals.reject(unit, card.row.id)
    bench.now += timedelta(days=2)
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        await purge_own(unit)
    await bench.exchange("Since 2019 I have really been vegan")
    await bench.extract(finds(fact(2, "Since 2019 I have really been vegan")))

    assert await cards(bench) == []


async def test_a_no_to_a_change_of_one_fact_is_no_no_to_what_was_said(bench: Bench) -> None:
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        known = (await facts.remember(unit, FactDraft("I play the cello", Category.HOBBY), Approval.COMMAND)).row
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(0, VEGAN, changes=known.id)))
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        [card] = await proposals.waiting_cards(unit)
        await proposals.reject(unit, card.row.id)
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(2, VEGAN, changes=known.id)))
    assert await cards(bench) == []
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(4, VEGAN)))
    assert await cards(bench) == [VEGAN]


async def test_what_was_forgotten_does_not_come_back(bench: Bench) -> None:
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        known = await facts.remember(unit, FactDraft(VEGAN, Category.PREFERENCE), Approval.COMMAND)
        await facts.hide(unit, known.row.id, Approval.COMMAND)
    bench.now += timedelta(days=2)
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        assert await purge_own(unit) == 1
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(0, VEGAN)))

    assert (await cards(bench), await kept(bench)) == ([], [])


async def test_a_change_becomes_a_version_of_the_fact_that_it_changes(bench: Bench) -> None:
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        draft = FactDraft("Sarah works on the Platform team", Category.PERSON, subject="Sarah")
        known = (await facts.remember(unit, draft, Approval.COMMAND)).row
    await bench.exchange("By the way, Sarah works on the Design team")
    words = "Sarah works on the Design team"
    await bench.extract(finds(fact(0, words, category="person", subject="Sarah", changes=known.id)))

    assert (await kept(bench), await cards(bench)) == ([words], [])
    assert f"[id:{known.id}]" in str(bench.model.requests[0])
    async with bench.memory.unit(bench.viewer, now=bench.now + timedelta(days=1)) as unit:
        told = await background_notices.take_pending(unit)
    assert [(r.kind, r.before and r.before.words) for r in told.receipts] == [
        (ReceiptKind.CHANGED, "Sarah works on the Platform team")
    ]


async def test_a_change_that_the_words_do_not_carry_is_asked(bench: Bench) -> None:
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        known = (
            await facts.remember(unit, FactDraft("I play the cello on Sundays", Category.HOBBY), Approval.COMMAND)
        ).row
    await bench.exchange("I love swimming in cold lakes")
    await bench.extract(finds(fact(0, "I love swimming in cold lakes", category="hobby", changes=known.id)))

    assert await kept(bench) == ["I play the cello on Sundays"]
    assert await cards(bench) == ["I love swimming in cold lakes"]


async def test_an_older_message_does_not_undo_a_newer_correction(bench: Bench) -> None:
    await bench.exchange("I live in Porto")
    async with bench.memory.unit(bench.viewer, now=bench.now + timedelta(seconds=30)) as unit:
        draft = FactDraft("I live in Braga", Category.CONTEXT, attribute=Attribute.LOCATION)
        await facts.remember(unit, draft, Approval.COMMAND)
    await bench.extract(finds(fact(0, "I live in Porto", attribute="location")))

    assert (await kept(bench), await cards(bench)) == (["I live in Braga"], [])


async def test_an_attribute_with_one_value_is_changed_and_not_doubled(bench: Bench) -> None:
    async with bench.memory.unit(bench.viewer, now=bench.now - timedelta(days=1)) as unit:
        draft = FactDraft("I live in Braga", Category.CONTEXT, attribute=Attribute.LOCATION)
        await facts.remember(unit, draft, Approval.COMMAND)
    await bench.exchange("I live in Porto")
    await bench.extract(finds(fact(0, "I live in Porto", attribute="location")))

    assert [*await kept(bench), *await cards(bench)] in (["I live in Porto"], ["I live in Braga", "I live in Porto"])
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        for card in await proposals.waiting_cards(unit):
            await proposals.accept(unit, card.row.id, card.row.content_hash)
    assert await kept(bench) == ["I live in Porto"]


async def test_what_came_by_another_hand_is_asked_also_in_mode_auto(bench: Bench) -> None:
    await choose(bench, Mode.AUTO)
    await bench.say(VEGAN, tags=(SECONDHAND,))
    await bench.answer()
    await bench.exchange("My sister is called Marta")
    await bench.extract(finds(fact(0, VEGAN), fact(2, "My sister is called Marta")))

    assert await cards(bench) == [VEGAN]
    assert await kept(bench) == ["My sister is called Marta"]
    assert await bench.rows("SELECT tags FROM events WHERE seq = 0") == [([SECONDHAND, TELLING],)]


async def test_what_came_by_another_hand_changes_nothing_unasked(bench: Bench) -> None:
    await choose(bench, Mode.AUTO)
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        draft = FactDraft("Sarah works on the Platform team", Category.PERSON, subject="Sarah")
        known = (await facts.remember(unit, draft, Approval.COMMAND)).row
    words = "Sarah works on the Design team"
    await bench.say(words, tags=(SECONDHAND,))
    await bench.extract(finds(fact(0, words, category="person", subject="Sarah", changes=known.id)))

    assert (await kept(bench), await cards(bench)) == (["Sarah works on the Platform team"], [words])
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        [card] = await proposals.waiting_cards(unit)
        await proposals.accept(unit, card.row.id, card.row.content_hash)
    assert await kept(bench) == [words]


async def test_what_came_by_another_hand_does_not_change_an_attribute_with_one_value_unasked(bench: Bench) -> None:
    await choose(bench, Mode.AUTO)
    async with bench.memory.unit(bench.viewer, now=bench.now - timedelta(days=1)) as unit:
        draft = FactDraft("I live in Braga", Category.CONTEXT, attribute=Attribute.LOCATION)
        await facts.remember(unit, draft, Approval.COMMAND)
    await bench.say("I live in Porto", tags=(SECONDHAND,))
    await bench.extract(finds(fact(0, "I live in Porto", attribute="location")))

    assert (await kept(bench), await cards(bench)) == (["I live in Braga"], ["I live in Porto"])


async def test_what_came_by_another_hand_is_asked_where_a_summary_was_due(bench: Bench) -> None:
    await choose(bench, Mode.AUTO)
    await bench.say(VEGAN, tags=(SECONDHAND,))
    await bench.answer()
    await bench.talk(15, start=1)
    found = fact(0, VEGAN, category="preference")
    await bench.summarise(record_of(("They spoke of the weather.", [0, 1]), facts=[found]), finds(found))
    await bench.extract()

    assert (await kept(bench), await cards(bench)) == ([], [VEGAN])


async def test_of_what_came_by_another_hand_nothing_is_asked_in_mode_manual(bench: Bench) -> None:
    await choose(bench, Mode.MANUAL)
    await bench.say(VEGAN, tags=(SECONDHAND,))
    await bench.extract()

    assert (await kept(bench), await cards(bench), bench.model.requests) == ([], [], [])


async def test_a_category_that_its_owner_never_wants_is_not_asked(bench: Bench) -> None:
    async with bench.memory.unit(bench.viewer) as unit:
        await choose_categories(unit.session, unit.viewer, frozenset({Category.PREFERENCE}))
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(0, VEGAN, category="preference")))

    assert await cards(bench) == []


async def test_what_is_sensitive_is_asked_sealed(bench: Bench) -> None:
    await bench.exchange("I was diagnosed with diabetes in 2019")
    await bench.extract(finds(fact(0, "I was diagnosed with diabetes in 2019")))

    assert await cards(bench) == ["I was diagnosed with diabetes in 2019"]
    assert await bench.rows("SELECT content, sealed IS NOT NULL FROM proposals") == [(None, True)]


# Failing


async def test_what_fails_three_times_is_given_up_and_blocks_nothing(bench: Bench) -> None:
    await bench.exchange(VEGAN)
    for _ in range(3):
        assert await bench.extract(Writes("no json at all"), later=3600) == 0
    assert await bench.rows("SELECT status, attempts FROM extractions") == [("failed", 3)]
    assert await bench.extract(later=3600) == 0

    await bench.exchange("My sister is called Marta")
    assert await bench.extract(finds(fact(2, "My sister is called Marta"))) == 1
    assert await cards(bench) == ["My sister is called Marta"]


async def test_a_database_that_is_away_at_the_third_attempt_leaves_a_trace_of_what_is_given_up(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object, **__: object) -> bool:
        raise DatabaseAway("The database does not answer.")

    await bench.exchange(VEGAN)
    for _ in range(2):
        await bench.extract(Writes("no json at all"), later=3600)
    with monkeypatch.context() as patched:
        patched.setattr("memory.consolidation.extraction.extract.keep_facts", away)
        assert await bench.extract(finds(fact(0, VEGAN)), later=3600) == 0
    assert await bench.rows("SELECT extracted FROM conversations") == [(0,)]

    assert await bench.extract(later=3600) == 0
    assert await bench.rows("SELECT status FROM extractions") == [("failed",)]
    assert await bench.rows("SELECT extracted > 0 FROM conversations") == [(True,)]


async def test_in_a_group_each_is_asked_for_their_own_words_only(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await found_together(memory, ada, ben)
    async with bench_for(memory, ada) as bench:
        await bench.begin(aloud(ada, space))
        await bench.say("I work as a nurse")
        await bench.answer()
        await bench.say("I play the cello", by=aloud(ben, space))
        await bench.answer(to=aloud(ben, space))
        both = (fact(0, "I work as a nurse"), fact(2, "I play the cello"))
        assert await bench.extract(finds(*both), finds(*both)) == 1

        assert await cards(bench, ada) == ["I work as a nurse"]
        assert await cards(bench, ben) == ["I play the cello"]
        async with memory.unit(ben, now=bench.now + timedelta(days=1)) as unit:
            assert (await background_notices.take_pending(unit)).cards == 1


async def test_cards_that_ran_out_are_cleared_away_with_their_words(bench: Bench) -> None:
    await bench.exchange(VEGAN)
    await bench.extract(finds(fact(0, VEGAN)))
    assert await cards(bench) == [VEGAN]
    await bench.passes.clearing(bench.now + timedelta(days=7, hours=23))
    assert await bench.rows("SELECT count(*) FROM proposals") == [(1,)]
    await bench.passes.clearing(bench.now + timedelta(days=8, hours=1))

    assert await bench.rows("SELECT count(*) FROM proposals") == [(0,)]
