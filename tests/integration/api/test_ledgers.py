"""Decisions, tasks, artifacts, handoffs and views, over HTTP."""

from base64 import b64encode
from typing import Any

import httpx
import pytest

from memory.model.tokens import estimate
from tests.bundles import build, say, section
from tests.daemon import Daemon
from tests.integration.api.conftest import AtOnce, Rows
from tests.tables import table

PAINT = {
    "decision": "Paint the boat green",
    "scope": "user",
    "rationale": ["Green is cheap"],
    "constraints": ["Before May"],
    "alternatives": ["Blue"],
    "consequences": ["It can be seen from afar"],
}


async def decide(client: httpx.AsyncClient, words: str, **given: Any) -> dict[str, Any]:
    answer = await client.post("decisions", json={"decision": words, **given})
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


# Decisions


async def test_a_decision_is_kept_with_all_its_grounds(owner: httpx.AsyncClient) -> None:
    said = await say(owner, "Green paint is on sale")
    told = (await owner.post("decisions", json={**PAINT, "refs": [said["event_id"]]})).json()

    assert {name: told[name] for name in PAINT} == PAINT
    assert (told["status"], told["refs"]) == ("active", [said["event_id"]])
    assert (told["supersedes"], told["superseded_by"]) == (None, None)


async def test_a_decision_that_supersedes_another_leads_back_to_it(owner: httpx.AsyncClient) -> None:
    first = await decide(owner, "Build with red bricks")
    second = await decide(owner, "Build with yellow bricks", supersedes=first["decision_id"])
    again = await owner.post("decisions", json={"decision": "Red after all", "supersedes": first["decision_id"]})
    nothing = await owner.post("decisions", json={"decision": "Red after all", "supersedes": "dec_" + "0" * 26})
    active = (await owner.get("decisions/query", params={"status": "active"})).json()
    before = (await owner.get("decisions/query", params={"status": "superseded"})).json()

    assert second["supersedes"] == first["decision_id"]
    assert (again.status_code, nothing.status_code) == (422, 404)
    assert [each["decision_id"] for each in active["decisions"]] == [second["decision_id"]]
    assert [each["superseded_by"] for each in before["decisions"]] == [second["decision_id"]]


async def test_of_two_that_supersede_the_same_decision_at_once_one_wins(
    owner: httpx.AsyncClient, at_once: AtOnce
) -> None:
    first = await decide(owner, "Build with red bricks")
    wishes = [{"decision": f"Bricks of colour {n}", "supersedes": first["decision_id"]} for n in range(6)]
    answers = await at_once(*(owner.post("decisions", json=wish) for wish in wishes))

    assert sorted(answer.status_code for answer in answers)[0] == 201
    assert [answer.status_code for answer in answers].count(201) == 1
    assert {answer.status_code for answer in answers} <= {201, 409, 422}


async def test_decisions_are_found_by_their_words_status_and_scope(owner: httpx.AsyncClient) -> None:
    for words, scope in (("Paint the boat green", "user"), ("Sell the car", "project"), ("Paint the house", "global")):
        await decide(owner, words, scope=scope)

    async def found(**asked: str) -> list[str]:
        return [each["decision"] for each in (await owner.get("decisions/query", params=asked)).json()["decisions"]]

    assert await found() == ["Paint the house", "Sell the car", "Paint the boat green"]
    assert await found(q="What was painted?") == ["Paint the house", "Paint the boat green"]
    assert await found(q="paint", scope="user") == ["Paint the boat green"]
    assert await found(status="superseded") == []
    assert await found(q="elephants") == []


