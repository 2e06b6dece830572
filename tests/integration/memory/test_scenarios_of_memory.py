"""The scenarios of the source on agent memory, one test each: through the real write path, into a bundle."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from db.embedded import EmbeddedServer
from db.embedded.cluster import SOCKET
from db.embedded.own_database import APPLICATION
from db.engine import Database
from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.retrieval import recall as recall_queries
from db.queries.retrieval.recall import RecallFilter
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, ArtifactKind, Category, Channel, EventKind, TaskStatus
from memory.context.build import Bundle, BundleOptions, build_bundle
from memory.context.calls import prepare_call
from memory.context.items import message_item
from memory.context.sections import SectionName
from memory.context.snapshot import pin_snapshot
from memory.errors import Refused, WriteRefused
from memory.events.record import EventDraft, PreparedEvent, prepare, record
from memory.facts import facts
from memory.language.terms import query_terms
from memory.ledgers import artifacts, decisions, handoff
from memory.model.tokens import estimate
from memory.privacy.export import export_as_markdown, export_data
from memory.retrieval.embedders.base import Embedder, Vector
from memory.retrieval.embedders.bundled import BundledEmbedder
from memory.retrieval.recall import MAX_SCORED, recall
from memory.retrieval.vector_index import VectorIndex
from memory.unit import Memory
from tests.company import aloud, found_together
from tests.conftest import NOON, Converse
from tests.leaks import SECRETS, TELLING, every_table

TALK = (
    "The kettle in room {} is loud",
    "Lunch was {} minutes late",
    "I saw {} herons at the pond",
    "Page {} of that novel is dull",
)
PATIENTLY = BundleOptions(deadline=timedelta(minutes=5))  # a busy machine proves nothing here
IDS_DIFFER = 8  # tokens: another id of the same length may cost a little more


def message(words: str, now: datetime, *, by: str = "ada") -> PreparedEvent:
    return prepare(EventDraft(ActorType.HUMAN, by, EventKind.MESSAGE, {"text": words}), now)


def decision(words: str, now: datetime, **given: Any) -> PreparedEvent:
    return prepare(EventDraft(ActorType.AGENT, "keepsake", EventKind.DECISION, {"decision": words, **given}), now)


def task(now: datetime, **given: Any) -> PreparedEvent:
    return prepare(EventDraft(ActorType.AGENT, "keepsake", EventKind.TASK_UPDATE, given), now)


async def write(
    memory: Memory, viewer: Viewer, conversation: str, *prepared: PreparedEvent, now: datetime = NOON
) -> None:
    async with memory.unit(viewer, now=now) as unit:
        await record(unit, conversation, prepared)


async def begin(memory: Memory, viewer: Viewer, now: datetime = NOON) -> str:
    """A conversation with its snapshot."""
    conversation = timed_id("cnv", now)
    async with memory.unit(viewer, now=now) as unit:
        await start_conversation(unit.session, viewer, conversation_id=conversation, agent_id="keepsake", now=now)
        await pin_snapshot(unit, conversation)
    return conversation


async def bundle(
    memory: Memory, viewer: Viewer, conversation: str, query: str, vectors: VectorIndex | None = None, **given: Any
) -> Bundle:
    return await build_bundle(memory, vectors, viewer, conversation, query, now=NOON, options=PATIENTLY, **given)


def shown(made: Bundle, name: SectionName) -> str:
    return "\n".join(item.text for item in made.items(name))


def whole(made: Bundle) -> str:
    """Everything that a model would read, and everything that is told about it."""
    newest = message_item("evt_new", True, "?", (), 1000)
    asked = prepare_call(made, "", (), (), newest).request
    return f"{asked.memory}\n{asked.messages}\n{made.omissions}\n{json.dumps(made.provenance, default=str)}"


@dataclass
class EachOnce:
    """The bundled embedder, asked about the same text once only."""

    embedder: Embedder = field(default_factory=BundledEmbedder)
    known: dict[str, Vector | None] = field(default_factory=dict)

    @property
    def model(self) -> str:
        return self.embedder.model

    async def warm(self) -> None:
        await self.embedder.warm()

    async def query(self, text: str) -> Vector:
        return await self.embedder.query(text)

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        fresh = list(dict.fromkeys(text for text in texts if text not in self.known))
        self.known |= zip(fresh, await self.embedder.passages(fresh), strict=True)
        return [self.known[text] for text in texts]

    async def close(self) -> None:
        await self.embedder.close()


@asynccontextmanager
async def bundled(memory: Memory, viewer: Viewer) -> AsyncIterator[VectorIndex]:
    vectors = VectorIndex(memory, viewer.tenant, EachOnce())
    await vectors.backfill(viewer)
    try:
        yield vectors
    finally:
        await vectors.close()


def something(n: int, moment: datetime) -> PreparedEvent:
    """Mostly steps of tools, some words, now and then a decision."""
    if n % 100 == 0:
        return decision(f"The poster in corridor {n // 100} will be blue", moment)
    if n % 7 == 0:
        return message(TALK[n % len(TALK)].format(n % 13), moment)
    call = {"call": str(n), "tool": "search_memory", "arguments": {"query": "kettle"}}
    return prepare(EventDraft(ActorType.AGENT, "keepsake", EventKind.TOOL_CALL, call), moment)


def analyse(url: str) -> None:
    """What the server does by itself once much was written."""
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("ANALYZE events, chunks, embeddings, postings, shelves")


@pytest.mark.slow
async def test_a2_old_decision_is_in_the_ledger_for_a_question_in_other_words(
    memory: Memory, ada: Viewer, start: Converse, superuser_url: str
) -> None:
    """Ten thousand events and two hundred days later, with more decisions since than a ledger holds."""
    conversation, long_ago = await start(ada), NOON - timedelta(days=200)
    old = decision("The storage engine will be PostgreSQL", long_ago, rationale=["It needs no licence"])
    later = [long_ago + timedelta(days=1) + n * timedelta(minutes=28) for n in range(10_000)]
    await write(memory, ada, conversation, old, *(something(n, moment) for n, moment in enumerate(later)))
    analyse(superuser_url)
    async with bundled(memory, ada) as vectors:
        made = await bundle(
            memory, ada, await begin(memory, ada), "Which database did we choose?", vectors=vectors, intent="decision"
        )

    assert made.provenance["recall"]["how"] == "words and vectors"
    assert "The storage engine will be PostgreSQL" in shown(made, SectionName.DECISION_LEDGER)
    assert made.provenance["candidate_pool_size"] <= 2_000
    assert made.token_used_est <= 65_000


async def test_a3_supersession_shows_only_the_new_decision_and_leads_back_to_the_old(
    memory: Memory, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    grounds = [message("Red bricks are cheap", NOON), message("Red bricks are sold out", NOON)]
    first = decision("Build with red bricks", NOON, refs=[grounds[0].event.id])
    await write(memory, ada, conversation, *grounds, first)
    async with memory.unit(ada, read_only=True) as unit:
        [a] = await decisions.active_decisions(unit, limit=9)
    second = decision("Build with yellow bricks", NOON, refs=[grounds[1].event.id], supersedes=a.id)
    await write(memory, ada, conversation, second)
    made = await bundle(memory, ada, await begin(memory, ada), "Which bricks do we build with?")
    async with memory.unit(ada, read_only=True) as unit:
        [b] = await decisions.active_decisions(unit, limit=9)
        chain = await decisions.decision_chain(unit, b.id)

    assert "yellow" in shown(made, SectionName.DECISION_LEDGER)
    assert "red bricks" not in shown(made, SectionName.DECISION_LEDGER)
    assert [(row.words, list(row.refs)) for row in chain] == [
        ("Build with yellow bricks", [grounds[1].event.id]),
        ("Build with red bricks", [grounds[0].event.id]),
    ]
    with pytest.raises((Refused, WriteRefused)):
        await write(memory, ada, conversation, decision("Red after all", NOON, supersedes=a.id))
    with pytest.raises(WriteRefused):
        await force_a_loop(memory, ada, a.id, b.id)


async def force_a_loop(memory: Memory, viewer: Viewer, a: str, b: str) -> None:
    """As no part of the program would do it."""
    async with memory.unit(viewer) as unit:
        loop = "UPDATE decisions SET supersedes = :b, superseded_by = NULL, status = 'active' WHERE id = :a"
        await unit.session.execute(text(loop), {"a": a, "b": b})


async def test_a5_task_stands_in_every_conversation_until_it_is_done(
    memory: Memory, ada: Viewer, start: Converse
) -> None:
    await write(memory, ada, await start(ada), task(NOON, title="Book the ferry", due="2026-12-01"))
    opened = await bundle(memory, ada, other := await begin(memory, ada), "hello")
    [item] = opened.items(SectionName.TASK_STATE)
    await write(memory, ada, other, task(NOON, task_id=item.refs[0], status=TaskStatus.DOING))
    moved = await bundle(memory, ada, third := await begin(memory, ada), "hello")
    await write(memory, ada, third, task(NOON, task_id=item.refs[0], status=TaskStatus.DONE))
    closed = await bundle(memory, ada, await begin(memory, ada), "hello")

    assert "(open, due 2026-12-01) Book the ferry" in item.text
    assert "(doing, due 2026-12-01) Book the ferry" in shown(moved, SectionName.TASK_STATE)
    assert closed.items(SectionName.TASK_STATE) == ()


async def test_a6_handoff_gives_the_other_agent_what_it_may_load_and_no_more(
    memory: Memory, ada: Viewer, start: Converse
) -> None:
    conversation, between = await start(ada), replace(ada, channel=Channel.AGENT)
    said = message("The hull is of oak", NOON)
    sick = message("My sister Zelda has diabetes", NOON)
    await write(memory, ada, conversation, said, sick)
    await write(memory, ada, conversation, decision("Paint the hull green", NOON, refs=[said.event.id]))
    await write(memory, ada, conversation, decision("Buy insulin, because Zelda has diabetes", NOON))
    await write(
        memory, ada, conversation, *(task(NOON, title=f"Sand plank {n}", details="x " * 900) for n in range(60))
    )
    async with memory.unit(between, now=NOON) as unit:
        packet = await handoff.hand_over(
            unit, from_agent="a", to_agent="b", goal="Finish the boat", refs=[said.event.id, sick.event.id]
        )
    made = await bundle(memory, between, await begin(memory, between), "What now?", agent_id="b", intent="handoff")
    [item] = made.items(SectionName.HANDOFF_PACKET)

    assert "Finish the boat" in item.text
    assert "Paint the hull green" in item.text
    assert item.refs[0] == packet.id
    assert said.event.id in item.refs
    assert estimate(item.text) <= 6_000
    assert packet.packet["left_out"]["tasks"] > 0
    assert [word for word in ("Zelda", "diabetes", "insulin", sick.event.id) if word in whole(made)] == []
    assert made.items(SectionName.RECENT_WINDOW) == ()
    for other in ("a", "c", ""):
        assert (await bundle(memory, between, conversation, "?", agent_id=other)).items(
            SectionName.HANDOFF_PACKET
        ) == ()


async def test_a7_public_suppression_leaves_out_whatever_is_not_for_everybody(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    inside, team, public = (aloud(ada, space, channel) for channel in (Channel.PRIVATE, Channel.TEAM, Channel.PUBLIC))
    told = {
        inside: ["The pond is deep by the willow", "I live in Berlin by the pond"],
        team: ["The pond has newts", "I live in Hamburg near a pond", "My pond made me sick: I have asthma"],
        public: ["The pond opens in May"],
    }
    for viewer, sentences in told.items():
        where = await begin(memory, viewer)
        await write(memory, viewer, where, *(message(words, NOON) for words in sentences))
        await write(memory, viewer, where, decision(f"The pond stays, said in {viewer.channel}", NOON))
        await write(memory, viewer, where, task(NOON, title=f"Clean the pond, said in {viewer.channel}"))
    async with memory.unit(inside, now=NOON) as unit:
        await facts.remember(unit, facts.FactDraft("My pond has frogs", Category.OTHER), Approval.COMMAND)
        liked = await facts.remember(unit, facts.FactDraft("I like the pond", Category.PREFERENCE), Approval.COMMAND)
        known = await facts.remember(unit, facts.FactDraft("The pond is round", Category.CONTEXT), Approval.COMMAND)
        for receipt in (liked, known):
            await facts.share(unit, receipt.row.id)
    made = await bundle(memory, public, await begin(memory, public), "Tell me about the pond")
    read = whole(made)

    kept_back = ["willow", "Berlin", "newts", "Hamburg", "asthma", "in private", "in team", "frogs", "I like"]
    assert [words for words in kept_back if words in read] == []
    assert "The pond opens in May" in shown(made, SectionName.RETRIEVED_EVIDENCE)
    assert "said in public" in shown(made, SectionName.DECISION_LEDGER)
    assert "The pond is round" in shown(made, SectionName.MEMORY)
    assert made.provenance["filters"] == {"channel": "public", "sensitivity_allowed": ["none"], "tags": []}


async def test_a8_secrets_are_in_no_table_log_bundle_or_export(
    memory: Memory, ada: Viewer, start: Converse, superuser_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    conversation = await start(ada)
    letter = "\n".join(f"The {name} secret of the lighthouse: {secret} ." for name, secret in SECRETS.items())
    output = {"tool": "cat", "text": letter}
    filled = "".join(f"line {n} of the lighthouse\n" for n in range(3_000))
    long = {"tool": "cat", "output": f"{filled}{letter}\n{filled}{letter}", "path": SECRETS["github"]}
    await write(
        memory,
        ada,
        conversation,
        message(letter, NOON),
        prepare(EventDraft(ActorType.TOOL, "cat", EventKind.TOOL_RESULT, output), NOON),
        prepare(EventDraft(ActorType.TOOL, "cat", EventKind.TOOL_RESULT, long), NOON),
        decision(f"Keep {SECRETS['aws']} in the lighthouse", NOON, rationale=[letter[:900]]),
        task(NOON, title=f"Rotate {SECRETS['stripe']} of the lighthouse", details=letter),
    )
    async with memory.unit(ada, now=NOON) as unit:
        await artifacts.store_bytes(unit, letter.encode(), kind=ArtifactKind.DOCUMENT, meta={"name": SECRETS["jwt"]})
        with pytest.raises(Refused):
            await artifacts.store_bytes(unit, b"\xff\xfe" + letter.encode("utf-16-le"), kind=ArtifactKind.BLOB)
    made = await bundle(memory, ada, conversation, f"What is the lighthouse secret {SECRETS['openai']}?")
    async with memory.unit(ada, now=NOON) as unit:
        document = await export_data(unit)
    places = {
        "bundle": whole(made),
        "log": caplog.text,
        "export": json.dumps(document, ensure_ascii=False, default=str),
        "markdown": export_as_markdown(document),
    }
    places |= {f"table {name}": held for name, held in every_table(superuser_url)}

    assert len(SECRETS) == 12
    assert "lighthouse" in places["table artifacts"]
    assert "lighthouse" in places["bundle"]
    assert {(place, secret) for place, held in places.items() for secret in TELLING if secret in held} == set()


@dataclass
class RoundTrips:
    """Stands between the program and the server, and counts how often the program speaks after it was answered."""

    server: Path
    count: int = 0
    answered: bool = True
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self.server / SOCKET)
        self.writers += [writer, far_writer]
        await asyncio.gather(self.pass_on(reader, far_writer, True), self.pass_on(far_reader, writer, False))

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, asks: bool) -> None:
        while data := await reader.read(65_536):
            self.count += asks and self.answered
            self.answered = not asks
            writer.write(data)
            await writer.drain()
        writer.close()

    async def close(self) -> None:
        await asyncio.gather(*(writer.wait_closed() for writer in self.writers))


async def test_a9_fast_path_is_three_round_trips(
    server: EmbeddedServer, worker_database: str, memory: Memory, ada: Viewer, start: Converse, tmp_path: Path
) -> None:
    conversation = await start(ada)
    await write(memory, ada, conversation, *(message(f"Sentence {n}", NOON) for n in range(40)))
    await write(memory, ada, conversation, message("My doctor says I have diabetes", NOON))
    await write(memory, ada, conversation, decision("Go north", NOON), task(NOON, title="Pack"))
    trips = RoundTrips(server.socket)
    listening = await asyncio.start_unix_server(trips.serve, tmp_path / SOCKET)
    database = Database(server.url(APPLICATION, worker_database).replace(_quoted(server.socket), _quoted(tmp_path)))
    near, counts = Memory(database, memory.keyring), []
    await bundle(near, ada, conversation, "Good morning!")
    for _ in range(12):  # the driver prepares a statement once it has seen it often
        before = trips.count
        made = await bundle(near, ada, conversation, "Good morning!")
        counts.append(trips.count - before)
    await database.close()
    listening.close()
    await trips.close()

    assert made.provenance["recall"]["how"] == "not asked"
    assert "diabetes" in made.items(SectionName.RECENT_WINDOW)[-1].text
    assert min(counts) > 0
    assert max(counts) <= 3


def _quoted(folder: Path) -> str:
    return str(folder).replace("/", "%2F")


@pytest.mark.slow
async def test_a10_bounded_however_much_was_said(
    memory: Memory, ada: Viewer, start: Converse, superuser_url: str
) -> None:
    """With a million chunks it is the bench that measures; here every chunk holds the words of the question."""
    conversation = await start(ada)
    heap = [message(f"The harbour crane number {n} is yellow", NOON) for n in range(2_200)]
    await write(memory, ada, conversation, *heap)
    analyse(superuser_url)
    vectors = VectorIndex(memory, ada.tenant, Alike())
    await vectors.backfill(ada)
    asked = "Is the harbour crane yellow?"
    async with memory.unit(ada, read_only=True) as unit:
        pool = await recall_queries.candidates(
            unit.session, ada, terms=query_terms(asked), vector=[1.0, 0.5], model="alike", only=RecallFilter()
        )
    recalled = await recall(memory, vectors, ada, asked, now=NOON, limit=200, deadline=timedelta(minutes=5))
    made = await bundle(memory, ada, await begin(memory, ada), asked, vectors=vectors)

    assert recalled.how == "words and vectors"
    assert 400 <= len(pool.rows) <= 2_000
    assert recalled.candidates <= 2_000
    assert recalled.scored == MAX_SCORED == 200
    assert made.provenance["candidate_pool_size"] <= 2_000
    assert made.provenance["scored"] <= 200
    assert made.token_used_est <= 65_000


class Alike:
    """An embedder to whom much is much the same."""

    model = "alike"

    async def warm(self) -> None:
        return

    async def query(self, text: str) -> Vector:
        return [1.0, 0.5]

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return [[1.0, len(text) % 7 / 7] for text in texts]

    async def close(self) -> None:
        return


async def test_a12_dedupe_shows_what_was_said_twenty_times_once(memory: Memory, ada: Viewer, start: Converse) -> None:
    conversation, words = await start(ada), "The boathouse key hangs behind the third oar"

    async def asked() -> Bundle:
        return await bundle(memory, ada, other, "Where is the boathouse key?")

    await write(memory, ada, conversation, message(words, NOON), message("The oar is new", NOON))
    other = await begin(memory, ada)
    once = await asked()
    for n in range(19):
        await write(memory, ada, conversation, message(words, NOON + timedelta(days=n)))
    often = await asked()

    assert whole(once).count(words) == 1
    assert whole(often).count(words) == 1
    assert often.token_used_est <= once.token_used_est + IDS_DIFFER
    assert [len(each.candidates) for each in often.omissions if each.reason.startswith("said_before")] == [19]
