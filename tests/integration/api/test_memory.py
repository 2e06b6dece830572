"""What is remembered, over HTTP: the owner changes it, an agent only asks."""

from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

import httpx
import psycopg
import pytest

from api.api_call import ApiCall
from api.caller import ApiCaller, Scoping
from api.operations.memory import create_memory
from api.problems import Problem
from api.schemas.memory import CreateMemoryIn
from db.queries.consolidation.consolidation import begin
from db.tables import Summary
from db.viewer import Viewer
from db.vocabulary import Channel, Mode, Scope, Sensitivity
from memory.consolidation.summaries import summaries
from memory.errors import Refused
from memory.facts import facts
from memory.outage.recent import RecentMessage
from memory.people.keys import RateLimit, authenticate_key, local_agent
from memory.privacy.encryption import Keyring
from memory.refusals import SENTENCES, Refusal
from tests.bundles import say
from tests.daemon import Daemon
from tests.integration.api.conftest import AtOnce, Rows
from tests.tables import table

NAMES = "Ann Bob Cid Dan Eva Fay Gus Hal Ida Jim Kai Leo Mia Ned Oda Pam Ray Sue Tim Ulf Vic".split()
NOT_ASKED = SENTENCES[Refusal.ASK_POINTLESS]
BOSS = {"content": "Alec is my boss at TechCorp", "category": "person", "subject": "Alec"}


async def words_kept(daemon: Daemon, user: str = "api:ada") -> list[str]:
    async with daemon.memory.unit(Viewer.in_private(daemon.tenant, user)) as unit:
        return [row.words for row in await facts.own_facts(unit)]


async def test_the_owner_stores_reads_changes_and_deletes_a_fact(daemon: Daemon, owner: httpx.AsyncClient) -> None:
    made = await owner.post("memory", json=BOSS)
    fact = made.json()
    changed = await owner.put(f"memory/{fact['id']}", json={"content": "Alec was my boss at TechCorp"})
    read = (await owner.get(f"memory/{fact['id']}")).json()
    gone = await owner.delete(f"memory/{fact['id']}")

    assert (made.status_code, made.headers["location"]) == (201, f"/api/v1/memory/{fact['id']}")
    assert (fact["content"], fact["category"], fact["subject"], fact["version"]) == (*BOSS.values(), 1)
    assert changed.json()["previous_content"] == BOSS["content"]
    assert [each["content"] for each in read["versions"]] == [BOSS["content"], "Alec was my boss at TechCorp"]
    assert gone.json()["success"] is True
    assert (await owner.get(f"memory/{fact['id']}")).status_code == 404
    assert await words_kept(daemon) == []


async def test_the_profile_of_001_and_the_list_of_004_come_together(owner: httpx.AsyncClient) -> None:
    boss = (await owner.post("memory", json=BOSS)).json()
    plain = (await owner.get("memory")).json()["memory"]
    put = await owner.put(
        "memory", json={"name": "John", "communication_style": "technical", "interests": ["AI", "go"]}
    )

    found = (await owner.get("memory")).json()
    assert put.json()["memory"]["preferences"] == {
        "name": "John",
        "communication_style": "technical",
        "interests": ["AI", "go"],
    }
    assert found["memory"]["preferences"] == put.json()["memory"]["preferences"]
    assert BOSS["content"] in [each["content"] for each in found["memories"]]
    assert found["total"] == len(found["memories"]) == 5
    assert plain["created_at"] == found["memory"]["created_at"] == boss["created_at"]
    assert found["memory"]["updated_at"] > plain["updated_at"]


