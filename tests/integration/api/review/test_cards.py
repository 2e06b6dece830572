"""The questions that wait for an answer, answered on the page."""

from datetime import UTC, datetime, timedelta

from db.queries.people.people import choose_categories
from db.viewer import Viewer
from db.vocabulary import Approval, Category, ProposalKind, Sensitivity
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from tests.daemon import Daemon
from tests.integration.api.conftest import AtOnce
from tests.memories import asked, facts_of, kept, said
from tests.tables import table
from tests.visitor import enter, met, shown


async def waits(daemon: Daemon, viewer: Viewer) -> list[str]:
    async with daemon.memory.unit(viewer, read_only=True) as unit:
        return [card.row.content or "" for card in await proposals.waiting_cards(unit)]


async def test_when_nothing_waits_the_page_says_what_this_is_for(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "7")) as ada:
        page = await ada.read()

    assert "No questions for you" in page


async def test_a_card_shows_what_is_asked_where_it_came_from_and_when(daemon: Daemon) -> None:
    viewer = await met(daemon, "7", timezone="Asia/Tokyo")
    words = "By the way, I sing in a choir on Fridays, did I say so?"
    event = await said(daemon.memory, viewer, words, now=datetime(2026, 11, 16, 20, 5, tzinfo=UTC))
    span = (words.index("I sing"), words.index(", did"))
    await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY, source_event_id=event, span=span)
    async with await enter(daemon, viewer) as ada:
        answer = await ada.get()
    page = shown(answer.text)

    assert "Should I remember this? Hobbies You sing in a choir" in page
    assert "<mark>I sing in a choir on Fridays</mark>" in answer.text
    assert "By the way, I sing in a choir on Fridays , did I say so?" in page
    assert "You, 17 November 2026, 05:05" in page
    assert '<span class="badge">1</span>' in answer.text


async def test_a_yes_remembers_exactly_what_was_shown_and_can_be_undone(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    card = await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)
    async with await enter(daemon, viewer) as ada:
        accepted = await ada.post(f"/cards/{card.row.id}", {"do": "accept", "hash": card.row.content_hash})
        async with daemon.memory.unit(viewer, read_only=True) as unit:
            fact = (await facts.own_facts(unit))[0]
        undone = await ada.post(f"/memory/{fact.id}/undo", {"version": "1", "back": "waiting"})

    assert accepted.url.path == "/review"
    assert "Remembered: You sing in a choir Undo" in shown(accepted.text)
    assert (fact.content, fact.category, fact.approval) == ("You sing in a choir", Category.HOBBY, Approval.CARD)
    assert "Deleted: You sing in a choir" in shown(undone.text)
    assert undone.url.path == "/review"
    assert await facts_of(daemon.memory, viewer) == []


