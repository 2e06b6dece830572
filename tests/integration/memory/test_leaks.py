"""The leak matrix: users × spaces × channels × every way to read. A canary of one never shows up for another.

What somebody may see is written down here a second time, in plain Python, and compared with what the program reads and,
with the program's own filters left out, with what the wall lets through.
"""

import inspect
import re
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from sqlalchemy import text

from db.engine import Database
from db.errors import WriteRefused
from db.queries.consolidation.consolidation import begin
from db.queries.events.conversations import start_conversation
from db.queries.events.events import last_messages
from db.queries.facts.listing import ListingSection
from db.queries.people.spaces import enter_group, found_space
from db.queries.retrieval.recall import RecallFilter
from db.tables import Base, Summary
from db.viewer import Viewer, personal_space
from db.vocabulary import (
    ActorType,
    Approval,
    ArtifactKind,
    Category,
    Channel,
    EventKind,
    ProposalKind,
    Sensitivity,
    SpaceKind,
    ViewName,
    ViewScope,
)
from memory.consolidation import messages, statistics
from memory.consolidation.extraction import extract
from memory.consolidation.extraction import keep as keep_module
from memory.consolidation.extraction.drafts import ExtractedFact, OwnMessage
from memory.consolidation.summaries import summaries
from memory.context import build, calls, gather, provenance, replay, snapshot
from memory.context.items import message_item
from memory.errors import NotFound
from memory.events import inbox_store, posts, record, sources
from memory.events.record import PreparedEvent, prepare
from memory.facts import days, facts, history, insights, listing, lock, profile, proposals, topics
from memory.facts import search as search_module
from memory.facts.facts import FactDraft
from memory.facts.search import search
from memory.ledgers import artifacts, decisions, documents, handoff, tasks, views
from memory.model import usage
from memory.people import groups, idempotency, keys, links, people, sessions, spaces
from memory.privacy import export, memory_audit, restore, restore_ledgers
from memory.privacy.encryption import Keyring
from memory.privacy.forgetting import blanking, forget, ledger_removal, tombstones
from memory.retrieval import chunks, recall, sealed
from memory.retrieval.embedders.base import Vector
from memory.retrieval.vector_index import VectorIndex
from memory.turn import background_notices, card_answers
from memory.unit import Memory, Unit
from tests.conftest import NOON

# Thousands of reads; what they run through is covered elsewhere.

LOADABLE = {
    Channel.PRIVATE: {"none", "low", "high"},
    Channel.TEAM: {"none", "low", "high"},
    Channel.AGENT: {"none", "low"},
    Channel.PUBLIC: {"none"},
}
PATIENT = timedelta(minutes=5)
EVERYTHING = forget.ForgetRequest(since=NOON - timedelta(days=999))
KEYS = Keyring((b"a key for tests, of 32 bytes ...",))
FAMILY, GROUP = "family", "group:1"
WORDS = re.compile(r"canary[a-z]+\d+x")
ONCE = idempotency.NamedWrite("key_1", "once", b"h" * 32)
MEMBERS = {FAMILY: {"ada", "ben"}, GROUP: {"ada", "ben"}}


@dataclass(frozen=True)
class Canary:
    """A word that stands in one place, and who may come across it there."""

    word: str
    owner: str
    space: str
    aloud: Channel | None = None
    shared: bool = False
    sensitivity: str = "none"
    preference: bool = False
    mark: str = ""
    answered: bool = False
    """Whether it stands in the answer to a call, which only whoever made the same call gets again."""

    def seen_by(self, name: str | None, space: str | None, channel: Channel) -> bool:
        if self.answered:
            return name == self.owner
        if self.sensitivity not in LOADABLE[channel]:
            return False
        alone = channel in {Channel.PRIVATE, Channel.AGENT}
        if name == self.owner and alone:
            return True
        if name is None:
            present = not alone and space in MEMBERS
        else:
            present = name in MEMBERS.get(space or "", {name} if space == f"personal:test:{name}" else set())
        if not present or space != self.space:
            return False
        if self.shared:
            return not (self.preference and channel == Channel.PUBLIC)
        return self.aloud == Channel.PUBLIC or (
            self.aloud == Channel.TEAM and channel in {Channel.TEAM, Channel.PRIVATE}
        )


