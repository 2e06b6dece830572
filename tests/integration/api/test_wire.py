"""Bytes that no client would send: each is answered as a problem, none as a fault, and the daemon goes on."""

import asyncio
import json
import re
from typing import Any

import pytest

from tests.daemon import Daemon
from tests.raw_http import exchanged, spelled
from tests.tables import table
from tests.waiting import eventually_async

HERE = "/api/v1/"
EVENT: dict[str, Any] = {
    "session_id": "s1",
    "actor": {"type": "human", "id": "user"},
    "kind": "message",
    "content": {"text": "The boat is called Rex"},
}
CALL = b'{"session_id":"s1","actor":{"type":"agent","id":"x"},"kind":"tool_call","content":{"a":%s}}'


@pytest.fixture
async def key(daemon: Daemon) -> str:
    return await daemon.key(user="api:ada")


@table(
    ("body", "status", "field"),
    [
        (b"", 422, "body"),
        (b"[]", 422, "body"),
        (b"null", 422, "body"),
        (b"{", 422, "body"),
        (b'{"a":"\xff\xfe"}', 422, "body"),
        (b'{"\\ud800":1}', 422, "body"),
        (b'{"session_id":"\\ud800"}', 422, "session_id"),
        (b'{"' + b"x" * 5000 + b'":1}', 422, "session_id"),
        (CALL % (b"[" * 63 + b"]" * 63), 201, ""),
        (CALL % (b"[" * 64 + b"]" * 64), 422, "content"),
        (CALL % (b"[" * 900 + b"]" * 900), 422, "content"),
        (CALL % (b"[" * 100_000 + b"]" * 100_000), 422, "body"),
        (CALL % (b'{"a":' * 50_000 + b"1" + b"}" * 50_000), 422, "body"),
        (CALL % (b"9" * 5000), 422, "body"),
        (CALL % (b"9" * 4000), 201, ""),
        (CALL % b"[1e400,NaN,-Infinity,1e-400]", 201, ""),
        (CALL % b'"\\ud800 \\u0000 \\udfff"', 201, ""),
        (CALL % b'{"\\ud800":{"\\u0000":1}}', 201, ""),
    ],
)
async def test_a_body_that_is_hostile_is_a_problem_that_names_where(
    daemon: Daemon, key: str, body: bytes, status: int, field: str
) -> None:
    answer = await exchanged(daemon.url, spelled("POST", HERE + "events", body, key=key))

    assert answer.status == status
    if field:
        assert field in [each["field"] for each in answer.body["errors"]]
        assert all(len(each["field"]) <= 100 for each in answer.body["errors"])


@table("kind", [None, "text/plain", "application/xml", "multipart/form-data", "\xff;=;"])
async def test_what_is_no_json_is_told_what_is(daemon: Daemon, key: str, kind: str | None) -> None:
    body = json.dumps(EVENT).encode()

    answer = await exchanged(daemon.url, spelled("POST", HERE + "events", body, key=key, Content_Type=kind))

    assert (answer.status, answer.headers["content-type"]) == (415, "application/problem+json")


@table("method", ["HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"])
async def test_a_method_that_is_none_is_405_and_says_which_are(daemon: Daemon, key: str, method: str) -> None:
    answer = await exchanged(daemon.url, spelled(method, HERE + "memory", key=key))

    assert answer.status == 405
    assert {each.strip() for each in answer.headers["allow"].split(",")} == {"GET", "POST", "PUT", "DELETE"}


async def test_forget_is_no_id_of_a_fact(daemon: Daemon, key: str) -> None:
    for method in ("GET", "PUT", "DELETE"):
        answer = await exchanged(daemon.url, spelled(method, HERE + "memory/forget?x=1", b"{}", key=key))
        assert (answer.status, answer.headers["allow"]) == (405, "POST")


@table(
    ("path", "status"),
    [
        ("memory/%00%00%00%00%00%00%00%00", 422),
        ("memory/%ff%fe1234ab", 422),
        ("memory/aaaaaaaa%0a", 422),
        ("memory/..%2f..%2fhealthz", 404),
        ("memory/../memory", 404),
        ("spaces/%00/facts", 422),
        ("spaces/a%2fb/facts", 404),
        ("spaces/x%0d%0aX-Evil:1/facts", 422),
        ("artifacts/art_%2e%2e", 422),
        ("views/%00", 422),
        ("memory/", 404),
        ("/memory", 404),
        ("memory;v=1", 404),
        ("memory?limit=" + "9" * 5000, 422),
        ("memory?cursor=WyJcdWQ4MDAiXQ==", 200),
        ("memory?cursor=" + "W1tb" * 200, 422),
        ("memory?user_id=%00", 403),
        ("decisions/query?q=%ff%00%fe", 200),
        ("memory?user_id=ada&user_id=ben", 422),
        ("memory?usr_id=ben", 422),
        ("memory?%ff%00=1", 422),
        ("memory?limit=1&limit=1", 422),
    ],
)
async def test_an_address_that_is_hostile_leads_nowhere(daemon: Daemon, key: str, path: str, status: int) -> None:
    answer = await exchanged(daemon.url, spelled("GET", HERE + path, key=key))

    assert answer.status == status
    assert "location" not in answer.headers
    assert "x-evil" not in answer.headers


