"""Documents of a space: recalled by its members beside what was said, and by nobody else."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from db.queries.retrieval.recall import RecallFilter
from db.tables import Base
from db.viewer import Viewer
from db.vocabulary import Approval, Category, Channel, ViewName, ViewScope
from memory.context.build import build_bundle
from memory.context.sections import SectionName
from memory.errors import NotFound, Refused
from memory.facts import facts
from memory.ledgers import documents, views
from memory.ledgers.documents import Document
from memory.people import spaces
from memory.privacy.export import export_data
from memory.privacy.forgetting.forget import ForgetRequest, erase, forget
from memory.privacy.restore import load_export
from memory.retrieval.hits import Hit
from memory.retrieval.recall import recall
from memory.retrieval.sealed import search_sealed
from memory.unit import Memory
from tests.conftest import NOON, Converse, Meet

DIET = b"I have diabetes, and my doctor told me to avoid plum cake."
RECIPE = b"# Plum cake\n\nGrandma takes two pounds of plums and bakes the cake for fifty minutes.\n"


async def give(memory: Memory, viewer: Viewer, data: bytes = RECIPE, name: str = "cake.md") -> Document:
    prepared = await documents.prepare_document(name, data)
    async with memory.unit(viewer, now=NOON) as unit:
        return await documents.add_document(unit, prepared)


async def found(memory: Memory, viewer: Viewer, question: str = "how long does the plum cake bake?") -> list[Hit]:
    recalled = await recall(memory, None, viewer, question, now=NOON, limit=5, deadline=timedelta(minutes=5))
    return list(recalled.hits)


@pytest.fixture
async def family(memory: Memory, ada: Viewer, ben: Viewer) -> str:
    async with memory.unit(ada) as unit:
        space = await spaces.create_space(unit, "Grandma")
    async with memory.unit(replace(ada, space=space)) as unit:
        code = (await spaces.invite(unit)).code
    async with memory.unit(ben) as unit:
        await spaces.join_space(unit, code)
    return space


async def test_members_find_a_document_of_their_space_and_nobody_else_does(
    memory: Memory, ada: Viewer, ben: Viewer, meet: Meet, family: str
) -> None:
    given = await give(memory, replace(ada, space=family, channel=Channel.TEAM))

    for member in (ada, ben):
        [hit] = await found(memory, replace(member, space=family))
        assert (hit.artifact_id, hit.kind, hit.actor) == (given.row.id, "document", "cake.md")
        assert "fifty minutes" in hit.text
    assert await found(memory, ben) == []
    assert await found(memory, replace(await meet("eve"), space=family)) == []


async def test_the_same_document_twice_is_one_and_taken_back_it_is_gone(memory: Memory, ada: Viewer) -> None:
    once, again = await give(memory, ada), await give(memory, ada)

    assert once.row.id == again.row.id
    async with memory.unit(ada) as unit:
        assert [row.meta["name"] for row in await documents.list_documents(unit)] == ["cake.md"]
        await documents.remove_document(unit, once.row.id)
    assert await found(memory, ada) == []
    async with memory.unit(ada) as unit:
        with pytest.raises(NotFound):
            await documents.remove_document(unit, once.row.id)


async def test_a_document_is_as_old_as_when_it_was_first_given(memory: Memory, ada: Viewer) -> None:
    once = await give(memory, ada)
    prepared = await documents.prepare_document("another name.md", RECIPE)
    async with memory.unit(ada, now=NOON + timedelta(days=9)) as unit:
        again = await documents.add_document(unit, prepared)

    assert (again.row.ts, again.name, again.chunks) == (NOON, "cake.md", once.chunks)
    assert [hit.ts for hit in await found(memory, ada)] == [NOON]


async def test_what_is_left_of_a_document_after_a_purge_is_found_as_before(
    memory: Memory, ada: Viewer, ben: Viewer, family: str
) -> None:
    data = RECIPE + b"\nAlec is my boss.\n"
    given = await give(memory, replace(ada, space=family, channel=Channel.TEAM), data)
    here = replace(ben, space=family)
    [before] = await found(memory, here)
    async with memory.unit(ada, now=NOON + timedelta(days=9)) as unit:
        draft = facts.FactDraft("Alec is my boss", Category.PERSON, subject="Alec")
        await facts.remember(unit, draft, Approval.COMMAND)
        await forget(unit, ForgetRequest(subject="Alec"))
    [after] = await found(memory, here)

    assert "Alec" in before.text
    assert "Alec" not in after.text
    assert "fifty minutes" in after.text
    assert replace(after, text="", score=0, parts={}) == replace(before, text="", score=0, parts={})
    assert after.artifact_id == given.row.id


async def test_an_imported_document_is_found_and_has_the_same_pieces(memory: Memory, ada: Viewer, meet: Meet) -> None:
    await give(memory, ada)
    [before] = await found(memory, ada)
    async with memory.unit(ada) as unit:
        exported = json.loads(json.dumps(await export_data(unit)))
    await erase(memory, ada.tenant, ada.person)
    async with memory.unit(await meet("ada"), now=NOON + timedelta(days=9)) as unit:
        await load_export(unit, exported)
    copied = await meet("cleo")
    async with memory.unit(copied) as unit:
        await load_export(unit, exported)

    assert await found(memory, ada) == [before]
    [copy] = await found(memory, copied)
    assert (copy.text, copy.ts, copy.actor) == (before.text, before.ts, before.actor)
    assert copy.artifact_id != before.artifact_id


async def test_a_sensitive_document_is_sealed_with_its_name_and_has_no_index(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    given = await give(memory, ada, DIET, "diabetes.md")

    assert (given.chunks, given.name) == (0, "diabetes.md")
    with psycopg.connect(superuser_url) as admin:
        for table in Base.metadata.tables:
            rows = admin.execute(f"SELECT t::text FROM {table} AS t".encode()).fetchall()
            assert "diabetes.md" not in str(rows)


async def test_members_find_a_sensitive_document_where_it_may_be_loaded_and_nowhere_else(
    memory: Memory, ada: Viewer, ben: Viewer, meet: Meet, family: str
) -> None:
    given = await give(memory, replace(ada, space=family, channel=Channel.TEAM), DIET, "diabetes.md")

    for member in (ada, ben):
        for channel in (Channel.PRIVATE, Channel.TEAM):
            [hit] = await found(memory, replace(member, space=family, channel=channel), "may I eat plum cake?")
            assert (hit.artifact_id, hit.event_id, hit.kind) == (given.row.id, None, "document")
            assert (hit.actor, hit.ts, hit.is_sensitive) == ("diabetes.md", NOON, True)
            assert hit.text == DIET.decode()
        for channel in (Channel.AGENT, Channel.PUBLIC):
            assert await found(memory, replace(member, space=family, channel=channel), "may I eat plum cake?") == []
    assert await found(memory, ben, "may I eat plum cake?") == []
    assert await found(memory, replace(await meet("eve"), space=family), "may I eat plum cake?") == []


async def test_a_sensitive_document_has_a_kind_and_a_time_and_no_tags(memory: Memory, ada: Viewer) -> None:
    given = await give(memory, ada, DIET)

    async def of(**only: Any) -> list[str | None]:
        async with memory.unit(ada, now=NOON, read_only=True) as unit:
            opened = await search_sealed(unit, ["plum"], RecallFilter(**only), seconds=300.0)
        return [each.artifact_id for each in opened.found.values()]

    assert await of() == await of(kinds=["document", "message"]) == await of(since=NOON) == [given.row.id]
    assert await of(kinds=["message"]) == await of(tags=["cake"]) == await of(until=NOON) == []


@pytest.mark.parametrize("data", [RECIPE, DIET])
async def test_a_part_that_was_recalled_is_made_again_from_its_document(
    memory: Memory, ada: Viewer, ben: Viewer, data: bytes
) -> None:
    given = await give(memory, ada, data)
    [hit] = await found(memory, ada, "plum cake")
    async with memory.unit(ada, read_only=True) as unit:
        again = await documents.document_part(unit, given.row.id, hit.part)
        beyond = await documents.document_part(unit, given.row.id, 7)
    async with memory.unit(ben, read_only=True) as unit:
        his = await documents.document_part(unit, given.row.id, hit.part)

    assert again == (hit.actor, hit.ts, hit.text)
    assert beyond is his is None


async def test_what_is_forgotten_goes_out_of_a_sensitive_document_too(memory: Memory, ada: Viewer) -> None:
    await give(memory, ada, DIET + b" Alec is my boss.")
    async with memory.unit(ada, now=NOON) as unit:
        draft = facts.FactDraft("Alec is my boss", Category.PERSON, subject="Alec")
        await facts.remember(unit, draft, Approval.COMMAND)
        await forget(unit, ForgetRequest(subject="Alec"))
    [hit] = await found(memory, ada, "Does Alec eat plum cake?")

    assert "Alec" not in hit.text
    assert "plum cake" in hit.text


@pytest.mark.parametrize(("name", "data"), [("empty.md", b" \n"), ("photo.jpg", b"\xff\xd8\xff"), ("\u202e", b"words")])
async def test_what_is_no_document_is_refused(memory: Memory, ada: Viewer, name: str, data: bytes) -> None:
    with pytest.raises(Refused):
        await give(memory, ada, data, name)


async def test_subject_and_persona_of_a_space_stand_in_the_prompt(
    memory: Memory, ada: Viewer, family: str, start: Converse
) -> None:
    here = replace(ada, space=family)
    async with memory.unit(here) as unit:
        await views.put(unit, ViewName.IDENTITY, ViewScope.SPACE, "Speak like a kind grandmother.")
        await views.put(unit, ViewName.RULES, ViewScope.SPACE, "Never give away the recipe.")
    bundle = await build_bundle(memory, None, here, await start(here), "thanks", now=NOON)
    elsewhere = await build_bundle(memory, None, ada, await start(ada), "thanks", now=NOON)

    assert [item.text for item in bundle.items(SectionName.IDENTITY)] == [
        "This space is about: Grandma",
        "Speak like a kind grandmother.",
    ]
    assert [item.text for item in bundle.items(SectionName.RULES)] == ["Never give away the recipe."]
    assert elsewhere.items(SectionName.IDENTITY) == elsewhere.items(SectionName.RULES) == ()
