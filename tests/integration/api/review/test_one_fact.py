"""The page of one fact: its history, its sources, and how to restore a version."""

from datetime import UTC, datetime, timedelta

from db.vocabulary import Approval, Category
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.privacy.forgetting.forget import purge_own
from tests.conftest import NOON
from tests.daemon import Daemon
from tests.memories import asked, facts_of, kept, said, shared, space_of_two
from tests.visitor import enter, met, shown

WORDS = "Please remember that my boss is called Alec, he is from Hamburg."
SPAN = (WORDS.index("my boss"), WORDS.index(", he"))


async def test_the_history_is_told_as_differences_with_dates_and_how_each_was_approved(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer = await met(daemon, "7", timezone="America/New_York")
    event = await said(memory, viewer, WORDS, now=NOON)
    fact = await kept(
        memory, viewer, "My boss is called Alec", Category.PERSON, source_event_id=event, span=SPAN, now=NOON
    )
    async with memory.unit(viewer, now=NOON + timedelta(days=1)) as unit:
        await facts.revise(unit, fact.row.id, FactDraft("My boss is called Alan", Category.PERSON), Approval.COMMAND)
    async with await enter(daemon, viewer) as ada:
        answer = await ada.get(f"/memory/{fact.row.id}")
    page = shown(answer.text)

    assert "My boss is called Alan People since 16 November 2026" in page
    newest = page[page.index("History") :]
    assert newest.index("Changed Version 2") < newest.index("Remembered Version 1")
    assert "17 November 2026, 07:00 you did it yourself" in page
    assert "My boss is called removed: Alec added: Alan" in page
    assert "16 November 2026, 07:00 you asked me to" in page
    assert "<mark>my boss is called Alec</mark>, he is from Hamburg." in answer.text
    assert "You, 16 November 2026, 07:00" in page


async def test_an_earlier_version_can_be_used_again(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer = await met(daemon, "7")
    fact = await kept(memory, viewer, "I live in Porto", Category.CONTEXT)
    for words in ("I live in Lisbon", "I live in Faro"):
        async with memory.unit(viewer) as unit:
            await facts.revise(unit, fact.row.id, FactDraft(words, Category.CONTEXT), Approval.COMMAND)
    async with await enter(daemon, viewer) as ada:
        page = await ada.get(f"/memory/{fact.row.id}")
        answer = await ada.post(f"/memory/{fact.row.id}/restore", {"version": "1", "shown": "3", "back": "fact"})
        nothing = await ada.post(f"/memory/{fact.row.id}/restore", {"version": "77", "shown": "4", "back": "fact"})

    assert page.text.count("/restore") == 2
    assert "Changed: I live in Porto (was: I live in Faro )" in shown(answer.text)
    assert answer.url.path == f"/review/memory/{fact.row.id}"
    assert "Version 4" in shown(answer.text)
    assert nothing.status_code == 404
    assert await facts_of(memory, viewer) == ["I live in Porto"]


async def test_a_deleted_fact_has_a_page_until_it_is_gone_for_good(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer = await met(daemon, "7")
    fact = await kept(memory, viewer, "I live in Porto", Category.CONTEXT)
    async with memory.unit(viewer) as unit:
        await facts.hide(unit, fact.row.id, Approval.COMMAND)
    async with await enter(daemon, viewer) as ada:
        page = await ada.read(f"/memory/{fact.row.id}")
        back = await ada.post(f"/memory/{fact.row.id}/restore", {"shown": "2", "back": "fact"})
        deleted = await ada.post(f"/memory/{fact.row.id}/delete", {"version": "3"})
        async with memory.unit(viewer, now=datetime.now(UTC) + timedelta(days=30)) as unit:
            await purge_own(unit)
        gone = await ada.get(f"/memory/{fact.row.id}")
        receipt = await ada.get("/memory", flash=deleted.url.params["flash"])
        too_late = await ada.post(f"/memory/{fact.row.id}/undo", {"version": "4"})

    assert "You deleted this." in page
    assert "Remembered again: I live in Porto" in shown(back.text)
    assert gone.status_code == 404
    assert "Porto" not in shown(receipt.text)
    assert "can't be undone any more" in shown(too_late.text)


async def test_a_source_that_was_forgotten_since_says_so(daemon: Daemon) -> None:
    """Two facts of one message: when one of them is purged, its words are blanked there."""
    memory = daemon.memory
    viewer = await met(daemon, "7")
    event = await said(memory, viewer, WORDS)
    rest = (WORDS.index("he is"), len(WORDS) - 1)
    boss = await kept(memory, viewer, "my boss is called Alec", Category.PERSON, source_event_id=event, span=SPAN)
    town = await kept(memory, viewer, "He is from Hamburg", Category.PERSON, source_event_id=event, span=rest)
    whole = await kept(memory, viewer, "Alec has a dog at home", Category.PERSON, source_event_id=event, span=SPAN)
    async with memory.unit(viewer) as unit:
        await facts.hide(unit, boss.row.id, Approval.COMMAND)
    async with memory.unit(viewer, now=datetime.now(UTC) + timedelta(days=30)) as unit:
        await purge_own(unit)
    async with await enter(daemon, viewer) as ada:
        beside = await ada.read(f"/memory/{town.row.id}")
        blanked = await ada.read(f"/memory/{whole.row.id}")

    assert "he is from Hamburg" in beside
    assert "my boss is called" not in beside
    assert "This message has been forgotten." in blanked


async def test_a_sealed_message_is_opened_for_its_owner(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer = await met(daemon, "7")
    words = "Remember that I have diabetes, please"
    event = await said(memory, viewer, words)
    fact = await kept(memory, viewer, "I have diabetes", Category.CONTEXT, source_event_id=event, span=(14, 29))
    async with await enter(daemon, viewer) as ada:
        answer = await ada.get(f"/memory/{fact.row.id}")
        listed = await ada.read("/memory")

    assert fact.row.sealed is not None
    assert "<mark>I have diabetes</mark>, please" in answer.text
    assert "sensitive" in shown(answer.text)
    assert "I have diabetes" in listed


async def test_an_old_version_is_not_restored_into_a_space_that_the_page_did_not_show(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer, ben = await met(daemon, "7"), await met(daemon, "8")
    space = await space_of_two(memory, viewer, ben)
    fact = await kept(memory, viewer, "The old plan was roses", Category.PROJECT)
    async with memory.unit(viewer) as unit:
        await facts.revise(unit, fact.row.id, FactDraft("The plan is tomatoes", Category.PROJECT), Approval.COMMAND)
    async with await enter(daemon, viewer) as owner, await enter(daemon, ben) as member:
        page = (await owner.get(f"/memory/{fact.row.id}")).text
        await shared(memory, viewer, fact.row.id, space)
        stale = await owner.post(f"/memory/{fact.row.id}/restore", {"version": "1", "shown": "2", "back": "fact"})
        theirs = await member.read("/memory", space=space)
        seen = await owner.post(f"/memory/{fact.row.id}/restore", {"version": "1", "shown": "3", "back": "fact"})

    assert '<input type="hidden" name="shown" value="2">' in page
    assert stale.status_code == 422
    assert "This was changed somewhere else in the meantime, so I did nothing" in shown(stale.text)
    assert "The plan is tomatoes" in theirs
    assert "Changed: The old plan was roses" in shown(seen.text)


async def test_of_a_shared_fact_others_see_nothing_from_before_it_was_shared(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer, ben = await met(daemon, "7"), await met(daemon, "8")
    space = await space_of_two(memory, viewer, ben)
    event = await said(memory, viewer, "The old plan was roses, says my diary")
    fact = await kept(memory, viewer, "The old plan was roses", Category.PROJECT, source_event_id=event, span=(0, 22))
    async with memory.unit(viewer) as unit:
        await facts.revise(unit, fact.row.id, FactDraft("The plan is tomatoes", Category.PROJECT), Approval.COMMAND)
    await shared(memory, viewer, fact.row.id, space)
    async with await enter(daemon, ben) as member, await enter(daemon, viewer) as owner:
        theirs = await member.get(f"/memory/{fact.row.id}", space=space)
        outside = await member.get(f"/memory/{fact.row.id}")
        own = await owner.read(f"/memory/{fact.row.id}")

    assert "The plan is tomatoes" in shown(theirs.text)
    assert "roses" not in theirs.text
    assert "diary" not in theirs.text
    assert outside.status_code == 404
    assert "roses" in own
    assert "Shared with others Version 3" in own
    assert "shared in Garden" in own


async def test_a_long_history_is_shown_in_parts(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer = await met(daemon, "7")
    fact = await kept(memory, viewer, "I have read 0 books", Category.HOBBY)
    for count in range(1, 31):
        async with memory.unit(viewer) as unit:
            draft = FactDraft(f"I have read {count} books", Category.HOBBY)
            await facts.revise(unit, fact.row.id, draft, Approval.COMMAND)
    async with await enter(daemon, viewer) as ada:
        newest = (await ada.get(f"/memory/{fact.row.id}")).text
        everything = (await ada.get(f"/memory/{fact.row.id}", all=1)).text

    assert newest.count('id="version-') == 20
    assert "Show 11 earlier versions" in shown(newest)
    assert everything.count('id="version-') == 31
    assert "I have read 0 books" in shown(everything)


async def test_who_proposed_the_words_is_told(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    card = (await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)).row
    async with await enter(daemon, viewer) as ada:
        await ada.post(f"/cards/{card.id}", {"do": "accept", "hash": card.content_hash})
        async with daemon.memory.unit(viewer, read_only=True) as unit:
            fact = (await facts.own_facts(unit))[0]
        page = await ada.read(f"/memory/{fact.id}")

    assert "you accepted my question suggested by the assistant" in page