@table(
    "headers",
    [
        {"Authorization": b"Bearer \xff\xfe"},
        {"Authorization": "Bearer " + "x" * 20_000},
        {"Authorization": "Bearer ks.home.\t"},
        {"Host": ""},
        {"Host": "[::1"},
        {"Host": "a b/c?d#e@f:99999999"},
        {"If_None_Match": b"\xff\xfe"},
        {"Idempotency_Key": b"\xff"},
        {"Upgrade": "websocket", "Connection": "Upgrade, close"},
    ],
)
async def test_a_header_that_is_hostile_breaks_nothing(daemon: Daemon, key: str, headers: dict[str, Any]) -> None:
    answer = await exchanged(daemon.url, spelled("GET", HERE + "memory", key=key, **headers))

    assert answer.status in {200, 401}


@table(
    "data",
    [
        b"\x16\x03\x01\x02\x00" * 10 + b"\r\n\r\n",
        b"GET /\r\n\r\n",
        b"POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}",
        b"POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n{}",
        b"GET /api/v1/memory/\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /api/v1/memory HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    ],
)
async def test_what_is_no_http_ends_the_line(daemon: Daemon, data: bytes) -> None:
    assert (await exchanged(daemon.url, data)).status in {400, 0}
    assert (await exchanged(daemon.url, spelled("GET", "/healthz"))).status == 200


async def test_whoever_has_no_key_is_told_before_their_body_is_read(daemon: Daemon) -> None:
    half = spelled("POST", HERE + "events", b"{", Content_Length="4000000")
    waits = spelled("POST", HERE + "events", Content_Length="100", Expect="100-continue")

    assert (await exchanged(daemon.url, half)).status == 401
    assert (await exchanged(daemon.url, waits)).statuses == [401]


async def test_a_client_that_breaks_off_in_the_middle_leaves_nothing(daemon: Daemon, key: str) -> None:
    whole = spelled("POST", HERE + "events", json.dumps(EVENT).encode(), key=key)
    place = daemon.url.rpartition(":")[2]
    before = await recorded(daemon)
    for _ in range(5):
        _, writer = await asyncio.open_connection("127.0.0.1", int(place))
        writer.write(whole[:-5])
        await writer.drain()
        writer.close()

    async def are_over() -> bool:
        return await recorded(daemon) == before + 5

    await eventually_async(are_over)
    bundle = spelled("POST", HERE + "acb/build", b'{"session_id":"s1"}', key=key)

    assert "Rex" not in str((await exchanged(daemon.url, bundle)).body)


async def recorded(daemon: Daemon) -> float:
    """How many calls to record an event are over, whatever came of them."""
    told = (await exchanged(daemon.url, spelled("GET", "/metrics"))).data.decode()
    return sum(map(float, re.findall(r'keepsake_requests_total\{operation="record_event",\S+\} (\S+)', told)))


async def test_requests_that_come_before_the_answers_are_answered_in_their_order(daemon: Daemon, key: str) -> None:
    first = spelled("GET", HERE + "memory", key=key, Connection="keep-alive")
    none = spelled("GET", HERE + "nothing", key=key, Connection="keep-alive")
    last = spelled("GET", "/healthz")

    assert (await exchanged(daemon.url, first + none + first + last)).statuses == [200, 404, 200, 200]


async def test_a_body_in_many_small_parts_is_one_body(daemon: Daemon, key: str) -> None:
    whole = spelled("POST", HERE + "events", json.dumps(EVENT).encode(), key=key)
    parts = [whole[start : start + 40] for start in range(0, len(whole), 40)]

    assert (await exchanged(daemon.url, *parts, pause=0.01)).status == 201


async def test_a_body_that_is_much_too_long_is_answered_and_the_line_not_just_cut(daemon: Daemon, key: str) -> None:
    long = spelled("POST", HERE + "events", b" " * 6_000_000, key=key)

    assert (await exchanged(daemon.url, long)).status == 413
    assert (await exchanged(daemon.url, spelled("POST", HERE + "events", b" " * 6_000_000))).status == 413


async def test_every_answer_is_kept_by_nobody_on_the_way_and_is_what_it_says(daemon: Daemon, key: str) -> None:
    for path in ("memory", "proposals", "nothing", "healthz", "decisions/query"):
        headers = (await exchanged(daemon.url, spelled("GET", HERE + path, key=key))).headers
        assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")
        assert "server" not in headers


async def test_the_same_write_by_another_name_of_the_host_is_the_same_write(daemon: Daemon, key: str) -> None:
    body = json.dumps(EVENT).encode()
    answers = [
        await exchanged(daemon.url, spelled("POST", HERE + "events", body, key=key, Host=host, Idempotency_Key="one"))
        for host in ("keepsake.example", "10.0.0.7:8080")
    ]

    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0].body == answers[1].body
