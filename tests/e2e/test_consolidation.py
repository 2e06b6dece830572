"""The passes as the program runs them: after the reply, logged without a word, stopped in time, each done once."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.background_jobs import keeps_record
from tests.e2e.child import PIPE, UNTRACED, Child
from tests.scripted_model import Says, ScriptedModel, Step, model_for_a_process
from tests.waiting import STUCK, until

pytestmark = pytest.mark.slow

LONG_ENOUGH = 16  # exchanges, for a first summary


def replies_and_records(request: dict[str, Any]) -> Step:
    return Says(("Heard.",)) if request.get("stream") else keeps_record(request)


def records_of(model: ScriptedModel) -> list[dict[str, Any]]:
    return [request for request in list(model.requests) if not request.get("stream")]


class Rows:
    """What stands in the tables of this tenant."""

    def __init__(self, url: str, tenant: str) -> None:
        self.url, self.tenant = url, tenant

    def summaries(self) -> list[Any]:
        query = "SELECT status, start_seq, end_seq FROM summaries WHERE tenant_id = %s ORDER BY end_seq"
        with psycopg.connect(self.url) as admin:
            return admin.execute(query, (self.tenant,)).fetchall()

    def let_leases_run_out(self) -> None:
        with psycopg.connect(self.url) as admin:
            admin.execute("UPDATE summaries SET lease_until = now() WHERE tenant_id = %s", (self.tenant,))


@pytest.fixture
def rows(superuser_url: str, tenant: str) -> Rows:
    return Rows(superuser_url, tenant)


Starts = Callable[..., Child]


@pytest.fixture
def starts(environment: dict[str, str], own_database: dict[str, str], folder: Path) -> Iterator[Starts]:
    """Chats with a model; what they log goes into a file."""
    begun: list[Child] = []
    with (folder / "log").open("ab") as log:

        def start(model: ScriptedModel, **changes: float) -> Child:
            told = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url, "KEEPSAKE_MODEL_SECONDS": "600"}
            settings = {**environment, **own_database, **UNTRACED, **told, "KEEPSAKE_LOG_LEVEL": "debug"}
            often = {f"memory.consolidation.scheduler.EVERY.{name}": every for name, every in changes.items()}
            begun.append(
                Child("chat", env=settings, cwd=folder, stdin=PIPE, stdout=PIPE, stderr=log.fileno(), changes=often)
            )
            assert begun[-1].stdout
            assert begun[-1].stdout.readline()  # it greets: from now on it does its work
            return begun[-1]

        yield start
        for each in begun:
            each.kill()
            each.wait()
            each.close()


def say(process: Child, *lines: str) -> None:
    assert process.stdin
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    process.stdin.flush()


@contextmanager
def held_at_records(model: ScriptedModel) -> Iterator[None]:
    """As long as this lasts the model thinks about every record, and does not come to an end."""
    over = threading.Event()

    async def hold(request: dict[str, Any]) -> Step:
        if not request.get("stream"):
            await asyncio.to_thread(over.wait, STUCK)
        return replies_and_records(request)

    model.ponders = hold
    try:
        yield
    finally:
        model.ponders, model.always = None, replies_and_records
        over.set()


def test_a_long_chat_is_summarised_after_the_reply_and_the_log_says_so_without_a_word_of_it(
    starts: Starts, rows: Rows, folder: Path
) -> None:
    with model_for_a_process() as model:
        model.always = replies_and_records
        process = starts(model)
        say(process, *(f"Kanarienvogel number {number}" for number in range(LONG_ENOUGH)))
        until(lambda: rows.summaries() == [("completed", 0, 19)], lambda: str(rows.summaries()))
        until(lambda: "status updated to completed" in (folder / "log").read_text())
        process.end()

    told = (folder / "log").read_text()
    assert "INFO memory.consolidation.summaries.summarise Summarized messages 0-19 for cnv_" in told
    assert "DEBUG memory.consolidation.summaries.summarise Memory sum_" in told
    assert "status updated to processing" in told
    assert "anarienvogel" not in told


def test_a_pass_does_not_hold_up_the_end_of_the_program_and_another_process_goes_on(starts: Starts, rows: Rows) -> None:
    with model_for_a_process() as model:
        with held_at_records(model):
            first = starts(model)
            say(first, *(f"Number {number}" for number in range(LONG_ENOUGH)))
            until(lambda: records_of(model), lambda: str(rows.summaries()))
            first.end()  # while the model still thinks
            assert rows.summaries() == []
        starts(model)
        until(lambda: rows.summaries() == [("completed", 0, 19)], lambda: str(rows.summaries()))


def test_three_processes_make_each_version_once_though_one_is_killed_in_the_middle(starts: Starts, rows: Rows) -> None:
    with model_for_a_process() as model:
        with held_at_records(model):
            first = starts(model, summaries=60)
            say(first, *(f"Number {number}" for number in range(LONG_ENOUGH)))
            until(lambda: records_of(model), lambda: str(rows.summaries()))
            for _ in range(2):
                starts(model, summaries=0.2)
            first.kill()
            first.wait()
            assert rows.summaries() == [("processing", 0, 19)]
            assert len(records_of(model)) == 1  # nobody else began what is being made
        rows.let_leases_run_out()
        until(lambda: rows.summaries() == [("completed", 0, 19)], lambda: str(rows.summaries()))
        taken_up = len(records_of(model))

    assert taken_up == 2  # by the one that died, and by one of the others
    assert rows.summaries() == [("completed", 0, 19)]
