"""Rebuilding: all that is derived comes out of what was said as it was, whatever breaks it off, and nothing else."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from db.queries.facts.facts import lock_facts_of
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, EventKind
from memory.consolidation.rebuild import RebuildResult, Stage, rebuild
from memory.context.build import BundleOptions, build_bundle
from memory.context.sections import SectionName
from memory.context.snapshot import pin_snapshot
from memory.events.record import EventDraft, prepare, record
from memory.facts import facts
from memory.language.spans import source_span
from memory.ledgers import documents
from memory.privacy.forgetting.forget import ForgetRequest, forget, purge
from memory.retrieval.embedders.base import Vector
from memory.retrieval.vector_index import VectorIndex
from tests.background_jobs import Bench, keeps_record
from tests.company import aloud, found_together
from tests.conftest import wait_until_blocked
from tests.scripted_model import Fails, Thought, Writes

pytestmark = pytest.mark.slow

BOOK = "\n\n".join(
    f"Chapter {number}. The walrus swam to island {number}. " + "It was cold. " * 40 for number in range(9)
)
SICK = "My doctor says I have diabetes"
CHUNKS = "SELECT to_jsonb(c) - 'no' - 'shelf_id' FROM chunks AS c WHERE c.user_id = :user ORDER BY c.id"
POSTINGS = """SELECT c.id, p.term, p.times, p.length FROM chunks AS c
    JOIN postings AS p ON p.tenant_id = c.tenant_id AND p.shelf_id = c.shelf_id AND p.chunk_no = c.no
    WHERE c.user_id = :user ORDER BY 1, 2"""
SHELVES = "SELECT space_id, channel, sensitivity, chunks, words FROM shelves WHERE user_id = :user ORDER BY 1, 2, 3"
SUMMARIES = "SELECT conversation_id, start_seq, new_seq, end_seq, text, digest FROM summaries ORDER BY 1, 4"


class Killed(Exception):
    """As a kill does: nothing is told, and nothing put in order."""


@dataclass
class Told:
    """What a rebuild tells on its way, and where it is broken off."""

    break_off_at: int = 0
    steps: list[tuple[Stage, int, int]] = field(default_factory=list)

    def __call__(self, stage: Stage, done: int, of: int) -> None:
        self.steps.append((stage, done, of))
        if len(self.steps) == self.break_off_at:
            raise Killed


@dataclass
class Lengths:
    """Embeds a text as its length."""

    model: str = "lengths"

    async def warm(self) -> None: ...

    async def query(self, text: str) -> Vector:
        return [1.0, 0.0]

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return [[float(len(text)), 1.0] for text in texts]

    async def close(self) -> None: ...


@pytest.fixture
def always() -> Thought:
    return keeps_record


async def rebuilt(
    bench: Bench, told: Told | None = None, *, model: bool = True, vectors: bool = False
) -> RebuildResult:
    jobs = bench.jobs if model else replace(bench.jobs, structured_llm=None)
    embedder = VectorIndex(bench.memory, bench.viewer.tenant, Lengths() if vectors else None)
    return await rebuild(jobs, embedder, bench.viewer, told or Told(), lambda: bench.now)


async def derived(bench: Bench) -> list[Any]:
    """All that is cut, but for numbers that the database gives, and what its triggers keep of it."""
    user = bench.viewer.person
    return [await bench.rows(query, user=user) for query in (CHUNKS, POSTINGS, SHELVES)]


async def write(bench: Bench, actor: ActorType, kind: EventKind, content: dict[str, Any]) -> None:
    said = prepare(EventDraft(actor, "keepsake", kind, content, tags=("seen",)), bench.now)
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        await record(unit, bench.conversation, [said])


async def talk_at_once(bench: Bench, messages: int) -> None:
    said = [
        prepare(
            EventDraft(ActorType.HUMAN, bench.viewer.person, EventKind.MESSAGE, {"text": f"Number {number}"}), bench.now
        )
        for number in range(messages)
    ]
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        await record(unit, bench.conversation, said)


async def live_a_little(bench: Bench, ben: Viewer) -> None:
    """Events of every kind, sealed and open, alone and aloud; documents, and summaries of one's own and of a group."""
    ada = bench.viewer
    for kind, content in (
        (EventKind.TOOL_CALL, {"call": "1", "tool": "search_memory", "arguments": {"query": "walrus"}}),
        (EventKind.TOOL_RESULT, {"call": "1", "text": "A line about herons.\n" * 2000}),
        (EventKind.TOOL_RESULT, {"call": "2", "text": "A walrus, once more", "recalled": True}),
        (
            EventKind.DECISION,
            {"decision": "Paint the boat green", "rationale": ["Red is gone"], "constraints": ["July"]},
        ),
        (EventKind.TASK_UPDATE, {"title": "Buy paint", "details": "Two pots", "due": "2026-12-24"}),
        (EventKind.ARTIFACT, {"title": "Plan", "excerpt_text": "Green, then white", "other": 1}),
    ):
        await write(bench, ActorType.AGENT, kind, content)
    await bench.say(BOOK)
    await bench.say("Look", caption="the boat at dawn", by=ada)
    await bench.say("…!?")
    await bench.say(SICK)
    await bench.say("Ich wohne in Köln, 我喜欢绿茶 and мой кот спит")
    await bench.talk(46)
    await bench.summarise()
    space = await found_together(bench.memory, ada, ben)
    for place, name in ((ada, "own.md"), (aloud(ada, space), "shared.md")):
        prepared = await documents.prepare_document(name, f"{name}\n{BOOK}".encode())
        async with bench.memory.unit(place, now=bench.now) as unit:
            await documents.add_document(unit, prepared)
    together = aloud(ada, space)
    await bench.begin(together)
    await bench.talk(18)
    for _ in range(3):
        await bench.say("Ben has the last word here", by=aloud(ben, space))
    await bench.say("Or perhaps not")
    await bench.answer()
    await bench.summarise()
    bench.viewer = ada


