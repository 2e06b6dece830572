"""Forgetting: what was deleted is purged with all that repeats it, nothing else is touched, and it stays forgotten."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import insert, text

from db.queries.privacy.audit import audit_of
from db.queries.retrieval.chunks import add_embeddings, unembedded
from db.tables import Base
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Attribute, Category, EventKind, ProposalKind, Sensitivity
from memory.context.snapshot import pin_snapshot
from memory.errors import NotFound, Refused
from memory.events.record import EventDraft as Event
from memory.events.record import open_content, prepare, record
from memory.facts import facts, history, proposals
from memory.facts.facts import FactDraft
from memory.language.spans import source_span
from memory.ledgers import decisions, tasks
from memory.privacy.encryption import Keyring, new_key
from memory.privacy.forgetting.blanking import quotable_text
from memory.privacy.forgetting.forget import ForgetRequest, ForgetResult, forget, preview_forget, purge_due, purge_own
from memory.unit import Memory
from tests.conftest import NOON, Converse
from tests.waiting import eventually

BOSS = "Alec is my boss"
SICK = "My doctor says I have diabetes"
BEFORE = NOON + timedelta(hours=23)
LATER = NOON + timedelta(hours=25)
WAITING = "SELECT %(t)s FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@dataclass
class Home:
    """Where a person talks, and what is kept of it."""

    memory: Memory
    viewer: Viewer
    conversation: str
    url: str

    async def say(self, words: str, *, now: datetime = NOON) -> str:
        return await self.record(ActorType.HUMAN, EventKind.MESSAGE, {"text": words}, now)

    async def reply(self, words: str, *, now: datetime = NOON) -> str:
        return await self.record(ActorType.AGENT, EventKind.MESSAGE, {"text": words, "ended": "end_turn"}, now)

    async def call(self, **arguments: Any) -> str:
        content = {"call": "1", "tool": "add_to_memory", "arguments": arguments}
        return await self.record(ActorType.AGENT, EventKind.TOOL_CALL, content, NOON)

    async def result(self, words: str) -> str:
        return await self.record(ActorType.TOOL, EventKind.TOOL_RESULT, {"call": "1", "text": words}, NOON)

    async def record(self, actor: ActorType, kind: EventKind, content: dict[str, Any], now: datetime) -> str:
        said = prepare(Event(actor, "x", kind, content), now)
        async with self.memory.unit(self.viewer, now=now) as unit:
            await record(unit, self.conversation, [said])
        return said.event.id

    async def remember(self, content: str, source: str = "", *, now: datetime = NOON, **given: Any) -> str:
        """A fact, with the place that it came from."""
        if source:
            said = await self.content(source)
            given |= {"source_event_id": source, "span": source_span(said["text"], content)}
        async with self.memory.unit(self.viewer, now=now) as unit:
            draft = FactDraft(content, Category.OTHER, **given)
            return (await facts.remember(unit, draft, Approval.ORDER, separate=True)).row.id

    async def delete(self, fact_id: str) -> None:
        async with self.memory.unit(self.viewer, now=NOON) as unit:
            await facts.hide(unit, fact_id, Approval.COMMAND)

    async def purge(self, now: datetime = LATER) -> int:
        async with self.memory.unit(self.viewer, now=now) as unit:
            return await purge_own(unit)

    async def forget(self, wish: ForgetRequest) -> ForgetResult:
        async with self.memory.unit(self.viewer, now=NOON) as unit:
            return await forget(unit, wish)

    async def content(self, event_id: str) -> dict[str, Any]:
        async with self.memory.unit(self.viewer, read_only=True) as unit:
            query = text("SELECT content FROM events WHERE id = :id")
            content = (await unit.session.execute(query, {"id": event_id})).scalar_one()
            return await open_content(unit, self.viewer.person, event_id, content)

    async def words(self, event_id: str) -> str:
        return str((await self.content(event_id))["text"])

    async def add(self, table: str, **values: Any) -> None:
        """A row that the program does not write yet."""
        of = Base.metadata.tables[table]
        scope = {
            "tenant_id": self.viewer.tenant,
            "user_id": self.viewer.person,
            "space_id": self.viewer.place,
            "channel": "private",
        }
        usual = {name: value for name, value in scope.items() if name in of.c}
        async with self.memory.unit(self.viewer) as unit:
            await unit.session.execute(insert(of).values(**usual, **values))

    async def chunk(self, name: str, **source: str) -> None:
        """A piece for recall, with its vector."""
        words = {"kind": "message", "token_est": 1, "text": BOSS, "text_hash": b"", "terms": "alec boss"}
        await self.add("chunks", id=name, thread="x", ts=NOON, **words, **source)
        await self.embed()

    async def embed(self) -> None:
        async with self.memory.unit(self.viewer) as unit:
            for chunk in await unembedded(unit.session, self.viewer, "m", limit=100):
                await add_embeddings(unit.session, self.viewer, "m", [(chunk.chunk_id, [1.0, 2.0])])

    async def summary(self, words: str, *, start: int = 0) -> str:
        name = f"sum_{start}"
        told = {"conversation_id": self.conversation, "start_seq": start, "end_seq": start + 1}
        await self.add("summaries", id=name, status="completed", text=words, **told)
        return name

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """As a superuser, within the tenant `t` of the query."""
        with psycopg.connect(self.url) as admin:
            return admin.execute(query.encode(), {"t": self.viewer.tenant}).fetchall()

    def holding(self, words: str) -> set[str]:
        """The tables of this tenant in which these words stand."""
        with psycopg.connect(self.url) as admin:
            return {
                table
                for table in Base.metadata.tables
                if admin.execute(
                    f"SELECT 1 FROM {table} AS t WHERE tenant_id = %s AND t::text ILIKE %s".encode(),
                    (self.viewer.tenant, f"%{words}%"),
                ).fetchone()
            }


@pytest.fixture
async def home(memory: Memory, ada: Viewer, start: Converse, superuser_url: str) -> Home:
    return Home(memory, ada, await start(ada), superuser_url)


async def test_the_purge_takes_a_fact_out_of_everything_that_repeats_it(home: Home) -> None:
    source = await home.say(f"Hello! {BOSS}. The weather is fine.")
    again = await home.say("As I said: ALEC  IS my boss, and I like tea.")
    call = await home.call(content=BOSS, subject="Alec")
    result = await home.result(f"Saved as a fact: {BOSS}.")
    reply = await home.reply("Noted. Alec is your boss, then. Anything else?")
    other = await home.reply("Your boss will be glad.")
    fact_id = await home.remember(BOSS, source, subject="Alec")
    async with home.memory.unit(home.viewer, now=NOON) as unit:
        await pin_snapshot(unit, home.conversation)
        await proposals.propose(unit, ProposalKind.ADD, FactDraft("Alec is my boss since May", Category.PERSON))
        kept_card = await proposals.propose(unit, ProposalKind.ADD, FactDraft("I like green tea", Category.OTHER))
    summary = await home.summary("They spoke of the weather. Alec is the boss of the user. It was a fine day.")
    await home.chunk("chk_sum", summary_id=summary)
    before = home.rows(
        "SELECT id, seq, message_seq, ts, actor_type, kind FROM events WHERE tenant_id = %(t)s ORDER BY seq"
    )

    await home.delete(fact_id)
    assert await home.purge() == 1

    assert await home.words(source) == "Hello! ███████████████. The weather is fine."
    assert await home.words(again) == "As I said: ████████████████, and I like tea."
    assert await home.words(reply) == "Noted. ████████████████████████ Anything else?"
    assert await home.words(other) == "Your boss will be glad."
    assert [await home.content(event) for event in (call, result)] == [{"text": "█"}] * 2
    after = home.rows(
        "SELECT id, seq, message_seq, ts, actor_type, kind FROM events WHERE tenant_id = %(t)s ORDER BY seq"
    )
    assert after == before
    cut = {event for (event,) in home.rows("SELECT event_id FROM chunks WHERE tenant_id = %(t)s")}
    assert cut == {source, again, reply, other}  # what is left of them was cut anew
    assert home.rows("SELECT event_id FROM embeddings JOIN chunks ON id = chunk_id WHERE chunks.tenant_id = %(t)s") == [
        (other,)
    ]
    assert home.rows("SELECT text FROM summaries WHERE tenant_id = %(t)s") == [
        ("They spoke of the weather. █████████████████████████████ It was a fine day.",)
    ]
    assert home.rows("SELECT id FROM proposals WHERE tenant_id = %(t)s") == [(kept_card.row.id,)]
    for table in ("facts", "fact_versions", "snapshot_items"):
        assert home.rows(f"SELECT 1 FROM {table} WHERE tenant_id = %(t)s") == []
    assert home.holding("alec") == set()


ANN = "My sister Ann lives in Oslo"


@pytest.mark.parametrize(
    ("content", "left"),
    [
        (
            {"text": "ok", "caption": f"Look! {ANN}. Sunny."},
            {"text": "ok", "caption": f"Look! {'█' * len(ANN)}. Sunny."},
        ),
        (
            {"text": "ok", "caption": "Ann, my sister, left Oslo"},
            {"text": "ok", "caption": "Ann, my sister, left Oslo"},
        ),
        (
            {"text": f"{ANN}!", "reply_to": {"by": "Ben", "text": "Yes. Your sister Ann lives in Oslo. Bye."}},
            {"text": f"{'█' * len(ANN)}!", "reply_to": {"by": "Ben", "text": f"Yes. {'█' * 30} Bye."}},
        ),
        ({"text": "ok", "seen": [1, {"on": ["x", ANN]}]}, {"text": "ok", "seen": [1, {"on": ["x", "█" * len(ANN)]}]}),
        ({"text": "ok", "seen": {ANN: True}}, {"text": "█"}),
        ({"text": "ok", "forwarded_from": ANN}, {"text": "ok", "forwarded_from": "█" * len(ANN)}),
    ],
)
async def test_the_purge_looks_into_every_part_of_a_message(
    home: Home, content: dict[str, Any], left: dict[str, Any]
) -> None:
    told = await home.record(ActorType.HUMAN, EventKind.MESSAGE, content, NOON)
    await home.embed()
    await home.delete(await home.remember(ANN))
    await home.purge()

    assert await home.content(told) == left
    assert home.holding(ANN) == set()


async def test_a_quote_brings_nothing_back_before_and_after_the_purge(home: Home) -> None:
    quote = f"I see. {ANN}. Bye."
    await home.delete(await home.remember(ANN))
    async with home.memory.unit(home.viewer) as unit:
        deleted = await quotable_text(unit, quote)
    await home.purge()
    async with home.memory.unit(home.viewer) as unit:
        purged = await quotable_text(unit, quote)

    assert deleted == purged == f"I see. {'█' * (len(ANN) + 1)} Bye."


async def test_a_call_of_a_tool_whose_argument_is_named_by_it_goes_too(home: Home) -> None:
    call = await home.call(**{ANN: True})
    await home.delete(await home.remember(ANN))
    await home.purge()

    assert await home.content(call) == {"text": "█"}


@pytest.mark.parametrize(
    ("told", "kept", "reply"),
    [
        (
            "Hallo. Ärgerlich ist mein Chef Jürgen. Gut.",
            "Ärgerlich ist mein Chef Jürgen",
            "Ja. ÄRGERLICH ist mein Chef JÜRGEN. Gut.",
        ),
        ("Привет. Мой начальник Сергей. Хорошо.", "Мой начальник Сергей", "Да. МОЙ НАЧАЛЬНИК СЕРГЕЙ. Да."),
        ("你好。我的老板是王伟。很好。", "我的老板是王伟", "好的。我的老板是王伟。再见。"),
        ("مرحبا. مديري اسمه سامي. جيد.", "مديري اسمه سامي", "نعم. مديري اسمه سامي. نعم."),
        ("नमस्ते। मेरे मालिक रमेश हैं। ठीक।", "मेरे मालिक रमेश हैं", "हाँ। मेरे मालिक रमेश हैं। ठीक।"),
        ("👋🏽 Hi. My 🐈 is called Tofu. Bye.", "My 🐈 is called Tofu", "👍🏽! Tofu is what your 🐈 is called. 👋🏽"),
    ],
)
async def test_the_purge_works_in_every_script(home: Home, told: str, kept: str, reply: str) -> None:
    source, answer = await home.say(told), await home.reply(reply)
    await home.delete(await home.remember(kept, source))
    await home.purge()

    assert await home.words(source) == told.replace(kept, "█" * len(kept))
    blanked = await home.words(answer)
    assert len(blanked) == len(reply)
    assert kept.lower() not in blanked.lower()
    assert "█" in blanked
    assert blanked[:2] == reply[:2]


async def test_accents_that_a_reply_leaves_out_do_not_save_it(home: Home) -> None:
    source = await home.say("Frédéric paints.")
    reply = await home.reply("Ah. Frederic paints. Nice.")
    await home.delete(await home.remember("Frédéric paints", source))
    await home.purge()

    assert await home.words(reply) == "Ah. ████████████████ Nice."


@pytest.mark.parametrize("words", [r"My notes are in C:\Users\ada\notes", 'They call it the "Blue"-"Velvet"-Room'])
async def test_words_with_signs_that_json_spells_otherwise_are_found_too(home: Home, words: str) -> None:
    await home.delete(await home.remember(words, await home.say(words)))
    again = await home.reply(f"Well: {words}")
    await home.purge()

    assert await home.words(again) == "█" * len(f"Well: {words}")


async def test_every_wording_that_a_fact_ever_had_is_purged(home: Home) -> None:
    first, second = await home.say("I live in Porto now."), await home.say("Not there: I live in Braga.")
    fact_id = await home.remember("I live in Porto", first)
    async with home.memory.unit(home.viewer, now=NOON) as unit:
        draft = FactDraft("I live in Braga", Category.OTHER, source_event_id=second, span=(11, 26))
        await facts.revise(unit, fact_id, draft, Approval.WORDS)
    await home.delete(fact_id)
    await home.purge()

    assert await home.words(first) == "███████████████ now."
    assert await home.words(second) == "Not there: ███████████████."
    assert home.holding("Porto") | home.holding("Braga") == set()
    assert len(home.rows("SELECT 1 FROM tombstones WHERE tenant_id = %(t)s")) == 2


async def test_what_is_sensitive_is_purged_from_its_sealed_messages_too(home: Home) -> None:
    source = await home.say(f"Listen. {SICK}.")
    reply = await home.reply("I am sorry that your doctor says you have diabetes.")
    untouched = await home.say("My therapist helps me with my depression")
    await home.delete(await home.remember(SICK, source))
    await home.purge()

    assert [await home.content(event) for event in (source, reply)] == [{"text": "█"}] * 2
    assert await home.words(untouched) == "My therapist helps me with my depression"


async def test_with_the_key_missing_the_source_goes_whole(home: Home) -> None:
    source, other = await home.say(f"{SICK}."), await home.say("My therapist helps me with my depression")
    fact_id = await home.remember(SICK, source)
    stranger = Home(Memory(home.memory.database, Keyring((new_key(),))), home.viewer, home.conversation, home.url)
    await stranger.delete(fact_id)
    await stranger.purge()

    assert await home.content(source) == {"text": "█"}
    assert await home.words(other) == "My therapist helps me with my depression"
    assert home.rows("SELECT 1 FROM facts WHERE tenant_id = %(t)s") == []


async def test_nothing_is_purged_while_it_can_be_undone(home: Home, tenant: str) -> None:
    source = await home.say(f"{BOSS}.")
    fact_id = await home.remember(BOSS, source)
    await home.delete(fact_id)
    assert await home.purge(BEFORE) == 0
    assert await purge_due(home.memory, tenant, BEFORE) == 0

    assert await home.words(source) == f"{BOSS}."
    assert len(home.rows("SELECT 1 FROM fact_versions WHERE tenant_id = %(t)s")) == 2
    assert home.rows("SELECT 1 FROM tombstones WHERE tenant_id = %(t)s") == []


async def test_what_is_due_is_found_for_everybody(home: Home, ben: Viewer, start: Converse, tenant: str) -> None:
    his = Home(home.memory, ben, await start(ben), home.url)
    for each in (home, his):
        await each.delete(await each.remember(BOSS))
        await each.remember("I like tea")
    assert await purge_due(home.memory, tenant, LATER) == 2
    assert await purge_due(home.memory, tenant, LATER) == 0

    assert home.holding("alec") == set()
    assert len(home.rows("SELECT 1 FROM facts WHERE tenant_id = %(t)s")) == 2


async def test_the_same_words_of_another_person_stay(home: Home, ben: Viewer, start: Converse) -> None:
    his = Home(home.memory, ben, await start(ben), home.url)
    message, reply = await his.say(f"{BOSS} too."), await his.reply("Alec is your boss.")
    await his.remember(BOSS, message)
    await his.summary("Alec is the boss of the user.")
    await home.delete(await home.remember(BOSS, await home.say(BOSS)))
    await home.purge()

    assert (await his.words(message), await his.words(reply)) == (f"{BOSS} too.", "Alec is your boss.")
    assert home.rows("SELECT text FROM summaries WHERE tenant_id = %(t)s") == [("Alec is the boss of the user.",)]
    async with his.memory.unit(ben, now=NOON) as unit:
        assert [row.words for row in await facts.all_facts(unit)] == [BOSS]


async def test_a_tombstone_says_where_it_stood_and_not_what(home: Home) -> None:
    source = await home.say(f"Hello! {BOSS}.")
    await home.delete(await home.remember(BOSS, source))
    await home.purge()

    [(event, begin, end, salt, hashed)] = home.rows(
        "SELECT event_id, lower(span), upper(span), salt, hash FROM tombstones WHERE tenant_id = %(t)s"
    )
    assert (event, begin, end) == (source, 7, 7 + len(BOSS))
    assert (len(salt), len(hashed)) == (16, 32)
    assert home.holding("alec") | home.holding("boss") == set()


async def test_what_was_forgotten_is_not_proposed_again_and_comes_back_by_its_owners_order_alone(home: Home) -> None:
    await home.delete(await home.remember(BOSS, await home.say(BOSS)))
    await home.purge()

    async with home.memory.unit(home.viewer, now=LATER) as unit:
        for words in (BOSS, "The user's boss is Alec", "alec IS my boss!"):
            with pytest.raises(Refused, match="asked to forget this"):
                await proposals.propose(unit, ProposalKind.ADD, FactDraft(words, Category.PERSON))
        assert await proposals.propose(unit, ProposalKind.ADD, FactDraft("Alec is my uncle", Category.PERSON))
    await home.remember(BOSS, now=LATER)
    async with home.memory.unit(home.viewer, now=LATER) as unit:
        assert [row.words for row in await facts.all_facts(unit)] == [BOSS]


async def test_another_person_may_be_asked_what_she_had_forgotten(home: Home, ben: Viewer) -> None:
    await home.delete(await home.remember(BOSS))
    await home.purge()

    async with home.memory.unit(ben, now=LATER) as unit:
        assert await proposals.propose(unit, ProposalKind.ADD, FactDraft(BOSS, Category.PERSON))


async def test_accepted_cards_go_with_the_purge_and_a_no_stays(home: Home) -> None:
    async with home.memory.unit(home.viewer, now=NOON) as unit:
        accepted = await proposals.propose(unit, ProposalKind.ADD, FactDraft("I like white tea", Category.OTHER))
        await proposals.accept(unit, accepted.row.id, accepted.row.content_hash)
        declined = await proposals.propose(unit, ProposalKind.ADD, FactDraft("I like green tea", Category.OTHER))
        await proposals.reject(unit, declined.row.id)
        waiting = await proposals.propose(unit, ProposalKind.ADD, FactDraft("I like black tea", Category.OTHER))
    await home.purge()

    left = home.rows("SELECT id FROM proposals WHERE tenant_id = %(t)s ORDER BY created_at")
    assert left == [(declined.row.id,), (waiting.row.id,)]


async def test_a_subject_is_forgotten_with_all_facts_about_it_and_with_their_words(home: Home) -> None:
    source = await home.say(f"{BOSS}. I like tea.")
    await home.remember(BOSS, source, subject="Alec")
    hidden = await home.remember("Alec lives in Porto", subject="Alec")
    await home.delete(hidden)
    await home.remember("I like tea", source)
    told = await home.forget(ForgetRequest(subject="ALEC"))

    assert told == ForgetResult(facts=2, messages=0, topics=[], attributes=[], summaries=0)
    assert await home.words(source) == "███████████████. I like tea."
    assert home.holding("alec") == set()
    async with home.memory.unit(home.viewer) as unit:
        assert [row.words for row in await facts.all_facts(unit)] == ["I like tea"]


async def test_an_attribute_is_forgotten_and_named_in_the_report(home: Home) -> None:
    source = await home.say("I live in Porto. My name is Ada.")
    await home.remember("I live in Porto", source, attribute=Attribute.LOCATION)
    await home.remember("My name is Ada", source, attribute=Attribute.NAME)
    told = await home.forget(ForgetRequest(attributes=[Attribute.LOCATION, Attribute.FAITH]))

    assert told == ForgetResult(facts=1, messages=0, topics=[], attributes=[Attribute.LOCATION], summaries=0)
    assert await home.words(source) == "███████████████. My name is Ada."
    assert home.holding("Porto") == set()


async def test_a_topic_is_forgotten_with_the_facts_that_are_filed_under_it(home: Home) -> None:
    for name in ("tea", "chess"):
        await home.add("topics", name=name, last_seen=NOON)
    await home.remember("Tea keeps me awake", subject="Tea")
    await home.remember("Chess is fun", subject="Chess")
    told = await home.forget(ForgetRequest(topics=["TEA", "never heard of"]))

    assert told == ForgetResult(facts=1, messages=0, topics=["tea"], attributes=[], summaries=0)
    assert home.rows("SELECT name FROM topics WHERE tenant_id = %(t)s") == [("chess",)]
    assert home.holding("awake") == set()


async def test_a_span_of_time_is_forgotten_with_messages_facts_cards_and_summaries(home: Home) -> None:
    day = timedelta(days=1)
    early, late = (
        await home.say("the first words", now=NOON - 2 * day),
        await home.say("the last words", now=NOON + day),
    )
    during = await home.say("the middle words", now=NOON)
    await home.reply("a middle answer", now=NOON)
    await home.embed()
    await home.remember("the first words", early, now=NOON - 2 * day)
    await home.remember("the last words", late, now=NOON + day)
    await home.remember("the middle words", during, now=NOON + 2 * day)
    await home.remember("typed in the middle", now=NOON)
    async with home.memory.unit(home.viewer, now=NOON) as unit:
        card = FactDraft("asked in the middle", Category.OTHER, source_event_id=during, span=(0, 5))
        await proposals.propose(unit, ProposalKind.ADD, card)
    await home.summary("They spoke of the middle.")
    await home.add("topics", name="middle", last_seen=NOON)
    told = await home.forget(ForgetRequest(since=NOON - day, until=NOON + day))

    assert told == ForgetResult(facts=2, messages=2, topics=["middle"], attributes=[], summaries=1, cards=1)
    assert [await home.words(event) for event in (early, late)] == ["the first words", "the last words"]
    assert home.holding("middle") == set()
    async with home.memory.unit(home.viewer) as unit:
        assert {row.words for row in await facts.all_facts(unit)} == {"the first words", "the last words"}


async def test_a_time_without_messages_is_forgotten_with_what_was_asked_and_noted_in_it(home: Home) -> None:
    source = await home.say("I like green tea and white tea", now=NOON - timedelta(days=2))
    async with home.memory.unit(home.viewer, now=NOON) as unit:
        for words in ("I like white tea", "I like green tea"):
            card = await proposals.propose(
                unit, ProposalKind.ADD, FactDraft(words, Category.OTHER, source_event_id=source, span=(0, 16))
            )
        await proposals.reject(unit, card.row.id)
        written: dict[str, Any] = {"event_id": None, "ts": NOON, "sensitivity": Sensitivity.NONE}
        await tasks.save_task(unit, tasks.read_task({"title": "Buy tea"}), **written)
        await decisions.add_decision(unit, decisions.read_decision({"decision": "Tea it is"}), **written)
    wish = ForgetRequest(since=NOON - timedelta(hours=1))
    async with home.memory.unit(home.viewer, read_only=True) as unit:
        going = await preview_forget(unit, wish)
    told = await home.forget(wish)

    assert told == going.counts == ForgetResult(topics=[], attributes=[], cards=2, tasks=1, decisions=1)
    assert not told.is_empty
    assert home.rows("SELECT id FROM proposals WHERE tenant_id = %(t)s") == []
    assert (await home.forget(wish)).is_empty
    async with home.memory.unit(home.viewer, now=LATER) as unit:
        with pytest.raises(Refused, match="asked to forget this"):  # a no stays a no
            await proposals.propose(unit, ProposalKind.ADD, FactDraft("I like green tea", Category.OTHER))
        assert await proposals.propose(unit, ProposalKind.ADD, FactDraft("I like white tea", Category.OTHER))


async def test_a_wording_of_that_time_is_forgotten_though_the_fact_is_older_and_went_on(home: Home) -> None:
    day = timedelta(days=1)
    fact_id = await home.remember(
        "I live in Porto", await home.say("I live in Porto", now=NOON - 2 * day), now=NOON - 2 * day
    )
    for words, now in (("I live in Braga", NOON), ("I live in Faro", NOON + 2 * day)):
        source = await home.say(words, now=now)
        async with home.memory.unit(home.viewer, now=now) as unit:
            draft = FactDraft(words, Category.OTHER, source_event_id=source, span=(0, len(words)))
            await facts.revise(unit, fact_id, draft, Approval.WORDS)
    await home.forget(ForgetRequest(since=NOON - day, until=NOON + day))

    assert home.holding("Braga") == set()


@pytest.mark.parametrize(
    ("wish", "left"), [(ForgetRequest(since=NOON), ["early"]), (ForgetRequest(until=NOON), ["late"])]
)
async def test_a_span_may_be_open_at_one_end(home: Home, wish: ForgetRequest, left: list[str]) -> None:
    await home.say("early", now=NOON - timedelta(days=9000))
    await home.say("late", now=NOON + timedelta(days=9000))
    assert (await home.forget(wish)).messages == 1

    found = home.rows("SELECT content ->> 'text' FROM events WHERE tenant_id = %(t)s")
    assert [words for (words,) in found] == left


async def test_summaries_are_cleared_by_themselves(home: Home, ben: Viewer, start: Converse) -> None:
    his = Home(home.memory, ben, await start(ben), home.url)
    await his.add(
        "summaries",
        id="sum_his",
        status="completed",
        text="x",
        conversation_id=his.conversation,
        start_seq=0,
        end_seq=1,
    )
    await home.summary("one")
    await home.chunk("chk_sum", summary_id=await home.summary("two", start=2))
    told = await home.forget(ForgetRequest(clear_summary=True))

    assert told == ForgetResult(topics=[], attributes=[], summaries=2)
    assert home.rows("SELECT id FROM summaries WHERE tenant_id = %(t)s") == [("sum_his",)]
    assert home.rows("SELECT 1 FROM chunks WHERE tenant_id = %(t)s") == []


async def test_a_wish_that_names_nothing_forgets_nothing(home: Home) -> None:
    await home.remember(BOSS, await home.say(BOSS), subject="Alec")
    told = await home.forget(ForgetRequest())

    assert told == ForgetResult(topics=[], attributes=[])
    assert home.holding("Alec is my boss") == {"events", "chunks", "fact_versions"}


async def test_the_audit_log_tells_what_was_done_without_the_words(home: Home) -> None:
    fact_id = await home.remember(BOSS, await home.say(BOSS), subject="Alec")
    await home.delete(fact_id)
    await home.purge()
    await home.remember("Porto is my home", subject="Porto")
    await home.forget(ForgetRequest(subject="Porto"))

    async with home.memory.unit(home.viewer) as unit:
        log = await audit_of(unit.session, home.viewer)
    assert ("purged", fact_id) in [(entry.action, entry.target) for entry in log]
    assert [dict(entry.details) for entry in log if entry.action == "forgot"] == [{"facts": 1, "messages": 0}]
    assert home.holding("alec") | home.holding("boss") | home.holding("porto") == set()


async def test_a_purge_that_dies_in_the_middle_changes_nothing(home: Home) -> None:
    source = await home.say(BOSS)
    await home.delete(await home.remember(BOSS, source))
    await home.embed()
    await home.summary("Alec is the boss of the user.")
    tables = sorted(Base.metadata.tables)
    before = [home.rows(f"SELECT t::text FROM {table} AS t WHERE tenant_id = %(t)s ORDER BY 1") for table in tables]

    async def purge_and_die() -> None:
        async with home.memory.unit(home.viewer, now=LATER) as unit:
            assert await purge_own(unit) == 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await purge_and_die()
    after = [home.rows(f"SELECT t::text FROM {table} AS t WHERE tenant_id = %(t)s ORDER BY 1") for table in tables]
    assert after == before
    assert await home.purge() == 1
    assert home.holding("alec") == set()


async def test_two_purges_at_once_are_one(home: Home) -> None:
    source = await home.say(f"Hello! {BOSS}.")
    await home.delete(await home.remember(BOSS, source))
    async with home.memory.unit(home.viewer, now=LATER) as first:
        counts = [await purge_own(first)]
        second = asyncio.create_task(home.purge())
        await eventually(lambda: home.rows(WAITING) or second.done())
        assert not second.done()
    counts.append(await second)

    assert counts == [1, 0]
    assert len(home.rows("SELECT 1 FROM tombstones WHERE tenant_id = %(t)s")) == 1
    assert len(home.rows("SELECT 1 FROM audit_log WHERE tenant_id = %(t)s AND action = 'purged'")) == 1
    assert await home.words(source) == "Hello! ███████████████."


async def test_a_purged_fact_cannot_be_restored_and_a_restored_one_is_not_purged(home: Home) -> None:
    gone, kept = await home.remember(BOSS), await home.remember("I like tea")
    await home.delete(gone)
    await home.delete(kept)
    async with home.memory.unit(home.viewer, now=BEFORE) as unit:
        await history.restore(unit, kept)
    assert await home.purge() == 1

    async with home.memory.unit(home.viewer, now=LATER) as unit:
        with pytest.raises(NotFound):
            await history.restore(unit, gone)
        assert [row.words for row in await facts.all_facts(unit)] == ["I like tea"]