@dataclass
class World:
    memory: Memory
    tenant: str
    canaries: list[Canary]
    conversations: list[str]
    fact_ids: list[str]
    card_ids: list[str]
    replies: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    link: str = ""
    ledger_ids: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def vectors(self) -> VectorIndex:
        return VectorIndex(self.memory, self.tenant, Alike())

    def viewers(self, *names: str | None) -> list[tuple[str | None, str | None, Viewer]]:
        """Of these people, or of all, in every space and on every channel."""
        homes = [f"personal:test:{name}" for name in ("ada", "ben", "eve")]
        looking: list[tuple[str | None, str | None]] = []
        looking += [(name, place) for name in ("ada", "ben", "eve") for place in (None, FAMILY, GROUP, *homes)]
        looking += [(name, place) for name in (None, "stranger") for place in (FAMILY, GROUP, "nowhere", homes[0])]
        return [
            (name, place, Viewer(self.tenant, f"test:{name}" if name else None, place, channel))
            for name, place in looking
            if not names or name in names
            for channel in Channel
        ]

    def leaked(self, shown: str, name: str | None, place: str | None, channel: Channel) -> list[Canary]:
        """The canaries in it that this viewer may not come across."""
        words = set(WORDS.findall(shown))
        return [each for each in self.canaries if each.word in words and not each.seen_by(name, place, channel)]


async def keep(unit: Unit, content: str, *, category: Category = Category.OTHER, shared: bool = False) -> str:
    receipt = await facts.remember(unit, FactDraft(content, category), Approval.COMMAND)
    if shared and receipt.row.visibility != "shared":
        await facts.share(unit, receipt.row.id)
    return receipt.row.id


async def say(unit: Unit, conversation_id: str, words: str) -> PreparedEvent:
    message = prepare(record.EventDraft(ActorType.HUMAN, unit.viewer.person, EventKind.MESSAGE, {"text": words}), NOON)
    await record.record(unit, conversation_id, [message])
    return message


@pytest.fixture(scope="module")
async def world(database: Database) -> World:
    """Ada, ben and eve, each with everything: in private, in a family of two, in a group that speaks aloud."""
    return await plant(Memory(database, KEYS))


async def plant(memory: Memory) -> World:
    tenant = f"leaks-{secrets.randbelow(10**12):012}"
    made = World(memory, tenant, [], [], [], [])
    viewers = {name: Viewer.in_private(tenant, f"test:{name}") for name in ("ada", "ben", "eve")}
    for name, viewer in viewers.items():
        async with memory.unit(viewer, now=NOON) as unit:
            await people.register_person(unit, name=name, timezone="UTC")
    async with memory.unit(viewers["ada"]) as unit:
        session, viewer = unit.session, unit.viewer
        await found_space(session, viewer, space_id=FAMILY, kind=SpaceKind.NAMED, subject="ours", now=NOON)
    async with memory.unit(replace(viewers["ada"], space=FAMILY)) as unit:
        code = (await spaces.invite(unit)).code
    async with memory.unit(viewers["ben"]) as unit:
        await spaces.join_space(unit, code)
    for name, runs_it in (("ada", True), ("ben", False)):
        async with memory.unit(viewers[name]) as unit:
            await enter_group(unit.session, chat="chat:1", new_id=GROUP, called="ours", is_admin=runs_it, now=NOON)
    for name, viewer in viewers.items():
        await furnish(made, name, viewer)
        assert await made.vectors.backfill(viewer) > 0
    return made


