"""The list of memories: searched, filtered and changed on the page."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from api.review.pages import fact_list
from db.queries.facts.facts import FactRow, NewVersion, add_version, new_fact
from db.viewer import Viewer
from db.vocabulary import Approval, Category, Sensitivity, Visibility
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.facts.history import history
from memory.people import spaces
from memory.unit import Unit
from tests.conftest import NOON
from tests.daemon import Daemon
from tests.memories import facts_of, kept, shared, space_of_two
from tests.tables import table
from tests.visitor import enter, met, shown

ROW = re.compile(r'id="fact-([A-Za-z0-9]{8})"')


async def test_when_nothing_is_remembered_the_page_says_how_to_begin(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "7")) as ada:
        page = await ada.read("/memory")

    assert "I don't remember anything about you yet" in page


async def test_facts_stand_under_their_category_and_subject(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    for words, category, subject in (
        ("Marta lives in Porto", Category.PERSON, "Marta"),
        ("I like strong coffee", Category.PREFERENCE, None),
        ("Alec is my boss", Category.PERSON, "Alec"),
        ("Somebody called yesterday", Category.PERSON, None),
        ("Alec likes short mails", Category.PERSON, "Alec"),
    ):
        await kept(daemon.memory, viewer, words, category, subject=subject)
    async with await enter(daemon, viewer) as ada:
        page = await ada.read("/memory")
        people = await ada.read("/memory", category="person")
        alec = await ada.read("/memory", about="alec")
    in_order = [
        *("People 4", "Alec Alec is my boss", "Alec likes short mails", "Marta Marta lives in Porto"),
        *("About nobody in particular Somebody called yesterday", "Preferences 1", "I like strong coffee"),
    ]
    list_of = page[page.index("Preferences 1") + 1 :]

    assert [list_of.index(each) for each in in_order] == sorted(list_of.index(each) for each in in_order)
    assert "All 5 People 4 Preferences 1" in page
    assert "Marta lives in Porto" in people
    assert "strong coffee" not in people
    assert "Only about alec" in alec
    assert "Alec likes short mails" in alec
    assert "Marta lives" not in alec


async def test_what_is_sensitive_stands_under_its_subject_like_the_rest(daemon: Daemon) -> None:
    """Its subject is sealed, so that only the page can sort it."""
    viewer = await met(daemon, "7")
    for words, subject in (
        ("Zoe has asthma", "Zoe"),
        ("Somebody called", None),
        ("Alec has diabetes", "Alec"),
        ("Alec is my boss", "Alec"),
        ("Somebody rang", None),
    ):
        await kept(daemon.memory, viewer, words, Category.PERSON, subject=subject)
    async with await enter(daemon, viewer) as ada:
        answer = await ada.get("/memory")
        alec = await ada.read("/memory", about="ALEC")
        other = await ada.read("/memory", about="Alec", category="hobby")
    headings = [shown(each) for each in re.findall(r"<h3[^>]*>(.*?)</h3>", answer.text)]

    assert headings == ["Alec", "Zoe", "About nobody in particular"]
    assert "about=Alec" in answer.text
    assert "about=Zoe" not in answer.text  # what only sensitive facts name stands in no address
    assert "All 2 People 2" in alec
    assert "Alec has diabetes" in alec
    assert "Alec is my boss" in alec
    assert "asthma" not in alec
    assert "Alec is my boss" not in other


async def test_in_a_space_what_is_shared_is_found_however_much_one_has_oneself(
    daemon: Daemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = daemon.memory
    viewer, ben = await met(daemon, "7"), await met(daemon, "8")
    space = await space_of_two(memory, viewer, ben)
    monkeypatch.setattr(fact_list, "MAX_SEARCHED", 3)
    monkeypatch.setattr(fact_list, "MAX_SHOWN", 2)
    for number in range(4):
        await kept(memory, viewer, f"My own ladder has the number {number}", Category.CONTEXT)
    for number in range(3):
        fact = await kept(memory, ben, f"Our shared ladder has the number {number}", Category.PROJECT)
        await shared(memory, ben, fact.row.id, space)
    async with await enter(daemon, viewer) as ada:
        found = await ada.read("/memory", q="ladder", space=space)

    assert "3 memories found for “ ladder ”" in found
    assert found.count("Our shared ladder") == 2
    assert "Only the first 2 are shown." in found
    assert "My own" not in found


async def test_facts_are_found_by_their_words(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    await kept(daemon.memory, viewer, "Alec is my boss", Category.PERSON, subject="Alec")
    await kept(daemon.memory, viewer, "I have diabetes and take insulin", Category.CONTEXT)
    await kept(daemon.memory, viewer, "I like strong coffee", Category.PREFERENCE)
    async with await enter(daemon, viewer) as ada:
        found = await ada.read("/memory", q="bosses")
        sealed = await ada.read("/memory", q="insulin")
        nothing = await ada.read("/memory", q="unicorn")
        odd = [await ada.get("/memory", q=words) for words in ("\0", "%", "x" * 5000, "' OR 1=1", "🙂")]

    assert "1 memory found for “ bosses ”" in found
    assert "Alec is my boss" in found
    assert "coffee" not in found
    assert "I have diabetes and take insulin" in sealed
    assert "I don't remember anything with those words." in nothing
    assert {answer.status_code for answer in odd} == {200}


@pytest.mark.slow
async def test_two_thousand_facts_are_paged_and_each_is_found(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    async with daemon.memory.unit(viewer) as unit:
        for number in range(2000):
            category = list(Category)[number % len(Category)]
            subject = f"Thing {number % 7}" if number % 3 else None
            draft = FactDraft(f"Thing {number % 7} has the number {number} of many", category, subject)
            await quickly(unit, draft)
    async with await enter(daemon, viewer) as ada:
        first = await ada.get("/memory")
        seen: list[str] = []
        path = "/memory"
        for page in range(1, 41):
            answer = await ada.get(path, page=page)
            rows = ROW.findall(answer.text)
            assert len(rows) == 50
            assert f"Page {page} of 40" in shown(answer.text)
            seen += rows
        beyond = await ada.read("/memory", page=999)
        last = await ada.read("/memory", q="1999")
        of_one = await ada.read("/memory", category="hobby", page=2)

    assert "All 2000" in shown(first.text)
    assert 'rel="next" href="/review/memory?page=2"' in first.text
    assert len(set(seen)) == 2000
    assert "Page 40 of 40" in beyond
    assert "has the number 1999 of many" in last
    assert "Page 2 of 4" in of_one


async def test_an_edit_makes_a_new_version_and_can_be_undone(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    fact = (await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)).row
    async with await enter(daemon, viewer) as ada:
        fields = {"version": "1", "words": "I live in Lisbon", "back": "category=context"}
        answer = await ada.post(f"/memory/{fact.id}/edit", fields)
        changed = await facts_of(daemon.memory, viewer)
        back = await ada.post(f"/memory/{fact.id}/undo", {"version": "2", "back": "category=context"})

    assert "Changed: I live in Lisbon (was: I live in Porto ) Undo" in shown(answer.text)
    assert (answer.url.path, answer.url.params["category"]) == ("/review/memory", "context")
    assert changed == ["I live in Lisbon"]
    assert "Changed: I live in Porto (was: I live in Lisbon )" in shown(back.text)
    assert "Undo" not in shown(back.text)
    assert await facts_of(daemon.memory, viewer) == ["I live in Porto"]


async def test_a_refused_edit_is_explained_on_the_page_of_the_fact(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    fact = (await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)).row
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/memory/{fact.id}/edit", {"version": "1", "words": "no", "back": "fact"})

    assert answer.status_code == 422
    assert "a memory has to be 5 to 500 characters long" in shown(answer.text)
    assert ">no</textarea>" in answer.text
    assert await facts_of(daemon.memory, viewer) == ["I live in Porto"]


async def test_an_owner_corrects_how_a_fact_is_written(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    fact = (await kept(daemon.memory, viewer, "alec lives in berlin", Category.PERSON)).row
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/memory/{fact.id}/edit", {"version": "1", "words": "Alec lives in Berlin"})

    assert "Changed: Alec lives in Berlin" in shown(answer.text)
    assert await facts_of(daemon.memory, viewer) == ["Alec lives in Berlin"]


@table("words", ["I live in Faro", "i live in FARO", "I live in Porto"])
async def test_an_edit_that_changes_nothing_says_so(daemon: Daemon, words: str) -> None:
    viewer = await met(daemon)
    fact = (await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)).row
    await kept(daemon.memory, viewer, "I live in Faro", Category.CONTEXT)
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/memory/{fact.id}/edit", {"version": "1", "words": words})

    assert answer.status_code == 422
    assert f"I already remember that, so I changed nothing: I live in {words.title().split()[-1]}" in shown(answer.text)
    assert await facts_of(daemon.memory, viewer) == ["I live in Porto", "I live in Faro"]


@table("action", ["edit", "delete", "share"])
async def test_a_fact_that_was_changed_elsewhere_is_not_overwritten(daemon: Daemon, action: str) -> None:
    viewer, ben = await met(daemon), await met(daemon)
    space = await space_of_two(daemon.memory, viewer, ben)
    fact = (await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)).row
    async with daemon.memory.unit(viewer) as unit:
        await facts.revise(unit, fact.id, FactDraft("I live in Faro", Category.CONTEXT), Approval.COMMAND)
    async with await enter(daemon, viewer) as ada:
        fields = {"version": "1", "words": "I live in Lisbon", "space": space}
        answer = await ada.post(f"/memory/{fact.id}/{action}", fields)
        present = await row_of(daemon, viewer, fact.id)

    assert answer.status_code == 422
    assert "This was changed somewhere else in the meantime, so I did nothing" in shown(answer.text)
    assert "I live in Faro" in shown(answer.text)
    assert (present.words, present.visibility) == ("I live in Faro", Visibility.PRIVATE)


async def test_a_deletion_can_be_undone_from_its_receipt(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    fact = (await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)).row
    async with await enter(daemon, viewer) as ada:
        deleted = await ada.post(f"/memory/{fact.id}/delete", {"version": "1", "back": "fact"})
        gone = await facts_of(daemon.memory, viewer)
        shelf = await ada.read("/memory", deleted=1)
        undone = await ada.post(f"/memory/{fact.id}/undo", {"version": "2"})
        again = await ada.post(f"/memory/{fact.id}/undo", {"version": "2"})

    assert "Deleted: I live in Porto Undo" in shown(deleted.text)
    assert f'action="/review/memory/{fact.id}/undo"' in deleted.text
    assert deleted.url.path == "/review/memory"
    assert gone == []
    assert "I live in Porto Context deleted" in shelf
    assert "Bring back" in shelf
    assert "Remembered again: I live in Porto" in shown(undone.text)
    assert await facts_of(daemon.memory, viewer) == ["I live in Porto"]
    assert "That can't be undone any more" in shown(again.text)


async def test_what_is_deleted_can_be_brought_back_later_and_a_receipt_then_offers_no_undo(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    fact = (await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)).row
    async with await enter(daemon, viewer) as ada:
        deleted = await ada.post(f"/memory/{fact.id}/delete", {"version": "1"})
        back = await ada.post(f"/memory/{fact.id}/restore", {"shown": "2", "back": "deleted=1"})
        receipt = await ada.get("/memory", flash=deleted.url.params["flash"])

    assert "Remembered again: I live in Porto" in shown(back.text)
    assert "Deleted: I live in Porto" in shown(receipt.text)
    assert "/undo" not in receipt.text


async def test_a_fact_is_shared_with_a_space_of_ones_own_and_taken_back(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer, ben = await met(daemon, "7", name="Ada <b>"), await met(daemon, "8")
    space = await space_of_two(memory, viewer, ben)
    fact = (await kept(memory, viewer, "We water the tomatoes", Category.PROJECT)).row
    async with await enter(daemon, viewer) as ada, await enter(daemon, ben) as member:
        answer = await ada.post(f"/memory/{fact.id}/share", {"version": "1", "space": space})
        there = await member.get("/memory", space=space)
        his_own = await member.read("/memory")
        private = await ada.post(f"/memory/{fact.id}/share", {"version": "2", "space": ""})
        after = await member.read("/memory", space=space)

    assert "Shared: We water the tomatoes" in shown(answer.text)
    assert "shared in Garden" in shown(answer.text)
    assert "We water the tomatoes" in shown(there.text)
    assert "shared by Ada <b>" in shown(there.text)
    assert "tomatoes" not in his_own
    assert "Private again: We water the tomatoes" in shown(private.text)
    assert "tomatoes" not in after


async def test_facts_that_others_share_are_marked_and_cannot_be_changed(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer, ben = await met(daemon, "7", name="Ada <b>"), await met(daemon, "8")
    space = await space_of_two(memory, viewer, ben)
    fact = (await kept(memory, viewer, "We water the tomatoes", Category.PROJECT)).row
    await shared(memory, viewer, fact.id, space)
    async with await enter(daemon, ben) as member:
        page = await member.get("/memory", space=space)
        one = await member.get(f"/memory/{fact.id}", space=space)
        found = await member.read("/memory", space=space, q="tomatoes")
        attempts = [
            await member.post(f"/memory/{fact.id}/{action}", {"version": "2", "words": "We eat them", "space": space})
            for action in ("edit", "delete", "share", "restore", "undo")
        ]

    assert f'href="/review/memory/{fact.id}?space={space}"' in page.text
    assert "<details" not in page.text
    assert one.status_code == 200
    assert "shared by Ada <b>" in shown(one.text)
    assert "<textarea" not in one.text
    assert 'class="button danger"' not in one.text
    assert "We water the tomatoes" in found
    assert [answer.status_code for answer in attempts[:4]] == [404] * 4
    assert "can't be undone any more" in shown(attempts[4].text)
    assert await facts_of(memory, viewer) == ["We water the tomatoes"]


async def test_nobody_shares_with_a_space_they_are_not_in(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer, ben, eve = await met(daemon, "7"), await met(daemon, "8"), await met(daemon, "9")
    space = await space_of_two(memory, viewer, ben)
    fact = (await kept(memory, eve, "I know a secret place", Category.OTHER)).row
    async with await enter(daemon, eve) as stranger:
        answers = [
            await stranger.post(f"/memory/{fact.id}/share", {"version": "1", "space": each})
            for each in (space, "personal:telegram:7", "personal:telegram:9", "nothing", "\0", "x" * 999)
        ]
        looks = [await stranger.get("/memory", space=each) for each in (space, "personal:telegram:7", "\0")]
        present = await row_of(daemon, eve, fact.id)

    assert {answer.status_code for answer in answers} == {404}
    assert {answer.status_code for answer in looks} == {404}
    assert present.visibility == Visibility.PRIVATE


async def test_who_leaves_a_space_sees_nothing_of_it(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer, ben = await met(daemon, "7", name="Ada <b>"), await met(daemon, "8")
    space = await space_of_two(memory, viewer, ben)
    fact = (await kept(memory, viewer, "We water the tomatoes", Category.PROJECT)).row
    await shared(memory, viewer, fact.id, space)
    async with memory.unit(replace(ben, space=space)) as unit:
        await spaces.leave_space(unit)
    async with await enter(daemon, ben) as member:
        answers = [await member.get("/memory", space=space), await member.get(f"/memory/{fact.id}", space=space)]

    assert {answer.status_code for answer in answers} == {404}


async def test_two_people_see_nothing_of_each_other_and_change_nothing(daemon: Daemon) -> None:
    memory = daemon.memory
    viewer, ben = await met(daemon, "7"), await met(daemon, "8")
    fact = (await kept(memory, viewer, "I live in Porto", Category.CONTEXT)).row
    hidden = (await kept(memory, viewer, "I dislike olives", Category.PREFERENCE)).row
    async with memory.unit(viewer) as unit:
        await facts.hide(unit, hidden.id, Approval.COMMAND)
    async with await enter(daemon, ben) as other:
        pages = [
            await other.get("/memory"),
            await other.get("/memory", deleted=1),
            await other.get("/memory", q="Porto"),
            await other.get("/memory", about="Porto"),
            await other.get(f"/memory/{fact.id}"),
            await other.get(f"/memory/{hidden.id}"),
            await other.get(f"/memory/{fact.id}", space="personal:telegram:7"),
        ]
        attempts = [
            await other.post(f"/memory/{each.id}/{action}", {"version": "1", "words": "I live nowhere"})
            for each in (fact, hidden)
            for action in ("edit", "delete", "share", "restore", "undo")
        ]

    assert [page.status_code for page in pages] == [200, 200, 200, 200, 404, 404, 404]
    assert not any(word in page.text for page in pages[:2] + pages[4:] for word in ("Porto", "olives"))
    assert all("I live in" not in page.text for page in pages)
    assert {answer.status_code for answer in attempts} == {200, 404}
    assert await facts_of(memory, viewer) == ["I live in Porto"]
    assert (await row_of(daemon, viewer, hidden.id)).forgotten


@table("fact_id", ["abcdefgh", "x", "%00%00%00%00", "é" * 8, "..%2f..%2f", "a" * 3000, "ABCDEFG'"])
async def test_an_id_of_nothing_is_a_page_that_says_so(daemon: Daemon, fact_id: str) -> None:
    async with await enter(daemon, await met(daemon)) as ada:
        looked = await ada.get(f"/memory/{fact_id}")
        posted = await ada.post(f"/memory/{fact_id}/delete", {"version": "1"})

    assert (looked.status_code, posted.status_code) == (404, 404)
    assert "There is no such page" in shown(looked.text)


@table("back", ["https://evil.example/", "//evil.example", "fact\r\nX: y", "page=2&q=%ff", "x" * 9999])
async def test_a_form_leads_nowhere_else(daemon: Daemon, back: str) -> None:
    viewer = await met(daemon)
    fact = (await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)).row
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/memory/{fact.id}/edit", {"version": "1", "words": "I live in Faro", "back": back})

    assert answer.status_code == 200
    assert str(answer.url).startswith(f"{daemon.url}/review/memory?")


@table("version", ["", "x", "-1", "9999999999", "１", "2"])
async def test_an_undo_of_nothing_changes_nothing(daemon: Daemon, version: str) -> None:
    viewer = await met(daemon)
    fact = (await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)).row
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/memory/{fact.id}/undo", {"version": version})

    assert answer.status_code in {200, 404}
    assert await facts_of(daemon.memory, viewer) == ["I live in Porto"]


async def test_the_newest_day_of_a_fact_is_that_of_its_owners_clock(daemon: Daemon) -> None:
    viewer = await met(daemon, "7", timezone="Pacific/Auckland")
    await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT, now=NOON + timedelta(hours=2))
    async with await enter(daemon, viewer) as ada:
        page = await ada.read("/memory")

    assert "17 November 2026" in page


async def quickly(unit: Unit, draft: FactDraft) -> None:
    """A fact without looking for its like, as thousands of them would take long."""
    fact_id = await new_fact(
        unit.session,
        unit.viewer,
        category=draft.category,
        attribute=None,
        importance=0.5,
        visibility=Visibility.PRIVATE,
        now=unit.now,
    )
    new = NewVersion(
        content=draft.content,
        subject=draft.subject,
        value=None,
        sealed=None,
        space=unit.viewer.place,
        visibility=Visibility.PRIVATE,
        sensitivity=Sensitivity.NONE,
        author=unit.viewer.person,
        approval=Approval.ORDER,
    )
    await add_version(unit.session, unit.viewer, fact_id, new, unit.now)


async def row_of(daemon: Daemon, viewer: Viewer, fact_id: str) -> FactRow:
    async with daemon.memory.unit(viewer, read_only=True) as unit:
        return (await history(unit, fact_id))[-1]