async def test_everything_that_is_cut_comes_out_as_it_was(bench: Bench, ben: Viewer) -> None:
    await live_a_little(bench, ben)
    before, summaries = await derived(bench), await bench.rows(SUMMARIES)
    kinds = {chunk["kind"] for [chunk] in before[0]}
    assert kinds >= {"message", "tool_result", "decision", "task_update", "artifact", "document", "summary"}
    assert {chunk["channel"] for [chunk] in before[0] if chunk["kind"] == "summary"} == {"private", "team"}

    told = Told()
    made = await rebuilt(bench, told, model=False)

    assert await derived(bench) == before
    assert made == RebuildResult(len(before[0]), 0, 0)
    assert told.steps[0][1] == 0
    assert told.steps[-1][1] == told.steps[-1][2] > 140
    assert await bench.rows(SUMMARIES) == summaries
    assert await bench.rows("SELECT 1 FROM rebuilds") == []


async def test_what_is_broken_off_goes_on_where_it_was(bench: Bench, ben: Viewer) -> None:
    await live_a_little(bench, ben)
    before = await derived(bench)
    with pytest.raises(Killed):
        await rebuilt(bench, broken := Told(break_off_at=4), model=False)
    assert await derived(bench) == before
    [(until,)] = await bench.rows("SELECT made_until FROM rebuilds")
    assert until.startswith("evt_")

    again = Told()
    made = await rebuilt(bench, again, model=False)

    assert again.steps[0] == broken.steps[-1]
    assert 0 < made.chunks < len(before[0])
    assert await derived(bench) == before
    assert (await rebuilt(bench, model=False)).chunks == len(before[0])


async def test_at_no_moment_is_anything_missing(bench: Bench, superuser_url: str) -> None:
    await talk_at_once(bench, 240)
    seen: list[Any] = []
    with psycopg.connect(superuser_url, autocommit=True) as other:

        def look(stage: Stage, done: int, of: int) -> None:
            query = "SELECT count(*), count(DISTINCT text) FROM chunks WHERE tenant_id = %s"
            seen.append(other.execute(query, (bench.viewer.tenant,)).fetchone())

        embedder = VectorIndex(bench.memory, bench.viewer.tenant, None)
        await rebuild(replace(bench.jobs, structured_llm=None), embedder, bench.viewer, look)

    assert seen == [(240, 240)] * 4


async def test_what_was_broken_off_long_ago_is_begun_anew(bench: Bench) -> None:
    await talk_at_once(bench, 120)
    with pytest.raises(Killed):
        await rebuilt(bench, Told(break_off_at=2), model=False)
    bench.now += timedelta(days=2)

    assert (await rebuilt(bench, model=False)).chunks == 120


async def test_two_at_once_share_the_work(bench: Bench, superuser_url: str) -> None:
    await talk_at_once(bench, 300)
    before = await derived(bench)

    async with bench.memory.unit(bench.viewer) as unit:
        await lock_facts_of(unit.session, unit.viewer)
        both = [asyncio.create_task(rebuilt(bench, model=False)) for _ in range(2)]
        await asyncio.to_thread(wait_until_blocked, superuser_url, 2)
    first, second = await asyncio.gather(*both)

    assert first.chunks + second.chunks == len(before[0])
    assert await derived(bench) == before