async def furnish(made: World, name: str, viewer: Viewer) -> None:
    home, serial = viewer.place, 0

    def canary(space: str, **traits: object) -> str:
        nonlocal serial
        serial += 1
        word = f"canary{name}{serial}x"
        made.canaries.append(Canary(word, name, space, **traits))  # type: ignore[arg-type]
        return word

    async with made.memory.unit(viewer) as unit:
        made.fact_ids.append(await keep(unit, f"keeps {canary(home)} in private"))
        made.fact_ids.append(await keep(unit, f"I have diabetes, says {canary(home, sensitivity='high')}"))
        await profile.update_profile(unit, profile.Preferences(occupation=canary(home)))
        draft = FactDraft(f"asks about {canary(home)}", Category.OTHER)
        made.card_ids.append((await proposals.propose(unit, ProposalKind.ADD, draft)).row.id)
    await talk(made, viewer, canary(home))
    async with made.memory.unit(viewer) as unit:
        await keep_ledgers(made, unit, lambda **traits: canary(home, **traits))
    await keys.make_key(made.memory, made.tenant, user=viewer.person, name=canary(home))
    async with made.memory.unit(viewer) as unit:
        made.link = await links.make_link(unit, KEYS)
        await links.begin_session(unit)
        assert await idempotency.begin(unit, ONCE)
        await idempotency.finish(unit, ONCE, 200, {"body": canary(home, sensitivity="high", answered=True)})
    async with made.memory.unit(replace(viewer, channel=Channel.AGENT)) as unit:
        await handoff.hand_over(unit, from_agent="a", to_agent="b", goal=f"find {canary(home)}")
    for space, channel in ((FAMILY, Channel.PRIVATE), (GROUP, Channel.TEAM), (GROUP, Channel.PUBLIC)):
        if name not in MEMBERS[space]:
            continue
        place = replace(viewer, space=space)
        async with made.memory.unit(place) as unit:
            made.fact_ids.append(await keep(unit, f"hides {canary(space)} here"))
            made.fact_ids.append(await keep(unit, f"shares {canary(space, shared=True)} here", shared=True))
            liking = canary(space, shared=True, preference=True)
            made.fact_ids.append(await keep(unit, f"likes {liking}", category=Category.PREFERENCE, shared=True))
            illness = canary(space, shared=True, sensitivity="high")
            made.fact_ids.append(await keep(unit, f"I have diabetes, not {illness}", shared=True))
        aloud = channel if channel in {Channel.TEAM, Channel.PUBLIC} else None
        await talk(made, replace(place, channel=channel), canary(space, aloud=aloud))
        async with made.memory.unit(replace(place, channel=channel)) as unit:
            await keep_ledgers(made, unit, lambda **traits: canary(space, aloud=aloud, **traits))  # noqa: B023


async def keep_ledgers(made: World, unit: Unit, canary: Callable[..., str]) -> None:
    """A row in every ledger; a sensitive one too, where somebody could read it."""
    levels = [Sensitivity.NONE, Sensitivity.HIGH] if unit.viewer.channel != Channel.PUBLIC else [Sensitivity.NONE]
    for level in levels:
        entry = {"event_id": None, "ts": NOON, "sensitivity": level}
        decided = decisions.DecisionDraft(f"decides {canary(sensitivity=level)}")
        made.ledger_ids["decisions"].append((await decisions.add_decision(unit, decided, **entry)).id)  # type: ignore[arg-type]
        planned = tasks.TaskDraft(title=f"plans {canary(sensitivity=level)}")
        made.ledger_ids["tasks"].append((await tasks.save_task(unit, planned, **entry)).id)  # type: ignore[arg-type]
        told = f"{'I have diabetes, ' * (level == Sensitivity.HIGH)}lists {canary(sensitivity=level)}"
        kept = await artifacts.store_bytes(unit, told.encode(), kind=ArtifactKind.DOCUMENT)
        made.ledger_ids["artifacts"].append(kept.id)
    if unit.viewer.channel == Channel.PRIVATE:
        await views.put(unit, ViewName.RULES, ViewScope.USER, f"mind {canary()}")


async def talk(made: World, viewer: Viewer, word: str) -> None:
    conversation_id = f"cnv_{len(made.conversations)}"
    async with made.memory.unit(viewer) as unit:
        await build_conversation(unit, conversation_id)
        message = await say(unit, conversation_id, f"we talk about {word}")
    made.conversations.append(conversation_id)
    bundle = await build.build_bundle(
        made.memory,
        made.vectors,
        viewer,
        conversation_id,
        message.text,
        now=NOON,
        options=build.BundleOptions(deadline=PATIENT),
    )
    asked = message_item(message.event.id, True, message.text, ())
    told = record.EventDraft(ActorType.AGENT, "keepsake", EventKind.MESSAGE, {"text": f"of {word}"}, refs=(bundle.id,))
    reply = prepare(told, NOON)
    async with made.memory.unit(viewer) as unit:
        await record.record(unit, conversation_id, [reply])
        await calls.keep_call(unit, calls.prepare_call(bundle, "be kind", (), (), asked), conversation_id, ())
        await digest(unit, conversation_id, word, [message.event.id, reply.event.id])
    made.messages.append(message.event.id)
    made.replies.append(reply.event.id)


