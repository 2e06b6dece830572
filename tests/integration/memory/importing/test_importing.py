"""What other programs wrote down comes in once, as if it had been said here; and nothing of it that was forgotten."""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from db.queries.people.people import choose_mode, welcome
from db.queries.privacy.erasure import TombstoneRow, add_tombstones, tombstones_of
from db.viewer import Viewer
from db.vocabulary import Approval, Category, Mode
from memory.events.record import open_content
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.importing.files import Export, find_export
from memory.importing.formats import FORMATS
from memory.importing.messages import ImportedMessage, SkipReason
from memory.importing.reader import read_export, scan_export
from memory.importing.write import ImportResult, ImportSource, write_messages
from memory.privacy.export import export_data
from memory.privacy.forgetting.forget import ForgetRequest, erase, forget, purge
from memory.privacy.restore import TIMED_ID, load_export
from memory.unit import Memory
from tests.background_jobs import Bench, fact, finds, heard, keeps_record
from tests.conftest import Meet
from tests.exports import (
    ADA,
    BEGAN,
    BEN,
    WAYS,
    ZONE,
    as_json,
    chatgpt_talk,
    claude_talk,
    telegram_account,
    telegram_chat,
    telegram_message,
)
from tests.scripted_model import Writes
from tests.waiting import STUCK

pytestmark = pytest.mark.slow

VEGAN = "I have been vegan since 2019"
SICK = "I was diagnosed with diabetes in 2019"
CHAT = telegram_chat(
    telegram_message(1, "Are you vegan?", BEN),
    telegram_message(2, VEGAN, reply_to_message_id=1),
    telegram_message(3, "I live in Rome and I am a nurse", BEN),
    telegram_message(4, "I play chess with Tom", forwarded_from="Bob"),
    {"id": 5, "type": "service", "date": "2023-11-14T23:00:00", "action": "phone_call"},
    telegram_message(6, "", photo="photos/1.jpg"),
)
EVENTS = "SELECT id, seq, message_seq, ts, actor_type, actor_id, user_id, kind, tags, content, refs FROM events"
EVERYTHING = f"{EVENTS} ORDER BY conversation_id, seq"


async def bring(memory: Memory, viewer: Viewer, document: Any, folder: Path, **source: Any) -> ImportResult:
    return await bring_export(memory, viewer, find_export(as_json(folder, document)), **source)


async def bring_export(
    memory: Memory, viewer: Viewer, found: Export, *, me: str = "user111", stop: int | None = None
) -> ImportResult:
    messages = read_export(found, ZONE, scan_export(found, ZONE))
    speaker = me if found.format.kind == "telegram" else ""
    return await write_messages(memory, ImportSource(found.format, viewer, speaker), islice(messages, stop))


async def rows(memory: Memory, viewer: Viewer, query: str, **values: Any) -> list[Any]:
    async with memory.unit(viewer, read_only=True) as unit:
        return [tuple(row) for row in await unit.session.execute(text(query), values)]


@pytest.fixture
def bench(bench: Bench) -> Bench:
    bench.now = datetime.now(UTC)
    return bench


# What comes in


