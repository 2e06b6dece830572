"""Bots and daemons on one PostgreSQL, all at work at once, of which one is killed: nothing lost, nothing done twice."""

import asyncio
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from tests.background_jobs import finds, keeps_record
from tests.e2e.conftest import made_key
from tests.e2e.daemon import started
from tests.e2e.inbox import InboxRows
from tests.e2e.points import DOUBLES, Arming
from tests.e2e.program import settings_for
from tests.e2e.several import dead, ensure_answered, several
from tests.e2e.talking import people_of, seen
from tests.pgbouncer import binary, bouncing
from tests.scripted_model import Says, ScriptedModel, Step, model_for_a_process, words_of
from tests.telegram import telegram_for_a_process
from tests.waiting import LOOK_EVERY, STUCK, until

pytestmark = pytest.mark.slow

TAG = re.compile(r"\bm(\d+)\b")
PEOPLE, MESSAGES, WRITERS, EVENTS = 6, 6, 4, 15
# Windows so short that a few messages are worth a summary, and findings that need no long quiet.
LIVELY = {
    "KEEPSAKE_SUMMARIES": "steps",
    "KEEPSAKE_WINDOW_MESSAGES": "6",
    "KEEPSAKE_WINDOW_STEP": "4",
    "KEEPSAKE_EXTRACTION": "on",
    "KEEPSAKE_EXTRACT_EXCHANGES": "2",
    "KEEPSAKE_MODEL_SECONDS": "600",
    "KEEPSAKE_CALLS_PER_MINUTE": "0",
}
Rows = Callable[[str], list[Any]]
WORKS = ("summaries", "extractions")
MADE = "SELECT conversation_id, start_seq, end_seq, status, attempts FROM {work} WHERE tenant_id = %(tenant)s"


def think(request: dict[str, Any]) -> Step:
    if request.get("stream"):
        return Says((f"answer m{TAG.findall(words_of(request))[-1]}",))
    return keeps_record(request) if is_summary(request) else finds()


def is_summary(request: dict[str, Any]) -> bool:
    return "points" in request["output_config"]["format"]["schema"]["properties"]


def records_of(model: ScriptedModel) -> Counter[str]:
    """What was asked of it after the replies."""
    asked = [request for request in list(model.requests) if not request.get("stream")]
    return Counter("summaries" if is_summary(request) else "extractions" for request in asked)


@pytest.fixture
def rows(superuser_url: str, tenant: str) -> Rows:
    def look(query: str) -> list[Any]:
        with psycopg.connect(superuser_url) as admin:
            return admin.execute(query.encode(), {"tenant": tenant}).fetchall()

    return look


@dataclass
class Writer:
    """An agent that records one event after the other. What it hears no answer to, or that the database is away just
    now, it sends again, under the same name, to the next daemon."""

    name: str
    urls: Sequence[str]
    key: str
    turns: Iterator[int] = field(default_factory=count)
    answers: list[str] = field(default_factory=list)
    repeated: int = 0

    def write(self, most: int) -> None:
        with httpx.Client(timeout=STUCK, trust_env=False, verify=False) as client:
            for number in range(most):
                self.answers.append(self.record(client, number))

    def record(self, client: httpx.Client, number: int) -> str:
        event = {
            "session_id": "work",
            "user_id": self.name,
            "actor": {"type": "human", "id": "user"},
            "kind": "message",
            "content": {"text": f"{self.name} says m{number}"},
        }
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": f"{self.name}-{number}"}
        while True:
            url = self.urls[next(self.turns) % len(self.urls)]
            try:
                answer = client.post(f"{url}/api/v1/events", json=event, headers=headers)
            except httpx.TransportError:
                self.repeated += 1
                continue
            if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
                time.sleep(LOOK_EVERY)
                continue
            assert answer.status_code == 201, answer.text
            return str(answer.json()["event_id"])


@contextmanager
def writing(writers: Sequence[Writer]) -> Iterator[None]:
    """All of them at once, beside what the test does; to the end, and what one of them stumbles over is raised."""
    with ThreadPoolExecutor(len(writers)) as pool:
        works = [pool.submit(writer.write, EVENTS) for writer in writers]
        yield
        for work in works:
            work.result(STUCK)


def ensure_recorded(writers: Sequence[Writer], rows: Rows) -> None:
    """Every event once, in the order in which it was sent, numbered without a gap, under the id that was answered."""
    found = rows("SELECT user_id, seq, id, content ->> 'text' FROM events WHERE tenant_id = %(tenant)s ORDER BY seq")
    for writer in writers:
        own = [row[1:] for row in found if row[0] == f"api:{writer.name}"]
        assert [seq for seq, _, _ in own] == list(range(EVENTS))
        assert [words for _, _, words in own] == [f"{writer.name} says m{number}" for number in range(EVENTS)]
        assert [event_id for _, event_id, _ in own] == writer.answers


def ensure_claimed_once(model: ScriptedModel, rows: Rows) -> None:
    """Every piece of work after a reply was begun by one process: it was asked of the model as often as somebody took
    it up, and no range was read twice."""
    asked = records_of(model)  # before the rows are read, so that whatever is asked meanwhile stands in them
    for work in WORKS:
        made = rows(MADE.format(work=work))
        ranges = Counter(row[:3] for row in made if row[3] == "completed")
        taken_up = sum(row[4] for row in made)
        assert ranges
        assert set(ranges.values()) == {1}
        assert len(ranges) <= taken_up
        assert asked[work] <= taken_up, (work, asked, made)
        print(f"{work}: {len(ranges)} made, taken up {taken_up} times, asked {asked[work]} times")