async def digest(unit: Unit, conversation_id: str, word: str, read: list[str]) -> None:
    """What was said, once more as a summary, with everything that one may hold."""
    summary_id = f"sum_{conversation_id}"
    await begin(
        unit.session,
        unit.viewer,
        Summary,
        id=summary_id,
        conversation_id=conversation_id,
        now=NOON - timedelta(days=1),
        lease_until=NOON,
        attempts=1,
        start_seq=0,
        new_seq=0,
        end_seq=1,
    )
    told = summaries.NewSummary(
        points=(summaries.SummaryPoint(f"they talk about {word}", (0,)),),
        digest=f"about {word}",
        refs=tuple(read),
        sensitivity=Sensitivity.NONE,
        generation_ms=1,
        overall=f"again about {word}",
        topics=(word,),
    )
    assert await summaries.store(unit, summary_id, told)
    if not unit.viewer.is_aloud:
        await topics.add_topics(unit, [word, word])


async def build_conversation(unit: Unit, conversation_id: str) -> None:
    await start_conversation(unit.session, unit.viewer, conversation_id=conversation_id, agent_id="x", now=NOON)
    await snapshot.pin_snapshot(unit, conversation_id)


Read = Callable[[Unit, World], Awaitable[object]]


class Alike:
    """An embedder to which everything is near everything, so that only the wall keeps anything out."""

    model = "alike"

    async def warm(self) -> None:
        return

    async def query(self, text: str) -> Vector:
        return [0.6, 0.8]

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return [[0.6, 0.8] for _ in texts]

    async def close(self) -> None:
        return


async def read_bundles(unit: Unit, world: World) -> object:
    """What is recalled is the same in every conversation, so it is asked in the first one only. All that was gathered
    for a bundle is looked at too, before the budget leaves any of it out."""
    question = " ".join(canary.word for canary in world.canaries)
    questions = [question, *["thanks"] * (len(world.conversations) - 1)]
    options, found = build.BundleOptions(deadline=PATIENT, window=50, step=20), list[object]()

    async def gather_and_note(*given: Any, **how: Any) -> gather.BundleRows:
        found.append(gathered := await gather.gather_rows(*given, **how))
        return gathered

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(build, "gather_rows", gather_and_note)
        for each, asked in zip(world.conversations, questions, strict=True):
            bundle = await build.build_bundle(
                world.memory, world.vectors, unit.viewer, each, asked, now=NOON, agent_id="b", options=options
            )
            found.append((bundle.sections, bundle.sensitive))  # the provenance repeats the question
    assert len(found) == 2 * len(world.conversations)
    return found


async def read_by_recall(unit: Unit, world: World) -> object:
    """A few words at a time, so that a question is never too long for all of them."""
    named = [canary.word for canary in world.canaries]
    questions = [" ".join(named[at : at + 40]) for at in range(0, len(named), 40)]
    found = [
        await recall.recall(world.memory, world.vectors, unit.viewer, question, now=NOON, limit=200, deadline=PATIENT)
        for question in questions
    ]
    assert {each.how for each in found} == {"words and vectors"}
    return [each.hits for each in found]


async def read_messages(unit: Unit, world: World) -> object:
    found = []
    for conversation in world.conversations:
        for row in await last_messages(unit.session, unit.viewer, conversation, limit=99):
            found.append(await record.open_content(unit, row.user, row.event_id, row.content))
    return found


def each(read: Callable[[Unit, str], Awaitable[object]], ids: Callable[[World], list[str]]) -> Read:
    """A read by id, tried with everybody's ids."""

    async def read_all(unit: Unit, world: World) -> object:
        found = []
        for name in ids(world):
            try:
                found.append(await read(unit, name))
            except NotFound:
                continue
        return found

    return read_all


async def each_reason(unit: Unit, world: World) -> object:
    """Of every reply by its id, and of the last one in the first conversation."""
    found = []
    for conversation, reply in [(world.conversations[0], None), *zip(world.conversations, world.replies, strict=True)]:
        try:
            found.append(await provenance.sources_of_reply(unit, conversation, reply))
        except NotFound:
            continue
    return found


def first_words(world: World) -> list[str]:
    """Of each person the canary that they keep in private."""
    return [canary.word for canary in world.canaries if canary.word.endswith("1x")]