async def test_pages_of_decisions_go_on_where_they_were_also_when_new_ones_come(owner: httpx.AsyncClient) -> None:
    for number in range(7):
        await decide(owner, f"Decision number {number}")
    first = (await owner.get("decisions/query", params={"limit": 3})).json()
    await decide(owner, "Decision in between")
    seen, cursor = list(first["decisions"]), first["next_cursor"]
    while cursor:
        page = (await owner.get("decisions/query", params={"limit": 3, "cursor": cursor})).json()
        seen, cursor = seen + page["decisions"], page["next_cursor"]

    assert first["total"] == 7
    assert [each["decision"] for each in seen] == [f"Decision number {number}" for number in reversed(range(7))]
    for nonsense in ("WyJhIl0=", first["next_cursor"][:-8], b64encode(b'["2026-01-01", "\\u0000"]').decode()):
        wrong = await owner.get("decisions/query", params={"cursor": nonsense})
        assert wrong.json()["errors"][0]["field"] == "cursor"


@pytest.mark.parametrize("words", ["", "decision"])
async def test_pages_of_decisions_skip_none_when_the_last_one_shown_is_gone_from_the_list(
    owner: httpx.AsyncClient, words: str
) -> None:
    made = [await decide(owner, f"Decision number {number}") for number in range(7)]
    asked: dict[str, Any] = {"q": words, "status": "active", "scope": "project", "limit": 3}
    first = (await owner.get("decisions/query", params=asked)).json()
    await owner.post("decisions", json={"decision": "Another", "scope": "user", "supersedes": made[4]["decision_id"]})
    second = (await owner.get("decisions/query", params={**asked, "cursor": first["next_cursor"]})).json()

    assert [each["decision"][-1] for each in first["decisions"]] == ["6", "5", "4"]
    assert [each["decision"][-1] for each in second["decisions"]][:3] == ["3", "2", "1"]


async def test_what_an_agent_decides_is_no_way_around_its_owners_no(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient, rows: Rows
) -> None:
    fact = {"content": "Ada never answers her phone", "category": "habit"}
    card = (await agent.post("memory", json=fact)).json()["proposal"]
    waiting = await agent.post("decisions", json={"decision": fact["content"]})
    await owner.post(f"proposals/{card['id']}/reject")
    event = {"session_id": "s1", "actor": {"type": "agent", "id": "helper"}, "kind": "decision"}
    ways = [
        await agent.post("decisions", json={"decision": fact["content"]}),
        await agent.post("decisions", json={"decision": "Be patient", "rationale": [fact["content"]]}),
        await agent.post("tasks", json={"title": fact["content"]}),
        await agent.post("tasks", json={"title": "Call", "details": fact["content"]}),
        await agent.post("events", json={**event, "content": {"decision": fact["content"]}}),
        await agent.post("events", json={**event, "kind": "task_update", "content": {"title": fact["content"]}}),
        await agent.post("handoffs", json={"to_agent": "b", "goal": "Call", "notes": fact["content"]}),
    ]
    own = await owner.post("decisions", json={"decision": fact["content"]})

    assert waiting.status_code == 422
    assert [answer.status_code for answer in ways] == [422] * 7
    assert own.status_code == 201
    assert rows("SELECT count(*) FROM decisions WHERE tenant_id = %(tenant)s") == [(1,)]
    assert rows("SELECT count(*) FROM handoffs WHERE tenant_id = %(tenant)s") == [(0,)]


# Tasks


async def test_a_task_is_opened_moved_on_and_done(owner: httpx.AsyncClient) -> None:
    opened = await owner.post("tasks", json={"title": "Book the ferry", "details": "Two berths", "due": "2026-12-01"})
    task = opened.json()
    moved = await owner.post("tasks", json={"task_id": task["task_id"], "status": "doing", "refs": ["evt_x"]})
    done = await owner.post("tasks", json={"task_id": task["task_id"], "status": "done"})

    assert (opened.status_code, moved.status_code, done.status_code) == (201, 200, 200)
    assert (task["status"], task["title"], task["details"], task["due"]) == (
        "open",
        "Book the ferry",
        "Two berths",
        "2026-12-01",
    )
    assert (moved.json()["status"], done.json()["status"]) == ("doing", "done")
    assert "evt_x" in moved.json()["refs"]


