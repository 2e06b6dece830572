"""Metrics: a registry of their own, labels that are names of the program, and a server that leaves its port free."""

import asyncio
import socket
from contextlib import suppress

import httpx
import psutil
import pytest
from prometheus_client import REGISTRY, generate_latest

from memory.errors import ModelAway, SettingsError
from memory.metrics import Metrics, exception_label, metric_label, serve
from memory.model.brain import AnswerStarted
from memory.model.usage import CallUsage, begin_call, end_call
from tests.e2e.program import free_port
from tests.tables import table
from tests.waiting import STUCK


def told(metrics: Metrics) -> dict[str, float]:
    """Every sample but the times of creation."""
    lines = generate_latest(metrics.registry).decode().splitlines()
    samples = (line.rsplit(" ", 1) for line in lines if not line.startswith("#") and "_created" not in line)
    return {name: float(value) for name, value in samples}


def spending(**usage: int) -> list[CallUsage]:
    spent: list[CallUsage] = []
    begin_call(spent, AnswerStarted("claude-sonnet-5-5", 0.0, {"input_tokens": 10}))
    end_call(spent, usage)
    return spent


def test_two_houses_count_apart_and_nothing_is_global() -> None:
    one, other = Metrics(), Metrics()
    one.count_failure("answer_not_kept")

    assert told(one)['keepsake_failures_total{what="answer_not_kept"}'] == 1
    assert 'keepsake_failures_total{what="answer_not_kept"}' not in told(other)
    assert b"keepsake" not in generate_latest(REGISTRY)


def test_tokens_are_counted_by_kind_and_the_share_of_the_cache_follows() -> None:
    metrics = Metrics()
    metrics.add_tokens(spending(input_tokens=10, cache_creation_input_tokens=10, output_tokens=5))
    metrics.add_tokens(spending(input_tokens=0, cache_read_input_tokens=60, output_tokens=5))
    metrics.add_tokens(spending(input_tokens=50), "summary")

    found = told(metrics)
    assert [
        found[f'keepsake_tokens_total{{kind="{kind}",purpose="reply"}}']
        for kind in ("sent", "cache_read", "cache_write", "answered")
    ] == [10, 60, 10, 10]
    assert found['keepsake_cache_share{purpose="reply"}'] == 0.75
    assert found['keepsake_cache_share{purpose="summary"}'] == 0


def test_what_took_no_tokens_has_no_share() -> None:
    metrics = Metrics()
    metrics.add_tokens([])

    assert not [name for name in told(metrics) if "cache_share" in name]


def test_recall_is_timed_where_it_was_asked() -> None:
    metrics = Metrics()
    metrics.observe_recall({})
    metrics.observe_recall({"recall": {"how": "not asked", "milliseconds": 0}})
    metrics.observe_recall({"recall": {"how": "words and vectors", "milliseconds": 120}})

    found = told(metrics)
    assert {name: value for name, value in found.items() if "recall_seconds_count" in name} == {
        'keepsake_recall_seconds_count{how="words_and_vectors"}': 1
    }
    assert found['keepsake_recall_seconds_sum{how="words_and_vectors"}'] == pytest.approx(0.12)
    assert found['keepsake_recall_seconds_bucket{how="words_and_vectors",le="0.1"}'] == 0
    assert found['keepsake_recall_seconds_bucket{how="words_and_vectors",le="0.15"}'] == 1


def test_a_pass_is_timed_and_its_error_goes_on() -> None:
    metrics = Metrics()
    with metrics.measure_pass("summaries"):
        pass
    with pytest.raises(ModelAway), metrics.measure_pass("summaries"):
        raise ModelAway("busy")
    with pytest.raises(asyncio.CancelledError), metrics.measure_pass("summaries"):
        raise asyncio.CancelledError

    found = told(metrics)
    for outcome in ("done", "model_away", "cancelled_error"):
        assert found[f'keepsake_passes_total{{name="summaries",outcome="{outcome}"}}'] == 1
    assert found['keepsake_pass_seconds_count{name="summaries"}'] == 3