async def each_known(unit: Unit, world: World) -> object:
    return [await facts.fact_with_words(unit, f"keeps {word} in private", None) for word in first_words(world)]


async def each_like(unit: Unit, world: World) -> object:
    return [await facts.similar_facts(unit, f"keeps {word} in private") for word in first_words(world)]


async def hand_over_if_agent(unit: Unit) -> object:
    if unit.viewer.channel != Channel.AGENT:
        return None
    return await handoff.hand_over(unit, from_agent="b", to_agent="c", goal="go on")


def finding(world: World) -> ExtractedFact:
    """Something that shares a word with everything."""
    words = " ".join(f"keeps {canary.word}" for canary in world.canaries)
    return ExtractedFact(FactDraft(words, Category.OTHER), words, OwnMessage("evt_x", words, NOON))


async def each_compared(unit: Unit, world: World) -> object:
    """What comes back, without the question that it was compared with."""
    return list((await keep_module.comparable_facts(unit, [finding(world)])).values())


# These open units of their own.
WHOLE_READS: dict[str, Read] = {
    "build.build_bundle": read_bundles,
    "recall.recall": read_by_recall,
    "replay.replay": lambda unit, world: replay.replay(world.memory, unit.viewer),
    "memory_audit.audit_memory": lambda unit, world: memory_audit.audit_memory(world.memory, unit.viewer),
    "statistics.summary_versions": lambda unit, world: statistics.summary_versions(
        world.memory, unit.viewer.tenant, None, NOON
    ),
    "usage.usage_by_model": lambda unit, world: usage.usage_by_model(
        world.memory, unit.viewer, NOON - timedelta(days=999), own=True
    ),
}
READS: dict[str, Read] = {
    "facts.all_facts": lambda unit, _: facts.all_facts(unit),
    "facts.own_facts": lambda unit, _: facts.own_facts(unit),
    "facts.similar_facts": lambda unit, world: each_like(unit, world),
    "facts.fact_with_words": lambda unit, world: each_known(unit, world),
    "search.search": lambda unit, world: search(unit, " ".join(c.word for c in world.canaries), limit=99),
    "facts.readable_fact": each(facts.readable_fact, lambda world: world.fact_ids),
    "facts.own_fact": each(facts.own_fact, lambda world: world.fact_ids),
    "listing.fact_page": lambda unit, _: listing.fact_page(unit, ListingSection()),
    "listing.count_facts": lambda unit, _: listing.count_facts(unit),
    "listing.listed_facts": lambda unit, _: listing.listed_facts(unit, 999),
    "listing.deleted_facts": lambda unit, _: listing.deleted_facts(unit),
    "listing.deleted_versions": lambda unit, _: listing.deleted_versions(unit),
    "listing.readable_facts_sealed": lambda unit, _: listing.readable_facts_sealed(unit),
    "sources.source_of": each(lambda unit, id: sources.source_of(unit, id, None), lambda world: world.messages),
    "history.history": each(history.history, lambda world: world.fact_ids),
    "history.undoable_version": each(history.undoable_version, lambda world: world.fact_ids),
    "history.as_of": lambda unit, _: history.as_of(unit, unit.now),
    "profile.profile_of": lambda unit, _: profile.profile_of(unit),
    "proposals.waiting_cards": lambda unit, _: proposals.waiting_cards(unit),
    "proposals.count_waiting_cards": lambda unit, _: proposals.count_waiting_cards(unit),
    "proposals.waiting_card": each(proposals.waiting_card, lambda world: world.card_ids),
    "proposals.find_card": each(proposals.find_card, lambda world: world.card_ids),
    "provenance.sources_of_reply": each_reason,
    "provenance.replies": lambda unit, _: provenance.replies(unit, limit=999),
    "provenance.reply_page": each(
        lambda unit, id: provenance.reply_page(unit, before=id, limit=999), lambda world: ["", *world.replies]
    ),
    "forget.preview_forget": lambda unit, _: forget.preview_forget(unit, EVERYTHING),
    "ledger_removal.find_ledger_rows": lambda unit, _: ledger_removal.find_ledger_rows(unit, lambda _: True, ()),
    "days.day_of": lambda unit, _: days.day_of(unit, NOON.date(), ZoneInfo("UTC")),
    "insights.load_insights": lambda unit, _: insights.load_insights(unit, ZoneInfo("UTC")),
    "insights.changes_by_day": lambda unit, _: insights.changes_by_day(unit, ZoneInfo("UTC")),
    "proposals.cards_on": each(proposals.cards_on, lambda world: world.conversations),
    "documents.list_documents": lambda unit, _: documents.list_documents(unit),
    "documents.document_part": each(
        lambda unit, id: documents.document_part(unit, id, 0), lambda world: world.ledger_ids["artifacts"]
    ),
    "sealed.search_sealed": lambda unit, _: sealed.search_sealed(unit, ["x"], RecallFilter(), seconds=300),
    "record.open_content": read_messages,
    "record.artifact_of": each(record.artifact_of, lambda world: world.messages),
    "export.export_data": lambda unit, _: export.export_data(unit),
    "decisions.active_decisions": lambda unit, _: decisions.active_decisions(unit, limit=999),
    "decisions.find": each(decisions.find, lambda world: world.ledger_ids["decisions"]),
    "decisions.decision_chain": each(decisions.decision_chain, lambda world: world.ledger_ids["decisions"]),
    "decisions.list_decisions": lambda unit, _: decisions.list_decisions(unit, limit=999),
    "decisions.search_decisions": lambda unit, world: decisions.search_decisions(unit, words="what decides", limit=999),
    "tasks.open_tasks": lambda unit, _: tasks.open_tasks(unit, limit=999),
    "tasks.find": each(tasks.find, lambda world: world.ledger_ids["tasks"]),
    "artifacts.find": each(artifacts.find, lambda world: world.ledger_ids["artifacts"]),
    "artifacts.read_bytes": each(artifacts.read_bytes, lambda world: world.ledger_ids["artifacts"]),
    "artifacts.read_lines": each(artifacts.read_lines, lambda world: world.ledger_ids["artifacts"]),
    "views.get": lambda unit, _: views.get(unit),
    "views.history": lambda unit, _: views.history(unit, ViewName.RULES, ViewScope.USER),
    "handoff.latest_for": lambda unit, _: handoff.latest_for(unit, "b"),
    "handoff.hand_over": lambda unit, _: hand_over_if_agent(unit),
    "summaries.digest_of": each(summaries.digest_of, lambda world: world.conversations),
    "summaries.overview_of": lambda unit, _: summaries.overview_of(unit),
    "topics.topics_of": lambda unit, _: topics.topics_of(unit),
    "background_notices.take_pending": lambda unit, _: background_notices.take_pending(unit),
    "keep.comparable_facts": lambda unit, world: each_compared(unit, world),
    "extract.related_facts": lambda unit, world: extract.related_facts(unit, [finding(world).message]),
    "people.is_known": lambda unit, _: people.is_known(unit),
    "people.lock_person": lambda unit, _: people.lock_person(unit),
    "people.name_of": lambda unit, _: people.name_of(unit),
    "people.choices_of": lambda unit, _: people.choices_of(unit),
    "people.signed_out_since": lambda unit, _: people.signed_out_since(unit, NOON),
    "keys.own_keys": lambda unit, _: keys.own_keys(unit),
    "links.open_sessions": lambda unit, _: links.open_sessions(unit),
    "links.is_own_link": lambda unit, world: links.is_own_link(unit, world.link),
    "idempotency.find_earlier": lambda unit, _: idempotency.find_earlier(unit, ONCE),
    "sessions.has_started": lambda unit, _: sessions.has_started(unit, "s"),
    "spaces.own_spaces": lambda unit, _: spaces.own_spaces(unit),
    "groups.space_of_chat": lambda unit, _: groups.space_of_chat(unit, "telegram:1"),
    "groups.chat_of_space": lambda unit, _: groups.chat_of_space(unit),
    "inbox_store.has_more_updates": lambda unit, _: inbox_store.has_more_updates(unit, "telegram:1"),
    "background_notices.find_reminder": lambda unit, _: background_notices.find_reminder(unit, "ntc_none"),
    "posts.event_at": lambda unit, _: posts.event_at(unit, "telegram:1", 1),
    "posts.event_id_of_update": lambda unit, _: posts.event_id_of_update(unit, 1),
    "posts.places_of": lambda unit, world: posts.places_of(unit, [str(each) for each in range(9)]),
    "spaces.shared_spaces": lambda unit, _: spaces.shared_spaces(unit),
    "spaces.members": lambda unit, _: spaces.members(unit),
    "spaces.member_names": lambda unit, _: spaces.member_names(unit),
}
# What writes, or only works on what one of the above has read; and what every bundle is read with.
NOT_READS = {
    "gather.gather_rows",
    *("facts.remember facts.revise facts.hide facts.share facts.unshare facts.append_version".split()),
    *("facts.ensure_category_allowed facts.ensure_not_forgotten history.undo history.restore".split()),
    *("profile.update_profile".split()),
    *("proposals.propose proposals.accept proposals.reject".split()),
    *("chunks.chunk_missing replay.replay_call calls.keep_call".split()),
    *("forget.purge_due forget.erase artifacts.remove_due calls.remove_due_calls".split()),
    *("record.record record.seal_event card_answers.answer_card snapshot.pin_snapshot restore.load_export".split()),
    *("forget.purge_own forget.purge forget.forget tombstones.add_tombstones tombstones.was_forgotten".split()),
    "tombstones.add_message_tombstones",
    *("blanking.blank_events blanking.blank_summaries blanking.drop_cards blanking.drop_topics".split()),
    "blanking.quotable_text",
    *("decisions.add_decision tasks.save_task restore_ledgers.text_columns".split()),
    *("artifacts.store_bytes artifacts.store artifacts.content_columns artifacts.open_rows".split()),
    *("artifacts.remove_old".split()),
    *("views.put documents.add_document documents.remove_document restore_ledgers.artifact_columns".split()),
    *("ledger_removal.remove_ledger_repeats ledger_removal.remove_ledger_rows".split()),
    *("summaries.store background_notices.add_receipt".split()),
    *("background_notices.add_cards background_notices.add_reminder".split()),
    *("background_notices.reminder_fact topics.add_topics keep.keep_facts".split()),
    *("messages.read_messages extract.known_facts_for extract.keep_with_summary".split()),
    *("background_notices.add_notices background_notices.mark_delivered".split()),
    *("proposals.mark_shown groups.enter_group groups.set_admin".split()),
    *("groups.move_group background_notices.claim_reminders".split()),
    *("groups.choose_channel inbox_store.save_answer inbox_store.save_preview".split()),
    *("inbox_store.save_sent inbox_store.finish_update posts.add_post".split()),
    "usage.keep_usage",
    *("spaces.create_space spaces.invite spaces.join_space spaces.leave_space spaces.remove_member".split()),
    *("spaces.make_owner".split()),
    *("people.register_person people.rename people.choose_mode people.choose_categories".split()),
    *("people.choose_reminders".split()),
    *("people.choose_language people.choose_locale lock.lock_facts sessions.enter_session".split()),
    *("idempotency.begin idempotency.finish keys.make_key keys.revoke_key keys.revoke_own_key".split()),
    *("keys.authenticate_key".split()),
    "keys.list_keys",  # for whoever runs the deployment
    *("links.make_link links.open_link links.begin_session links.find_session links.end_session".split()),
    "links.end_all_sessions",
}
MODULES = (
    artifacts,
    memory_audit,
    blanking,
    build,
    calls,
    card_answers,
    chunks,
    days,
    decisions,
    documents,
    export,
    extract,
    facts,
    forget,
    gather,
    groups,
    handoff,
    history,
    idempotency,
    inbox_store,
    insights,
    keep_module,
    keys,
    restore_ledgers,
    links,
    listing,
    restore,
    lock,
    messages,
    background_notices,
    people,
    posts,
    profile,
    proposals,
    provenance,
    recall,
    record,
    replay,
    sealed,
    search_module,
    sessions,
    snapshot,
    sources,
    spaces,
    statistics,
    summaries,
    tasks,
    tombstones,
    topics,
    ledger_removal,
    usage,
    views,
)