async def test_meanwhile_one_talks_remembers_and_is_embedded(bench: Bench) -> None:
    await talk_at_once(bench, 400)
    other = VectorIndex(bench.memory, bench.viewer.tenant, Lengths("another process"))

    async def go_on() -> None:
        for number in range(20):
            await remember(bench, f"my boat number {number} is called Walrus {number}")

    _, made, _ = await asyncio.gather(go_on(), rebuilt(bench, model=False, vectors=True), other.backfill(bench.viewer))

    before = await derived(bench)
    assert made.chunks >= 400
    assert len(before[0]) == 420
    await rebuilt(bench, model=False)
    assert await derived(bench) == before


async def test_damaged_chunks_are_mended_and_strange_ones_go(bench: Bench) -> None:
    await bench.talk(2)
    await write(bench, ActorType.AGENT, EventKind.TOOL_CALL, {"call": "1", "tool": "x", "arguments": {}})
    before = await derived(bench)
    async with bench.memory.unit(bench.viewer) as unit:
        await unit.session.execute(text("UPDATE chunks SET text = 'nonsense', token_est = 99, importance = 1"))
        copied = (
            "INSERT INTO chunks (tenant_id, id, space_id, user_id, channel, event_id, thread, ts, kind, token_est,"
            " text, text_hash, terms) SELECT tenant_id, 'chk_strange', space_id, user_id, channel, id, conversation_id,"
            " ts, kind, 1, 'strange', '', 'strange' FROM events WHERE kind = 'tool_call'"
        )
        await unit.session.execute(text(copied))

    await rebuilt(bench, model=False)

    assert await derived(bench) == before


async def remember(bench: Bench, words: str) -> str:
    """A message, and a fact that came from it; gives the fact's id."""
    event = await bench.say(f"Well, {words}, and so on")
    span = source_span(f"Well, {words}, and so on", words)
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        draft = facts.FactDraft(words, Category.OTHER, source_event_id=event, span=span)
        return (await facts.remember(unit, draft, Approval.ORDER)).row.id


async def test_what_was_forgotten_does_not_come_back(bench: Bench) -> None:
    fact = await remember(bench, "Alec is my boss")
    await bench.talk(20)
    await bench.summarise()
    async with bench.memory.unit(bench.viewer) as unit:
        await purge(unit, [fact])

    await rebuilt(bench)

    for table in ("chunks", "summaries", "events", "postings"):
        assert "alec" not in str(await bench.rows(f"SELECT to_jsonb(t) FROM {table} AS t")).lower()
    assert len(await bench.chain()) == 1


async def test_what_is_forgotten_while_it_is_being_cut_does_not_come_back(bench: Bench, superuser_url: str) -> None:
    fact = await remember(bench, "Alec is my boss")
    async with bench.memory.unit(bench.viewer) as unit:
        await lock_facts_of(unit.session, unit.viewer)
        at_work = asyncio.create_task(rebuilt(bench, model=False))
        await asyncio.to_thread(wait_until_blocked, superuser_url)
        await purge(unit, [fact])
    await at_work

    [(words,)] = await bench.rows("SELECT text FROM chunks")
    assert "Alec" not in words
    assert "and so on" in words


async def test_summaries_are_made_anew_from_the_messages(bench: Bench) -> None:
    await bench.talk(46)
    await bench.summarise()
    before = await bench.rows(SUMMARIES)
    topics, ids = "SELECT name, count FROM topics ORDER BY 1", "SELECT id FROM summaries ORDER BY 1"
    counted, old = await bench.rows(topics), await bench.rows(ids)

    told = Told()
    made = await rebuilt(bench, told, vectors=True)

    assert await bench.rows(SUMMARIES) == before
    assert not set(await bench.rows(ids)) & set(old)
    assert await bench.rows(topics) == counted != []
    assert made.summaries == len(before) == 4
    assert told.steps[-2] == (Stage.SUMMARIES, 4, 4)
    bare = "SELECT id FROM chunks WHERE id NOT IN (SELECT chunk_id FROM embeddings WHERE model = 'lengths')"
    assert await bench.rows(bare) == []
    assert await bench.rows("SELECT 1 FROM rebuilds") == []


async def test_in_a_group_they_are_made_anew_though_another_spoke_last(bench: Bench, ben: Viewer) -> None:
    space = await found_together(bench.memory, bench.viewer, ben)
    ada = bench.viewer
    await bench.begin(aloud(ada, space))
    await bench.talk(18)
    await bench.summarise()
    for _ in range(2):
        await bench.say("And I say so", by=aloud(ben, space))
    bench.viewer = ada

    assert (await rebuilt(bench)).summaries == 1
    assert await bench.rows("SELECT user_id, end_seq FROM summaries", aloud(ben, space)) == [(ben.person, 19)]