async def test_a_card_names_the_agent_that_asked_and_marks_what_an_agent_only_reported(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    message = {"session_id": "s1", "actor": {"type": "human", "id": "user"}, "kind": "message"}
    async with await daemon.client(user=viewer.person, agent="notes") as agent:
        await agent.post("memory", json={"content": "You sing in a choir", "category": "hobby"})
        heard = await agent.post("events", json={**message, "content": {"text": "I row on Sundays"}})
    event = heard.json()["event_id"]
    await asked(daemon.memory, viewer, "You row on Sundays", Category.HOBBY, source_event_id=event, span=(0, 16))
    async with await enter(daemon, viewer) as ada:
        page = await ada.read()

    assert "asked by the agent notes" in page
    assert page.count("asked by") == 1
    assert "I row on Sundays You, reported by an agent," in page


async def test_a_no_remembers_nothing_and_is_not_asked_again(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    card = await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/cards/{card.row.id}", {"do": "reject", "hash": card.row.content_hash})

    assert "OK, I won't remember that." in shown(answer.text)
    assert "No questions for you" in shown(answer.text)
    assert await facts_of(daemon.memory, viewer) == []


async def test_ones_own_words_take_the_place_of_those_that_were_asked(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    card = await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)
    fields = {"do": "edit", "hash": card.row.content_hash, "words": "I sang in a choir\r\nuntil spring"}
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/cards/{card.row.id}", fields)

    assert "Remembered: I sang in a choir until spring" in shown(answer.text)
    assert await facts_of(daemon.memory, viewer) == ["I sang in a choir until spring"]


async def test_a_yes_does_not_discard_words_that_were_typed(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    card = await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)
    fields = {"do": "accept", "hash": card.row.content_hash}
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/cards/{card.row.id}", {**fields, "words": "I sang in a choir once"})
        still = await waits(daemon, viewer)
        as_it_was = await ada.post(f"/cards/{card.row.id}", {**fields, "words": " You sing in\r\na choir "})

    assert answer.status_code == 422
    assert "You typed your own words, so I haven't saved anything yet" in shown(answer.text)
    assert ">I sang in a choir once</textarea>" in answer.text
    assert still == ["You sing in a choir"]
    assert "Remembered: You sing in a choir" in shown(as_it_was.text)


@table(
    ("words", "why"),
    [
        ("", "a memory has to be 5 to 500 characters long"),
        ("   ", "a memory has to be 5 to 500 characters long"),
        ("ab", "a memory has to be 5 to 500 characters long"),
        ("x" * 501, "a memory has to be 5 to 500 characters long"),
        ("my key is sk-ant-api03-" + "a1B2c3D4" * 5, "looks like a secret"),
    ],
)
async def test_words_that_are_refused_stay_in_the_form_with_the_reason(daemon: Daemon, words: str, why: str) -> None:
    viewer = await met(daemon)
    card = await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)
    async with await enter(daemon, viewer) as ada:
        fields = {"do": "edit", "hash": card.row.content_hash, "words": words}
        answer = await ada.post(f"/cards/{card.row.id}", fields)

    assert answer.status_code == 422
    assert why in shown(answer.text)
    assert words.strip() in answer.text
    assert await facts_of(daemon.memory, viewer) == []
    assert await waits(daemon, viewer) == ["You sing in a choir"]


async def test_a_change_is_shown_as_a_diff(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    fact = await kept(daemon.memory, viewer, "My boss works from Hamburg", Category.PERSON)
    card = await asked(
        daemon.memory,
        viewer,
        "My boss works from Munich",
        Category.PERSON,
        kind=ProposalKind.UPDATE,
        about=fact.row.id,
    )
    async with await enter(daemon, viewer) as ada:
        page = await ada.get()
        answer = await ada.post(f"/cards/{card.row.id}", {"do": "accept", "hash": card.row.content_hash})

    assert "Should I change this?" in shown(page.text)
    assert "My boss works from removed: Hamburg added: Munich" in shown(page.text)
    assert "Changed: My boss works from Munich (was: My boss works from Hamburg )" in shown(answer.text)
    assert await facts_of(daemon.memory, viewer) == ["My boss works from Munich"]


async def test_a_question_whether_to_forget_takes_yes_or_no_and_no_words(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    fact = await kept(daemon.memory, viewer, "My boss works from Hamburg", Category.PERSON)
    card = await asked(
        daemon.memory,
        viewer,
        fact.row.words,
        Category.PERSON,
        kind=ProposalKind.FORGET,
        about=fact.row.id,
    )
    given = {"hash": card.row.content_hash}
    async with await enter(daemon, viewer) as ada:
        page = await ada.get()
        reworded = await ada.post(f"/cards/{card.row.id}", {**given, "do": "edit", "words": "something else"})
        left = await facts_of(daemon.memory, viewer)
        answer = await ada.post(f"/cards/{card.row.id}", {**given, "do": "accept"})

    assert "Should I forget this?" in shown(page.text)
    assert "<textarea" not in page.text
    assert reworded.status_code == 422
    assert left == ["My boss works from Hamburg"]
    assert "Deleted: My boss works from Hamburg" in shown(answer.text)
    assert await facts_of(daemon.memory, viewer) == []


async def test_all_cards_are_answered_at_once(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    for answer, words in (("accept", ["one two three", "four five six"]), ("reject", ["seven eight", "nine and ten"])):
        cards = [(await asked(daemon.memory, viewer, each)).row for each in words]
        async with await enter(daemon, viewer) as ada:
            sent = [("do", answer), *(("card", f"{card.id}.{card.content_hash}") for card in cards)]
            page = shown((await ada.post("/cards", sent)).text)
        if answer == "accept":
            assert "Remembered: one two three Undo Remembered: four five six Undo" in page
        else:
            assert "that's a no to 2 questions" in page

    assert await facts_of(daemon.memory, viewer) == ["one two three", "four five six"]
    assert await waits(daemon, viewer) == []


async def test_the_page_itself_carries_all_that_yes_to_all_needs(daemon: Daemon) -> None:
    """What a browser without JavaScript sends is what stands in the form."""
    viewer = await met(daemon, "7")
    cards = [(await asked(daemon.memory, viewer, words)).row for words in ("one two three", "four five six")]
    async with await enter(daemon, viewer) as ada:
        page = (await ada.get()).text

    for card in cards:
        assert f'name="card" value="{card.id}.{card.content_hash}"' in page
        assert f'name="hash" value="{card.content_hash}"' in page
    assert 'formaction="' not in page
    assert page.count('method="post"') == 2 + 1 + 1  # the cards, all of them, and leaving


async def test_one_card_that_fails_does_not_stop_the_others(daemon: Daemon) -> None:
    """One was answered in the chat meanwhile, one is of a kind that is no longer wanted, one is made up."""
    viewer = await met(daemon, "7")
    first, second, third = [
        (await asked(daemon.memory, viewer, words, category)).row
        for words, category in (
            ("one two three", Category.OTHER),
            ("four five six", Category.HOBBY),
            ("seven eight nine", Category.OTHER),
        )
    ]
    async with await enter(daemon, viewer) as ada:
        async with daemon.memory.unit(viewer) as unit:
            await proposals.reject(unit, first.id)
            await choose_categories(unit.session, viewer, frozenset({Category.HOBBY}))
        sent = [f"{card.id}.{card.content_hash}" for card in (first, second, third)]
        page = await ada.post("/cards", [("do", "accept"), *(("card", each) for each in [*sent, "abcdefgh.x", "\0"])])
        told = shown(page.text)
        alone = await ada.post(f"/cards/{second.id}", {"do": "accept", "hash": second.content_hash})

    assert await facts_of(daemon.memory, viewer) == ["seven eight nine"]
    assert "Remembered: seven eight nine" in told
    assert "3 questions are no longer open" in told
    assert "1 question is still open: I couldn't do that one" in told
    assert await waits(daemon, viewer) == ["four five six"]
    assert alone.status_code == 422
    assert "I was asked never to remember anything in the category “Hobbies”" in shown(alone.text)


@table("do", ["accept", "reject", "edit"])
async def test_a_card_that_was_answered_elsewhere_gets_a_clear_line(daemon: Daemon, do: str) -> None:
    viewer = await met(daemon)
    card = (await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)).row
    async with await enter(daemon, viewer) as ada:
        async with daemon.memory.unit(viewer) as unit:
            await proposals.accept(unit, card.id, card.content_hash)
        fields = {"do": do, "hash": card.content_hash, "words": "I sing alone now"}
        answer = await ada.post(f"/cards/{card.id}", fields)

    assert answer.status_code == 200
    assert "That question is no longer open" in shown(answer.text)
    assert 'class="flash bad"' in answer.text
    assert await facts_of(daemon.memory, viewer) == ["You sing in a choir"]


async def test_two_answers_at_once_are_one_answer(daemon: Daemon, at_once: AtOnce) -> None:
    viewer = await met(daemon, "7")
    card = (await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)).row
    async with await enter(daemon, viewer) as phone, await enter(daemon, viewer) as desk:
        fields = {"do": "accept", "hash": card.content_hash}
        answers = await at_once(*(each.post(f"/cards/{card.id}", fields) for each in (phone, desk, phone, desk, phone)))

    assert sum("Remembered: You sing in a choir" in shown(answer.text) for answer in answers) == 1
    assert sum("no longer open" in shown(answer.text) for answer in answers) == 4
    assert await facts_of(daemon.memory, viewer) == ["You sing in a choir"]


@table("hash", ["", "0" * 64, "é" * 64, "x"])
async def test_only_the_words_that_were_shown_are_approved(daemon: Daemon, hash: str) -> None:
    viewer = await met(daemon)
    card = (await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)).row
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/cards/{card.id}", {"do": "accept", "hash": hash})
        many = await ada.post("/cards", [("do", "accept"), ("card", f"{card.id}.{hash}")])

    assert "no longer open" in shown(answer.text)
    assert "1 question is no longer open" in shown(many.text)
    assert await facts_of(daemon.memory, viewer) == []
    assert await waits(daemon, viewer) == ["You sing in a choir"]


async def test_another_persons_cards_are_neither_seen_nor_answered(daemon: Daemon) -> None:
    viewer, other = await met(daemon, "7"), await met(daemon, "8")
    card = (await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)).row
    async with await enter(daemon, other) as ben:
        page = await ben.read()
        answers = [
            await ben.post(f"/cards/{card.id}", {"do": do, "hash": card.content_hash, "words": "I sing alone"})
            for do in ("accept", "reject", "edit")
        ]
        many = await ben.post("/cards", [("do", "reject"), ("card", f"{card.id}.{card.content_hash}")])

    assert "choir" not in page
    assert all("no longer open" in shown(answer.text) for answer in answers)
    assert "1 question is no longer open" in shown(many.text)
    assert await waits(daemon, viewer) == ["You sing in a choir"]
    assert await facts_of(daemon.memory, viewer) == await facts_of(daemon.memory, other) == []


