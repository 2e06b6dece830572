"""What happened, over HTTP: every kind of event, made fit to keep, and told apart by whose word it is."""

import json
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from db.queries.people.people import choose_mode
from db.viewer import Viewer
from db.vocabulary import Mode
from memory.facts import facts, proposals
from tests.background_jobs import bench_for, fact, finds, heard
from tests.daemon import Daemon
from tests.integration.api.conftest import AtOnce, Rows
from tests.tables import table

SAID = "SELECT actor_type, actor_id, kind, sensitivity, tags, content, refs, seq, message_seq FROM events"
SAID += " WHERE tenant_id = %(tenant)s ORDER BY conversation_id, seq"


def event(kind: str = "message", **given: Any) -> dict[str, Any]:
    content = given.pop("content", {"text": "what this project for?"})
    return {"session_id": "s1", "actor": {"type": "human", "id": "user"}, "kind": kind, "content": content, **given}


def tool(kind: str, **content: Any) -> dict[str, Any]:
    return event(kind, actor={"type": "tool", "id": "fs"}, content=content)


async def test_an_event_is_kept_as_002_has_it(owner: httpx.AsyncClient, rows: Rows, daemon: Daemon) -> None:
    sent = event(
        tenant_id=daemon.tenant,
        channel="private",
        sensitivity="none",
        tags=["topic:onboarding", "repo:legacy"],
        refs=["evt_before"],
    )
    answer = await owner.post("events", json=sent)
    told = answer.json()
    [kept] = rows(SAID)
    chunks = rows("SELECT id, event_id, text FROM chunks WHERE tenant_id = %(tenant)s")

    assert answer.status_code == 201
    assert set(told) == {"event_id", "chunk_ids", "created_at", "redacted", "entered", "artifact_id"}
    assert told["event_id"].startswith("evt_")
    assert datetime.fromisoformat(told["created_at"]).utcoffset() == timedelta(0)
    assert [(told["chunk_ids"][0], told["event_id"], sent["content"]["text"])] == chunks
    assert kept[:6] == ("human", "api:ada", "message", "none", sent["tags"], sent["content"])
    assert kept[6:] == (["evt_before"], 0, 0)


async def test_every_kind_is_an_event_in_the_order_in_which_it_came(owner: httpx.AsyncClient, rows: Rows) -> None:
    sent = [
        event(),
        event("tool_call", actor={"type": "agent", "id": "a"}, content={"tool": "list_root", "arguments": {"n": 1}}),
        tool("tool_result", tool="fs.read_file", path="README.md", text="# A boat\nIt sails."),
        event("decision", actor={"type": "agent", "id": "a"}, content={"decision": "The project is a boat"}),
        event("task_update", actor={"type": "agent", "id": "a"}, content={"title": "Read the code"}),
        event("artifact", actor={"type": "agent", "id": "a"}, content={"name": "plan.md", "text": "Sail north."}),
        event(actor={"type": "agent", "id": "a"}, content={"text": "It is a boat."}),
    ]
    answers = [await owner.post("events", json=each) for each in sent]
    kept = rows(SAID)

    assert [answer.status_code for answer in answers] == [201] * 7
    assert [row[2] for row in kept] == [each["kind"] for each in sent]
    assert [row[7] for row in kept] == list(range(7))
    assert [row[8] for row in kept if row[2] == "message"] == [0, 1]
    assert [answer.json()["entered"] is not None for answer in answers] == [False] * 3 + [True, True, False, False]


async def test_the_result_of_a_tool_has_one_form(owner: httpx.AsyncClient, rows: Rows) -> None:
    sent = tool("tool_result", tool="fs.read_file", path="README.md", output="one\ntwo\n", line_range=[11, 99])
    answer = await owner.post("events", json=sent)
    [[content]] = rows("SELECT content FROM events WHERE tenant_id = %(tenant)s")

    assert answer.json()["artifact_id"] is None
    assert content == {
        "tool": "fs.read_file",
        "path": "README.md",
        "excerpt_text": "one\ntwo\n",
        "line_range": [11, 12],
        "truncated": False,
    }


