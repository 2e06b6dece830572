"""A person's data on the page: exported whole, forgotten in part after one question, erased after two."""

import json
from datetime import UTC, datetime, timedelta

from sqlalchemy import text

from db.queries.facts.topics import TopicRow, put_topics, topics_of
from db.viewer import Viewer
from db.vocabulary import Attribute, Category, Sensitivity
from memory.ledgers import tasks
from tests.daemon import Daemon
from tests.memories import asked, facts_of, kept, said
from tests.past import replied, spent
from tests.tables import table
from tests.visitor import SHOWN, enter, met, shown

NOW = datetime.now(UTC).replace(hour=0, minute=30)


def ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


async def messages_of(daemon: Daemon, viewer: Viewer) -> str:
    async with daemon.memory.unit(viewer, read_only=True) as unit:
        return str((await unit.session.execute(text("SELECT content FROM events ORDER BY id"))).all())


async def test_both_files_hold_everything_and_come_as_files(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    await kept(daemon.memory, ada, "I have diabetes and take insulin", Category.CONTEXT)
    await kept(daemon.memory, ben, "I have a secret garden")
    await said(daemon.memory, ada, "Good morning, what a day")
    async with await enter(daemon, ada) as visitor:
        as_json = await visitor.post("/data/export", {"format": "json"})
        as_text = await visitor.post("/data/export", {"format": "markdown"})

    for answer, media, ending in (
        (as_json, "application/json", "json"),
        (as_text, "text/markdown; charset=utf-8", "md"),
    ):
        assert answer.status_code == 200
        assert answer.headers["content-type"] == media
        assert answer.headers["content-disposition"].startswith('attachment; filename="keepsake-export-')
        assert answer.headers["content-disposition"].endswith(f'.{ending}"')
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "take insulin" in answer.text
        assert "what a day" in answer.text
        assert "garden" not in answer.text
    assert json.loads(as_json.text)["user"] == "telegram:ada"


async def test_no_address_alone_brings_the_files(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "ada")) as visitor:
        assert (await visitor.get("/data/export", format="json")).status_code == 405
        assert (await visitor.post("/data/export", {"format": "json"}, token="")).status_code == 403
        assert (await visitor.post("/data/export", {"format": "exe"})).status_code == 404