@table(
    ("wish", "status"),
    [
        ({}, 422),
        ({"title": ""}, 422),
        ({"title": "  "}, 422),
        ({"title": "x" * 201}, 422),
        ({"title": "x", "status": "dreaming"}, 422),
        ({"title": "x", "due": "soon"}, 422),
        ({"task_id": "tsk_none", "status": "done"}, 404),
        ({"task_id": "tsk_" + "0" * 26}, 422),
    ],
)
async def test_a_task_that_is_none_is_refused(owner: httpx.AsyncClient, wish: dict[str, Any], status: int) -> None:
    assert (await owner.post("tasks", json=wish)).status_code == status


# Artifacts


async def test_an_artifact_is_its_owners_alone(daemon: Daemon, owner: httpx.AsyncClient) -> None:
    output = "the log of the boat\n" * 4000
    sent = {"session_id": "s1", "actor": {"type": "tool", "id": "t"}, "kind": "tool_result"}
    told = (await owner.post("events", json={**sent, "content": {"output": output}})).json()
    path = f"artifacts/{told['artifact_id']}"
    async with await daemon.client(user="api:ben") as ben, await daemon.client(agent="a") as stranger:
        assert (await ben.get(path)).status_code == 404
        assert (await stranger.get(path)).status_code == 404
        assert (await stranger.get(path, params={"user_id": "ben"})).status_code == 404
    assert (await owner.get(path)).status_code == 200
    assert (await owner.get("artifacts/art_" + "0" * 26)).status_code == 404
    assert (await owner.get("artifacts/none")).status_code == 422


async def test_an_artifact_that_is_sensitive_is_sealed_and_not_for_other_agents(
    owner: httpx.AsyncClient, rows: Rows
) -> None:
    output = "I was diagnosed with diabetes in May.\n" + "the log of the boat\n" * 4000
    sent = {"session_id": "s1", "actor": {"type": "tool", "id": "t"}, "kind": "tool_result"}
    told = (await owner.post("events", json={**sent, "content": {"output": output}})).json()
    path = f"artifacts/{told['artifact_id']}"
    [[kept]] = rows("SELECT bytes FROM artifacts WHERE tenant_id = %(tenant)s")
    aloud = (await owner.post("events", json={**sent, "channel": "agent", "content": {"output": output}})).json()

    assert b"diabetes" not in kept
    assert (await owner.get(path)).json()["text"] == output
    assert (await owner.get(path, params={"channel": "agent"})).status_code == 404
    assert aloud["artifact_id"] is None


# Handoffs


async def test_a_handoff_is_short_and_holds_nothing_that_its_receiver_may_not_load(
    owner: httpx.AsyncClient, rows: Rows
) -> None:
    sick = await say(owner, "My sister Zelda has diabetes")
    said = await say(owner, "The hull is of oak")
    await decide(owner, "Paint the hull green", refs=[said["event_id"]])
    await decide(owner, "Buy insulin, because Zelda has diabetes", refs=[sick["event_id"]])
    for number in range(12):
        await owner.post("tasks", json={"title": f"Sand plank {number}", "details": "sand and sand " * 250})
    refs = [said["event_id"], sick["event_id"]]
    wish = {"agent_id": "a", "to_agent": "b", "goal": "Finish the boat", "notes": "By May", "refs": refs}
    answer = await owner.post("handoffs", json=wish)
    told = answer.json()

    assert answer.status_code == 201
    assert (told["from_agent"], told["to_agent"]) == ("a", "b")
    assert told["token_est"] <= 6000
    assert estimate(str(told["packet"])) <= 7000
    assert (told["packet"]["goal"], told["packet"]["refs"]) == ("Finish the boat", [said["event_id"]])
    assert told["packet"]["left_out"]["tasks"] > 0
    assert "Paint the hull green" in str(told["packet"])
    assert [word for word in ("Zelda", "diabetes", "insulin", sick["event_id"]) if word in answer.text] == []


