"""Recall keeps its deadline and its bounds whatever breaks, and a reply never fails because of it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from db.engine import Database
from db.queries.retrieval import recall as queries
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, Channel, EventKind, ViewName, ViewScope
from memory.concurrency.deadline import finish_late_work
from memory.context.build import Bundle, build_bundle
from memory.context.sections import DEFAULT_TOKENS, SectionName
from memory.events.record import EventDraft
from memory.facts import facts
from memory.facts.search import search
from memory.ledgers import decisions, documents, views
from memory.privacy.encryption import Keyring
from memory.retrieval.recall import recall
from memory.unit import Memory
from tests.company import aloud, found_together
from tests.conftest import NOON
from tests.talk import PATIENT, PATIENTLY, Talk, WordEmbedder, locked

SOON = timedelta(milliseconds=150)


async def test_a_table_that_nobody_can_read_costs_no_more_than_the_deadline(talk: Talk, superuser_url: str) -> None:
    """It is locked until the answer is there."""
    await talk.say("The boat is red")
    vectors = talk.vectors(WordEmbedder())
    await vectors.backfill(talk.viewer)
    told = {}
    for table in ("shelves", "users", "postings", "embeddings", "chunks", "events"):
        with locked(superuser_url, table):
            told[table] = (await talk.recall("boat", vectors, deadline=SOON)).why_not
        await finish_late_work()

    assert all(told.values()), told


async def test_a_pool_without_a_free_connection_costs_no_more_than_the_deadline(talk: Talk, app_url: str) -> None:
    await talk.say("The boat is red")
    small = Database(app_url, pool_size=1)
    memory = Memory(small, Keyring((b"a key for tests, of 32 bytes ...",)))
    async with memory.unit(talk.viewer):
        recalled = await recall(memory, None, talk.viewer, "boat", now=NOON, limit=5)
    again = await recall(memory, None, talk.viewer, "boat", now=NOON, limit=5, deadline=PATIENT)
    await finish_late_work()
    await small.close()

    assert (recalled.hits, recalled.why_not) == ((), "the database was too slow")
    assert [hit.text for hit in again.hits] == ["The boat is red"]


async def test_a_database_that_is_away_costs_the_evidence_and_no_error(talk: Talk) -> None:
    nowhere = Database("postgresql://nobody@127.0.0.1:1/nothing")
    memory = Memory(nowhere, Keyring((b"a key for tests, of 32 bytes ...",)))
    recalled = await recall(memory, None, talk.viewer, "boat", now=NOON, limit=5, deadline=PATIENT)

    assert (recalled.hits, recalled.why_not) == ((), "the memory did not answer")


async def test_of_a_word_that_is_said_all_the_time_the_newest_are_found(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk.say(*(f"boat number {count}" for count in range(30)))
    await talk.say("boat boat boat, said last")
    monkeypatch.setattr(queries, "MAX_POSTINGS", 10)
    found = await talk.found("boat")

    assert {"boat boat boat, said last", "boat number 29"} <= set(found)
    assert "boat number 3" not in found


async def test_scores_of_words_stay_in_measure_where_only_what_is_sealed_holds_them(talk: Talk) -> None:
    await talk.say("The garden is wide", "My doctor says I have diabetes, and Zelda knows")
    hits = (await talk.recall("Zelda diabetes")).hits

    assert "Zelda" in hits[0].text
    assert 0 < hits[0].parts["words"] < 50


# Who speaks


async def test_in_a_group_the_one_who_is_named_is_found_first(talk: Talk, ben: Viewer) -> None:
    space = await found_together(talk.memory, talk.viewer, ben)
    hers, his = Talk(talk.memory, aloud(talk.viewer, space)), Talk(talk.memory, aloud(ben, space))
    for who, name in ((hers, "Ada Lovelace"), (his, "Ben")):
        actor = str(who.viewer.user)
        await who.write(
            EventDraft(ActorType.HUMAN, actor, EventKind.MESSAGE, {"text": f"{name[0]}: soup it is", "by": name})
        )
    asked = {name: await hers.recall(f"Which soup did {name} want?") for name in ("Ada", "Ben")}

    assert [asked[name].hits[0].speaker for name in asked] == ["Ada Lovelace", "Ben"]
    assert asked["Ada"].hits[0].parts["speaker"] > 0


async def test_nobody_is_named_by_an_account_a_document_or_the_assistant(talk: Talk) -> None:
    document = await documents.prepare_document("The story of my root.md", b"The canal was dug by hand.")
    async with talk.memory.unit(talk.viewer, now=NOON) as unit:
        await documents.add_document(unit, document)
    await talk.say("The canal is long", by=str(talk.viewer.user))
    await talk.write(EventDraft(ActorType.AGENT, "keepsake", EventKind.MESSAGE, {"text": "A canal, indeed"}))
    hits = (await talk.recall("Did test ada, keepsake or the story of my root speak of a canal?")).hits

    assert len(hits) == 3
    assert {hit.parts["speaker"] for hit in hits} == {0.0}


# What is shown of it


async def test_a_superseded_decision_says_so_in_the_evidence(talk: Talk) -> None:
    [old] = await talk.write(
        EventDraft(ActorType.HUMAN, "ada", EventKind.DECISION, {"decision": "Build with yellow bricks"})
    )
    async with talk.memory.unit(talk.viewer, now=NOON) as unit:
        [first] = await decisions.active_decisions(unit, limit=9)
    content = {"decision": "Build with red bricks", "supersedes": first.id}
    await talk.write(EventDraft(ActorType.HUMAN, "ada", EventKind.DECISION, content))
    made = await bundle(talk, "Which bricks do we build with?")
    evidence = {item.refs[1]: item.text for item in made.items(SectionName.RETRIEVED_EVIDENCE)}

    assert "(superseded since): Build with yellow bricks" in evidence.pop(old)
    assert [("superseded" in text, "red bricks" in text) for text in evidence.values()] == [(False, True)]


async def test_what_the_window_shows_is_not_shown_again_as_evidence(talk: Talk) -> None:
    await talk.say("The boat is red", now=NOON - timedelta(days=90))
    here = Talk(talk.memory, talk.viewer)
    await here.say("THE BOAT  is red", "And the sail?")
    made = await bundle(here, "Which colour has the boat?")

    assert [item.text for item in made.items(SectionName.RECENT_WINDOW)] == ["THE BOAT  is red", "And the sail?"]
    assert made.items(SectionName.RETRIEVED_EVIDENCE) == ()


async def test_messages_that_the_window_outgrew_and_facts_without_room_are_omissions(talk: Talk) -> None:
    async with talk.memory.unit(talk.viewer, now=NOON) as unit:
        for number in range(3):
            await facts.remember(unit, facts.FactDraft(f"Fact {number}", Category.OTHER), Approval.COMMAND)
    said = await talk.say(*(f"{number} {'word ' * 900}" for number in range(20)))
    made = await bundle(talk, "hello")
    left = {omission.reason: omission.candidates for omission in made.omissions}
    shown = [item.refs[0] for item in made.items(SectionName.RECENT_WINDOW)]

    assert shown
    assert [*left["outgrown_by_recent_window"], *shown] == said


async def test_a_persona_is_cut_for_a_small_budget_and_not_left_out(talk: Talk) -> None:
    async with talk.memory.unit(talk.viewer, now=NOON) as unit:
        await views.put(unit, ViewName.IDENTITY, ViewScope.USER, "Speak like a captain. " * 120)
    await talk.begin()
    made = await bundle(talk, "hello", 20_000)
    [persona] = made.items(SectionName.IDENTITY)

    assert persona.text.startswith("Speak like a captain.")
    assert "characters left out" in persona.text
    assert persona.tokens <= 1_200 * 20_000 / 65_000
    assert "shortened_in_identity" in {omission.reason for omission in made.omissions}


async def test_facts_are_found_by_the_stems_of_their_language(talk: Talk) -> None:
    told = {
        "Mis hermanas trabajan en Sevilla": "¿Dónde trabaja mi hermana?",
        "Мы переехали в новые дома": "Когда мы переехали в новый дом?",
        "Unsere Häuser stehen am See": "Wo steht unser Haus?",
    }
    async with talk.memory.unit(talk.viewer, now=NOON) as unit:
        for words in told:
            await facts.remember(unit, facts.FactDraft(words, Category.OTHER), Approval.COMMAND)
        for words, question in told.items():
            assert (await search(unit, question, limit=1))[0].words == words


async def test_in_public_nothing_sealed_is_opened(talk: Talk, ben: Viewer) -> None:
    space = await found_together(talk.memory, talk.viewer, ben)
    team = Talk(talk.memory, aloud(talk.viewer, space))
    await team.say("Our doctor says that Zelda has diabetes")

    assert await team.found("Zelda") != []
    assert await Talk(talk.memory, replace(team.viewer, channel=Channel.PUBLIC)).found("Zelda") == []


async def bundle(talk: Talk, query: str, max_tokens: int = DEFAULT_TOKENS) -> Bundle:
    return await build_bundle(
        talk.memory, None, talk.viewer, talk.conversation, query, max_tokens=max_tokens, now=NOON, options=PATIENTLY
    )