def test_two_bots_and_a_daemon_work_together_and_one_bot_is_killed(
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    key: str,
    rows: Rows,
    superuser_url: str,
    tenant: str,
) -> None:
    inbox = InboxRows(superuser_url, tenant)
    with telegram_for_a_process() as telegram, model_for_a_process() as model, ExitStack() as runtime:
        model.always = think
        settings = {**environment, **settings_for(telegram, model.url), **own_database, **LIVELY}
        url, daemon = runtime.enter_context(started(settings, folder))
        bots = runtime.enter_context(several([settings] * 2, folder))
        for bot in bots:
            bot.start()
        people, killed = people_of(telegram, PEOPLE), bots[1]
        assert killed.armed
        writers = [Writer(f"agent{number}", [url], key) for number in range(WRITERS)]
        with writing(writers):
            for said in count():
                if said == MESSAGES // 2:
                    killed.armed.kill_at(DOUBLES)
                for person in people:
                    person.say(f"I sing in a choir every week, m{said}")
                if said >= MESSAGES:  # until it sends something
                    seen(telegram, lambda: not killed.is_alive or not (telegram.pending or inbox.open()))
                    if not killed.is_alive:
                        break
            held = dead(killed, inbox)
        seen(telegram, lambda: not telegram.pending and not inbox.open())
        until(lambda: all("completed" in {row[3] for row in rows(MADE.format(work=work))} for work in WORKS))
        assert daemon.poll() is None

        assert 1 <= ensure_answered(people, said + 1, held) <= len(held)
        assert set(rows("SELECT state FROM inbox WHERE tenant_id = %(tenant)s")) == {("done",)}
        ensure_heard_once(rows, said + 1)
        ensure_recorded(writers, rows)
        ensure_claimed_once(model, rows)


def ensure_heard_once(rows: Rows, messages: int) -> None:
    """Each conversation in Telegram holds each message and its answer once, in order, numbered without a gap."""
    found = rows("""SELECT conversation_id, seq, actor_type, content ->> 'text' FROM events
        WHERE tenant_id = %(tenant)s AND user_id LIKE 'telegram:%%' ORDER BY conversation_id, seq""")
    conversations = sorted({row[0] for row in found})
    assert len(conversations) == PEOPLE
    for conversation in conversations:
        own = [row[1:] for row in found if row[0] == conversation]
        assert [seq for seq, _, _ in own] == list(range(2 * messages))
        for who in ("human", "agent"):
            assert [TAG.findall(words)[-1] for _, actor, words in own if actor == who] == [*map(str, range(messages))]


@pytest.mark.parametrize("point", ["event in a transaction", "event committed"])
def test_what_a_killed_daemon_had_begun_another_one_brings_to_its_end_once(
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    key: str,
    rows: Rows,
    arming: Arming,
    point: str,
) -> None:
    with ExitStack() as runtime:
        settings = {**environment, **own_database, "KEEPSAKE_CALLS_PER_MINUTE": "0"}
        first, killed = runtime.enter_context(started(settings, folder, armed=arming))
        second, _ = runtime.enter_context(started(settings, folder))
        writers = [Writer(f"agent{number}", [first, second], key) for number in range(WRITERS)]
        arming.kill_at(point, time=WRITERS * EVENTS // 8)
        with writing(writers):
            assert killed.wait() == -signal.SIGKILL
        repeated = sum(each.repeated for each in writers)

    assert repeated
    ensure_recorded(writers, rows)


@pytest.mark.skipif(binary() is None, reason="pgbouncer is not installed here (Debian: apt install pgbouncer)")
def test_two_daemons_share_four_connections_of_the_server_behind_pgbouncer(
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    key: str,
    rows: Rows,
    server: EmbeddedServer,
    worker_database: str,
    tmp_path: Path,
) -> None:
    with (
        bouncing(server, tmp_path / "b", default_pool_size="4", query_wait_timeout="200") as bouncer,
        ExitStack() as runtime,
    ):
        settings = {
            **own_database,
            "DATABASE_URL": bouncer.url(APPLICATION, worker_database),
            "KEEPSAKE_CALLS_PER_MINUTE": "0",
        }
        urls = [runtime.enter_context(started({**environment, **settings}, folder))[0] for _ in range(2)]
        writers = [Writer(f"agent{number}", urls, key) for number in range(WRITERS)]
        with writing(writers):
            pass
        used = bouncer.connections(worker_database)

    ensure_recorded(writers, rows)
    assert 1 <= used <= 4  # it keeps what it ever opened


def test_two_daemons_count_the_calls_of_a_key_together(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, app_url: str, tenant: str, key: str
) -> None:
    """One call a minute."""
    other_key = asyncio.run(made_key(app_url, tenant, user="api:ada"))

    def status(url: str, key: str, **whose: str) -> int:
        headers = {"Authorization": f"Bearer {key}"}
        given = httpx.get(
            f"{url}/api/v1/memory", params=whose, headers=headers, timeout=STUCK, trust_env=False, verify=False
        )
        return given.status_code

    with ExitStack() as runtime:
        settings = {**own_database, "KEEPSAKE_CALLS_PER_MINUTE": "1"}
        first, second = (runtime.enter_context(started({**environment, **settings}, folder))[0] for _ in range(2))
        told = [status(url, key, user_id="ada") for url in (first, second, first)]
        another = status(second, other_key)

    assert told == [200, 429, 429]
    assert another == 200