async def test_what_would_go_is_shown_and_goes_only_after_the_yes(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    source = await said(daemon.memory, ada, "Alec plays the trombone, and it rains", now=ago(5))
    await kept(
        daemon.memory, ada, "Alec plays the trombone", subject="Alec", source_event_id=source, span=(0, 23), now=ago(5)
    )
    await kept(daemon.memory, ada, "I like green tea", now=ago(5))
    wish = {"what": "subject", "words": "alec"}
    async with await enter(daemon, ada) as visitor:
        asked = await visitor.post("/data/forget/ask", wish)
        assert "1 memory will go: Alec plays the trombone" in shown(asked.text)
        assert "green tea" not in asked.text
        assert len(await facts_of(daemon.memory, ada)) == 2
        done = await visitor.forget(wish)

    assert "I forgot 1 memory for good" in shown(done.text)
    assert await facts_of(daemon.memory, ada) == ["I like green tea"]
    assert "trombone" not in await messages_of(daemon, ada)
    assert "it rains" in await messages_of(daemon, ada)


async def test_a_span_of_time_is_of_the_owners_days_both_included(daemon: Daemon) -> None:
    ada = await met(daemon, "ada", timezone="America/Los_Angeles")  # half past midnight is the day before there
    for days in (8, 7, 6, 5):
        await said(daemon.memory, ada, f"said {days} days ago", now=ago(days))
        await kept(daemon.memory, ada, f"I kept this {days} days ago", now=ago(days))
    first, last = (ago(7 + 1).date().isoformat(), ago(6 + 1).date().isoformat())
    wish = {"what": "span", "since": first, "until": last}
    async with await enter(daemon, ada) as visitor:
        asked = shown((await visitor.post("/data/forget/ask", wish)).text)
        done = shown((await visitor.forget(wish)).text)

    assert "2 memories will go" in asked
    assert "2 messages will be removed" in asked
    assert "I removed 2 messages" in done
    assert sorted(await facts_of(daemon.memory, ada)) == ["I kept this 5 days ago", "I kept this 8 days ago"]
    assert "said 7" not in await messages_of(daemon, ada)
    assert "said 8" in await messages_of(daemon, ada)


async def test_cards_and_tasks_of_a_period_are_announced_and_then_removed_with_it(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    await asked(daemon.memory, ada, "I like green tea")
    async with daemon.memory.unit(ada) as unit:
        task = tasks.read_task({"title": "Buy milk"})
        await tasks.save_task(unit, task, event_id=None, ts=unit.now, sensitivity=Sensitivity.NONE)
    wish = {"what": "span", "since": ago(1).date().isoformat(), "until": ago(-1).date().isoformat()}
    async with await enter(daemon, ada) as visitor:
        before = shown((await visitor.post("/data/forget/ask", wish)).text)
        after = shown((await visitor.forget(wish)).text)

    assert "1 question of mine will go, answered or not. 1 working note of mine will go" in before
    assert "I can't find anything like that" not in before
    assert "I removed 1 question of mine" in after
    assert "I removed 1 working note of mine" in after
    assert "I found nothing like that" not in after


async def test_a_confirmation_covers_nothing_that_came_in_after_it_was_shown(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    await kept(daemon.memory, ada, "Alec plays the trombone", subject="Alec", now=ago(5))
    wish = {"what": "subject", "words": "Alec"}
    async with await enter(daemon, ada) as visitor:
        first = SHOWN.findall((await visitor.post("/data/forget/ask", wish)).text)[0]
        await kept(daemon.memory, ada, "Alec has a daughter in Oslo", subject="Alec", now=ago(4))
        refused = [await visitor.post("/data/forget", {**wish, "shown": told}) for told in ("", first)]
        assert len(await facts_of(daemon.memory, ada)) == 2
        second = SHOWN.findall(refused[1].text)[0]
        done = [await visitor.post("/data/forget", {**wish, "shown": second}) for _ in range(2)]

    assert [answer.status_code for answer in refused] == [422, 422]
    assert "This changed in the meantime, so I haven't deleted anything" in shown(refused[1].text)
    assert "Alec has a daughter in Oslo" in refused[1].text
    assert "I forgot 2 memories for good" in shown(done[0].text)
    assert "I found nothing like that to forget" in shown(done[1].text)
    assert await facts_of(daemon.memory, ada) == []


async def test_a_topic_and_a_part_of_the_profile_are_forgotten(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    await kept(daemon.memory, ada, "I live in Porto", attribute=Attribute.LOCATION)
    async with daemon.memory.unit(ada) as unit:
        await put_topics(unit.session, ada, [TopicRow("tea", 3, NOW), TopicRow("choir", 1, NOW)])
    async with await enter(daemon, ada) as visitor:
        assert '<option value="tea">' in (await visitor.get("/data")).text
        asked = await visitor.post("/data/forget/ask", {"what": "topic", "words": "tea"})
        assert "These topics will go: tea" in shown(asked.text)
        await visitor.forget({"what": "topic", "words": "tea"})
        asked = await visitor.post("/data/forget/ask", {"what": "attribute", "words": "location"})
        assert "I live in Porto" in asked.text
        await visitor.forget({"what": "attribute", "words": "location"})
        nothing = await visitor.forget({"what": "summaries"})

    assert "I found nothing like that to forget" in shown(nothing.text)
    assert await facts_of(daemon.memory, ada) == []
    async with daemon.memory.unit(ada, read_only=True) as unit:
        assert [row.name for row in await topics_of(unit.session, ada)] == ["choir"]


@table(
    "wish",
    [
        {},
        {"what": "everything"},
        {"what": "subject", "words": "  "},
        {"what": "subject", "words": "x" * 201},
        {"what": "attribute", "words": "shoe size"},
        {"what": "span", "since": "2026-02-30", "until": "2026-03-01"},
        {"what": "span", "since": "2026-03-02", "until": "2026-03-01"},
        {"what": "span", "since": "", "until": ""},
        {"what": "span", "since": "0001-01-01", "until": "9999-12-31"},
    ],
)
async def test_a_wish_that_says_nothing_forgets_nothing(daemon: Daemon, wish: dict[str, str]) -> None:
    ada = await met(daemon)
    await kept(daemon.memory, ada, "I like green tea")
    async with await enter(daemon, ada) as visitor:
        for path in ("/data/forget/ask", "/data/forget"):
            answer = await visitor.post(path, wish)
            assert answer.status_code == 422
            assert 'role="alert"' in answer.text

    assert await facts_of(daemon.memory, ada) == ["I like green tea"]


async def test_what_was_typed_stays_and_its_field_names_what_is_wrong(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "ada")) as visitor:
        wish = {"what": "span", "since": "2026-03-02", "until": "2026-03-01"}
        answer = (await visitor.post("/data/forget/ask", wish)).text
        untouched = (await visitor.get("/data")).text

    for day in ("2026-03-02", "2026-03-01"):
        assert f'value="{day}" aria-describedby="span-hint span-wrong" aria-invalid="true"' in answer
    assert 'value="" aria-describedby="subject-hint"' in answer
    assert "aria-invalid" not in untouched


async def test_nobody_forgets_what_is_anothers(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    await kept(daemon.memory, ada, "Alec plays the trombone", subject="Alec", now=ago(3))
    span = {"what": "span", "since": ago(9).date().isoformat(), "until": NOW.date().isoformat()}
    async with await enter(daemon, ben) as visitor:
        for wish in ({"what": "subject", "words": "Alec"}, span):
            asked = await visitor.post("/data/forget/ask", wish)
            assert "trombone" not in asked.text
            await visitor.forget(wish)
        assert "Alec" not in (await visitor.get("/data")).text.replace("such as Alec", "")

    assert await facts_of(daemon.memory, ada) == ["Alec plays the trombone"]


async def test_hostile_words_are_words_and_500_emoji_are_shown(daemon: Daemon) -> None:
    ada, evil = await met(daemon, "ada"), "<script>alert('x')</script>"
    await kept(daemon.memory, ada, f"{evil} is a subject", subject=evil, now=ago(3))
    await kept(daemon.memory, ada, "🧡" * 500, now=ago(3))
    span = {"what": "span", "since": ago(4).date().isoformat(), "until": NOW.date().isoformat()}
    async with await enter(daemon, ada) as visitor:
        pages = [
            (await visitor.get("/data")).text,
            (await visitor.post("/data/forget/ask", {"what": "subject", "words": evil})).text,
            (await visitor.post("/data/forget/ask", span)).text,
        ]

    assert not [page for page in pages if "<script>alert" in page]
    assert all("&lt;script&gt;alert" in page for page in pages)
    assert "🧡" * 500 in pages[2]


async def test_everything_is_erased_after_two_questions_and_every_session_ends(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    for viewer in (ada, ben):
        fact = await kept(daemon.memory, viewer, "I like green tea", now=ago(3))
        await replied(daemon.memory, viewer, "tea?", "Tea.", now=ago(2), resting_on=[fact.row.id])
        await spent(daemon.memory, viewer, now=ago(2))
    async with await enter(daemon, ada) as visitor, await enter(daemon, ada) as elsewhere:
        first = await visitor.get("/data/erase")
        assert "/review/data/erase/last" in first.text
        for word in ("", "yes", "erases"):
            refused = await visitor.post("/data/erase/last", {"word": word})
            assert refused.status_code == 422
            assert "so I erased nothing" in shown(refused.text)
        assert (await visitor.post("/data/erase/last", {"word": "erase"}, token="")).status_code == 403
        assert await facts_of(daemon.memory, ada) == ["I like green tea"]

        farewell = await visitor.post("/data/erase/last", {"word": " Erase "})
        assert "I've erased everything about you" in shown(farewell.text)
        assert "keepsake=" in farewell.headers["set-cookie"]
        assert not visitor.http.cookies
        assert (await visitor.get("/data")).status_code == 401
        assert (await elsewhere.get("/data")).status_code == 401

    async with daemon.memory.database.transaction(ada, read_only=True) as session:
        for table in ("users", "facts", "events", "usage", "bundles", "web_sessions", "audit_log"):
            assert (await session.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one() == 0, table
    assert await facts_of(daemon.memory, ben) == ["I like green tea"]


async def test_an_address_alone_erases_nothing(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    await kept(daemon.memory, ada, "I like green tea")
    async with await enter(daemon, ada) as visitor:
        await visitor.get("/data/erase/last", word="erase")

    assert await facts_of(daemon.memory, ada) == ["I like green tea"]
