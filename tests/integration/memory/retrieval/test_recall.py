"""Recall: by words and by vector, within a deadline, inside the viewer's rows, and able to say why."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from db.queries.retrieval.chunks import add_embeddings, coverage, drop_chunks_of, unembedded
from db.queries.retrieval.recall import RecallFilter
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, Channel, EventKind
from memory.context.build import Bundle, build_bundle
from memory.context.sections import SectionName
from memory.errors import EmbedderAway
from memory.events.record import EventDraft
from memory.facts import facts
from memory.language.small_talk import needs_recall
from memory.retrieval.embedders.base import Vector
from memory.retrieval.embedders.bundled import BundledEmbedder
from memory.retrieval.hits import Hit
from tests.company import aloud, found_together
from tests.conftest import NOON
from tests.talk import PATIENTLY, Talk, WordEmbedder, locked


async def test_a_hit_knows_its_event_its_score_and_why(talk: Talk) -> None:
    [first, _] = await talk.say("The ferry to Skye leaves at nine", "Bring a coat")
    best = (await talk.recall("When does the ferry leave?")).hits[0]

    assert isinstance(best, Hit)
    assert (best.event_id, best.actor, best.kind, best.ts, best.part) == (first, "ada", "message", NOON, 0)
    assert best.text == "The ferry to Skye leaves at nine"
    assert best.score > 0
    assert best.parts["words"] > 0
    assert {"recency", "importance", "neighbours", "speaker", "time", "vector"} <= best.parts.keys()
    assert best.why.startswith("words")


async def test_what_stands_beside_a_hit_comes_along_and_says_why(talk: Talk) -> None:
    await talk.say("Nothing here", "Where did we leave the ferry tickets?", "In the blue drawer", "Good")
    hits = {hit.text: hit for hit in (await talk.recall("ferry tickets")).hits}

    assert hits["In the blue drawer"].parts["words"] == 0
    assert hits["In the blue drawer"].parts["neighbours"] > 0
    assert "neighbours" in hits["In the blue drawer"].why


async def test_words_without_a_hit_find_nothing(talk: Talk) -> None:
    await talk.say("The ferry to Skye leaves at nine")
    recalled = await talk.recall("zebra")

    assert (recalled.hits, recalled.candidates, recalled.how) == ((), 0, "words alone")


async def test_a_question_in_other_words_is_answered_by_vectors(talk: Talk) -> None:
    await talk.say("Our cat is called Minka", "The boiler was repaired in October", "I run ten kilometres every Sunday")
    embedder = BundledEmbedder()
    vectors = talk.vectors(embedder)
    await vectors.backfill(talk.viewer)
    best = (await talk.recall("What is the name of my pet?", vectors)).hits[0]
    await embedder.close()

    assert best.text == "Our cat is called Minka"
    assert best.parts["vector"] > 0
    assert "vector" in best.why


def away(text: str) -> None:
    raise EmbedderAway("not here")


async def test_without_its_embedder_words_alone_answer_and_it_says_so(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small share of the time is for the embedder, so that there is enough for the words on a busy machine too."""
    monkeypatch.setattr("memory.retrieval.recall.EMBEDDING_SHARE", 0.001)
    await talk.say("The boat is red")
    over = asyncio.Event()
    fails: dict[str, Callable[[str], Any]] = {
        "the embedder is away": away,
        "the embedder was too slow": lambda text: over.wait(),
    }
    for why, before in fails.items():
        vectors = talk.vectors(WordEmbedder(before=before))
        await vectors.backfill(talk.viewer)
        recalled = await talk.recall("boat", vectors)
        made = await build_bundle(
            talk.memory, vectors, talk.viewer, talk.conversation, "red boat", now=NOON, options=PATIENTLY
        )

        assert [hit.text for hit in recalled.hits] == ["The boat is red"]
        assert (recalled.how, recalled.why_not) == ("words alone", why)
        assert made.provenance["recall"]["why_not"] == why
    over.set()


async def test_a_sensitive_question_does_not_leave_the_machine(talk: Talk) -> None:
    embedder = WordEmbedder()
    remote = talk.vectors(embedder, is_remote=True)
    recalled = await talk.recall("Is my boat bad for my asthma?", remote, sensitive=True)

    assert embedder.asked == []
    assert "sensitive" in recalled.why_not