@pytest.mark.parametrize("lines", [3_000, pytest.param(8_000, marks=pytest.mark.slow)])
async def test_a_long_result_is_an_excerpt_and_an_artifact_that_holds_all_of_it(
    owner: httpx.AsyncClient, rows: Rows, lines: int
) -> None:
    """The longer one is read in a process of its own."""
    output = "".join(f"line {number} of the log of the boat\n" for number in range(lines))
    told = (await owner.post("events", json=tool("tool_result", tool="tail", output=output))).json()
    [[content]] = rows("SELECT content FROM events WHERE tenant_id = %(tenant)s")
    artifact = (await owner.get(f"artifacts/{told['artifact_id']}")).json()

    assert content["truncated"] is True
    assert content["artifact_id"] == told["artifact_id"]
    assert len(content["excerpt_text"].encode()) <= 65_536
    assert output.startswith(content["excerpt_text"])
    assert content["line_range"] == [1, content["excerpt_text"].count("\n")]
    assert (artifact["text"], artifact["base64"], artifact["size"]) == (output, None, len(output))
    assert (artifact["kind"], artifact["refs"]) == ("tool_output", [told["event_id"]])


async def test_a_file_is_kept_once_and_can_be_had_again(owner: httpx.AsyncClient, rows: Rows) -> None:
    picture = bytes(range(256)) * 20
    sent = event(
        "artifact", content={"name": "boat.png", "caption": "A green boat", "base64": b64encode(picture).decode()}
    )
    first, second = [(await owner.post("events", json=sent)).json() for _ in range(2)]
    artifact = (await owner.get(f"artifacts/{first['artifact_id']}")).json()
    contents = [content for [content] in rows("SELECT content FROM events WHERE tenant_id = %(tenant)s")]

    assert first["artifact_id"] == second["artifact_id"]
    assert (artifact["base64"], artifact["text"]) == (b64encode(picture).decode(), None)
    assert artifact["meta"]["name"] == "boat.png"
    assert sorted(artifact["refs"]) == sorted([first["event_id"], second["event_id"]])
    assert contents[0]["size"] == len(picture)
    assert "base64" not in contents[0]
    assert first["chunk_ids"]


async def test_a_long_text_that_is_a_file_is_found_by_its_beginning_and_read_whole(owner: httpx.AsyncClient) -> None:
    text = "".join(f"Chapter {number}: the boat sails on.\n" for number in range(4_000))
    told = (await owner.post("events", json=event("artifact", content={"name": "book.txt", "text": text}))).json()

    assert (await owner.get(f"artifacts/{told['artifact_id']}")).json()["text"] == text
    assert 10 < len(told["chunk_ids"]) < 200


async def test_a_file_that_is_none_is_refused(owner: httpx.AsyncClient, rows: Rows) -> None:
    for wrong in ("no base64!", 7, None, ["x"]):
        answer = await owner.post("events", json=event("artifact", content={"base64": wrong}))
        assert answer.status_code == 422
    assert rows(SAID) == []


async def test_decisions_and_tasks_that_are_events_fill_the_ledgers(owner: httpx.AsyncClient) -> None:
    decided = await owner.post("events", json=event("decision", content={"decision": "Paint the boat green"}))
    opened = await owner.post("events", json=event("task_update", content={"title": "Buy paint"}))
    task_id = opened.json()["entered"]
    moved = await owner.post("events", json=event("task_update", content={"task_id": task_id, "status": "doing"}))
    found = (await owner.get("decisions/query", params={"q": "which colour has the boat?"})).json()
    bundle = (await owner.post("acb/build", json={"session_id": "s2"})).json()

    assert [each["decision_id"] for each in found["decisions"]] == [decided.json()["entered"]]
    assert moved.json()["entered"] == task_id
    assert "(doing) Buy paint" in str(bundle["sections"])