async def test_summaries_that_the_owner_had_cleared_stay_away(bench: Bench) -> None:
    await bench.talk(20)
    await bench.summarise()
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        await forget(unit, ForgetRequest(clear_summary=True))

    assert (await rebuilt(bench)).summaries == 0
    assert await bench.rows("SELECT 1 FROM summaries") == []


async def test_with_the_model_away_the_chunks_are_there_and_the_next_run_goes_on(bench: Bench) -> None:
    await bench.talk(46)
    await bench.summarise()
    before = await bench.rows(SUMMARIES)
    bench.model.always = lambda request: Fails("401")

    made = await rebuilt(bench)

    assert made.away is not None
    assert made.chunks > 92
    assert await bench.rows("SELECT 1 FROM summaries") == []
    assert await bench.rows("SELECT made_until FROM rebuilds") == [("~",)]
    bench.model.always = keeps_record
    again = await rebuilt(bench)
    assert (again.away, again.chunks, again.summaries) == (None, 0, 4)
    assert await bench.rows(SUMMARIES) == before


async def test_killed_between_two_summaries_it_keeps_the_first(bench: Bench) -> None:
    await bench.talk(46)
    await bench.summarise()
    with pytest.raises(Killed):
        await rebuilt(bench, told := Told(break_off_at=5))
    assert told.steps[-1] == (Stage.SUMMARIES, 2, 4)
    [kept, *_] = await bench.rows("SELECT id FROM summaries WHERE status = 'completed'")

    made = await rebuilt(bench)

    assert made.summaries == 3
    assert kept in await bench.rows("SELECT id FROM summaries")
    assert len(await bench.chain()) == 4


async def test_what_was_given_up_is_tried_again(bench: Bench) -> None:
    await bench.talk(20)
    given_up = (
        "INSERT INTO {} (tenant_id, id, space_id, user_id, channel, conversation_id, start_seq, end_seq, status) SELECT"
        " tenant_id, 'given_up', space_id, user_id, channel, id, 4, 19, 'failed' FROM conversations WHERE id = :c"
    )
    async with bench.memory.unit(bench.viewer) as unit:
        for table in ("summaries", "extractions"):
            await unit.session.execute(text(given_up.format(table)), {"c": bench.conversation})
        await unit.session.execute(text("UPDATE conversations SET extracted = 20"))
    assert await bench.summarise() == 0

    assert (await rebuilt(bench)).summaries == 1

    assert await bench.chain() == [(0, 19, 0, None)]
    assert await bench.rows("SELECT 1 FROM extractions WHERE status = 'failed'") == []
    assert await bench.rows("SELECT extracted FROM conversations") == [(4,)]


async def test_a_model_that_answers_nonsense_is_told_and_tried_again_later(bench: Bench) -> None:
    await bench.talk(20)
    bench.model.always = None
    bench.model.script = [Writes("no record at all")]

    made = await rebuilt(bench)

    assert (made.summaries, made.unfinished, made.away) == (0, 1, None)


async def test_a11_cold_rebuild_restores_what_was_dropped_and_a_bundle_comes_before_that(bench: Bench) -> None:
    await bench.talk(40)
    await bench.summarise()
    await bench.say("My boat is called Walrus")
    async with bench.memory.unit(bench.viewer, now=bench.now) as unit:
        await facts.remember(unit, facts.FactDraft("my boat is called Walrus", Category.OTHER), Approval.ORDER)
        await pin_snapshot(unit, bench.conversation)
    vectors = VectorIndex(bench.memory, bench.viewer.tenant, Lengths())
    await vectors.backfill(bench.viewer)
    before, summaries = await derived(bench), await bench.rows(SUMMARIES)
    own = [chunk for [chunk] in before[0] if chunk["kind"] != "summary"]
    async with bench.memory.unit(bench.viewer) as unit:
        for table in ("embeddings", "chunks", "summaries"):
            await unit.session.execute(text(f"DELETE FROM {table}"))

    bundle = await build_bundle(
        bench.memory,
        vectors,
        bench.viewer,
        bench.conversation,
        "What is my boat called?",
        now=bench.now,
        options=BundleOptions(deadline=timedelta(minutes=5)),
    )
    shown = str([item.text for name in SectionName for item in bundle.items(name)])
    assert "my boat is called Walrus" in shown
    assert "Number 39 is about the weather" in shown
    assert [*bundle.items(SectionName.RETRIEVED_EVIDENCE)] == []

    made = await rebuild(bench.jobs, vectors, bench.viewer, clock=lambda: bench.now)

    after = [chunk for [chunk] in (await derived(bench))[0]]
    assert [chunk for chunk in after if chunk["kind"] != "summary"] == own
    assert await bench.rows(SUMMARIES) == summaries
    assert made.vectors == len(after) == len(before[0])