async def test_a_search_by_vectors_that_is_too_slow_is_done_again_by_words(
    talk: Talk, superuser_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.retrieval.recall.SEARCH_SHARE", 0.002)
    await talk.say("The boat is red")
    vectors = talk.vectors(WordEmbedder())
    await vectors.backfill(talk.viewer)
    with locked(superuser_url, "embeddings"):
        recalled = await talk.recall("boat", vectors)

    assert [hit.text for hit in recalled.hits] == ["The boat is red"]
    assert (recalled.how, recalled.why_not) == ("words alone", "the search by vectors was too slow")


async def test_a_database_that_is_too_slow_costs_the_evidence_and_not_the_answer(
    talk: Talk, superuser_url: str
) -> None:
    await talk.say("The boat is red")
    with locked(superuser_url, "postings"):
        recalled = await talk.recall("boat", deadline=timedelta(milliseconds=200))
        made = await build_bundle(talk.memory, None, talk.viewer, talk.conversation, "boat", now=NOON)

    assert (recalled.hits, recalled.how, recalled.why_not) == ((), "nothing", "the database was too slow")
    assert made.provenance["recall"]["why_not"] == "the database was too slow"
    assert made.items(SectionName.RECENT_WINDOW)


async def asked_elsewhere_after_deleting(talk: Talk, told: str, question: str) -> Bundle:
    """The code word, kept as a fact and deleted; then the question, in another conversation."""
    async with talk.memory.unit(talk.viewer, now=NOON) as unit:
        draft = facts.FactDraft("The marina code word is walrus", Category.OTHER, source_event_id=told, span=(0, 30))
        receipt = await facts.remember(unit, draft, Approval.ORDER)
        await facts.hide(unit, receipt.row.id, Approval.COMMAND)
    elsewhere = Talk(talk.memory, talk.viewer)
    await elsewhere.begin()
    return await build_bundle(
        talk.memory,
        None,
        talk.viewer,
        elsewhere.conversation,
        question,
        now=NOON,
        options=PATIENTLY,
    )


async def test_what_was_deleted_is_blank_in_the_evidence_at_once(talk: Talk) -> None:
    [told] = await talk.say("The marina code word is walrus. The boat is red.")
    made = await asked_elsewhere_after_deleting(talk, told, "What is the marina code word?")
    [item] = made.items(SectionName.RETRIEVED_EVIDENCE)

    assert "walrus" not in item.text
    assert "█" in item.text
    assert "The boat is red" in item.text


async def test_the_same_words_are_shown_once(talk: Talk) -> None:
    for day in range(5):
        await talk.say("The boat is red", now=NOON - timedelta(days=day * 200))
    recalled = await talk.recall("Which colour has the boat?")
    [hit] = recalled.hits

    assert hit.text == "The boat is red"
    assert len(recalled.duplicate_ids) == 4
    assert hit.chunk_id not in recalled.duplicate_ids


async def test_other_peoples_words_are_never_found_though_they_are_the_same(talk: Talk, ben: Viewer) -> None:
    theirs = Talk(talk.memory, ben)
    vectors = talk.vectors(WordEmbedder())
    await talk.say("The boat is red")
    await theirs.say("The boat is red", "The boat is mine", "A boat and a boat", by="ben")
    await vectors.backfill(talk.viewer)
    await vectors.backfill(ben)

    assert {hit.user for hit in (await talk.recall("boat", vectors)).hits} == {"test:ada"}
    assert await theirs.found("red boat colour", vectors) != []
    assert {hit.user for hit in (await theirs.recall("boat", vectors)).hits} == {"test:ben"}


async def test_in_a_space_only_what_was_said_aloud_is_found(talk: Talk, ben: Viewer) -> None:
    space = await found_together(talk.memory, talk.viewer, ben)
    team = Talk(talk.memory, aloud(talk.viewer, space))
    await talk.say("My own boat is red")
    await team.say("Our boat is blue")

    assert await Talk(talk.memory, aloud(ben, space)).found("boat") == ["Our boat is blue"]


async def test_long_texts_are_found_by_any_part_of_them(talk: Talk) -> None:
    filling = "We went on and on about the weather that day. " * 60
    await talk.say(f"{filling}The zither is in the attic. {filling}")
    [best, *_] = (await talk.recall("Where is the zither?")).hits

    assert "zither is in the attic" in best.text
    assert best.part > 0
    assert len(best.text) <= 1_200


# Models


async def test_models_are_never_mixed(talk: Talk) -> None:
    """The other model's vectors have another length, so that one comparison between them would be an error."""
    await talk.say("The boat is red", "The garden is wide", "The oven is hot")
    small, large = WordEmbedder("small", 5), WordEmbedder("large", 9)
    for embedder in (small, large):
        await talk.vectors(embedder).backfill(talk.viewer)
    for embedder in (small, large):
        recalled = await talk.recall("boat", talk.vectors(embedder))
        assert recalled.how == "words and vectors"
        assert recalled.hits[0].text == "The boat is red"
        assert recalled.hits[0].parts["vector"] > 0


async def test_the_former_model_serves_until_the_new_one_covers_as_much(talk: Talk) -> None:
    await talk.say("The boat is red", "The garden is wide", "The oven is hot", "The kiln is old")
    old, new = WordEmbedder("old", 5), WordEmbedder("new", 9)
    await talk.vectors(old).backfill(talk.viewer)
    vectors = talk.vectors(new, old)
    await talk.recall("boat", vectors)
    async with talk.memory.unit(talk.viewer) as unit:
        [one, *_] = await unembedded(unit.session, talk.viewer, "new", limit=9)
        await add_embeddings(unit.session, talk.viewer, "new", [(one.chunk_id, new.vector(one.text))])
    await talk.recall("garden", vectors)
    await vectors.backfill(talk.viewer)
    recalled = await talk.recall("oven", vectors)
    await talk.recall("kiln", vectors)

    assert (old.asked, new.asked) == (["boat", "garden"], ["oven", "kiln"])
    assert recalled.hits[0].text == "The oven is hot"


async def test_filling_embeds_what_is_missing_once(talk: Talk) -> None:
    await talk.say("The boat is red", "The garden is wide")
    vectors = talk.vectors(WordEmbedder())

    assert await vectors.backfill(talk.viewer) == 2
    assert await vectors.backfill(talk.viewer) == 0
    await talk.say("The oven is hot")
    assert await vectors.backfill(talk.viewer) == 1
    async with talk.memory.unit(talk.viewer, read_only=True) as unit:
        assert await coverage(unit.session, talk.viewer, "scripted") == 1.0


async def test_a_text_that_cannot_be_embedded_is_marked_and_still_found_by_its_words(talk: Talk) -> None:
    await talk.say("The boat is odd", "The garden is wide")
    vectors = talk.vectors(Unable())

    assert await vectors.backfill(talk.viewer) == 2
    assert await vectors.backfill(talk.viewer) == 0
    hits = (await talk.recall("odd boat", vectors)).hits
    assert hits[0].text.endswith("is odd")
    assert hits[0].parts["vector"] == 0


class Unable(WordEmbedder):
    """Fails at whatever is odd."""

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return [None if "odd" in text else self.vector(text) for text in texts]


async def test_what_was_written_before_there_were_chunks_is_cut_and_embedded(talk: Talk) -> None:
    events = await talk.say("The boat is red", "The garden is wide")
    async with talk.memory.unit(talk.viewer) as unit:
        before = (await unit.session.execute(text("SELECT id, text FROM chunks ORDER BY id"))).all()
        await drop_chunks_of(unit.session, talk.viewer, events)
    assert await talk.found("boat") == []
    filled = await talk.vectors(WordEmbedder()).backfill(talk.viewer)
    async with talk.memory.unit(talk.viewer, read_only=True) as unit:
        after = (await unit.session.execute(text("SELECT id, text FROM chunks ORDER BY id"))).all()

    assert filled == 2
    assert after == before
    assert await talk.found("boat") != []


@pytest.mark.parametrize("words", ["hi", "Thanks!", "ok 👍", "Good morning", "谢谢", "", "?!", "Danke, gut"])
def test_a_greeting_needs_no_recall(words: str) -> None:
    assert not needs_recall(words)


@pytest.mark.parametrize("words", ["Where is it?", "hi, where did I park?", "昨天的会议", "42"])
def test_a_question_needs_it(words: str) -> None:
    assert needs_recall(words)


@pytest.mark.parametrize("vectored", [False, True])
async def test_a_search_can_be_limited_to_tags_times_and_kinds(talk: Talk, vectored: bool) -> None:
    vectors = talk.vectors(WordEmbedder()) if vectored else None
    await talk.say("A boat of old", now=NOON - timedelta(days=30))
    await talk.say("A boat for the trip", tags=("trip", "sea"))
    [other] = await talk.say("A boat for the lake", tags=("lake",))
    chosen = {"decision": "Buy the boat"}
    await talk.write(EventDraft(ActorType.AGENT, "keepsake", EventKind.DECISION, chosen))
    if vectors:
        await vectors.backfill(talk.viewer)

    async def only(**given: Any) -> set[str]:
        return set(await talk.found("boat", vectors, only=RecallFilter(**given)))

    assert await only(tags=["trip"]) == {"A boat for the trip"}
    assert await only(tags=["trip", "sea"]) == {"A boat for the trip"}
    assert await only(tags=["trip", "lake"]) == set()
    assert await only(until=NOON - timedelta(days=1)) == {"A boat of old"}
    assert "A boat of old" not in await only(since=NOON - timedelta(days=1))
    assert await only(kinds=["decision"]) == {"Buy the boat"}
    assert await only(without_events=[other]) == {"A boat of old", "A boat for the trip", "Buy the boat"}


async def test_the_tags_of_a_bundle_filter_its_evidence(talk: Talk) -> None:
    await talk.say("A boat for the trip", tags=("trip",))
    await talk.say("A boat for the lake", tags=("lake",))
    elsewhere = Talk(talk.memory, talk.viewer)
    await elsewhere.begin()
    made = await build_bundle(
        talk.memory,
        None,
        talk.viewer,
        elsewhere.conversation,
        "Which boat?",
        now=NOON,
        options=PATIENTLY,
        tags=["lake"],
    )

    assert [item.refs[1] for item in made.items(SectionName.RETRIEVED_EVIDENCE)] != []
    assert all("lake" in item.text for item in made.items(SectionName.RETRIEVED_EVIDENCE))
    assert made.provenance["filters"]["tags"] == ["lake"]


async def test_what_is_sensitive_is_found_by_opening_it_and_only_where_it_may_be_read(
    talk: Talk, superuser_url: str
) -> None:
    [sick] = await talk.say("My doctor says I have diabetes and may sail")
    vectors = talk.vectors(WordEmbedder())
    await vectors.backfill(talk.viewer)
    [hit] = (await talk.recall("What did the doctor say about diabetes?", vectors)).hits

    assert (hit.event_id, hit.is_sensitive) == (sick, True)
    assert "diabetes" in hit.text
    for channel in (Channel.AGENT, Channel.PUBLIC):
        there = Talk(talk.memory, replace(talk.viewer, channel=channel))
        assert await there.found("What did the doctor say about diabetes?", vectors) == []
    with psycopg.connect(superuser_url) as admin:
        for table in ("chunks", "postings", "embeddings"):
            query = f"SELECT count(*) FROM {table} WHERE tenant_id = %s".encode()
            assert admin.execute(query, (talk.viewer.tenant,)).fetchone() == (0,)


async def test_the_decision_that_answers_best_is_in_the_ledger_though_many_newer_ones_share_a_word(talk: Talk) -> None:
    def decided(words: str) -> EventDraft:
        return EventDraft(ActorType.AGENT, "keepsake", EventKind.DECISION, {"decision": words})

    await talk.write(decided("The boat log is kept in a leather binder"), now=NOON - timedelta(days=200))
    await talk.write(*(decided(f"Boat number {n} gets a flag") for n in range(90)))
    made = await build_bundle(
        talk.memory,
        None,
        talk.viewer,
        talk.conversation,
        "In which binder is the boat log kept?",
        now=NOON,
        options=PATIENTLY,
    )

    assert "leather binder" in made.items(SectionName.DECISION_LEDGER)[0].text


async def test_what_was_deleted_blanks_no_other_words_of_a_long_message(talk: Talk) -> None:
    """Where a fact stood is counted from the beginning of the message, not of its chunk."""
    filling = "We spoke about the weather on the way. " * 40
    [told] = await talk.say(f"The marina code word is walrus. {filling}The zither stands in the attic.")
    made = await asked_elsewhere_after_deleting(talk, told, "Where is the zither of the marina?")
    told_again = [item.text for item in made.items(SectionName.RETRIEVED_EVIDENCE)]

    assert any("zither stands in the attic" in words for words in told_again)
    assert not any("walrus" in words for words in told_again)
    assert [words for words in told_again if "zither" in words and "█" in words] == []