def units_of(module: ModuleType) -> set[str]:
    """Every public function that works in a unit, or opens one."""
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for name, function in inspect.getmembers(module, inspect.iscoroutinefunction)
        if not name.startswith("_")
        and function.__module__ == module.__name__
        and next(iter(inspect.signature(function).parameters), "") in {"unit", "memory"}
    }


def test_every_way_to_read_is_in_the_matrix() -> None:
    """Whoever adds one says here whether it reads."""
    assert {name for module in MODULES for name in units_of(module)} == READS.keys() | WHOLE_READS.keys() | NOT_READS


async def read_everything(world: World, viewer: Viewer) -> dict[str, str]:
    """What each way to read shows this viewer; what a read writes down is undone. Only a person can do some of it, or
    write down that they did: the unit in which that was refused is lost, and the next read begins another."""
    shown = {}
    for path, read in WHOLE_READS.items():
        with suppress(ValueError, WriteRefused):
            async with world.memory.unit(viewer) as unit:
                shown[path] = str(await read(unit, world))
    waiting = list(READS)
    while waiting:
        with suppress(ValueError, WriteRefused):
            async with world.memory.unit(viewer) as unit:
                while waiting:
                    path = waiting.pop(0)
                    shown[path] = str(await READS[path](unit, world))
                await unit.session.rollback()
    return shown