@table(
    ("kind", "content"),
    [
        ("decision", {"text": "no decision"}),
        ("decision", {"decision": "x", "scope": "world"}),
        ("decision", {"decision": "x", "supersedes": "dec_none"}),
        ("decision", {"decision": "x", "rationale": {"a": 1}}),
        ("task_update", {"status": "doing"}),
        ("task_update", {"task_id": "tsk_none", "status": "done"}),
        ("task_update", {"title": "x", "due": "tomorrow"}),
        ("message", {"words": "x"}),
        ("message", {"text": 7}),
        ("message", {"text": "x", "by": "ben"}),
        ("message", {"text": "x", "reply_to": {"text": "yes", "by": "ben"}}),
        ("message", {"text": "x", "sealed": "AAAA"}),
        ("tool_result", {"text": "x", "artifact_id": "art_" + "0" * 26}),
    ],
)
async def test_an_event_that_is_not_what_it_says_leaves_nothing(
    owner: httpx.AsyncClient, rows: Rows, kind: str, content: dict[str, Any]
) -> None:
    answer = await owner.post("events", json=event(kind, content=content))

    assert answer.status_code in {404, 422}
    assert rows(SAID) == []
    assert rows("SELECT 1 FROM decisions WHERE tenant_id = %(tenant)s") == []


@table(
    ("user", "given", "text", "kept"),
    [
        ("a", "none", "The boat is green", "none"),
        ("b", "low", "The boat is green", "low"),
        ("c", "high", "The boat is green", "high"),
        ("d", "none", "I was diagnosed with diabetes in May", "high"),
        ("e", "low", "I was diagnosed with diabetes in May", "high"),
    ],
)
async def test_what_is_given_as_sensitive_is_so_and_what_is_found_so_is_raised(
    daemon: Daemon, rows: Rows, user: str, given: str, text: str, kept: str
) -> None:
    async with await daemon.client(user=f"api:{user}") as owner:
        told = (await owner.post("events", json=event(sensitivity=given, content={"text": text}))).json()
        [row] = [row for row in rows(SAID) if row[1] == f"api:{user}"]

        assert row[3] == kept
        assert (text in json.dumps(row[5])) == (kept != "high")
        assert bool(told["chunk_ids"]) == (kept != "high")
        assert text in str((await owner.post("acb/build", json={"session_id": "s1"})).json())


async def test_a_secret_is_never_stored_also_not_on_request(owner: httpx.AsyncClient, rows: Rows) -> None:
    refused = await owner.post("events", json=event(sensitivity="secret"))
    cleaned = await owner.post(
        "events", json=event(content={"text": "my password=hunter2-hunter3, and ghp_" + "a1B2" * 9})
    )
    [row] = rows(SAID)

    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "sensitivity")
    assert sorted(cleaned.json()["redacted"]) == ["API key", "password"]
    assert row[5]["text"] == "my password=[password left out], and [API key left out]"


@table(
    ("given", "field"),
    [
        ({"tags": ["secondhand"]}, "tags"),
        ({"tags": ["telling"]}, "tags"),
        ({"tags": ["AKIAIOSFODNN7EXAMPLE"]}, "tags"),
        ({"tags": [""]}, "tags.0"),
        ({"tags": ["a\nb"]}, "tags.0"),
        ({"tags": ["x"] * 51}, "tags"),
        ({"refs": ["ghp_" + "a1B2c3D4e5" * 4]}, "refs"),
        ({"refs": ["x" * 65]}, "refs.0"),
        ({"actor": {"type": "tool", "id": "AKIAIOSFODNN7EXAMPLE"}}, "actor.id"),
        ({"actor": {"type": "robot", "id": "r"}}, "actor.type"),
        ({"kind": "dream"}, "kind"),
        ({"channel": "secret"}, "channel"),
        ({"session_id": ""}, "session_id"),
        ({"session_id": "a b"}, "session_id"),
        ({"content": {"text": "x" * 100_001}}, "content"),
        ({"content": {"text": "x", "y" * 100_001: 1}}, "content"),
        ({"kind": "artifact", "content": {"name": "x", "description": "x" * 100_001}}, "content"),
        ({"kind": "tool_result", "content": {"text": "x", "args": ["x" * 100_001]}}, "content"),
        ({"mood": "good"}, "mood"),
        ({"agent_id": "ghp_" + "a1B2c3D4e5" * 4}, "agent_id"),
    ],
)
async def test_a_field_that_is_wrong_is_named(
    owner: httpx.AsyncClient, rows: Rows, given: dict[str, Any], field: str
) -> None:
    answer = await owner.post("events", json={**event(), **given})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field
    assert rows(SAID) == []


