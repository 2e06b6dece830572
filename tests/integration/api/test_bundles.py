"""The bundle of 002, field by field; how it was made is kept, so that it can be made again and explain a reply."""

from typing import Any

import httpx
import pytest

from db.viewer import Viewer
from memory.context.provenance import sources_of_reply
from memory.context.replay import replay
from memory.people.sessions import conversation_of
from memory.privacy.forgetting.forget import ForgetRequest, forget
from tests.bundles import ASKED, build, say, section
from tests.daemon import Daemon
from tests.integration.api.conftest import Rows
from tests.tables import table

SECTIONS = (
    "identity",
    "rules",
    "task_state",
    "decision_ledger",
    "handoff_packet",
    "retrieved_evidence",
    "recent_window",
)


async def full_house(owner: httpx.AsyncClient) -> dict[str, Any]:
    """Something for every section; gives the answer to the message that holds the evidence."""
    told = await say(owner, "The harbour crane lifts boats in spring", session="earlier")
    await say(owner, "Hello there")
    await owner.put("views/identity", json={"content": "You are a harbour master."})
    await owner.put("views/rules", json={"content": "Answer in one sentence."})
    await owner.post("decisions", json={"decision": "The harbour crane is painted yellow", "refs": [told["event_id"]]})
    await owner.post("tasks", json={"title": "Grease the harbour crane"})
    await owner.post("handoffs", json={"agent_id": "agentB", "to_agent": "agentA", "goal": "Look after the crane"})
    await owner.post("memory", json={"content": "The harbour is in Oslo", "category": "context"})
    return told


async def test_a_bundle_has_every_field_of_002(owner: httpx.AsyncClient) -> None:
    told = await full_house(owner)
    bundle = await build(owner, intent="default")

    assert set(bundle) == {"acb_id", "budget_tokens", "token_used_est", "sections", "omissions", "provenance"}
    assert bundle["acb_id"].startswith("acb_")
    assert bundle["budget_tokens"] == 65000
    assert bundle["token_used_est"] == sum(each["token_est"] for each in bundle["sections"]) <= 65000
    assert {each["name"] for each in bundle["sections"]} >= set(SECTIONS)
    for each in bundle["sections"]:
        assert set(each) == {"name", "items", "token_est"}
        for item in each["items"]:
            assert set(item) == {"type", "text", "refs", "decision_id"}
            assert item["text"]
            assert item["refs"]
    [evidence] = [each for each in section(bundle, "retrieved_evidence") if "lifts boats" in each["text"]]
    assert evidence["type"] == "text"
    assert evidence["refs"] == [told["chunk_ids"][0], told["event_id"]]
    [decision] = section(bundle, "decision_ledger")
    assert (decision["type"], decision["decision_id"]) == ("decision", decision["refs"][0])
    assert told["event_id"] in decision["refs"]
    [message] = section(bundle, "recent_window")
    assert message["text"] == "User: Hello there"
    assert [item["refs"][0] for item in section(bundle, "rules")] == ["view:rules.user@1"]


async def test_the_provenance_tells_how_it_came_about(owner: httpx.AsyncClient) -> None:
    await full_house(owner)
    provenance = (await build(owner))["provenance"]

    assert provenance["intent"] == "repo_onboarding"
    assert "crane" in provenance["query_terms"]
    assert 0 < provenance["candidate_pool_size"] <= 2000
    assert provenance["scored"] <= 200
    assert provenance["filters"]["sensitivity_allowed"] == ["high", "low", "none"]
    assert {name: provenance["scoring"][name] for name in ("alpha", "beta", "gamma")} == {
        "alpha": 0.7,
        "beta": 0.2,
        "gamma": 0.1,
    }


async def test_the_weights_of_the_scoring_are_those_of_002_unless_an_intent_says_otherwise(
    owner: httpx.AsyncClient,
) -> None:
    scoring = (await build(owner, intent="default"))["provenance"]["scoring"]

    assert (scoring["alpha"], scoring["beta"], scoring["gamma"]) == (0.6, 0.3, 0.1)


async def test_what_needs_no_recall_is_not_searched_for(owner: httpx.AsyncClient) -> None:
    bundle = await build(owner, query_text="Thanks!")

    assert bundle["provenance"]["recall"]["how"] == "not asked"