def test_rows_without_a_worker_and_updates_that_wait_are_told_once_somebody_looked() -> None:
    metrics = Metrics()
    before = told(metrics)["keepsake_inbox_waiting"]
    metrics.set_inbox_waiting(3)
    metrics.set_stuck_rows("summaries", 2)
    metrics.set_stuck_rows("summaries", 0)

    assert before != before  # not a number
    assert told(metrics)["keepsake_inbox_waiting"] == 3
    assert told(metrics)['keepsake_stuck_rows{table="summaries"}'] == 0


@table("given", ["telegram:4711", "cnv_01JC", "Lisbon", "my boss is Ben", "a" * 41, "", "строка", 'x"} 1', "a\nb"])
def test_what_is_no_name_of_the_program_never_becomes_a_label(given: str) -> None:
    metrics = Metrics()
    metrics.count_failure(given)
    metrics.set_stuck_rows(given, 1)
    metrics.add_tokens(spending(input_tokens=1), given)
    with metrics.measure_pass(given):
        pass

    assert metric_label(given) == "other"
    assert told(metrics)['keepsake_failures_total{what="other"}'] == 1
    assert given == "" or given not in "\n".join(told(metrics))


def test_an_error_is_told_by_its_kind_never_by_what_it_says() -> None:
    assert exception_label(ModelAway("canary")) == "model_away"
    assert exception_label(ValueError("canary")) == "value_error"


async def test_metrics_are_served_at_their_path_alone_and_the_port_is_free_afterwards() -> None:
    metrics, listen = Metrics(), f"127.0.0.1:{free_port()}"
    metrics.set_inbox_waiting(4)
    for _ in range(2):  # the same port twice
        async with serve(metrics, listen), httpx.AsyncClient(base_url=f"http://{listen}", timeout=STUCK) as client:
            found = await client.get("/metrics")
            assert (found.status_code, "keepsake_inbox_waiting 4.0" in found.text) == (200, True)
            assert (await client.get("/")).status_code == 404
            assert (await client.get("/metrics/../secret")).status_code == 404
            assert (await client.post("/metrics")).status_code == 405
        async with httpx.AsyncClient(base_url=f"http://{listen}", timeout=STUCK) as client:
            with pytest.raises(httpx.ConnectError):
                await client.get("/metrics")


async def test_whoever_asks_and_says_nothing_does_not_hold_up_the_end() -> None:
    port = free_port()
    async with asyncio.timeout(STUCK):
        async with serve(Metrics(), f"127.0.0.1:{port}"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
        with suppress(ConnectionError):  # the other side was first
            await writer.wait_closed()
    del reader


async def test_an_address_of_the_sixth_version_is_served_too() -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    listen = f"[::1]:{free_port()}"
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 here")
    async with serve(Metrics(), listen), httpx.AsyncClient(timeout=STUCK) as client:
        assert (await client.get(f"http://{listen}/metrics")).status_code == 200


async def test_a_port_that_is_taken_is_refused_with_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(SettingsError) as refused:
            async with serve(Metrics(), listen):
                pass

    assert str(refused.value) == f"KEEPSAKE_METRICS_LISTEN: I can't listen on {listen}: Address already in use."


@table("host", ["256.0.0.1", "no-such-host.invalid", "a" * 70])
async def test_a_host_that_is_not_here_is_refused_with_a_sentence(host: str) -> None:
    with pytest.raises(SettingsError, match=r"^KEEPSAKE_METRICS_LISTEN: I can't listen on .+: .+\.$"):
        async with serve(Metrics(), f"{host}:9464"):
            pass


async def test_without_an_address_nothing_is_served() -> None:
    before, port = listening(), free_port()
    async with serve(Metrics(), None):
        assert listening() == before
    async with serve(Metrics(), f"127.0.0.1:{port}"):
        assert listening() == before | {port}  # so one would have seen it


def listening() -> set[int]:
    """The ports on which this process listens."""
    lines = psutil.Process().net_connections("tcp")
    return {line.laddr.port for line in lines if line.status == psutil.CONN_LISTEN}