@table("do", ["", "Accept", "delete", "<script>"])
async def test_an_answer_that_is_none_changes_nothing(daemon: Daemon, do: str) -> None:
    viewer = await met(daemon)
    card = (await asked(daemon.memory, viewer, "You sing in a choir", Category.HOBBY)).row
    async with await enter(daemon, viewer) as ada:
        one = await ada.post(f"/cards/{card.id}", {"do": do, "hash": card.content_hash})
        many = await ada.post("/cards", [("do", do), ("card", f"{card.id}.{card.content_hash}")])
        same_words_for_all = await ada.post("/cards", [("do", "edit"), ("words", "all of them the same")])

    assert {one.status_code, many.status_code, same_words_for_all.status_code} == {400}
    assert await waits(daemon, viewer) == ["You sing in a choir"]


async def test_a_card_whose_fact_changed_since_is_gone(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    fact = await kept(daemon.memory, viewer, "My boss works from Hamburg", Category.PERSON)
    card = await asked(daemon.memory, viewer, "My boss works from Munich", kind=ProposalKind.UPDATE, about=fact.row.id)
    async with daemon.memory.unit(viewer) as unit:
        await facts.revise(unit, fact.row.id, FactDraft("My boss works from Porto", Category.PERSON), Approval.COMMAND)
    async with await enter(daemon, viewer) as ada:
        answer = await ada.post(f"/cards/{card.row.id}", {"do": "accept", "hash": card.row.content_hash})

    assert "no longer open" in shown(answer.text)
    assert await facts_of(daemon.memory, viewer) == ["My boss works from Porto"]


async def test_what_is_sensitive_is_shown_opened_to_its_owner(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    event = await said(daemon.memory, viewer, "I have diabetes since last year")
    card = await asked(
        daemon.memory,
        viewer,
        "You have diabetes since last year",
        Category.CONTEXT,
        source_event_id=event,
        span=(0, 15),
    )
    async with await enter(daemon, viewer) as ada:
        page = await ada.read()
        answer = await ada.post(f"/cards/{card.row.id}", {"do": "accept", "hash": card.row.content_hash})

    assert card.row.sensitivity == Sensitivity.HIGH
    assert "You have diabetes since last year" in page
    assert "I have diabetes since last year" in page
    assert "sensitive" in page
    assert "Remembered: You have diabetes" in shown(answer.text)


async def test_a_card_that_ran_out_is_not_shown(daemon: Daemon) -> None:
    viewer = await met(daemon, "7")
    past = datetime.now(UTC) - daemon.memory.limits.proposals - timedelta(minutes=1)
    async with daemon.memory.unit(viewer, now=past) as unit:
        card = await proposals.propose(unit, ProposalKind.ADD, FactDraft("You sing in a choir", Category.HOBBY))
    async with await enter(daemon, viewer) as ada:
        page = await ada.read()
        answer = await ada.post(f"/cards/{card.row.id}", {"do": "accept", "hash": card.row.content_hash})

    assert "No questions for you" in page
    assert "no longer open" in shown(answer.text)
