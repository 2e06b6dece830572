"""The latest replies and what they were based on: of the assistant, of an agent, and without what was forgotten."""

from datetime import UTC, datetime, timedelta

from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.vocabulary import ActorType, Category, EventKind
from memory.events.record import EventDraft, prepare, record
from memory.turn.chat import Chat
from tests.daemon import Daemon
from tests.memories import kept, said
from tests.past import deleted, replied
from tests.visitor import enter, met

NOW = datetime.now(UTC)


def ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


async def test_a_reply_of_the_assistant_is_shown_with_the_fact_that_it_rests_on(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    fact = await kept(daemon.memory, ada, "My boss is called Alec", Category.PERSON, subject="Alec", now=ago(9))
    chat = Chat(daemon.runtime, ada)
    await chat.begin(name="ada", timezone="UTC")

    async def hear(_: str) -> None:
        """Nobody reads along."""

    await chat.say("Who is my boss?", hear)
    async with await enter(daemon, ada) as visitor:
        answer = await visitor.get("/replies")

    assert f'href="/review/memory/{fact.row.id}">My boss is called Alec</a>' in answer.text
    assert "Who is my boss?" in answer.text


async def test_question_reply_facts_and_old_messages_are_shown_with_their_dates(daemon: Daemon) -> None:
    ada, memory = await met(daemon, "ada"), daemon.memory
    old = await said(memory, ada, "Alec plays the trombone in a marching band", now=datetime(2026, 8, 3, tzinfo=UTC))
    fact = await kept(memory, ada, "My boss is called Alec", now=datetime(2026, 9, 4, tzinfo=UTC))
    other = await kept(memory, ada, "I like green tea", now=ago(9))
    on = [fact.row.id, other.row.id]
    await replied(memory, ada, "What does Alec play?", "The trombone.", now=ago(1), resting_on=on, looking_at=[old])
    async with await enter(daemon, ada) as visitor:
        told = await visitor.read("/replies")

    assert "You asked What does Alec play? I replied The trombone." in told
    assert "My boss is called Alec 4 September 2026" in told
    assert "marching band you, 3 August 2026" in told
    assert "I had 1 other memory at hand" in told
    assert "green tea" not in told


async def test_a_long_reply_is_there_as_a_whole(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    long = f"{'la ' * 400}and that is the end."
    await replied(daemon.memory, ada, "Sing!", long, now=ago(1))
    async with await enter(daemon, ada) as visitor:
        told = await visitor.read("/replies")

    assert f"la… Show all of it {long}" in told


async def test_what_was_forgotten_since_is_simply_gone(daemon: Daemon) -> None:
    ada, memory = await met(daemon, "ada"), daemon.memory
    fact = await kept(memory, ada, "My boss is called Alec", Category.PERSON, subject="Alec", now=ago(9))
    tea = await kept(memory, ada, "I like tea in Alec's office", now=ago(9))
    on = [fact.row.id, tea.row.id]
    await replied(memory, ada, "Where do I drink tea?", "With your boss.", now=ago(1), resting_on=on)
    await deleted(memory, ada, tea.row.id, now=NOW)
    async with await enter(daemon, ada) as visitor:
        assert "office" not in await visitor.read("/replies")
        await visitor.forget({"what": "subject", "words": "Alec"})
        told = await visitor.read("/replies")

    assert "called Alec" not in told
    assert "Where do I drink tea?" in told


async def test_older_replies_follow_page_by_page_each_once(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    for number in range(23):
        await replied(daemon.memory, ada, f"question {number:02}", "Yes.", now=NOW - timedelta(hours=number))
    seen: list[str] = []
    async with await enter(daemon, ada) as visitor:
        before, pages = "", 0
        while True:
            answer = (await visitor.get("/replies", before=before)).text
            seen += [f"{number:02}" for number in range(23) if f"question {number:02}" in answer]
            pages += 1
            if "?before=" not in answer:
                break
            before = answer.split("?before=")[1].split('"')[0]
        nonsense = await visitor.get("/replies", before="evt_nothing'; DROP TABLE events")

    assert seen == [f"{number:02}" for number in range(23)]
    assert pages == 3
    assert "question 00" in nonsense.text


async def test_an_agents_reply_is_shown_if_it_names_its_bundle(daemon: Daemon) -> None:
    ada, memory = await met(daemon, "ada"), daemon.memory
    fact = await kept(memory, ada, "My boss is called Alec", now=ago(9))
    await replied(memory, ada, "Who is it?", "Alec, your boss.", now=ago(1), resting_on=[fact.row.id], agent="coder")
    async with memory.unit(ada) as unit:
        conversation = timed_id("cnv", unit.now)
        await start_conversation(unit.session, ada, conversation_id=conversation, agent_id="coder", now=unit.now)
        for words, refs in (("no bundle named", ()), ("one that is gone", ("acb_GONE",)), ("not one", ("xacb_1",))):
            draft = EventDraft(ActorType.AGENT, "coder", EventKind.MESSAGE, {"text": words}, refs=refs)
            await record(unit, conversation, [prepare(draft, unit.now)])
    async with await enter(daemon, ada) as visitor:
        told = await visitor.read("/replies")

    assert "coder replied Alec, your boss. Why I remembered: My boss is called Alec" in told
    assert "one that is gone Why I no longer know what this reply was based on" in told
    assert "no bundle named" not in told
    assert "not one" not in told


async def test_before_the_first_reply_the_page_says_what_comes(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "ada")) as visitor:
        assert "No replies yet" in await visitor.read("/replies")


async def test_nobody_sees_anothers_replies(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    reply = await replied(daemon.memory, ada, "a secret question", "a secret reply", now=ago(1))
    async with await enter(daemon, ben) as visitor:
        assert "secret" not in (await visitor.get("/replies")).text
        assert "secret" not in (await visitor.get("/replies", before=reply)).text


async def test_hostile_words_are_words_and_500_emoji_are_shown(daemon: Daemon) -> None:
    ada, memory = await met(daemon, "ada"), daemon.memory
    evil, heart = "<script>alert('x')</script>", "🧡" * 500
    facts = [(await kept(memory, ada, words, now=ago(9))).row.id for words in (evil, f"heart {heart[:490]}")]
    old = await said(memory, ada, f"{evil} said earlier", now=ago(8))
    await replied(memory, ada, f"{evil} heart", f"alert {evil}{heart}", now=ago(1), resting_on=facts, looking_at=[old])
    async with await enter(daemon, ada) as visitor:
        answer = (await visitor.get("/replies")).text

    assert "<script>alert" not in answer
    assert answer.count("&lt;script&gt;alert") >= 4
    assert heart[:490] in answer
