"""The scenarios of 002 that an agent from outside plays, through the API alone."""

import json
import logging
from base64 import b64encode
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from db.viewer import Viewer
from memory.privacy.export import export_data
from tests.bundles import build, say, section
from tests.daemon import Daemon
from tests.integration.api.conftest import Rows
from tests.leaks import SECRETS, TELLING, every_table

IDS_DIFFER = 8  # tokens: another id of the same length may cost a little more
# Secrets by the name of their field alone.
NAMED = ("Tr0ub4dor&3xyz", "correct horse battery", "kestrelkestrel", "hunter2-hunter3", "4111111111111111")


@pytest.fixture
async def coder(daemon: Daemon) -> AsyncIterator[httpx.AsyncClient]:
    """An agent that works for itself."""
    async with await daemon.client(agent="agentA") as client:
        yield client


async def step(client: httpx.AsyncClient, kind: str, actor: str, **content: Any) -> dict[str, Any]:
    told = {"type": actor, "id": "agentA" if actor == "agent" else "fs"}
    answer = await client.post("events", json={"session_id": "s1", "actor": told, "kind": kind, "content": content})
    assert answer.status_code == 201, answer.text
    given: dict[str, Any] = answer.json()
    return given


async def test_a1_onboarding(coder: httpx.AsyncClient, rows: Rows) -> None:
    files = {
        "README.md": "# Tidewatch\nTidewatch warns harbours of the tide.\n" + "It listens to buoys.\n" * 500,
        "package.json": '{"name": "tidewatch", "main": "src/index.js"}',
    }
    await say(coder, "what this project for?", actor={"type": "human", "id": "user"})
    await step(coder, "tool_call", "agent", tool="list_root", arguments={})
    await step(coder, "tool_result", "tool", tool="list_root", text="README.md\npackage.json\nsrc/")
    for path, words in files.items():
        await step(coder, "tool_call", "agent", tool="read_file", arguments={"path": path})
        await step(coder, "tool_result", "tool", tool="read_file", path=path, text=words)
    bundle = await build(coder, agent_id="agentA", query_text="What is the project Tidewatch for? It warns of what?")
    evidence = section(bundle, "retrieved_evidence")
    cited = [ref for item in evidence for ref in item["refs"] if ref.startswith("chk_")]
    decided = await coder.post("decisions", json={"decision": "Tidewatch warns harbours, v0.1", "refs": cited[:3]})
    chunks = {id for [id] in rows("SELECT id FROM chunks WHERE tenant_id = %(tenant)s")}
    kinds = [kind for [kind] in rows("SELECT kind FROM events WHERE tenant_id = %(tenant)s ORDER BY ts, seq")]

    assert kinds == ["message", *["tool_call", "tool_result"] * 3, "decision"]
    assert bundle["token_used_est"] <= 65_000
    assert sum(each["token_est"] for each in bundle["sections"] if each["name"] == "retrieved_evidence") <= 28_000
    assert "warns harbours of the tide" in str(evidence)
    assert decided.json()["refs"]
    assert set(decided.json()["refs"]) <= chunks & set(cited)


async def test_a3_supersession(coder: httpx.AsyncClient) -> None:
    cheap, sold = await say(coder, "Red bricks are cheap"), await say(coder, "Red bricks are sold out")
    a = (await coder.post("decisions", json={"decision": "Build with red bricks", "refs": [cheap["event_id"]]})).json()
    wish = {"decision": "Build with yellow bricks", "refs": [sold["event_id"]], "supersedes": a["decision_id"]}
    b = (await coder.post("decisions", json=wish)).json()
    bundle = await build(coder, session_id="s2", query_text="Which bricks do we build with?")
    ledger = section(bundle, "decision_ledger")
    found = (await coder.get("decisions/query", params={"q": "bricks"})).json()["decisions"]
    loop = await coder.post("decisions", json={"decision": "Red again", "supersedes": a["decision_id"]})

    assert [item["decision_id"] for item in ledger] == [b["decision_id"]]
    assert {row["decision_id"]: (row["status"], row["refs"]) for row in found} == {
        a["decision_id"]: ("superseded", [cheap["event_id"]]),
        b["decision_id"]: ("active", [sold["event_id"]]),
    }
    assert loop.status_code == 422


