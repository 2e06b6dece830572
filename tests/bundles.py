"""An agent that calls the API: it says something, builds a bundle, and looks into a section of it."""

from typing import Any

import httpx

ASKED = {
    "session_id": "s1",
    "agent_id": "agentA",
    "channel": "private",
    "intent": "repo_onboarding",
    "query_text": "What is the harbour crane for?",
    "max_tokens": 65000,
}


async def say(client: httpx.AsyncClient, words: str, session: str = "s1", **given: Any) -> dict[str, Any]:
    actor = given.pop("actor", {"type": "human", "id": "user"})
    sent = {"session_id": session, "actor": actor, "kind": "message", "content": {"text": words}, **given}
    answer = await client.post("events", json=sent)
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def build(client: httpx.AsyncClient, **given: Any) -> dict[str, Any]:
    answer = await client.post("acb/build", json={**ASKED, **given})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def section(bundle: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return next((each["items"] for each in bundle["sections"] if each["name"] == name), [])
