"""The doctor on a database with calls in it, and with each kind of embedder."""

import asyncio
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from api.serving import listen, serve
from bot import texts
from bot.cli.doctor import examine
from bot.language import OFFLINE_LOCALE
from db.engine import Database
from db.queries.events import inbox
from db.queries.retrieval.chunks import add_embeddings, unembedded
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.errors import EmbedderAway
from memory.events.record import EventDraft, prepare, record
from memory.model.offline import OfflineBrain
from memory.model.vendors import VENDORS
from memory.refusals import Refusal
from memory.retrieval.embedders.bundled_engine import CHOICES
from memory.retrieval.embedders.factory import LOCAL_EMBEDDERS
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import Runtime, cannot_revive
from tests.background_jobs import bench_for, keeps_record, record_of
from tests.conftest import NOON, Converse
from tests.daemon import KEYRING, running
from tests.ports import free_port
from tests.scripted_embeddings import ScriptedEmbeddings, says, scripted_embeddings, vectors
from tests.telegram import fake_telegram
from tests.waiting import STUCK


async def told(app_url: str, viewer: Viewer, *, patiently: bool = False, **given: Any) -> str:
    """What it says; `patiently` is longer than anybody can set, so that no embedder is too slow on a busy machine."""
    usual = {"DATABASE_URL": app_url, "KEEPSAKE_TENANT": viewer.tenant, "KEEPSAKE_EMBEDDER": "off"}
    settings = Settings.model_validate({**usual, **given})
    if patiently:
        settings = settings.model_copy(update={"recall_ms": 600_000})
    return "\n".join((await examine(settings, lambda _: None, has_env_file=False)).lines)


async def keep_call(memory: Memory, viewer: Viewer, conversation: str, estimated: int, counted: int) -> None:
    statement = (
        "INSERT INTO bundles (tenant_id, id, user_id, conversation_id, ts, request, hashes, provenance, token_est,"
        " token_used) VALUES (:t, :i, :u, :c, now(), '{}', '{}', '{}', :e, :n)"
    )
    values = {"t": viewer.tenant, "i": f"acb_{counted}", "u": viewer.user, "c": conversation}
    async with memory.unit(viewer) as unit:
        await unit.session.execute(text(statement), {**values, "e": estimated, "n": counted})