async def test_a5_task_continuity(coder: httpx.AsyncClient) -> None:
    task = (await coder.post("tasks", json={"title": "Book the ferry", "session_id": "s1"})).json()

    async def state(session: str) -> str:
        return str(section(await build(coder, session_id=session), "task_state"))

    opened = await state("s2")
    await coder.post("tasks", json={"task_id": task["task_id"], "status": "doing", "session_id": "s2"})
    doing = await state("s3")
    await coder.post("tasks", json={"task_id": task["task_id"], "status": "done", "session_id": "s3"})

    assert "(open) Book the ferry" in opened
    assert "(doing) Book the ferry" in doing
    assert await state("s4") == "[]"


async def test_a6_handoff(daemon: Daemon) -> None:
    async with await daemon.client() as backend:
        who = {"user_id": "ada"}
        said = await say(backend, "The hull is of oak", **who)
        await say(backend, "My sister Zelda has diabetes", **who)
        await backend.post("decisions", json={"decision": "Paint the hull green", "refs": [said["event_id"]], **who})
        wish = {"agent_id": "agentA", "to_agent": "agentB", "goal": "Finish the boat", "refs": [said["event_id"]]}
        packet = (await backend.post("handoffs", json={**wish, **who})).json()
        asked = {"session_id": "b", "agent_id": "agentB", "channel": "agent", "intent": "handoff"}
        received = await build(backend, **asked, **who)
        others = [await build(backend, **{**asked, "agent_id": name}, **who) for name in ("agentA", "agentC")]
    [item] = section(received, "handoff_packet")

    assert item["refs"][0] == packet["handoff_id"]
    assert said["event_id"] in item["refs"]
    assert "Finish the boat" in item["text"]
    assert "Paint the hull green" in item["text"]
    assert packet["token_est"] <= 6_000
    assert [word for word in ("Zelda", "diabetes") if word in json.dumps(received)] == []
    assert [section(other, "handoff_packet") for other in others] == [[], []]


async def test_a7_public_suppression(owner: httpx.AsyncClient) -> None:
    await say(owner, "I live in Berlin by the pond")
    await say(owner, "The pond opens in May", channel="public")
    await owner.post("memory", json={"content": "I like the pond", "category": "preference"})
    await owner.post("memory", json={"content": "The pond made me sick: I have asthma", "category": "other"})
    await owner.post("decisions", json={"decision": "The pond stays, said in private"})
    await owner.post("decisions", json={"decision": "The pond stays, said in public", "channel": "public"})
    bundle = await build(owner, session_id="p", channel="public", query_text="Tell me about the pond")
    told = json.dumps(bundle)

    assert [word for word in ("Berlin", "I like", "asthma", "in private") if word in told] == []
    assert "The pond opens in May" in told
    assert "said in public" in told
    assert bundle["provenance"]["filters"]["sensitivity_allowed"] == ["none"]
    assert bundle["provenance"]["filters"]["channel"] == "public"