@pytest.mark.slow
@pytest.mark.first
@pytest.mark.parametrize("who", [["ada"], ["ben"], ["eve"], [None, "stranger"]])
async def test_no_canary_shows_up_for_another(world: World, who: list[str | None]) -> None:
    leaks, read = [], set[str]()
    for name, place, viewer in world.viewers(*who):
        for path, shown in (await read_everything(world, viewer)).items():
            read.add(path)
            leaks += [(path, viewer, canary) for canary in world.leaked(shown, name, place, viewer.channel)]

    assert leaks == []
    assert read == (READS | WHOLE_READS).keys() or who == [None, "stranger"]


@pytest.mark.slow
async def test_what_may_be_seen_is_seen(world: World) -> None:
    """The other half: a wall that shows nothing to anybody would pass the test above."""
    counted = found = 0
    for name, place, viewer in world.viewers():
        async with world.memory.unit(viewer, read_only=True) as unit:
            shown = str([await facts.all_facts(unit), await read_messages(unit, world)])
            shown += str([await decisions.active_decisions(unit, limit=999), await tasks.open_tasks(unit, limit=999)])
            shown += str(
                [
                    await READS["artifacts.read_bytes"](unit, world),
                    await views.history(unit, ViewName.RULES, ViewScope.USER),
                ]
            )
            shown += str(await handoff.latest_for(unit, "b"))
            if viewer.user is not None:
                shown += str([await keys.own_keys(unit), await idempotency.find_earlier(unit, ONCE)])
            recalled = str(await read_by_recall(unit, world))
        for canary in world.canaries:
            if canary.seen_by(name, place, viewer.channel) and not is_card(canary):
                counted += 1
                assert canary.word in shown, (canary, viewer)
                found += canary.word in recalled
    assert counted > 250
    assert found > 100


