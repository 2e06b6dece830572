"""Bots and daemons on one PostgreSQL, all at work at once, of which one is killed: nothing lost, nothing done twice."""

import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from math import ceil
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from db.embedded import EmbeddedServer
from db.embedded.house import APPLICATION
from tests.e2e.conftest import UNTRACED, Keepsake
from tests.e2e.daemon import started
from tests.e2e.program import settings_for, until
from tests.e2e.test_processes import answered, in_order, people_of, several
from tests.pgbouncer import binary, bouncing
from tests.scripted_model import Says, ScriptedModel, Step, model_for_a_process, words_of
from tests.telegram import telegram_for_a_process
from tests.workshop import finds, keeps_record

pytestmark = pytest.mark.slow

TAG = re.compile(r"\bm(\d+)\b")
PEOPLE, MESSAGES, WRITERS, EVENTS = 6, 6, 4, 30
# Windows so short that a few messages are worth a summary, and findings that need no long quiet.
LIVELY = {
    "KEEPSAKE_SUMMARIES": "steps",
    "KEEPSAKE_WINDOW_MESSAGES": "6",
    "KEEPSAKE_WINDOW_STEP": "4",
    "KEEPSAKE_EXTRACTION": "on",
    "KEEPSAKE_EXTRACT_EXCHANGES": "2",
    "KEEPSAKE_LEASE_SECONDS": "4",
    "KEEPSAKE_MODEL_SECONDS": "20",
    "KEEPSAKE_CALLS_PER_MINUTE": "0",
}
Rows = Callable[[str], list[Any]]


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

    def write(self, most: int, pause: float = 0.0) -> None:
        with httpx.Client(timeout=20, trust_env=False) as client:
            for number in range(most):
                self.answers.append(self.record(client, number))
                time.sleep(pause)

    def record(self, client: httpx.Client, number: int) -> str:
        event = {
            "session_id": "work",
            "user_id": self.name,
            "actor": {"type": "human", "id": "user"},
            "kind": "message",
            "content": {"text": f"{self.name} says m{number}"},
        }
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": f"{self.name}-{number}"}
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            url = self.urls[next(self.turns) % len(self.urls)]
            try:
                answer = client.post(f"{url}/api/v1/events", json=event, headers=headers)
            except httpx.TransportError:
                self.repeated += 1
                continue
            if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
                time.sleep(0.5)
                continue
            assert answer.status_code == 201, answer.text
            return str(answer.json()["event_id"])
        raise AssertionError("nobody took it")


@contextmanager
def writing(writers: Sequence[Writer], pause: float) -> Iterator[None]:
    """All of them at once, beside what the test does; to the end, and what one of them stumbles over is raised."""
    with ThreadPoolExecutor(len(writers)) as pool:
        works = [pool.submit(writer.write, EVENTS, pause) for writer in writers]
        yield
        for work in works:
            work.result(120)


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
    asked = records_of(model)
    for work in ("summaries", "extractions"):
        made = rows(
            f"SELECT conversation_id, start_seq, end_seq, status, attempts FROM {work} WHERE tenant_id = %(tenant)s"
        )
        ranges = Counter(row[:3] for row in made if row[3] == "completed")
        taken_up = sum(row[4] for row in made)
        assert ranges
        assert set(ranges.values()) == {1}
        assert len(ranges) <= taken_up
        assert asked[work] <= taken_up, (work, asked, made)
        print(f"{work}: {len(ranges)} made, taken up {taken_up} times, asked {asked[work]} times")


