"""What members share, over HTTP: mine and theirs, and nobody else's; not a member, no space."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest

from db.viewer import Viewer
from memory.refusals import SENTENCES, Refusal
from tests.company import found_together
from tests.daemon import Daemon


@dataclass(frozen=True, slots=True)
class Garden:
    space: str
    ada: httpx.AsyncClient
    ben: httpx.AsyncClient
    eve: httpx.AsyncClient


@pytest.fixture
async def garden(daemon: Daemon) -> AsyncIterator[Garden]:
    """Ada and Ben are in it, Eve is not."""
    async with (
        await daemon.client(user="api:ada") as ada,
        await daemon.client(user="api:ben") as ben,
        await daemon.client(user="api:eve") as eve,
    ):
        viewers = [Viewer.in_private(daemon.tenant, f"api:{name}") for name in ("ada", "ben")]
        yield Garden(await found_together(daemon.memory, *viewers), ada, ben, eve)


async def keep(client: httpx.AsyncClient, words: str) -> str:
    answer = await client.post("memory", json={"content": words, "category": "context"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


async def share(client: httpx.AsyncClient, fact: str, space: str) -> httpx.Response:
    return await client.patch(f"memory/{fact}/visibility", json={"visibility": "shared", "space_id": space})


async def facts_of(client: httpx.AsyncClient, space: str) -> list[tuple[str, str | None]]:
    answer = await client.get(f"spaces/{space}/facts")
    assert answer.status_code == 200, answer.text
    return sorted((each["content"], each["shared_by"]) for each in answer.json()["facts"])


async def test_a_member_sees_their_own_and_what_is_shared_and_no_private_fact_of_others(garden: Garden) -> None:
    pond = await keep(garden.ada, "The pond is round")
    await keep(garden.ada, "I bought the garden for little money")
    await keep(garden.ben, "The shed needs a new roof")
    shared = await share(garden.ada, pond, garden.space)

    assert (shared.status_code, shared.json()["visibility"]) == (200, "shared")
    assert await facts_of(garden.ada, garden.space) == [
        ("I bought the garden for little money", None),
        ("The pond is round", None),
    ]
    assert await facts_of(garden.ben, garden.space) == [
        ("The pond is round", "api:ada"),
        ("The shed needs a new roof", None),
    ]


async def test_whoever_is_no_member_finds_no_space(garden: Garden) -> None:
    pond = await keep(garden.ada, "The pond is round")
    await share(garden.ada, pond, garden.space)
    asked = [
        await garden.eve.get(f"spaces/{garden.space}/facts"),
        await garden.eve.get("spaces/spc_none/facts"),
        await garden.eve.get("spaces/personal:api:ada/facts"),
        await garden.eve.get("memory", params={"space_id": garden.space}),
        await garden.eve.get(f"memory/{pond}", params={"space_id": garden.space}),
        await garden.eve.get(f"memory/{pond}"),
        await garden.eve.post("acb/build", json={"session_id": "s", "space_id": garden.space}),
        await garden.eve.get("views/rules", params={"space_id": garden.space, "scope": "space"}),
        await share(garden.eve, await keep(garden.eve, "The hedge is mine"), garden.space),
    ]

    assert [answer.status_code for answer in asked] == [404] * 9
    told = {answer.json()["detail"] for answer in asked}
    assert told <= {SENTENCES[Refusal.SPACE_NOT_FOUND], SENTENCES[Refusal.FACT_NOT_FOUND]}


async def test_what_was_shared_can_be_taken_back(garden: Garden) -> None:
    pond = await keep(garden.ada, "The pond is round")
    await share(garden.ada, pond, garden.space)
    back = await garden.ada.patch(f"memory/{pond}/visibility", json={"visibility": "private"})

    assert (back.status_code, back.json()["visibility"]) == (200, "private")
    assert await facts_of(garden.ben, garden.space) == []
    assert (await garden.ben.get(f"memory/{pond}", params={"space_id": garden.space})).status_code == 404


async def test_only_its_owner_can_change_share_or_delete_a_shared_fact(garden: Garden) -> None:
    pond = await keep(garden.ada, "The pond is round")
    await share(garden.ada, pond, garden.space)
    here = {"space_id": garden.space}
    tries = [
        await garden.ben.put(f"memory/{pond}", json={"content": "The pond is square"}, params=here),
        await garden.ben.delete(f"memory/{pond}", params=here),
        await garden.ben.patch(f"memory/{pond}/visibility", json={"visibility": "private", **here}),
    ]

    assert [answer.status_code for answer in tries] == [404] * 3
    assert await facts_of(garden.ben, garden.space) == [("The pond is round", "api:ada")]


async def test_there_is_nobody_to_share_with_at_home(garden: Garden) -> None:
    pond = await keep(garden.ada, "The pond is round")

    answer = await garden.ada.patch(f"memory/{pond}/visibility", json={"visibility": "shared"})

    assert answer.status_code == 422


async def test_the_view_of_a_space_is_written_by_its_owner_and_read_by_its_members(garden: Garden) -> None:
    here = {"space_id": garden.space, "scope": "space"}
    written = await garden.ada.put("views/rules", json={"content": "Speak of plants alone."}, params=here)
    refused = await garden.ben.put("views/rules", json={"content": "Speak of me."}, params=here)
    read = await garden.ben.get("views/rules", params=here)
    own = await garden.ben.get("views/rules", params={"space_id": garden.space})

    assert (written.status_code, refused.status_code, own.status_code) == (200, 422, 404)
    assert read.json()["content"] == "Speak of plants alone."
    assert read.json()["scope"] == "space"


async def test_what_is_said_in_a_team_is_heard_by_its_members_and_nobody_else(garden: Garden) -> None:
    said = {
        "session_id": "s1",
        "space_id": garden.space,
        "channel": "team",
        "actor": {"type": "human", "id": "user"},
        "kind": "message",
        "content": {"text": "The pond freezes in January"},
    }
    await garden.ada.post("events", json=said)
    asked = {"session_id": "s2", "query_text": "When does the pond freeze?"}
    here = {"space_id": garden.space, "channel": "team"}
    heard = (await garden.ben.post("acb/build", json={**asked, **here})).json()
    alone = (await garden.ben.post("acb/build", json=asked)).json()

    assert "January" in str(heard["sections"])
    assert "January" not in str(alone["sections"])


async def test_pages_of_a_space_show_everything_once(garden: Garden) -> None:
    for number in range(7):
        await share(garden.ada, await keep(garden.ada, f"Tree number {number} is tall"), garden.space)
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        asked = {"limit": "3", **({"cursor": cursor} if cursor else {})}
        page = await garden.ben.get(f"spaces/{garden.space}/facts", params=asked)
        seen += [each["content"] for each in page.json()["facts"]]
        cursor = page.json()["next_cursor"]

    assert seen == [f"Tree number {number} is tall" for number in range(7)]