@table(
    "wish",
    [
        {"to_agent": "b", "goal": "x"},
        {"agent_id": "a", "to_agent": "b", "goal": ""},
        {"agent_id": "a", "to_agent": "b", "goal": "  "},
        {"agent_id": "a", "to_agent": "", "goal": "x"},
        {"agent_id": "a", "to_agent": "x" * 65, "goal": "x"},
        {"agent_id": "a", "to_agent": "b", "goal": "I was diagnosed with diabetes"},
        {"agent_id": "a", "to_agent": "b", "goal": "x", "notes": "n" * 8001},
    ],
)
async def test_a_handoff_that_is_none_is_refused(owner: httpx.AsyncClient, wish: dict[str, Any]) -> None:
    assert (await owner.post("handoffs", json=wish)).status_code == 422


# Views


async def test_a_view_has_versions_and_tags(owner: httpx.AsyncClient, agent: httpx.AsyncClient) -> None:
    nothing = await owner.get("views/rules")
    first = await owner.put("views/rules", json={"content": "Answer in one sentence."})
    second = await owner.put("views/rules", json={"content": "Answer in two sentences."})
    read = await agent.get("views/rules")
    same = await agent.get("views/rules", headers={"If-None-Match": read.headers["etag"]})
    weak = await agent.get("views/rules", headers={"If-None-Match": f'"x", W/{read.headers["etag"]}'})
    back = await owner.put("views/rules", json={"content": ""})

    assert nothing.status_code == 404
    assert (first.json()["version"], second.json()["version"], read.json()["version"]) == (1, 2, 2)
    assert read.json()["content"] == "Answer in two sentences."
    assert first.headers["etag"] != second.headers["etag"] == read.headers["etag"]
    assert (same.status_code, same.content, weak.status_code) == (304, b"", 304)
    assert back.status_code == 200
    assert (await owner.put("views/rules", json={"content": "x"}, headers={"If-Match": "*"})).status_code == 412
    assert (await owner.get("views/rules")).status_code == 404
    assert (await owner.get("views/identity")).status_code == 404


async def test_the_tag_of_a_view_goes_with_words_that_are_forgotten(owner: httpx.AsyncClient) -> None:
    content = "Alec is my boss at TechCorp. Be brief."
    fact = {"content": "Alec is my boss at TechCorp", "category": "person", "subject": "Alec"}
    await owner.post("memory", json=fact)
    tag = (await owner.put("views/rules", json={"content": content})).headers["etag"]
    await owner.post("memory/forget", json={"subject": "Alec"})
    read = await owner.get("views/rules", headers={"If-None-Match": tag})

    assert (read.status_code, read.json()["version"]) == (200, 1)
    assert "TechCorp" not in read.text


async def test_of_two_who_change_a_view_at_once_exactly_one_wins(owner: httpx.AsyncClient, at_once: AtOnce) -> None:
    tag = (await owner.put("views/rules", json={"content": "Be kind."})).headers["etag"]
    wishes = [owner.put("views/rules", json={"content": f"Rule {n}"}, headers={"If-Match": tag}) for n in range(6)]
    answers = await at_once(*wishes, table="views")
    [won] = [answer for answer in answers if answer.status_code == 200]

    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 5
    assert (await owner.get("views/rules")).json() == won.json()
    assert won.json()["version"] == 2
    other = await owner.put("views/identity", json={"content": "A boat."}, headers={"If-Match": "*"})
    assert other.status_code == 412


@table(
    "wish",
    [{"content": "My password=hunter2-hunter3"}, {"content": "I was diagnosed with diabetes"}, {}, {"content": 7}],
)
async def test_a_view_holds_nothing_secret_or_sensitive(owner: httpx.AsyncClient, wish: dict[str, Any]) -> None:
    answer = await owner.put("views/rules", json=wish)

    assert answer.status_code == 422 or "hunter2" not in answer.text


async def test_views_stand_in_the_bundle(owner: httpx.AsyncClient) -> None:
    await owner.put("views/rules", json={"content": "Answer in one sentence."})
    await owner.put("views/identity", json={"content": "You are a harbour master."})
    bundle = await build(owner)

    assert "one sentence" in section(bundle, "rules")[0]["text"]
    assert "harbour master" in section(bundle, "identity")[0]["text"]