@pytest.mark.slow
async def test_what_does_not_fit_is_left_out_and_named(owner: httpx.AsyncClient) -> None:
    for number in range(8):
        await say(
            owner, f"Harbour crane, part {number}. " + f"The harbour crane turns {number} ways. " * 300, session="log"
        )
    small = await build(owner, max_tokens=4000)
    large = await build(owner)

    assert small["budget_tokens"] == 4000
    assert small["token_used_est"] <= 4000
    assert {each["reason"] for each in small["omissions"]}
    assert all(each["candidates"] for each in small["omissions"])
    assert large["token_used_est"] <= 65000
    assert sum(item["token_est"] for item in large["sections"] if item["name"] == "retrieved_evidence") <= 28000


@pytest.mark.slow
async def test_an_excerpt_says_where_the_rest_is(owner: httpx.AsyncClient) -> None:
    output = "".join(f"the harbour crane lifted boat {number}\n" for number in range(3000))
    sent = {"session_id": "log", "actor": {"type": "tool", "id": "tail"}, "kind": "tool_result"}
    told = (await owner.post("events", json={**sent, "content": {"tool": "tail", "output": output}})).json()
    omissions = (await build(owner))["omissions"]

    [cut] = [each for each in omissions if each["reason"] == "truncated_tool_output"]
    assert cut["artifact_id"] == told["artifact_id"]
    assert told["event_id"] in cut["candidates"]


async def test_only_what_carries_all_tags_is_recalled(owner: httpx.AsyncClient) -> None:
    await say(owner, "The harbour crane is yellow", session="a", tags=["repo:boats"])
    await say(owner, "The harbour crane is loud", session="b", tags=["repo:boats", "topic:noise"])
    bundle = await build(owner, tags=["repo:boats", "topic:noise"])

    assert ["loud" in each["text"] for each in section(bundle, "retrieved_evidence")] == [True]
    assert bundle["provenance"]["filters"]["tags"] == ["repo:boats", "topic:noise"]


@table(
    ("given", "field"),
    [
        ({"max_tokens": 65_001}, "max_tokens"),
        ({"max_tokens": 1_999}, "max_tokens"),
        ({"max_tokens": "many"}, "max_tokens"),
        ({"query_text": "x" * 20_001}, "query_text"),
        ({"intent": "x" * 65}, "intent"),
        ({"intent": "two words"}, "intent"),
        ({"intent": "AKIAIOSFODNN7EXAMPLE"}, "intent"),
        ({"session_id": None}, "session_id"),
        ({"channel": "loud"}, "channel"),
        ({"tenant_id": "another"}, "tenant_id"),
    ],
)
async def test_a_field_that_is_wrong_is_named(owner: httpx.AsyncClient, given: dict[str, Any], field: str) -> None:
    answer = await owner.post("acb/build", json={**ASKED, **given})

    assert answer.status_code in {403, 422}
    assert answer.json()["errors"][0]["field"] == field


async def test_the_window_names_who_spoke_and_may_begin_with_anybody(
    daemon: Daemon, owner: httpx.AsyncClient, rows: Rows
) -> None:
    agent = {"type": "agent", "id": "deployer"}
    await say(owner, "The crane is ready", actor=agent)
    await say(owner, "Who ordered it?")
    await say(owner, "I did: pay by Friday", actor={"type": "human", "id": "bob"})
    bundle = await build(owner, intent="default")
    shown = [item["text"] for item in section(bundle, "recent_window")]
    [found] = await replay(daemon.memory, Viewer.in_private(daemon.tenant, "api:ada"), bundle["acb_id"])

    assert shown == ["deployer: The crane is ready", "User: Who ordered it?", "bob: I did: pay by Friday"]
    assert found.is_same, found.parts


async def test_agents_alone_among_themselves_have_a_window_too(owner: httpx.AsyncClient) -> None:
    for name, words in (("planner", "Build the crane"), ("builder", "It stands")):
        await say(owner, words, actor={"type": "agent", "id": name}, channel="agent")
    bundle = await build(owner, channel="agent")

    assert [item["text"] for item in section(bundle, "recent_window")] == [
        "planner: Build the crane",
        "builder: It stands",
    ]