async def test_what_an_agent_reports_is_secondhand_and_what_the_owner_says_is_not(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient, rows: Rows
) -> None:
    said = {"text": "My name is Ada and I live in Oslo"}
    await owner.post("events", json=event(content=said))
    await agent.post("events", json=event(content=said))
    ours, theirs = rows(SAID)

    assert "secondhand" not in ours[4]
    assert "telling" in ours[4]
    assert {"secondhand", "telling"} <= set(theirs[4])
    assert ours[1] == theirs[1] == "api:ada"


async def test_what_another_person_said_is_theirs_and_tells_nothing_of_the_owner(
    owner: httpx.AsyncClient, rows: Rows
) -> None:
    told = {"type": "human", "id": "ben"}
    await owner.post("events", json=event(actor=told, content={"text": "My name is Ben and I live in Oslo"}))
    [row] = rows(SAID)

    assert row[1] == "ben"
    assert row[5]["forwarded_from"] == "ben"
    assert "telling" not in row[4]


async def test_in_mode_auto_the_owners_words_are_kept_an_agents_report_is_asked_and_anothers_are_neither(
    daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    ada = Viewer.in_private(daemon.tenant, "api:ada")
    async with daemon.memory.unit(ada) as unit:
        await choose_mode(unit.session, ada, Mode.AUTO)
    await owner.post("events", json=event(content={"text": "I have been vegan since 2019"}))
    await agent.post("events", json=event(content={"text": "My sister is called Marta"}))
    await owner.post(
        "events", json=event(actor={"type": "human", "id": "ben"}, content={"text": "I am allergic to nuts"})
    )
    async with bench_for(daemon.memory, ada) as bench:
        bench.now = datetime.now(UTC) + timedelta(minutes=5)
        found = [fact(0, "I have been vegan since 2019"), fact(1, "My sister is called Marta")]
        await bench.extract(finds(*found, fact(2, "I am allergic to nuts")))
        asked = [said for request in bench.model.requests for said in heard(request)]
        async with daemon.memory.unit(ada) as unit:
            kept = [row.words for row in await facts.own_facts(unit)]
            cards = [card.row.content for card in await proposals.waiting_cards(unit)]

    assert asked
    assert (kept, cards) == (["I have been vegan since 2019"], ["My sister is called Marta"])


async def test_the_owner_is_meant_by_any_of_their_names(owner: httpx.AsyncClient, rows: Rows) -> None:
    for named in ("user", "ada", "api:ada"):
        await owner.post("events", json=event(actor={"type": "human", "id": named}))

    assert [row[1] for row in rows(SAID)] == ["api:ada"] * 3
    assert not [row for row in rows(SAID) if "forwarded_from" in row[5]]


async def test_sessions_of_one_name_are_apart_by_user_space_and_channel(daemon: Daemon, rows: Rows) -> None:
    async with await daemon.client() as backend:
        for user in ("ada", "ben"):
            for channel in ("private", "agent"):
                await backend.post("events", json=event(user_id=user, channel=channel))

    found = rows("SELECT conversation_id, seq FROM events WHERE tenant_id = %(tenant)s")
    assert len({conversation for conversation, _ in found}) == 4
    assert {seq for _, seq in found} == {0}


async def test_ten_who_begin_the_same_session_at_once_are_in_one(daemon: Daemon, rows: Rows, at_once: AtOnce) -> None:
    async with await daemon.client() as backend:
        sent = [backend.post("events", json=event(user_id="new", agent_id=f"a{number}")) for number in range(10)]
        answers = await at_once(*sent)

    assert [answer.status_code for answer in answers] == [201] * 10
    assert sorted(row[7] for row in rows(SAID)) == list(range(10))
    assert len(rows("SELECT 1 FROM conversations WHERE tenant_id = %(tenant)s")) == 1
    assert len(rows("SELECT 1 FROM users WHERE tenant_id = %(tenant)s")) == 1