@pytest.mark.slow
async def test_a8_secrets(
    daemon: Daemon, owner: httpx.AsyncClient, superuser_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert len(SECRETS) == 12
    letter = "\n".join(f"The {name} secret of the lighthouse: {secret} ." for name, secret in SECRETS.items())
    filled = "".join(f"line {number} of the lighthouse\n" for number in range(2_600))
    answers = [
        await owner.post("events", json=sent)
        for sent in (
            _event("message", text=letter),
            _event("message", text="see below", caption=letter, more={"deep": [letter]}),
            _event("tool_call", tool="curl", arguments={"header": letter, letter: 1}),
            _event("tool_result", tool="cat", path=SECRETS["github"], output=f"{letter}\n{filled}{letter}"),
            _event("decision", decision=f"Keep {SECRETS['aws']} in the lighthouse", rationale=[letter[:900]]),
            _event("task_update", title=f"Rotate {SECRETS['stripe']} of the lighthouse", details=letter),
            _event("artifact", name=f"{SECRETS['jwt']}.txt", text=f"{filled}{letter}"),
            _event("artifact", name="lighthouse.txt", base64=b64encode(letter.encode()).decode()),
            _event("tool_call", tool="login", args={"password": NAMED[0], "card": 4111111111111111}),
            _event("tool_result", tool="env", env={"DB_PASSWORD": NAMED[1]}, output={"secret_key": NAMED[2]}),
            _event("artifact", name="key.txt", password=NAMED[3], base64=b64encode(b"the lighthouse").decode()),
            _event("artifact", name="blob", base64=b64encode(b"\xff\xfe" + letter.encode("utf-16-le")).decode()),
        )
    ]
    refused = answers.pop()
    answers += [
        await owner.post("decisions", json={"decision": letter[:900]}),
        await owner.post("tasks", json={"title": "Lighthouse", "details": letter}),
        await owner.post("handoffs", json={"agent_id": "a", "to_agent": "b", "goal": "lighthouse", "notes": letter}),
        await owner.put("views/rules", json={"content": letter}),
        await owner.post("memory", json={"content": f"key {SECRETS['aws']}", "category": "other"}),
        await owner.put("memory", json={"occupation": f"keeper of {SECRETS['github']}", "interests": [letter[:400]]}),
        await owner.post("acb/build", json={"session_id": "s1", "query_text": f"lighthouse {SECRETS['openai']}"}),
        await owner.post("acb/build", json={"session_id": "s1", "query_text": letter[:2000]}),
        await owner.get("memory"),
        await owner.get("decisions/query", params={"q": "lighthouse"}),
    ]
    kept = [each.json()["artifact_id"] for each in answers[:11]]
    answers += [await owner.get(f"artifacts/{artifact}") for artifact in kept if artifact]
    async with daemon.memory.unit(Viewer.in_private(daemon.tenant, "api:ada")) as unit:
        exported = json.dumps(await export_data(unit), ensure_ascii=False, default=str)
    places = {f"answer {number}": answer.text for number, answer in enumerate(answers)}
    places |= {"log": caplog.text, "export": exported, "refusal": refused.text}
    places |= {f"table {name}": held for name, held in every_table(superuser_url)}

    assert refused.status_code == 422
    assert [answer.status_code for answer in answers[:11]] == [201] * 11
    assert "lighthouse" in places["table events"]
    assert "lighthouse" in places["table artifacts"]
    assert {
        (place, secret) for place, held in places.items() for secret in (*TELLING, *NAMED) if _stands(secret, held)
    } == set()


def _stands(secret: str, held: str) -> bool:
    return secret in held or json.dumps(secret)[1:-1] in held or b64encode(secret.encode()).decode()[:-4] in held


def _event(kind: str, **content: Any) -> dict[str, Any]:
    actor = {"type": "human", "id": "user"} if kind == "message" else {"type": "tool", "id": "cat"}
    return {"session_id": "s1", "actor": actor, "kind": kind, "content": content}


async def test_a12_dedupe(coder: httpx.AsyncClient) -> None:
    words, asked = "The boathouse key hangs behind the third oar", {"query_text": "Where is the boathouse key?"}
    await say(coder, words, session="log")
    await say(coder, "The oar is new", session="log")
    once = await build(coder, session_id="now", **asked)
    for _ in range(19):
        await say(coder, words, session="log")
    often = await build(coder, session_id="now", **asked)

    assert json.dumps(once["sections"]).count(words) == 1
    assert json.dumps(often["sections"]).count(words) == 1
    assert often["token_used_est"] <= once["token_used_est"] + IDS_DIFFER
    assert [len(each["candidates"]) for each in often["omissions"] if each["reason"].startswith("said_before")] == [19]