async def test_a_chat_comes_in_with_its_people_and_its_times(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    tally = await bring(memory, ada, CHAT, tmp_path)

    assert (tally.conversations, tally.new, tally.already_present, tally.skipped.total()) == (1, 4, 0, 2)
    assert (tally.skipped[SkipReason.SERVICE], tally.skipped[SkipReason.WORDLESS]) == (1, 1)
    ben, own, other, passed_on = await rows(memory, ada, EVERYTHING)
    assert [row[1] for row in (ben, own, other, passed_on)] == [0, 1, 2, 3]
    assert (own[3], own[4], own[5], own[6]) == (
        datetime.fromtimestamp(BEGAN + 120, UTC),
        "human",
        ada.person,
        ada.person,
    )
    assert own[9] == {"text": VEGAN}
    assert own[10] == [ben[0]]
    assert set(own[8]) == {"secondhand", "imported", "telling"}
    assert (other[4], other[5], other[6]) == ("human", "user222", ada.person)
    assert other[9] == {"text": "I live in Rome and I am a nurse", "by": "Ben", "forwarded_from": "Ben"}
    assert "telling" not in other[8]
    assert passed_on[9] == {"text": "I play chess with Tom", "forwarded_from": "Bob"}
    [(agent, channel, kept, chat, started, ended)] = await rows(
        memory, ada, "SELECT agent_id, channel, kept, chat, started_at, ended_at FROM conversations"
    )
    assert (agent, channel, kept, chat) == ("telegram-import", "private", True, None)
    assert (started.timestamp() - BEGAN, ended.timestamp() - BEGAN) == (60, 240)
    assert all(TIMED_ID.match(row[0]) for row in (ben, own))


@pytest.mark.parametrize(("talk", "agent"), [(chatgpt_talk, "chatgpt"), (claude_talk, "claude")])
async def test_a_talk_with_an_assistant_comes_in_with_both_sides(
    memory: Memory, ada: Viewer, tmp_path: Path, talk: Callable[..., Any], agent: str
) -> None:
    tally = await bring(memory, ada, [talk(VEGAN, "Good to know"), talk("Bye", id="another")], tmp_path)

    assert (tally.conversations, tally.new) == (2, 3)
    found = await rows(memory, ada, f"{EVENTS} ORDER BY ts, seq")
    assert sorted((row[4], row[5], row[9]["text"]) for row in found) == [
        ("agent", agent, "Good to know"),
        ("human", ada.person, "Bye"),
        ("human", ada.person, VEGAN),
    ]
    assert await rows(memory, ada, "SELECT DISTINCT agent_id FROM conversations") == [(agent,)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("document", [CHAT, [chatgpt_talk(VEGAN)], [claude_talk(VEGAN)]])
async def test_the_same_comes_in_whatever_it_lies_in(
    memory: Memory, ada: Viewer, tmp_path: Path, way: Callable[[Path, Any], Path], document: Any
) -> None:
    await bring_export(memory, ada, find_export(way(tmp_path, document)))

    assert (await rows(memory, ada, "SELECT count(*) FROM events WHERE content->>'text' = :t", t=VEGAN)) == [(1,)]


async def test_what_came_in_is_found_with_who_said_it(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    await bring(memory, ada, CHAT, tmp_path)

    found = await rows(memory, ada, "SELECT text, speaker, ts FROM chunks ORDER BY seq")
    assert [(words, speaker) for words, speaker, _ in found] == [
        ("Are you vegan?", "Ben"),
        (VEGAN, ""),
        ("I live in Rome and I am a nurse", "Ben"),
        ("I play chess with Tom", ""),
    ]
    assert found[0][2] == datetime.fromtimestamp(BEGAN + 60, UTC)


async def test_messages_of_a_conversation_are_in_the_order_of_their_times(
    memory: Memory, ada: Viewer, tmp_path: Path
) -> None:
    shuffled = telegram_chat(*(telegram_message(number, f"Number {number}") for number in (3, 1, 2)))
    await bring(memory, ada, shuffled, tmp_path)

    assert [row[9]["text"] for row in await rows(memory, ada, EVERYTHING)] == ["Number 1", "Number 2", "Number 3"]


# Once


async def test_the_second_time_nothing_is_written(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    for document in (CHAT, [chatgpt_talk("Hello", "Hi", VEGAN)], [claude_talk("Hello", "Hi", VEGAN)]):
        await bring(memory, ada, document, tmp_path)
        before = [await rows(memory, ada, f"SELECT t::text FROM {table} AS t ORDER BY 1") for table in TABLES]
        again = await bring(memory, ada, document, tmp_path)

        assert (again.new, again.already_present) == (0, 4 if document is CHAT else 3)
        after = [await rows(memory, ada, f"SELECT t::text FROM {table} AS t ORDER BY 1") for table in TABLES]
        assert after == before


TABLES = ("events", "chunks", "conversations", "audit_log", "users", "postings", "shelves")


@pytest.mark.parametrize("stop", [1, 100, 150])
async def test_what_was_broken_off_goes_on_and_ends_as_if_it_had_not_been(
    memory: Memory, ada: Viewer, ben: Viewer, tmp_path: Path, stop: int
) -> None:
    messages = [telegram_message(n, f"Number {n} is about the weather", (ADA, BEN)[n % 2]) for n in range(1, 211)]
    found = find_export(as_json(tmp_path, telegram_chat(*messages)))
    first = await bring_export(memory, ada, found, stop=stop)
    second = await bring_export(memory, ada, found)
    await bring_export(memory, ben, found)

    assert (first.new, second.new, second.already_present) == (stop, 210 - stop, stop)
    told = "SELECT seq, message_seq, ts, content, tags FROM events ORDER BY seq"
    assert await rows(memory, ada, told) == await rows(memory, ben, told)
    assert len(await rows(memory, ada, told)) == 210


async def test_two_at_once_write_each_message_once(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    messages = [telegram_message(n, f"Number {n} is about the weather") for n in range(1, 211)]
    found = find_export(as_json(tmp_path, telegram_chat(*messages)))
    tallies = await asyncio.gather(*(bring_export(memory, ada, found) for _ in range(3)))

    assert sum(tally.new for tally in tallies) == 210
    assert all(tally.new + tally.already_present == 210 for tally in tallies)
    assert [row[1] for row in await rows(memory, ada, EVERYTHING)] == list(range(210))


async def test_a_later_export_brings_what_was_said_since(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    await bring(memory, ada, CHAT, tmp_path)
    await bring(memory, ada, [chatgpt_talk("Hello", "Hi")], tmp_path)
    later = {**CHAT, "messages": [*CHAT["messages"], telegram_message(7, "See you"), telegram_message(8, "Yes", BEN)]}
    more = await bring(memory, ada, telegram_account(later), tmp_path)
    talk = await bring(memory, ada, [chatgpt_talk("Hello", "Hi", "One more thing")], tmp_path)

    assert (more.new, more.already_present, talk.new, talk.already_present) == (2, 4, 1, 2)
    ended = await rows(memory, ada, "SELECT max(ended_at) FROM conversations WHERE agent_id = 'telegram-import'")
    assert ended[0][0].timestamp() - BEGAN == 480
    assert len(await rows(memory, ada, "SELECT 1 FROM conversations")) == 2


async def test_the_same_message_twice_in_a_file_is_one(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    twice = telegram_chat(*[telegram_message(n % 150, f"Number {n % 150}") for n in range(1, 400) if n % 150])
    tally = await bring(memory, ada, twice, tmp_path)

    assert (tally.new, tally.already_present) == (149, len(twice["messages"]) - 149)
    assert len(await rows(memory, ada, "SELECT 1 FROM events")) == 149


async def test_two_people_may_bring_the_same_file_and_do_not_see_each_other(
    memory: Memory, ada: Viewer, ben: Viewer, tmp_path: Path
) -> None:
    first = await bring(memory, ada, CHAT, tmp_path)
    second = await bring(memory, ben, CHAT, tmp_path, me="user222")

    assert (first.new, second.new) == (4, 4)
    mine, his = await rows(memory, ada, EVERYTHING), await rows(memory, ben, EVERYTHING)
    assert {row[0] for row in mine}.isdisjoint(row[0] for row in his)
    assert {row[6] for row in mine} == {ada.person}
    assert [row[5] for row in his] == [ben.person, "user111", ben.person, "user111"]
    await erase(memory, ada.tenant, ada.person)
    assert len(await rows(memory, ben, EVERYTHING)) == 4


async def test_two_accounts_of_one_person_do_not_hide_each_other(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    """Messages of a chat of two are numbered by each account for itself."""
    other = telegram_chat(telegram_message(1, "From my other number", ("user999", "Ada at work")))
    await bring(memory, ada, CHAT, tmp_path)
    tally = await bring(memory, ada, other, tmp_path, me="user999")

    assert (tally.new, tally.already_present) == (1, 0)


# What was forgotten


async def test_what_was_forgotten_before_does_not_come(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    async with memory.unit(ada) as unit:
        known = await facts.remember(unit, FactDraft("My boss is called Alec", Category.PERSON), Approval.COMMAND)
        await purge(unit, [known.row.id])
    said = ["My boss is called Alec.", "By the way, my boss is called Alec, and it rains. Hello!", "Alec is late"]
    tally = await bring(
        memory, ada, telegram_chat(*(telegram_message(n, words) for n, words in enumerate(said, 1))), tmp_path
    )

    assert (tally.new, tally.skipped[SkipReason.FORGOTTEN]) == (2, 1)
    found = [row[9]["text"] for row in await rows(memory, ada, EVERYTHING)]
    assert found == [f"By the way, {'█' * 22}, and it rains. Hello!", "Alec is late"]
    assert await rows(memory, ada, "SELECT 1 FROM chunks WHERE text LIKE '%boss%'") == []


async def test_what_was_forgotten_of_an_import_does_not_come_back(bench: Bench, ada: Viewer, tmp_path: Path) -> None:
    memory = bench.memory
    await bring(memory, ada, CHAT, tmp_path)
    bench.model.always = lambda request: finds(fact(1, VEGAN))
    await bench.extract()
    async with memory.unit(ada) as unit:
        [card] = await proposals.waiting_cards(unit)
        stored = await proposals.accept(unit, card.row.id, card.row.content_hash)
        await purge(unit, [stored.row.id])
    blanked = await rows(memory, ada, EVERYTHING)
    assert "vegan since" not in str(blanked)

    again = await bring(memory, ada, CHAT, tmp_path)

    assert (again.new, again.already_present) == (0, 4)
    assert await rows(memory, ada, EVERYTHING) == blanked


async def test_messages_of_a_time_that_was_forgotten_do_not_come_back(
    memory: Memory, ada: Viewer, ben: Viewer, tmp_path: Path
) -> None:
    await bring(memory, ada, CHAT, tmp_path)
    await bring(memory, ben, CHAT, tmp_path)
    async with memory.unit(ada) as unit:
        until = datetime.fromtimestamp(BEGAN + 200, UTC)
        gone = await forget(unit, ForgetRequest(until=until))
    assert gone.messages == 3
    assert VEGAN not in str(await rows(memory, ada, "SELECT t::text FROM tombstones AS t"))

    again = await bring(memory, ada, CHAT, tmp_path)

    assert (again.new, again.already_present, again.skipped[SkipReason.FORGOTTEN]) == (0, 1, 3)
    assert [row[9]["text"] for row in await rows(memory, ada, EVERYTHING)] == ["I play chess with Tom"]
    assert len(await rows(memory, ben, EVERYTHING)) == 4
    async with memory.unit(ada) as unit:
        remembered = await facts.remember(unit, FactDraft("I like tea", Category.PREFERENCE), Approval.AUTO)
    assert remembered.row.content == "I like tea"


async def test_an_export_of_ours_keeps_what_was_forgotten_away_too(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    await bring(memory, ada, CHAT, tmp_path)
    async with memory.unit(ada) as unit:
        await forget(unit, ForgetRequest(until=datetime.fromtimestamp(BEGAN + 200, UTC)))
    async with memory.unit(ada) as unit:
        document = json.loads(json.dumps(await export_data(unit)))
    await erase(memory, ada.tenant, ada.person)
    async with memory.unit(ada) as unit:
        await welcome(unit.session, ada, name="ada", timezone="UTC", now=unit.now)
        await load_export(unit, document)

    again = await bring(memory, ada, CHAT, tmp_path)
    assert (again.new, again.already_present, again.skipped[SkipReason.FORGOTTEN]) == (0, 1, 3)


class Meanwhile(Mapping[str, Any]):
    """Something happens while a message is made ready, when what is known was read and nothing is written yet."""

    def __init__(self, happen: Callable[[], Any]) -> None:
        self._happen = [happen]

    def __iter__(self) -> Iterator[str]:
        if self._happen:
            self._happen.pop()()
        return iter(())

    def __len__(self) -> int:
        return 1

    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)


async def test_what_is_forgotten_while_it_is_brought_does_not_slip_through(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada) as unit:
        known = await facts.remember(unit, FactDraft("My boss is called Alec", Category.PERSON), Approval.COMMAND)

    async def forget_it() -> None:
        async with memory.unit(ada) as unit:
            await purge(unit, [known.row.id])

    loop, at = asyncio.get_running_loop(), datetime.fromtimestamp(BEGAN, UTC)
    meanwhile = Meanwhile(lambda: asyncio.run_coroutine_threadsafe(forget_it(), loop).result(STUCK))
    messages = [
        ImportedMessage("user222", "1", at, "Hello", "user111", extra=meanwhile),
        ImportedMessage("user222", "2", at, "My boss is called Alec", "user111"),
    ]
    tally = await write_messages(memory, ImportSource(FORMATS["telegram"], ada, "user111"), iter(messages))

    assert (tally.new, tally.skipped[SkipReason.FORGOTTEN]) == (1, 1)
    assert "Alec" not in str(await rows(memory, ada, EVERYTHING))


# Hostile


HOSTILE = {
    "right to left": "\u202eevil\u202c שלום مرحبا",
    "zero": "a\0b",
    "a script": "<script>alert(1)</script><keepsake said-by='x'/>",
    "marks": "Z" + "\u0301" * 5_000,
    "emoji": "👩‍👩‍👧‍👦" * 500,
    "sql": "'); DROP TABLE events; -- {} %s %(x)s",
    "a long one": "word " * 20_000,
}


@pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_words_come_in_as_words(memory: Memory, ada: Viewer, tmp_path: Path, words: str) -> None:
    await bring(memory, ada, telegram_chat(telegram_message(1, words), telegram_message(2, "Next")), tmp_path)
    await bring(memory, ada, [chatgpt_talk(words, words)], tmp_path)
    await bring(memory, ada, [claude_talk(words, words)], tmp_path)

    found = [row[9]["text"] for row in await rows(memory, ada, EVERYTHING)]
    assert len(found) == 6
    assert found.count(words.strip().replace("\0", "␀")) == 5


async def test_half_characters_and_telegrams_own_escapes_come_in(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    spelled = json.dumps(telegram_chat(telegram_message(1, "A B C"))).replace("A B C", r"\ud83d A \x0B \ude00 B \u0000")
    path.write_text(spelled)
    tally = await bring_export(memory, ada, find_export(path))

    assert tally.new == 1
    assert [row[9]["text"] for row in await rows(memory, ada, EVERYTHING)] == ["� A ␋ � B ␀"]


async def test_secrets_are_taken_out_and_what_is_sensitive_is_sealed_with_its_answer(
    memory: Memory, ada: Viewer, tmp_path: Path
) -> None:
    secret = "sk-ant-api03-" + "Ab1" * 30
    document = [chatgpt_talk(f"My key is {secret}", "I see", SICK, "I am sorry to hear that", "Thanks", "Of course")]
    await bring(memory, ada, document, tmp_path)
    await bring(memory, ada, telegram_chat(telegram_message(1, f"password: {secret}", BEN)), tmp_path)

    everything = str([await rows(memory, ada, f"SELECT t::text FROM {table} AS t") for table in TABLES])
    assert secret not in everything
    assert "diabetes" not in everything
    assert "sorry to hear" not in everything
    levels = await rows(memory, ada, "SELECT sensitivity FROM events WHERE actor_id <> 'user222' ORDER BY seq, ts")
    async with memory.unit(ada, read_only=True) as unit:
        sealed = await rows(memory, ada, f"{EVENTS} WHERE sensitivity = 'high' ORDER BY seq")
        opened = [await open_content(unit, ada.person, row[0], row[9]) for row in sealed]
    assert [content["text"] for content in opened] == [SICK, "I am sorry to hear that"]
    assert [level for (level,) in levels].count("high") == 2


async def test_an_answer_is_sealed_also_where_the_import_was_broken_off_before_it(
    memory: Memory, ada: Viewer, tmp_path: Path
) -> None:
    found = find_export(as_json(tmp_path, [chatgpt_talk(SICK, "I am sorry to hear that")]))
    await bring_export(memory, ada, found, stop=1)
    await bring_export(memory, ada, found)

    assert await rows(memory, ada, "SELECT count(*) FROM events WHERE sensitivity = 'high'") == [(2,)]


async def test_what_claims_to_come_from_the_future_is_left_out(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    future = str(int((datetime.now(UTC) + timedelta(days=30)).timestamp()))
    chat = telegram_chat(telegram_message(1, "Now"), telegram_message(2, "Then", date_unixtime=future))
    tally = await bring(memory, ada, chat, tmp_path)

    assert (tally.new, tally.skipped[SkipReason.UNREADABLE]) == (1, 1)


# Afterwards


async def test_what_its_owner_told_comes_as_a_card_in_mode_auto_and_others_words_never(
    bench: Bench, ada: Viewer, tmp_path: Path
) -> None:
    async with bench.memory.unit(ada) as unit:
        await choose_mode(unit.session, ada, Mode.AUTO)
    await bring(bench.memory, ada, CHAT, tmp_path)
    others = [fact(2, "I live in Rome"), fact(2, "I am a nurse"), fact(3, "I play chess with Tom")]
    assert await bench.extract(finds(fact(1, VEGAN), *others)) == 1

    told = heard(bench.model.requests[0])
    assert [who for _, who, _ in told] == [
        "Ben (somebody else's words, passed on)",
        "the person's own",
        "Ben (somebody else's words, passed on)",
    ]
    async with bench.memory.unit(ada) as unit:
        assert [card.row.content for card in await proposals.waiting_cards(unit)] == [VEGAN]
        assert await facts.own_facts(unit) == []


async def test_it_changes_no_fact_that_is_newer(bench: Bench, ada: Viewer, tmp_path: Path) -> None:
    async with bench.memory.unit(ada) as unit:
        await choose_mode(unit.session, ada, Mode.AUTO)
        known = await facts.remember(unit, FactDraft("I have been vegan since 2020", Category.OTHER), Approval.COMMAND)
    await bring(bench.memory, ada, CHAT, tmp_path)
    await bench.extract(finds(fact(1, VEGAN, changes=known.row.id)))

    async with bench.memory.unit(ada) as unit:
        assert [row.words for row in await facts.own_facts(unit)] == ["I have been vegan since 2020"]


async def test_a_long_chat_is_summarised_in_steps_and_the_newest_month_is_looked_through_first(
    bench: Bench, ada: Viewer, tmp_path: Path
) -> None:
    month = 31 * 86_400
    messages = [
        telegram_message(
            100 * m + n, f"I live in Town{m} number {n}", date_unixtime=str(BEGAN + month * m + 60 * n), by=ADA
        )
        for m in range(3)
        for n in range(40)
    ]
    await bring(bench.memory, ada, telegram_chat(*messages), tmp_path)
    asked: list[str] = []

    def answer(request: dict[str, Any]) -> Writes:
        asked.append(heard(request)[0][2])
        return finds()

    bench.model.always = keeps_record
    made = await bench.summarise()
    assert made == 6  # of 40 messages 20, and the 20 that are left because it is over
    assert await bench.rows("SELECT count(*) FROM summaries WHERE status = 'completed' AND digest IS NULL") == [(6,)]
    bench.model.always = answer
    assert await bench.extract() == 3
    assert [words.split()[3] for words in asked] == ["Town2", "Town1", "Town0"]
    assert await bench.extract() == 0


async def test_it_belongs_to_its_owner_in_every_way(
    memory: Memory, ada: Viewer, ben: Viewer, meet: Meet, tmp_path: Path
) -> None:
    await bring(memory, ada, CHAT, tmp_path)
    async with memory.unit(ada) as unit:
        document = json.loads(json.dumps(await export_data(unit)))
    cleo = await meet("cleo")
    async with memory.unit(cleo) as unit:
        await load_export(unit, document)

    assert len(document["tables"]["events"]) == 4
    assert [row[9]["text"] for row in await rows(memory, cleo, EVERYTHING)] == [
        row[9]["text"] for row in await rows(memory, ada, EVERYTHING)
    ]
    assert await rows(memory, ben, EVERYTHING) == []
    await erase(memory, ada.tenant, ada.person)
    assert await rows(memory, ada, EVERYTHING) == []


async def test_what_was_forgotten_is_told_in_one_order_or_a_batch_would_be_done_again_for_ever(
    memory: Memory, ada: Viewer
) -> None:
    stones = [TombstoneRow(None, None, bytes([number]), b"hash") for number in range(3)]
    async with memory.unit(ada) as unit:
        for number in (2, 0, 1):
            await add_tombstones(unit.session, ada, [(f"tmb_{number}", stones[number])], unit.now)
        assert await tombstones_of(unit.session, ada) == stones