def is_card(canary: Canary) -> bool:
    return canary.word.endswith("4x") and canary.space == personal_space(f"test:{canary.owner}")


async def test_the_wall_alone_lets_no_canary_through(world: World) -> None:
    """Without any filter of ours: every row of every table that the viewer is shown, as text."""
    leaks = []
    for name, place, viewer in world.viewers():
        async with world.memory.unit(viewer, read_only=True) as unit:
            for table in Base.metadata.tables:
                shown = str((await unit.session.execute(text(f"SELECT t::text FROM {table} AS t"))).all())
                leaks += [(table, viewer, canary) for canary in world.leaked(shown, name, place, viewer.channel)]
    assert leaks == []


async def test_sensitive_words_stand_nowhere_in_plain(world: World, superuser: psycopg.Connection) -> None:
    hidden = [canary.word for canary in world.canaries if canary.sensitivity == Sensitivity.HIGH]
    for table in Base.metadata.tables:
        rows = superuser.execute(f"SELECT t::text FROM {table} AS t".encode()).fetchall()
        assert not [word for word in hidden if word in str(rows)]
    assert len(hidden) > 5


async def test_a_person_is_told_why_alone_and_in_a_group_nobody_is(world: World) -> None:
    """The other half for reasons: somebody can read them."""
    for name, channel, is_told in (("ada", Channel.PRIVATE, True), ("ada", Channel.PUBLIC, False)):
        async with world.memory.unit(Viewer(world.tenant, f"test:{name}", GROUP, channel), read_only=True) as unit:
            told = str(await each_reason(unit, world))
        assert ("canaryada" in told) is is_told
        assert "canaryeve" not in told