async def test_an_agent_can_propose_and_nothing_is_stored_until_the_owner_accepts(
    daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    asked = await agent.post("memory", json=BOSS)
    card = asked.json()["proposal"]
    before = await words_kept(daemon)
    refused = await agent.post(f"proposals/{card['id']}/accept", json={"content_hash": card["content_hash"]})
    [waiting] = (await owner.get("proposals")).json()["proposals"]
    accepted = await owner.post(f"proposals/{card['id']}/accept", json={"content_hash": waiting["content_hash"]})

    assert asked.status_code == 202
    assert before == []
    assert refused.status_code == 403
    assert (card["author"], waiting["id"], waiting["attribute"]) == ("helper", card["id"], None)
    assert accepted.json()["content"] == BOSS["content"]
    assert await words_kept(daemon) == [BOSS["content"]]


async def test_an_acceptance_holds_for_the_words_that_were_shown_alone(
    daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    card = (await agent.post("memory", json=BOSS)).json()["proposal"]

    answer = await owner.post(f"proposals/{card['id']}/accept", json={"content_hash": "0" * 64})

    assert answer.status_code == 404
    assert await words_kept(daemon) == []


async def test_what_the_owner_rejected_is_not_asked_again(owner: httpx.AsyncClient, agent: httpx.AsyncClient) -> None:
    card = (await agent.post("memory", json=BOSS)).json()["proposal"]
    rejected = await owner.post(f"proposals/{card['id']}/reject")
    again = await agent.post("memory", json=BOSS)

    assert rejected.json() == {"success": True, "id": card["id"]}
    assert again.status_code == 422
    assert (await owner.get("proposals")).json()["total"] == 0


@table(
    ("method", "path", "body"),
    [
        ("PUT", "memory", {"name": "Eve"}),
        ("DELETE", "memory", None),
        ("POST", "memory/forget", {"topics": ["tea"]}),
        ("PATCH", "memory/{id}/visibility", {"visibility": "private"}),
        ("POST", "proposals/{id}/reject", None),
        ("PUT", "views/rules", {"content": "Obey me"}),
    ],
)
async def test_an_agent_has_no_say_in_what_is_the_owners(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient, method: str, path: str, body: object
) -> None:
    fact = (await owner.post("memory", json=BOSS)).json()

    answer = await agent.request(method, path.format(id=fact["id"]), json=body)

    assert answer.status_code == 403
    assert "owner" in answer.json()["detail"]
    assert (await owner.get(f"memory/{fact['id']}")).json()["version"] == 1


@pytest.mark.parametrize(("method", "body"), [("PUT", {"content": "Alec left TechCorp in May"}), ("DELETE", None)])
async def test_an_agents_change_of_a_fact_is_a_card(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient, method: str, body: object
) -> None:
    fact = (await owner.post("memory", json=BOSS)).json()

    asked = await agent.request(method, f"memory/{fact['id']}", json=body)

    assert asked.status_code == 202
    assert asked.json()["proposal"]["memory_id"] == fact["id"]
    assert (await owner.get(f"memory/{fact['id']}")).json()["content"] == BOSS["content"]


async def test_whoever_keeps_things_by_their_own_word_only_is_not_asked(
    daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    from db.queries.people.people import choose_mode

    async with daemon.memory.unit(Viewer.in_private(daemon.tenant, "api:ada")) as unit:
        await choose_mode(unit.session, unit.viewer, Mode.MANUAL)

    assert (await agent.post("memory", json=BOSS)).status_code == 422
    assert (await owner.get("proposals")).json()["total"] == 0


async def test_what_the_owner_rejected_or_forgot_comes_back_through_no_channel(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    card = (await agent.post("memory", json=BOSS)).json()["proposal"]
    await owner.post(f"proposals/{card['id']}/reject")
    gone = (await owner.post("memory", json={"content": "We sail to Bergen in May", "category": "other"})).json()
    await owner.delete(f"memory/{gone['id']}")
    back = {"content": gone["content"], "category": "other"}

    answers = {}
    for channel in Channel:
        for wish in (BOSS, back):
            where = {"session_id": "s1", "channel": channel}
            proposed = await agent.post("memory", params={"channel": channel}, json=wish)
            decided = await agent.post("decisions", json={"decision": wish["content"], **where})
            opened = await agent.post("tasks", json={"title": wish["content"], **where})
            answers[channel, wish["content"]] = [each.status_code for each in (proposed, decided, opened)]

    assert answers == dict.fromkeys(answers, [422] * 3)
    assert len(answers) == 8
    assert (await owner.get("proposals")).json()["total"] == 0


async def test_what_was_sensitive_and_forgotten_comes_back_through_no_channel_either(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    for faith in ("Quaker", ""):
        await owner.put("memory", json={"faith_context": faith})
    words, answers = "Faith: Quaker", {}

    for channel in Channel:
        proposed = await agent.post("memory", params={"channel": channel}, json={"content": words, "category": "other"})
        decided = await agent.post("decisions", json={"decision": words, "session_id": "s1", "channel": channel})
        handed = await agent.post("handoffs", json={"to_agent": "x", "goal": words, "channel": channel})
        answers[channel] = [each.status_code for each in (proposed, decided, handed)]

    assert answers == dict.fromkeys(("private", "agent", "team", "public"), [422] * 3)


async def test_an_agent_asks_no_more_in_one_channel_than_in_all(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    asked = [
        await agent.post(
            "memory",
            params={"channel": "team" if number % 2 else "private"},
            json={"content": f"{name} plays chess on Sundays", "category": "person"},
        )
        for number, name in enumerate(NAMES)
    ]

    assert [answer.status_code for answer in asked] == [202] * 20 + [422]


async def test_a_key_that_may_not_read_hears_nothing_of_what_is_known(daemon: Daemon, owner: httpx.AsyncClient) -> None:
    await owner.put("memory", json={"faith_context": "Quaker"})
    fact = (await owner.post("memory", json=BOSS)).json()
    async with await daemon.client(user="api:ada", agent="writer", scopes=frozenset({Scope.WRITE})) as writer:
        known = await writer.post("memory", json={"content": "hello there", "category": "other", "attribute": "faith"})
        changed = await writer.put(f"memory/{fact['id']}", json={"content": "Alec left TechCorp in May"})
        gone = await writer.delete(f"memory/{fact['id']}")
        handed = await writer.post("handoffs", json={"to_agent": "x", "goal": "x"})

    assert known.json()["detail"] == NOT_ASKED
    assert [answer.status_code for answer in (known, changed, gone, handed)] == [422, 403, 403, 403]


async def test_a_key_that_may_not_read_hears_nothing_of_what_was_forgotten_or_turned_down(
    daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    gone = (await owner.post("memory", json=BOSS)).json()
    await owner.delete(f"memory/{gone['id']}")
    choir = {"content": "Sings in a choir on Fridays", "category": "hobby"}
    card = (await agent.post("memory", json=choir)).json()["proposal"]
    await owner.post(f"proposals/{card['id']}/reject")
    told = set()
    async with await daemon.client(user="api:ada", agent="writer", scopes=frozenset({Scope.WRITE})) as writer:
        for wish in (BOSS, choir):
            told.add((await writer.post("memory", json=wish)).json()["detail"])
            noted = await writer.post("decisions", json={"session_id": "s1", "decision": wish["content"]})
            assert noted.status_code == 422
            told.add(noted.json()["detail"])
        secret = await writer.post("memory", json={**BOSS, "content": "my wifi has password=hunter2xyz"})

    assert told == {NOT_ASKED, SENTENCES[Refusal.NOTE_NOT_ALLOWED]}
    assert "looks like a secret" in secret.json()["detail"]


@table("path", ["memory", "events"])
async def test_of_very_many_unknown_fields_some_are_named(owner: httpx.AsyncClient, path: str) -> None:
    many = {f"field{number}": number for number in range(50_000)}
    answer = await (owner.post(path, json={**BOSS, **many}) if path == "events" else owner.put(path, json=many))

    assert answer.status_code == 422
    assert 0 < len(answer.json()["errors"]) <= 20


@table("name", ["assistant", "Keepsake"])
async def test_nobody_speaks_or_asks_in_our_name(daemon: Daemon, name: str) -> None:
    said = {"session_id": "s1", "kind": "message", "content": {"text": "I said so"}, "user_id": "ada"}
    async with await daemon.client() as backend:
        asked = await backend.post("memory", params={"user_id": "ada", "agent_id": name}, json=BOSS)
        told = await backend.post("events", json={**said, "agent_id": "notes", "actor": {"type": "agent", "id": name}})

    assert [answer.json()["errors"][0]["field"] for answer in (asked, told)] == ["agent_id", "actor.id"]
    with pytest.raises(Refused, match="Keepsake uses"):
        local_agent(daemon.tenant, "api:ada", name)


def test_agents_that_are_started_here_have_request_names_of_their_own() -> None:
    one, other = (local_agent("home", "terminal:ada", agent) for agent in ("claude", "cursor"))

    assert one.admission.key_id != other.admission.key_id


async def test_a_hash_that_is_none_is_refused(owner: httpx.AsyncClient, agent: httpx.AsyncClient) -> None:
    card = (await agent.post("memory", json=BOSS)).json()["proposal"]

    answer = await owner.post(f"proposals/{card['id']}/accept", json={"content_hash": "é" * 64})

    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "content_hash")


async def test_what_a_channel_may_not_load_is_refused_in_it(owner: httpx.AsyncClient) -> None:
    told = {"content": "I was diagnosed with diabetes in May", "category": "health"}

    answers = [
        await owner.put("memory", params={"channel": "agent"}, json={"faith_context": "Quaker"}),
        await owner.post("memory", params={"channel": "agent"}, json=told),
    ]

    assert [answer.status_code for answer in answers] == [422, 422]
    assert "too sensitive" in answers[0].json()["detail"]


async def test_invisible_signs_do_not_stay_invisible_in_the_profile(owner: httpx.AsyncClient) -> None:
    answer = await owner.put("memory", json={"name": "A\x00da\u202e", "interests": ["go\u200b\x00"]})

    assert answer.json()["memory"]["preferences"] == {"name": "A␀da", "interests": ["go␀"]}


async def test_of_two_lists_at_once_one_is_kept_whole(owner: httpx.AsyncClient, at_once: AtOnce) -> None:
    await at_once(*(owner.put("memory", json={"interests": each}) for each in (["chess"], ["rowing"])))

    kept = (await owner.get("memory")).json()["memory"]["preferences"]["interests"]
    assert kept in (["chess"], ["rowing"])


async def test_a_subject_that_is_known_is_answered_with_the_fact_to_change(owner: httpx.AsyncClient) -> None:
    fact = (await owner.post("memory", json=BOSS)).json()

    again = await owner.post("memory", json={**BOSS, "content": "Alec plays the tuba"})
    separate = await owner.post("memory", json={**BOSS, "content": "Alec plays the tuba", "separate": True})

    assert again.status_code == 409
    assert again.json()["errors"][0]["field"] == f"memory/{fact['id']}"
    assert separate.status_code == 201


async def test_tags_tell_whether_something_changed(owner: httpx.AsyncClient) -> None:
    fact = (await owner.post("memory", json=BOSS)).json()
    path, first = f"memory/{fact['id']}", (await owner.get("memory")).headers["etag"]
    tag = (await owner.get(path)).headers["etag"]

    assert (await owner.get(path, headers={"If-None-Match": tag})).status_code == 304
    assert (await owner.get("memory", headers={"If-None-Match": first})).status_code == 304
    changed = await owner.put(path, json={"content": "Alec was my boss"}, headers={"If-Match": tag})
    late = await owner.put(path, json={"content": "Alec is nobody's boss"}, headers={"If-Match": tag})
    assert (changed.status_code, late.status_code) == (200, 412)
    assert (await owner.delete(path, headers={"If-Match": tag})).status_code == 412
    private, old, known = {"visibility": "private"}, {"If-Match": tag}, {"If-Match": changed.headers["etag"]}
    assert (await owner.patch(f"{path}/visibility", json=private, headers=old)).status_code == 412
    assert (await owner.patch(f"{path}/visibility", json=private, headers=known)).status_code == 200
    assert (await owner.put("memory", json={"name": "Ada"}, headers={"If-Match": first})).status_code == 412
    now = (await owner.get("memory")).headers["etag"]
    named = await owner.put("memory", json={"name": "Ada"}, headers={"If-Match": now})
    assert named.status_code == 200
    again = {"If-Match": named.headers["etag"]}
    assert (await owner.put("memory", json={"name": "Ada B"}, headers=again)).status_code == 200
    assert (await owner.put("memory", json={"name": "Ada C"}, headers=again)).status_code == 412
    assert (await owner.get("memory", headers={"If-None-Match": first})).status_code == 200


async def test_pages_show_everything_once_also_when_something_goes_meanwhile(owner: httpx.AsyncClient) -> None:
    for number in range(12):
        await owner.post("memory", json={"content": f"The boat number {number} is green", "category": "other"})
    first = (await owner.get("memory", params={"limit": 5})).json()
    await owner.delete(f"memory/{first['memories'][-1]['id']}")

    seen, cursor = list(first["memories"]), first["next_cursor"]
    while cursor:
        page = (await owner.get("memory", params={"limit": 5, "cursor": cursor})).json()
        seen, cursor = seen + page["memories"], page["next_cursor"]

    assert first["total"] == 12
    assert [each["content"] for each in seen] == [f"The boat number {number} is green" for number in range(12)]
    assert (await owner.get("memory", params={"cursor": "nonsense"})).json()["errors"][0]["field"] == "cursor"


async def test_forgetting_some_things_says_what_went(daemon: Daemon, owner: httpx.AsyncClient) -> None:
    await owner.put("memory", json={"occupation": "engineer", "location": "Oslo"})
    await owner.post("memory", json=BOSS)

    answer = await owner.post("memory/forget", json={"preference_keys": ["occupation"], "subject": "Alec"})

    assert "preference: occupation" in answer.json()["removed"]
    assert await words_kept(daemon) == ["Location: Oslo"]
    assert (await owner.post("memory/forget", json={"preference_keys": ["x"]})).json()["errors"][0]["field"] == (
        "preference_keys"
    )


async def test_an_agent_can_propose_that_what_is_so_was_so(owner: httpx.AsyncClient, agent: httpx.AsyncClient) -> None:
    fact = (await owner.post("memory", json=BOSS)).json()
    again = await agent.put(f"memory/{fact['id']}", json={"content": "The boss of the user at TechCorp is Alec"})
    over = await agent.put(f"memory/{fact['id']}", json={"content": "Alec was my boss at TechCorp"})

    assert (again.status_code, over.status_code) == (422, 202)
    assert over.json()["proposal"]["content"] == "Alec was my boss at TechCorp"


async def test_what_was_asked_and_noted_in_a_time_that_is_forgotten_is_counted_too(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    await agent.post("memory", json=BOSS)
    await agent.post("tasks", json={"title": "Call Alec", "session_id": "s"})

    answer = await owner.post("memory/forget", json={"since": "2020-01-01T00:00:00Z"})

    assert {"proposals: 1", "tasks: 1"} <= set(answer.json()["removed"])


async def test_erasing_leaves_nothing_and_ends_the_key(daemon: Daemon, owner: httpx.AsyncClient) -> None:
    await owner.post("memory", json=BOSS)

    answer = await owner.delete("memory")

    assert answer.json() == {"success": True, "message": "All memory has been permanently deleted"}
    assert (await owner.get("memory")).status_code == 401
    assert await words_kept(daemon) == []


async def test_what_is_sensitive_is_read_by_its_owner_and_left_out_of_the_channel_agent(
    daemon: Daemon, owner: httpx.AsyncClient
) -> None:
    told = {"content": "I was diagnosed with diabetes in May", "category": "other"}
    fact = (await owner.post("memory", json=told)).json()

    private = (await owner.get("memory")).json()["memories"]
    as_agent = (await owner.get("memory", params={"channel": "agent"})).json()["memories"]

    assert fact["sensitivity"] == "high"
    assert [each["content"] for each in private] == [told["content"]]
    assert as_agent == []


async def test_a_secret_is_refused_and_the_field_is_named(owner: httpx.AsyncClient) -> None:
    secret = await owner.post("memory", json={**BOSS, "content": "my wifi has password=hunter2xyz"})
    short = await owner.post("memory", json={**BOSS, "content": "no"})
    other = await owner.post("memory", json={**BOSS, "colour": "blue"})

    assert secret.status_code == 422
    assert secret.json()["errors"] == [{"field": "content", "problem": secret.json()["detail"]}]
    assert short.json()["errors"][0]["field"] == "content"
    assert other.json()["errors"][0]["field"] == "colour"


async def test_whatever_the_memory_refuses_it_names_the_field(owner: httpx.AsyncClient) -> None:
    fact = (await owner.post("memory", json=BOSS)).json()
    event = {"session_id": "s1", "actor": {"type": "agent", "id": "helper"}}
    answers = [
        await owner.post("memory", json={**BOSS, "content": "     "}),
        await owner.post("memory", json={**BOSS, "category": "preference"}, params={"channel": "public"}),
        await owner.put("memory", json={"name": "password=hunter2xyz"}),
        await owner.patch(f"memory/{fact['id']}/visibility", json={"visibility": "shared"}),
        await owner.get("memory", params={"space_id": "nowhere"}),
        await owner.post("tasks", json={"session_id": "s1"}),
        await owner.post("tasks", json={"session_id": "s1", "task_id": "tsk_no", "status": "done"}),
        await owner.post("decisions", json={"session_id": "s1", "decision": "Yes", "supersedes": "dec_no"}),
        await owner.post("events", json={**event, "kind": "task_update", "content": {"title": 7}}),
        await owner.post("events", json={**event, "kind": "artifact", "content": {"name": "a", "base64": "?"}}),
        await owner.post("events", json={**event, "kind": "decision", "content": {"decision": "d"}, "space_id": "no"}),
        await owner.put("views/rules", json={"content": "x " * 15_000}),
    ]

    assert [(answer.status_code, [each["field"] for each in answer.json()["errors"]]) for answer in answers] == [
        (422, ["content"]),
        (422, ["channel"]),
        (422, ["name"]),
        (422, ["space_id"]),
        (404, ["space_id"]),
        (422, ["title"]),
        (404, ["task_id"]),
        (404, ["supersedes"]),
        (422, ["content.title"]),
        (422, ["content.base64"]),
        (404, ["space_id"]),
        (422, ["content"]),
    ]


async def test_a_deletion_that_names_itself_is_done_once_and_keeps_no_words(
    owner: httpx.AsyncClient, superuser_url: str, tenant: str
) -> None:
    fact, named = (await owner.post("memory", json=BOSS)).json(), {"Idempotency-Key": "gone"}

    first = await owner.delete(f"memory/{fact['id']}", headers=named)
    again = await owner.delete(f"memory/{fact['id']}", headers=named)

    with psycopg.connect(superuser_url) as admin:
        kept = admin.execute("SELECT answer FROM requests WHERE tenant_id = %s", (tenant,)).fetchall()
    assert (first.status_code, again.status_code) == (200, 410)
    assert kept == [(None,)]


async def test_an_accepted_card_to_forget_is_done_once_and_keeps_no_words(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient, rows: Rows
) -> None:
    fact = (await owner.post("memory", json=BOSS)).json()
    card = (await agent.delete(f"memory/{fact['id']}")).json()["proposal"]
    path, yes, named = f"proposals/{card['id']}/accept", {"content_hash": card["content_hash"]}, "Idempotency-Key"

    first = await owner.post(path, json=yes, headers={named: "yes"})
    again = await owner.post(path, json=yes, headers={named: "yes"})

    assert (first.status_code, again.status_code) == (200, 410)
    assert rows("SELECT answer FROM requests WHERE tenant_id = %(tenant)s") == [(None,)]


@pytest.mark.parametrize("way", ["delete", "accept", "profile", "forget", "erase"])
async def test_what_is_forgotten_is_forgotten_in_ram_too(
    daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient, way: str
) -> None:
    recent, path = daemon.runtime.recent, f"memory/{(await owner.post('memory', json=BOSS)).json()['id']}"
    await owner.put("memory", json={"name": "Ada"})
    recent.add(f"{daemon.tenant}-chat", RecentMessage(True, "Alec is my boss", person="api:ada"))
    await owner.post("memory", json={"content": "The boat is green", "category": "other"})
    before = recent.messages(f"{daemon.tenant}-chat")
    if way == "delete":
        await owner.delete(path)
    elif way == "accept":
        card = (await agent.delete(path)).json()["proposal"]
        await owner.post(f"proposals/{card['id']}/accept", json={"content_hash": card["content_hash"]})
    elif way == "profile":
        await owner.put("memory", json={"name": None})
    elif way == "forget":
        await owner.post("memory/forget", json={"subject": "Alec"})
    else:
        await owner.delete("memory")

    assert len(before) == 1
    assert recent.messages(f"{daemon.tenant}-chat") == []


async def test_an_overview_that_tells_what_was_deleted_is_not_shown(
    daemon: Daemon, owner: httpx.AsyncClient, rows: Rows
) -> None:
    fact, said = (await owner.post("memory", json=BOSS)).json(), await say(owner, "We spoke of Alec")
    [[conversation]] = rows("SELECT id FROM conversations WHERE tenant_id = %(tenant)s")
    told = "They speak of work. Alec is your boss at TechCorp."
    now = datetime.now(UTC)
    async with daemon.memory.unit(Viewer.in_private(daemon.tenant, "api:ada")) as unit:
        begun: dict[str, Any] = {"conversation_id": conversation, "now": now, "lease_until": now, "attempts": 1}
        begun |= {"start_seq": 0, "new_seq": 0, "end_seq": 0}
        await begin(unit.session, unit.viewer, Summary, id="sum_1", **begun)
        point = summaries.SummaryPoint("They speak of work.", (0,))
        made = summaries.NewSummary((point,), "Work.", (said["event_id"],), Sensitivity.NONE, 1, overall=told)
        assert await summaries.store(unit, "sum_1", made)

    before = (await owner.get("memory")).json()["memory"]["summary"]
    await owner.delete(f"memory/{fact['id']}")

    assert before == told
    assert (await owner.get("memory")).json()["memory"]["summary"] == ""
    assert (await owner.put("memory", json={"name": "Ada"})).json()["memory"]["summary"] == ""


async def test_a_change_to_the_words_of_another_fact_is_refused_and_changes_nothing(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    a = (await owner.post("memory", json={"content": "The boat is green", "category": "other"})).json()
    card = (await agent.put(f"memory/{a['id']}", json={"content": "The boat is blue now"})).json()["proposal"]
    b = (await owner.post("memory", json={"content": "The house is red", "category": "other"})).json()
    words, yes = {"content": "The house is red"}, {"content_hash": card["content_hash"]}

    put = await owner.put(f"memory/{a['id']}", json=words)
    accepted = await owner.post(f"proposals/{card['id']}/accept", json={**yes, **words})

    assert (put.status_code, accepted.status_code) == (409, 409)
    assert put.json()["errors"][0]["field"] == accepted.json()["errors"][0]["field"] == f"memory/{b['id']}"
    assert (await owner.get(f"memory/{a['id']}")).json()["content"] == "The boat is green"
    assert (await owner.post(f"proposals/{card['id']}/accept", json=yes)).status_code == 200  # it waits as before


async def test_a_card_with_sensitive_words_is_not_for_the_channel_agent(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    await agent.post("memory", json={"content": "Ada was diagnosed with diabetes in May", "category": "other"})
    await agent.post("memory", json=BOSS)

    async def shown(**asked: str) -> list[str]:
        return [each["content"][:4] for each in (await agent.get("proposals", params=asked)).json()["proposals"]]

    assert await shown() == ["Ada ", "Alec"]
    assert await shown(channel="agent") == ["Alec"]


async def test_the_agent_that_a_backend_names_is_the_one_that_asks(daemon: Daemon) -> None:
    async with await daemon.client() as backend:
        asked = await backend.post("memory", json=BOSS, params={"user_id": "ada", "agent_id": "coder"})
        unnamed = await backend.post("memory", json=BOSS, params={"user_id": "ben"})

    assert [each.json()["proposal"]["author"] for each in (asked, unnamed)] == ["coder", "api"]


async def test_what_is_sensitive_is_forgotten_whatever_channel_is_named(
    daemon: Daemon, owner: httpx.AsyncClient
) -> None:
    await owner.put("memory", json={"faith_context": "Quaker since 2019"})

    answer = await owner.post("memory/forget", json={"preference_keys": ["faith_context"]}, params={"channel": "agent"})

    assert "preference: faith_context" in answer.json()["removed"]
    assert await words_kept(daemon) == []


async def test_without_the_key_that_opens_its_answer_a_write_that_names_itself_is_still_done_once(
    daemon: Daemon, owner: httpx.AsyncClient
) -> None:
    bearer = await authenticate_key(daemon.memory, await daemon.key(user="api:ada"), RateLimit(burst=9, per_second=9.0))
    assert bearer
    await owner.put("memory", json={"faith_context": "Quaker"})  # sealed with the key of the daemon
    runtime = replace(daemon.runtime, memory=replace(daemon.memory, keyring=Keyring((bytes(32),))))
    call = ApiCall(ApiCaller(runtime, bearer), "its-name", bytes(32))

    first = await create_memory(call, Scoping(), CreateMemoryIn.model_validate(BOSS))
    with pytest.raises(Problem) as again:
        await create_memory(call, Scoping(), CreateMemoryIn.model_validate(BOSS))

    assert first.status == HTTPStatus.CREATED
    assert again.value.status == HTTPStatus.GONE
    assert BOSS["content"] in await words_kept(daemon)


@table(
    ("wish", "field"),
    [
        ({"topics": ["a\0b"]}, "topics.0"),
        ({"topics": ["a\nb"]}, "topics.0"),
        ({"preference_keys": ["\0"]}, "preference_keys"),
    ],
)
async def test_what_no_topic_can_be_called_is_named(owner: httpx.AsyncClient, wish: dict[str, Any], field: str) -> None:
    answer = await owner.post("memory/forget", json=wish)

    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)


async def test_a_profile_has_at_most_a_hundred_of_a_kind(owner: httpx.AsyncClient) -> None:
    answer = await owner.put("memory", json={"custom": {f"shelf {number}": "books" for number in range(101)}})

    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "custom")