async def test_the_doctor_warns_when_a_model_ever_counted_more_than_was_estimated(
    memory: Memory, app_url: str, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    assert "tokens" not in await told(app_url, ada)

    await keep_call(memory, ada, conversation, 1000, 900)
    assert "1 call counted, not above its estimate" in await told(app_url, ada)

    await keep_call(memory, ada, conversation, 1000, 1200)
    warned = await told(app_url, ada)
    assert "✗ 1 of 2 calls took more tokens than estimated, up to 1.20 times" in warned
    assert "Set KEEPSAKE_TOKEN_MARGIN to 1.25" in warned
    assert "2 calls counted, none above" in await told(app_url, ada, KEEPSAKE_TOKEN_MARGIN="1.25")


async def test_the_doctor_names_the_model_that_answers_or_says_which_key_to_set(
    app_url: str, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice = "→ Set ANTHROPIC_API_KEY, and Claude will answer."
    assert advice in await told(app_url, ada)

    named: dict[str, Any] = {"ANTHROPIC_API_KEY": "k", "KEEPSAKE_MODEL": "claude-x"}
    keyed = await told(app_url, ada, **named)
    assert "model       claude-x\n" in keyed
    assert advice not in keyed
    assert "model       claude-x at http://h\n" in await told(app_url, ada, **named, ANTHROPIC_BASE_URL="http://h")

    other = replace(VENDORS[0], name="Polly", key_variable="POLLY_API_KEY", is_set=lambda _: False)
    monkeypatch.setattr("bot.cli.doctor.VENDORS", (other,))
    assert "→ Set POLLY_API_KEY, and Polly will answer." in await told(app_url, ada)


async def test_the_doctor_names_the_embedder_and_how_long_it_takes(app_url: str, ada: Viewer) -> None:
    assert "embedder    off: I find messages by their words only" in await told(app_url, ada)
    here = await told(app_url, ada, KEEPSAKE_EMBEDDER="bundled", patiently=True)
    assert "embedder    multilingual-e5-small-q4, on this machine\n            answers in about " in here


async def at(server: ScriptedEmbeddings, app_url: str, ada: Viewer, **given: Any) -> str:
    usual = {"KEEPSAKE_EMBEDDER": "openai", "KEEPSAKE_EMBEDDER_URL": server.url, "KEEPSAKE_EMBEDDER_MODEL": "m"}
    return await told(app_url, ada, **{**usual, **given})


async def test_the_doctor_tells_when_a_server_takes_longer_than_recall_can_wait(app_url: str, ada: Viewer) -> None:
    async with scripted_embeddings(lambda request: replace(vectors(request), seconds=0.2)) as server:
        slow = await at(server, app_url, ada)
        patient = await at(server, app_url, ada, patiently=True)

    assert "embedder    m; messages are sent there, except sensitive ones" in slow
    assert re.search(r"✗ answers in about \d+ ms, but KEEPSAKE_RECALL_MS=150 leaves it", slow)
    assert re.search(r"→ Set KEEPSAKE_RECALL_MS to \d+ or more", slow)
    assert re.search(r"^ +answers in about \d+ ms$", patient, re.MULTILINE)


async def test_the_doctor_tells_when_a_server_does_not_answer_and_why(app_url: str, ada: Viewer) -> None:
    async with scripted_embeddings(says(status=401)) as server:
        warned = await at(server, app_url, ada)

    assert "✗ doesn't answer: I find messages by their words only" in warned
    assert "→ The embeddings server refused KEEPSAKE_EMBEDDER_KEY. Please check it." in warned


async def test_the_doctor_tells_how_far_a_change_of_models_is_and_what_serves_meanwhile(
    memory: Memory, app_url: str, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    drafts = [
        EventDraft(ActorType.HUMAN, "ada", EventKind.MESSAGE, {"text": f"The boat is {word}"})
        for word in ("red", "old")
    ]
    async with memory.unit(ada, now=NOON) as unit:
        await record(unit, conversation, [prepare(draft, NOON) for draft in drafts])
    async with scripted_embeddings(vectors) as server:
        report = await at(server, app_url, ada)
        assert "vectors     0 of 2 chunks done; Keepsake makes the rest while it runs." in report
        assert "Until then, I find the rest by words" in report
        async with memory.unit(ada) as unit:
            missing = await unembedded(unit.session, ada, "m", limit=9)
            await add_embeddings(unit.session, ada, "m", [(missing[0].chunk_id, [1.0])])
            await add_embeddings(unit.session, ada, "before", [(chunk.chunk_id, [1.0]) for chunk in missing])
        changing = await at(server, app_url, ada)
        left = await told(app_url, ada, KEEPSAKE_EMBEDDER="bundled")

    assert (
        "vectors     1 of 2 chunks done; Keepsake makes the rest while it runs. Until then, I use those of before"
        in changing
    )
    assert (
        "vectors     0 of 2 chunks done; Keepsake makes the rest while it runs. Until then, I find the rest by words"
        in left
    )
    assert (
        "→ The vectors of before can't be used. To use them until the new ones are done, set KEEPSAKE_EMBEDDER_BEFORE"
        in left
    )


async def test_the_doctor_tells_what_was_given_up_or_is_stuck_and_nothing_when_all_is_well(
    memory: Memory, app_url: str, ada: Viewer
) -> None:
    async with bench_for(memory, ada) as bench:
        bench.now = datetime.now(UTC) - timedelta(days=9)  # so that for the doctor every lease has run out
        await bench.begin()
        await bench.talk(16)
        await bench.summarise(keeps_record)
        assert "summaries" not in await told(app_url, ada)

        await bench.talk(10, start=16)
        await bench.summarise(record_of())
        stuck = await told(app_url, ada)
        for _ in range(2):
            await bench.summarise(record_of(), later=86_400)
        given_up = await told(app_url, ada)

    assert "summaries   ✗ started but not finished in time: 1\n" in stuck
    assert "summaries   ✗ given up: 1 (AnswerUnfit: " in given_up
    assert "not ended in time" not in given_up
    assert "extractions" not in given_up
    assert "→ `keepsake rebuild` retries what was given up." in given_up


async def test_without_a_wheel_for_this_machine_the_doctor_says_what_else_to_set(
    app_url: str, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = EmbedderAway(Refusal.EMBEDDER_NOT_HERE, system="Plan 9", machine="mips", choices=CHOICES)
    nowhere = replace(LOCAL_EMBEDDERS["bundled"], why_unsupported=lambda: away)
    monkeypatch.setitem(LOCAL_EMBEDDERS, "bundled", nowhere)
    warned = await told(app_url, ada, KEEPSAKE_EMBEDDER="bundled")

    assert "✗ can't run on this machine" in warned
    assert "There is no bundled embedder for Plan 9 on mips. Set KEEPSAKE_EMBEDDER to voyage, openai or off." in warned


@pytest.fixture
def patient_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    """A daemon that is slow to say how it is because the machine is busy is not away."""
    monkeypatch.setattr("bot.cli.doctor.SECONDS_TO_ANSWER", STUCK)


@pytest.mark.usefixtures("patient_doctor")
async def test_the_doctor_says_where_the_daemon_would_listen_and_whether_it_does(
    app_url: str, ada: Viewer, tmp_path: Path
) -> None:
    port = free_port()
    idle = await told(app_url, ada, KEEPSAKE_PORT=port, KEEPSAKE_HOST="0.0.0.0")
    async with running(app_url, ada.tenant, tmp_path) as daemon:
        at = daemon.runtime.settings.port
        served = await told(app_url, ada, KEEPSAKE_PORT=at, KEEPSAKE_WEB_URL="https://keepsake.example.org/")

    assert f"daemon      0.0.0.0:{port}; people reach it at http://127.0.0.1:{port}\n" in idle
    assert f"            {texts.DOCTOR_DAEMON_FREE}\n" in idle
    assert f"daemon      127.0.0.1:{at}; people reach it at https://keepsake.example.org\n" in served
    assert f"            {texts.DOCTOR_DAEMON_RUNS}\n" in served


@pytest.mark.usefixtures("patient_doctor")
async def test_a_daemon_whose_database_is_away_is_seen_to_be_ours(app_url: str, ada: Viewer, tmp_path: Path) -> None:
    settings = Settings.model_validate({"KEEPSAKE_PORT": free_port(), "KEEPSAKE_DATA_DIR": str(tmp_path)})
    away = Memory(Database("postgresql://keepsake@127.0.0.1:1/keepsake"), KEYRING)
    runtime = Runtime(settings, away, VectorIndex(away, ada.tenant, None), OfflineBrain(OFFLINE_LOCALE), cannot_revive)
    serving = asyncio.create_task(serve(runtime, listen(settings)))
    sick = await told(app_url, ada, KEEPSAKE_PORT=settings.port)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await away.database.close()

    assert f"            {texts.DOCTOR_DAEMON_SICK}\n" in sick


async def test_a_port_of_somebody_else_is_trouble_only_where_it_is_wanted(app_url: str) -> None:
    for answer in (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]", b"220 mail.example.org\r\n", b""):

        async def reply(_: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: bytes = answer) -> None:
            writer.write(answer)
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(reply, "127.0.0.1", 0) as stranger:
            port = stranger.sockets[0].getsockname()[1]
            usual = {"DATABASE_URL": app_url, "KEEPSAKE_EMBEDDER": "off", "KEEPSAKE_PORT": port}
            beside = await examine(Settings.model_validate(usual), lambda _: None, has_env_file=False)
            wanted = Settings.model_validate({**usual, "KEEPSAKE_SERVE": "1"})
            without = await examine(wanted, lambda _: None, has_env_file=False)

        for found in (beside, without):
            assert f"            {texts.DOCTOR_DAEMON_TAKEN}" in found.lines, answer
            assert f"→ KEEPSAKE_PORT: I can't listen on 127.0.0.1:{port}: Address already in use." in found.lines
        assert (beside.fit, without.fit) == (True, False), answer


IS_ADVISED: list[tuple[dict[str, Any], bool]] = [
    ({"TELEGRAM_BOT_TOKEN": "1:a"}, True),
    ({"TELEGRAM_BOT_TOKEN": "1:a", "KEEPSAKE_WEB_URL": "http://keepsake.example.org"}, True),
    ({"TELEGRAM_BOT_TOKEN": "1:a", "KEEPSAKE_WEB_URL": "https://localhost"}, True),
    ({"TELEGRAM_BOT_TOKEN": "1:a", "KEEPSAKE_WEB_URL": "https://keepsake.example.org"}, False),
    ({}, False),
]


async def test_telegram_shows_the_page_inside_of_itself_over_https_alone(app_url: str, ada: Viewer) -> None:
    nobody_there = f"http://127.0.0.1:{free_port()}"
    usual: dict[str, Any] = {"TELEGRAM_BASE_URL": nobody_there, "KEEPSAKE_PORT": free_port()}
    found = [(given, texts.DOCTOR_SET_WEB_URL in await told(app_url, ada, **usual, **given)) for given, _ in IS_ADVISED]

    assert found == IS_ADVISED


async def test_the_doctor_asks_telegram_and_counts_what_could_not_be_read(
    memory: Memory, app_url: str, ada: Viewer
) -> None:
    nobody = Viewer.in_private(ada.tenant, inbox.NOBODY)
    async with fake_telegram() as telegram:
        at: dict[str, Any] = {"TELEGRAM_BOT_TOKEN": telegram.token, "TELEGRAM_BASE_URL": telegram.url}
        calm = await told(app_url, ada, **at)
        assert "`make run` starts @keepsake_test_bot" in calm
        assert "inbox" not in calm

        telegram.person(7, "Eve").say("hello?")
        async with memory.unit(nobody) as unit:
            await inbox.record_unreadable(unit.session, nobody, 12, "TypeError", NOON)
        troubled = await told(app_url, ada, **at)
        assert texts.DOCTOR_TELEGRAM_HOLDS.format(count=1) in troubled
        assert texts.DOCTOR_UNREADABLE.format(count=1) in troubled
        assert "broke their handler" not in troubled

        refused = await told(app_url, ada, **at | {"TELEGRAM_BOT_TOKEN": "1:wrong"})
        assert texts.DOCTOR_TOKEN_FAILS in refused
        assert f"→ {texts.TOKEN_REFUSED}" in refused
        assert texts.DOCTOR_READY not in refused