def test_two_bots_and_a_daemon_work_together_and_one_bot_is_killed(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, key: str, rows: Rows
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model, ExitStack() as house:
        model.always, model.seconds = think, 0.1
        settings = {**settings_for(telegram, model.url), **own_database, **LIVELY}
        url, daemon = house.enter_context(started(environment, folder, **settings))
        bots = house.enter_context(several(2, telegram, environment, folder, **settings))
        people = people_of(telegram, PEOPLE)
        writers = [Writer(f"agent{number}", [url], key) for number in range(WRITERS)]
        with writing(writers, pause=0.05):
            for number in range(MESSAGES):
                for person in people:
                    person.say(f"I sing in a choir every week, m{number}")
                if number == MESSAGES // 2:
                    telegram.wait_until(lambda: sum(len(each.answers()) for each in people) > PEOPLE, 60)
                    bots[1].kill()
        telegram.wait_until(lambda: all(len(each.answers()) >= MESSAGES for each in people), 120)
        settled(model)
        assert daemon.poll() is None

        doubled = sum(len(each.answers()) - MESSAGES for each in people)
        print(f"doubled by the kill between Telegram's answer and our mark: {doubled}")
        assert doubled <= PEOPLE  # at most what one process was sending at that moment, one a chat
        assert [sorted(set(answered(each))) for each in people] == [list(range(MESSAGES))] * PEOPLE
        assert all(in_order(answered(each)) for each in people)
        assert set(rows("SELECT state FROM inbox WHERE tenant_id = %(tenant)s")) == {("done",)}
        ensure_heard_once(rows)
        ensure_recorded(writers, rows)
        ensure_claimed_once(model, rows)


def ensure_heard_once(rows: Rows) -> None:
    """Each conversation in Telegram holds each message and its answer once, in order, numbered without a gap."""
    found = rows("""SELECT conversation_id, seq, actor_type, content ->> 'text' FROM events
        WHERE tenant_id = %(tenant)s AND user_id LIKE 'telegram:%%' ORDER BY conversation_id, seq""")
    conversations = sorted({row[0] for row in found})
    assert len(conversations) == PEOPLE
    for conversation in conversations:
        own = [row[1:] for row in found if row[0] == conversation]
        assert [seq for seq, _, _ in own] == list(range(2 * MESSAGES))
        assert [TAG.findall(words)[-1] for _, actor, words in own if actor == "human"] == [*map(str, range(MESSAGES))]
        assert [TAG.findall(words)[-1] for _, actor, words in own if actor == "agent"] == [*map(str, range(MESSAGES))]


def settled(model: ScriptedModel, quiet: float = 6.0) -> None:
    """Until nothing has been asked of the model for a while: longer than a lease of a chat, too."""
    seen, since = -1, time.monotonic()

    def is_quiet() -> bool:
        nonlocal seen, since
        if len(model.requests) != seen:
            seen, since = len(model.requests), time.monotonic()
        return time.monotonic() - since > quiet

    until(is_quiet, 90)


def test_what_a_killed_daemon_had_begun_another_one_brings_to_its_end_once(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, key: str, rows: Rows
) -> None:
    with ExitStack() as house:
        settings = {**own_database, "KEEPSAKE_CALLS_PER_MINUTE": "0"}
        (first, killed), (second, _) = (house.enter_context(started(environment, folder, **settings)) for _ in range(2))
        writers = [Writer(f"agent{number}", [first, second], key) for number in range(WRITERS)]
        with writing(writers, pause=0.0):
            until(lambda: sum(len(each.answers) for each in writers) > WRITERS * EVENTS // 4, 60)
            killed.kill()
        repeated = sum(each.repeated for each in writers)

    print(f"sent again after the kill: {repeated}")
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
    connected = f"""SELECT pid FROM pg_stat_activity
        WHERE usename = '{APPLICATION}' AND datname = '{worker_database}' AND %(tenant)s <> ''"""
    others, used = set(rows(connected)), []  # the tests before this one keep theirs in a pool
    with (
        bouncing(server, tmp_path / "b", default_pool_size="4", query_wait_timeout="2") as bouncer,
        ExitStack() as house,
    ):
        settings = {
            **own_database,
            "DATABASE_URL": bouncer.url(APPLICATION, worker_database),
            "KEEPSAKE_CALLS_PER_MINUTE": "0",
        }
        urls = [house.enter_context(started(environment, folder, **settings))[0] for _ in range(2)]
        writers = [Writer(f"agent{number}", urls, key) for number in range(WRITERS)]
        with writing(writers, pause=0.0):
            for _ in range(10):
                used.append(len(set(rows(connected)) - others))
                time.sleep(0.1)

    ensure_recorded(writers, rows)
    assert 1 <= max(used) <= 4


def test_two_daemons_count_the_calls_of_a_key_together(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, keepsake: Keepsake, key: str
) -> None:
    other_key = keepsake("keys", "new", "--user", "api:ada", **own_database, **UNTRACED).stdout.decode().strip()
    with ExitStack() as house:
        settings = {**own_database, "KEEPSAKE_CALLS_PER_MINUTE": "60"}
        urls = [house.enter_context(started(environment, folder, **settings))[0] for _ in range(2)]
        told: Counter[tuple[str, int]] = Counter()
        began = time.monotonic()
        lock = threading.Lock()

        def call(url: str) -> None:
            answer = httpx.get(
                f"{url}/api/v1/memory",
                params={"user_id": "ada"},
                headers={"Authorization": f"Bearer {key}"},
                timeout=20,
                trust_env=False,
            )
            with lock:
                told[url, answer.status_code] += 1

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(call, urls * 20))
        took = time.monotonic() - began
        another = httpx.get(
            f"{urls[0]}/api/v1/memory", headers={"Authorization": f"Bearer {other_key}"}, timeout=20, trust_env=False
        )

    admitted = told[urls[0], 200] + told[urls[1], 200]
    assert 10 <= admitted <= 10 + ceil(took) + 1  # a sixth of a minute's calls at once, and one more each second
    assert all(told[url, 429] for url in urls)
    assert sum(told.values()) == admitted + told[urls[0], 429] + told[urls[1], 429] == 40
    assert another.status_code == 200
