"""The daemon says whether it is well, to anybody."""

from pathlib import Path

from tests.daemon import Daemon, running


async def test_health_and_metrics_need_no_key(daemon: Daemon) -> None:
    async with daemon.client_with(None) as anybody:
        health, metrics = await anybody.get("healthz"), await anybody.get("metrics")

    assert health.json() == {"status": "ok", "database": "ok"}
    assert "keepsake_turns_total" in metrics.text


async def test_requests_are_counted_by_their_operation_and_never_by_an_id(
    app_url: str, tenant: str, tmp_path: Path
) -> None:
    async with running(app_url, tenant, tmp_path) as daemon, await daemon.client(user="api:ada") as client:
        await client.get("memory")
        await client.get("memory/aaaaaaaa")
        await client.get("nothing/aaaaaaaa")
        told = (await client.get("metrics")).text

    assert 'keepsake_requests_total{operation="list_memory",status="200"} 1.0' in told
    assert 'keepsake_requests_total{operation="get_memory",status="404"} 1.0' in told
    assert 'keepsake_requests_total{operation="nowhere",status="404"} 1.0' in told
    assert "aaaaaaaa" not in told


async def test_an_address_that_is_none_is_a_problem_with_a_name(daemon: Daemon) -> None:
    async with daemon.client_with(None) as anybody:
        answer = await anybody.get("nothing")

    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.json()["title"] == "Not Found"
