"""The passes as the program runs them: after the reply, logged without a word, stopped in time, each done once."""

import asyncio
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from db.embedded import EmbeddedServer
from tests.e2e.conftest import PROGRAM, UNTRACED
from tests.e2e.program import until
from tests.scripted_model import Says, ScriptedModel, Step, model_for_a_process
from tests.workshop import keeps_record

pytestmark = pytest.mark.slow


def replies_and_records(request: dict[str, Any]) -> Step:
    return Says(("Heard.",)) if request.get("stream") else keeps_record(request)


def records_of(model: ScriptedModel) -> list[dict[str, Any]]:
    return [request for request in model.requests if not request.get("stream")]


@pytest.fixture
def summaries(server: EmbeddedServer, worker_database: str, tenant: str) -> Callable[[], list[Any]]:
    def look() -> list[Any]:
        with psycopg.connect(server.url("postgres", worker_database)) as admin:
            query = "SELECT status, start_seq, end_seq FROM summaries WHERE tenant_id = %s ORDER BY end_seq"
            return admin.execute(query.encode(), (tenant,)).fetchall()

    return look


def started(environment: dict[str, str], model: ScriptedModel, **more: str) -> "subprocess.Popen[bytes]":
    told = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url, "KEEPSAKE_LOG_LEVEL": "debug", **UNTRACED}
    return subprocess.Popen(
        [*PROGRAM, "chat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**environment, **told, **more},
    )


def say(process: "subprocess.Popen[bytes]", *lines: str) -> None:
    assert process.stdin
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    process.stdin.flush()


def test_a_long_chat_is_summarised_after_the_reply_and_the_log_says_so_without_a_word_of_it(
    environment: dict[str, str], own_database: dict[str, str], summaries: Callable[[], list[Any]]
) -> None:
    with model_for_a_process() as model:
        model.always = replies_and_records
        process = started({**environment, **own_database}, model)
        say(process, *(f"Kanarienvogel number {number}" for number in range(16)))
        until(lambda: summaries() == [("completed", 0, 19)], 90, lambda: str(summaries()))
        process.send_signal(signal.SIGTERM)
        _, printed = process.communicate(timeout=20)

    told = printed.decode()
    assert "INFO memory.consolidation.summarise Summarized messages 0-19 for cnv_" in told
    assert "DEBUG memory.consolidation.summarise Memory sum_" in told
    assert "status updated to processing" in told
    assert "status updated to completed" in told
    assert "anarienvogel" not in told


def test_a_pass_ends_within_seconds_of_sigterm_and_another_process_goes_on_at_once(
    environment: dict[str, str], own_database: dict[str, str], summaries: Callable[[], list[Any]]
) -> None:
    async def hangs_at_records(request: dict[str, Any]) -> Step:
        if not request.get("stream"):
            await asyncio.sleep(60)
        return replies_and_records(request)

    with model_for_a_process() as model:
        model.ponders = hangs_at_records
        first = started({**environment, **own_database}, model)
        say(first, *(f"Number {number}" for number in range(16)))
        until(lambda: bool(records_of(model)), 90, lambda: str(summaries()))
        began = time.monotonic()
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=20)
        assert time.monotonic() - began < 10  # of a model that takes sixty; the interpreter has to end as well
        assert summaries() == []
        model.ponders, model.always = None, replies_and_records
        second = started({**environment, **own_database}, model)
        until(lambda: summaries() == [("completed", 0, 19)], 30, lambda: str(summaries()))
        second.send_signal(signal.SIGTERM)
        second.communicate(timeout=20)


def test_three_processes_make_each_version_once_though_one_is_killed_in_the_middle(
    environment: dict[str, str], own_database: dict[str, str], summaries: Callable[[], list[Any]]
) -> None:
    async def takes_its_time(request: dict[str, Any]) -> Step:
        if not request.get("stream"):
            await asyncio.sleep(2)
        return replies_and_records(request)

    settings = {**environment, **own_database, "KEEPSAKE_MODEL_SECONDS": "5"}
    with model_for_a_process() as model:
        model.ponders = takes_its_time
        first, *others = (started(settings, model) for _ in range(3))
        say(first, *(f"Number {number}" for number in range(26)))
        until(lambda: bool(records_of(model)), 90, lambda: str(summaries()))
        first.kill()
        first.communicate()
        # The lease of the dead one is 65 seconds; the others look every minute.
        until(
            lambda: [row[0] for row in summaries()] == ["completed"] * len(summaries()) != [],
            150,
            lambda: str(summaries()),
        )
        ranges = summaries()
        for other in others:
            other.send_signal(signal.SIGTERM)
            other.communicate(timeout=20)

    assert [row[1:] for row in ranges][:2] in ([(0, 19), (0, 39)], [(0, 19)])
    assert len({row[2] for row in ranges}) == len(ranges)