async def test_how_it_was_made_is_kept_without_a_word_of_it_and_can_be_made_again(
    daemon: Daemon, owner: httpx.AsyncClient, rows: Rows
) -> None:
    await full_house(owner)
    bundle = await build(owner, intent="default")
    [[kept]] = rows("SELECT (request, hashes, provenance)::text FROM bundles WHERE tenant_id = %(tenant)s")
    [found] = await replay(daemon.memory, Viewer.in_private(daemon.tenant, "api:ada"), bundle["acb_id"])

    assert found.is_same, found.parts
    assert not any(word in kept for word in ("crane", "Oslo", "harbour", "Hello"))


async def test_what_was_forgotten_since_says_so(daemon: Daemon, owner: httpx.AsyncClient) -> None:
    await full_house(owner)
    bundle = await build(owner, intent="default")
    ada = Viewer.in_private(daemon.tenant, "api:ada")
    async with daemon.memory.unit(ada) as unit:
        await forget(unit, ForgetRequest(topics=["crane"]))
    fact = (await owner.get("memory")).json()["memories"][0]
    await owner.delete(f"memory/{fact['id']}")
    [found] = await replay(daemon.memory, ada, bundle["acb_id"])

    assert "different" not in found.parts.values()


async def test_a_session_begins_with_its_first_bundle_and_with_what_is_remembered_then(
    daemon: Daemon, owner: httpx.AsyncClient, rows: Rows
) -> None:
    await owner.post("memory", json={"content": "The harbour is in Oslo", "category": "context"})
    first, second = await build(owner), await build(owner)
    kept = rows("SELECT id FROM bundles WHERE tenant_id = %(tenant)s ORDER BY ts")
    replays = await replay(daemon.memory, Viewer.in_private(daemon.tenant, "api:ada"))

    assert "Oslo" in str(section(first, "memory"))
    assert first["sections"] == second["sections"]
    assert kept == [(first["acb_id"],), (second["acb_id"],)]
    assert [each.is_same for each in replays] == [True, True]
    assert rows("SELECT count(*) FROM conversations WHERE tenant_id = %(tenant)s") == [(1,)]


async def test_to_ask_about_somebody_of_whom_nothing_was_written_leaves_no_trace(daemon: Daemon, rows: Rows) -> None:
    async with await daemon.client() as backend:
        await build(backend, user_id="nobody")

    for name in ("bundles", "conversations", "users", "spaces"):
        assert rows(f"SELECT 1 FROM {name} WHERE tenant_id = %(tenant)s") == []


async def test_a_reply_that_names_its_bundle_can_be_explained(daemon: Daemon, owner: httpx.AsyncClient) -> None:
    await full_house(owner)
    bundle = await build(owner, query_text="Where is the harbour with the crane?", intent="default")
    reply = await say(
        owner,
        "The harbour is in Oslo; its crane lifts boats.",
        actor={"type": "agent", "id": "agentA"},
        refs=[bundle["acb_id"]],
    )
    ada = Viewer.in_private(daemon.tenant, "api:ada")
    async with daemon.memory.unit(ada, read_only=True) as unit:
        why = await sources_of_reply(unit, conversation_of(ada, "s1"), reply["event_id"])
        last = await sources_of_reply(unit, conversation_of(ada, "s1"))

    assert [fact.words for fact in why.facts] == ["The harbour is in Oslo"]
    assert "The harbour crane lifts boats in spring" in [message.text for message in why.messages]
    assert last == why


async def test_the_bundle_of_another_user_explains_nothing(daemon: Daemon, owner: httpx.AsyncClient) -> None:
    await full_house(owner)
    bundle = await build(owner)
    async with await daemon.client(user="api:ben") as ben:
        reply = await say(ben, "So they say.", actor={"type": "agent", "id": "x"}, refs=[bundle["acb_id"]])
    viewer = Viewer.in_private(daemon.tenant, "api:ben")
    async with daemon.memory.unit(viewer, read_only=True) as unit:
        with pytest.raises(Exception, match="find that reply"):
            await sources_of_reply(unit, conversation_of(viewer, "s1"), reply["event_id"])
