"""Decisions: entered with their events, superseded once and never in a circle, read by whom they were said to."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from db.errors import WriteRefused
from db.queries.ledgers.decisions import DecisionRow, own_decisions
from db.viewer import Viewer
from db.vocabulary import Approval, Category, Channel, DecisionScope, DecisionStatus, EventKind
from memory.errors import NotFound, Refused
from memory.facts.facts import FactDraft, remember
from memory.ledgers import decisions
from memory.ledgers.decisions import read_decision
from memory.privacy.forgetting.forget import ForgetRequest, forget
from memory.unit import Memory
from tests.company import aloud, found_together, written
from tests.conftest import NOON

SICK = "My sister Zelda has diabetes, so no sugar"


async def decide(memory: Memory, viewer: Viewer, words: str, *, day: int = 0, **content: Any) -> DecisionRow:
    async with memory.unit(viewer, now=NOON + timedelta(days=day)) as unit:
        event_id = await written(unit, EventKind.DECISION, {"decision": words, **content})
        [entered] = [row.id for row in await own_decisions(unit.session, viewer) if row.event_id == event_id]
        return await decisions.find(unit, entered)


async def held(memory: Memory, viewer: Viewer) -> list[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        return [row.words for row in await decisions.active_decisions(unit, limit=10)]


async def chain_of(memory: Memory, viewer: Viewer, decision_id: str) -> list[tuple[str, Sequence[str]]]:
    async with memory.unit(viewer, read_only=True) as unit:
        return [(row.words, row.refs) for row in await decisions.decision_chain(unit, decision_id)]


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"decision": " "},
        {"decision": 7},
        {"decision": "x" * 2001},
        {"decision": "tea", "scope": "galaxy"},
        {"decision": "tea", "scope": ["project"]},
        {"decision": "tea", "rationale": {"a": 1}},
        {"decision": "tea", "rationale": ["a"] * 21},
        {"decision": "tea", "refs": [1]},
        {"decision": "tea", "supersedes": 1},
    ],
    ids=str,
)
def test_a_content_that_decides_nothing_is_refused_in_a_sentence(content: dict[str, Any]) -> None:
    with pytest.raises(Refused, match=r"^Not stored: .*\.$"):
        read_decision(content)


async def test_a_decision_keeps_its_grounds_and_its_refs(memory: Memory, ada: Viewer) -> None:
    row = await decide(memory, ada, "tea", rationale="cheap", alternatives=["coffee"], refs=["chk_1", "chk_1"])

    assert (row.words, row.scope, row.status) == ("tea", DecisionScope.PROJECT, DecisionStatus.ACTIVE)
    assert (row.rationale, row.alternatives, row.refs) == (["cheap"], ["coffee"], ["chk_1"])
    assert row.event_id is not None


async def test_after_a_chain_only_the_last_holds_and_all_are_reached_with_their_refs(
    memory: Memory, ada: Viewer
) -> None:
    tea = await decide(memory, ada, "tea", refs=["evt_1"])
    coffee = await decide(memory, ada, "coffee", day=1, refs=["evt_2"], supersedes=tea.id)
    water = await decide(memory, ada, "water", day=2, refs=["evt_3"], supersedes=coffee.id)

    assert await held(memory, ada) == ["water"]
    expected = [("water", ["evt_3"]), ("coffee", ["evt_2"]), ("tea", ["evt_1"])]
    assert await chain_of(memory, ada, water.id) == expected
    async with memory.unit(ada, read_only=True) as unit:
        assert (await decisions.find(unit, tea.id)).superseded_by == coffee.id


async def test_a_decision_is_superseded_once_and_the_no_names_the_successor(memory: Memory, ada: Viewer) -> None:
    tea = await decide(memory, ada, "tea")
    coffee = await decide(memory, ada, "coffee", supersedes=tea.id)
    with pytest.raises(Refused, match=f"already been superseded, by {coffee.id}"):
        await decide(memory, ada, "water", supersedes=tea.id)

    assert await held(memory, ada) == ["coffee"]


async def test_what_is_not_there_and_what_is_another_persons_are_the_same_no(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    his = await decide(memory, ben, "his secret plan")
    for name in ("dec_none", his.id):
        with pytest.raises(NotFound, match="no such decision"):
            await decide(memory, ada, "tea", supersedes=name)

    assert await held(memory, ben) == ["his secret plan"]


async def insert_as(memory: Memory, viewer: Viewer, name: str, **columns: str | None) -> None:
    given = {"tenant_id": viewer.tenant, "id": name, "space_id": viewer.place, "user_id": viewer.person} | {
        "channel": str(viewer.channel), "scope": "user", "decision": "blind", **columns
    }  # fmt: skip
    async with memory.unit(viewer) as unit:
        await unit.session.execute(
            text(f"INSERT INTO decisions (ts, {', '.join(given)}) VALUES (now(), :{', :'.join(given)})"), given
        )


async def test_the_database_alone_refuses_the_same(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    tea, his = await decide(memory, ada, "tea"), await decide(memory, ben, "his secret plan")
    coffee = await decide(memory, ada, "coffee", supersedes=tea.id)
    for wrong in (
        {"supersedes": "dec_self"},
        {"supersedes": his.id},
        {"supersedes": tea.id},
        {"superseded_by": coffee.id, "status": "superseded"},
    ):
        with pytest.raises(WriteRefused) as refused:
            await insert_as(memory, ada, "dec_self", **wrong)
        assert "secret" not in str(refused.value)


CIRCLES = [
    "UPDATE decisions SET supersedes = '{coffee}' WHERE id = '{tea}'",
    "UPDATE decisions SET supersedes = '{tea}' WHERE id = '{tea}'",
    "UPDATE decisions SET superseded_by = '{tea}' WHERE id = '{coffee}'",
    "UPDATE decisions SET superseded_by = '{tea}', status = 'superseded' WHERE id = '{coffee}'",
    "UPDATE decisions SET status = 'active' WHERE id = '{tea}'",
]


@pytest.mark.parametrize("circle", CIRCLES)
async def test_no_update_makes_a_circle_neither_the_applications_nor_the_owners(
    memory: Memory, ada: Viewer, owner_url: str, superuser_url: str, circle: str
) -> None:
    tea = await decide(memory, ada, "tea")
    coffee = await decide(memory, ada, "coffee", supersedes=tea.id)
    statement = circle.format(tea=tea.id, coffee=coffee.id)
    with pytest.raises(WriteRefused):
        async with memory.unit(ada) as unit:
            await unit.session.execute(text(statement))
    for url in (owner_url, superuser_url):
        with psycopg.connect(url) as admin:
            admin.execute(
                "SELECT set_config('keepsake.tenant', %s, true), set_config('keepsake.user', %s, true),"
                " set_config('keepsake.channel', 'private', true)",
                (ada.tenant, ada.person),
            )
            with pytest.raises(psycopg.errors.IntegrityConstraintViolation):
                admin.execute(statement.encode())


async def test_two_that_would_supersede_each_other_do_not_come_in_at_once(memory: Memory, ada: Viewer) -> None:
    row = "('{t}', '{id}', '{space}', '{user}', 'private', now(), 'user', 'x', '{other}')"
    scope = {"t": ada.tenant, "space": ada.place, "user": ada.person}
    both = [row.format(id=one, other=other, **scope) for one, other in (("dec_1", "dec_2"), ("dec_2", "dec_1"))]
    with pytest.raises(WriteRefused):
        async with memory.unit(ada) as unit:
            await unit.session.execute(
                text(
                    "INSERT INTO decisions (tenant_id, id, space_id, user_id, channel, ts, scope, decision, supersedes)"
                    f" VALUES {', '.join(both)}"
                )
            )


async def test_a_member_supersedes_what_was_decided_aloud(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await found_together(memory, ada, ben)
    roses = await decide(memory, aloud(ada, space), "roses", refs=["evt_1"])
    tulips = await decide(memory, aloud(ben, space), "tulips", day=1, refs=["evt_2"], supersedes=roses.id)

    for viewer in (aloud(ada, space), aloud(ben, space), replace(ada, space=space)):
        assert await held(memory, viewer) == ["tulips"]
        assert await chain_of(memory, viewer, tulips.id) == [("tulips", ["evt_2"]), ("roses", ["evt_1"])]


async def test_nobody_supersedes_in_private_what_was_decided_aloud(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await found_together(memory, ada, ben)
    roses = await decide(memory, aloud(ada, space), "roses")
    for viewer in (ada, ben):
        in_private = replace(viewer, space=space)
        with pytest.raises(Refused, match="in front of others"):
            await decide(memory, in_private, "secretly tulips", supersedes=roses.id)
        with pytest.raises(WriteRefused, match="decided aloud is superseded aloud"):
            await insert_as(memory, in_private, "dec_secret", supersedes=roses.id)
    with pytest.raises(Refused, match="another space"):
        await decide(memory, ada, "tulips at home", supersedes=roses.id)

    assert await held(memory, aloud(ben, space)) == ["roses"]


async def test_what_is_sensitive_is_sealed_and_stays_out_of_what_agents_and_the_public_load(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    row = await decide(memory, ada, SICK, rationale=["Zelda asked"])

    assert (row.words, row.rationale) == (SICK, ["Zelda asked"])
    assert await held(memory, replace(ada, channel=Channel.AGENT)) == []
    with pytest.raises(Refused, match="Tell me in private"):
        await decide(memory, replace(ada, channel=Channel.AGENT), SICK)
    with psycopg.connect(superuser_url) as admin:
        plain = admin.execute("SELECT d::text FROM decisions AS d WHERE tenant_id = %s", (ada.tenant,)).fetchall()
    assert "Zelda" not in str(plain)


async def test_the_database_refuses_what_is_sensitive_in_plain(memory: Memory, ada: Viewer) -> None:
    with pytest.raises(WriteRefused, match="in_words_or_sealed"):
        await insert_as(memory, ada, "dec_plain", sensitivity="high")


async def test_a_question_finds_decisions_by_their_words_and_grounds(memory: Memory, ada: Viewer) -> None:
    tea = await decide(memory, ada, "We drink tea", rationale=["the kettle is cheap"])
    await decide(memory, ada, "We drink coffee", day=1, supersedes=tea.id)
    await decide(memory, ada, "Meetings are on Monday", day=2, scope="global")

    async def found(**asked: Any) -> list[str]:
        async with memory.unit(ada, read_only=True) as unit:
            return [row.words for row in await decisions.search_decisions(unit, **asked)]

    assert await found(words="a cheap kettle?") == ["We drink tea"]
    assert await found(words="what do we drink") == ["We drink coffee", "We drink tea"]
    assert await found(words="drinking", status=DecisionStatus.ACTIVE) == ["We drink coffee"]
    assert await found(scope=DecisionScope.GLOBAL) == ["Meetings are on Monday"]
    assert await found(words="zebra") == []
    assert len(await found(limit=2)) == 2


async def test_a_decision_goes_with_its_event_and_its_neighbours_stay(memory: Memory, ada: Viewer) -> None:
    tea = await decide(memory, ada, "tea")
    coffee = await decide(memory, ada, "coffee", supersedes=tea.id)
    water = await decide(memory, ada, "water", day=1, supersedes=coffee.id)
    async with memory.unit(ada) as unit:
        await unit.session.execute(text("SELECT wall.erase_event(:id)").bindparams(id=coffee.event_id))

    assert await chain_of(memory, ada, water.id) == [("water", [])]
    async with memory.unit(ada, read_only=True) as unit:
        left = await decisions.find(unit, tea.id)
    assert (left.status, left.superseded_by) == (DecisionStatus.SUPERSEDED, None)


async def test_a_forgotten_fact_takes_the_decisions_along_that_repeat_it(memory: Memory, ada: Viewer) -> None:
    await decide(memory, ada, "Ask Alec, who is her boss, first", day=1)
    await decide(memory, ada, "Paint it green", day=2, rationale=["Alec is the boss"])
    await decide(memory, ada, f"{SICK} says Alec, the boss", day=3)
    await decide(memory, ada, "Paint the door", day=4)
    async with memory.unit(ada, now=NOON) as unit:
        draft = FactDraft("Alec is my boss", Category.PERSON, subject="Alec")
        await remember(unit, draft, Approval.COMMAND)
        await forget(unit, ForgetRequest(subject="Alec"))

    assert await held(memory, ada) == ["Paint the door"]


async def test_what_was_decided_in_a_forgotten_time_is_forgotten(memory: Memory, ada: Viewer) -> None:
    await decide(memory, ada, "tea")
    await decide(memory, ada, "coffee", day=2)
    async with memory.unit(ada) as unit:
        await forget(unit, ForgetRequest(since=NOON + timedelta(days=1)))

    assert await held(memory, ada) == ["tea"]


async def test_of_two_who_supersede_the_same_at_once_one_is_refused(memory: Memory, ada: Viewer) -> None:
    tea = await decide(memory, ada, "tea")
    tried = await asyncio.gather(
        *(decide(memory, ada, words, supersedes=tea.id) for words in ("coffee", "water", "milk")),
        return_exceptions=True,
    )

    won = [row.words for row in tried if isinstance(row, DecisionRow)]
    assert len(won) == 1
    assert {type(lost) for lost in tried if not isinstance(lost, DecisionRow)} <= {Refused, WriteRefused}
    assert await held(memory, ada) == won
