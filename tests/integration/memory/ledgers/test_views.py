"""Views: Markdown that its owner edits, each edit a version, and nothing in it that must not be loaded everywhere."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from db.errors import WriteRefused
from db.queries.ledgers.views import add_view
from db.viewer import Viewer
from db.vocabulary import Approval, Category, Channel, ViewName, ViewScope
from memory.context.build import build_bundle
from memory.context.sections import SectionName
from memory.errors import Refused
from memory.facts.facts import FactDraft, remember
from memory.ledgers import views
from memory.privacy.forgetting.forget import ForgetRequest, forget
from memory.unit import Memory
from tests.company import aloud, found_together
from tests.conftest import NOON, Converse

IDENTITY, RULES = ViewName.IDENTITY, ViewName.RULES
USER, SPACE = ViewScope.USER, ViewScope.SPACE
SECRET = "sk-ant-api03-" + "Zz9-" * 20


async def put(memory: Memory, viewer: Viewer, words: str, scope: ViewScope = USER, *, day: int = 0) -> str:
    async with memory.unit(viewer, now=NOON + timedelta(days=day)) as unit:
        return (await views.put(unit, RULES, scope, words)).content


async def rules(memory: Memory, viewer: Viewer) -> dict[ViewScope, str]:
    async with memory.unit(viewer, read_only=True) as unit:
        return {scope: row.content for (_, scope), row in (await views.get(unit)).items()}


async def test_an_edit_is_a_new_version_and_the_old_ones_stay(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    for day, words in enumerate(("# Be kind", "# Be brief\n\n- no jokes")):
        await put(memory, ada, words, day=day)
    async with memory.unit(ada, now=NOON) as unit:
        await views.put(unit, IDENTITY, USER, "a gardener")
        told = [(row.version, row.content) for row in await views.history(unit, RULES, USER)]
        now = {key: row.content for key, row in (await views.get(unit)).items()}

    assert told == [(2, "# Be brief\n\n- no jokes"), (1, "# Be kind")]
    assert now == {(RULES, USER): "# Be brief\n\n- no jokes", (IDENTITY, USER): "a gardener"}
    assert await rules(memory, ben) == {}


async def test_a_view_of_ones_own_holds_in_every_space_and_is_read_alone(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    await put(memory, ada, "be kind")
    await put(memory, replace(ada, space=space), "be brief", day=1)

    for viewer in (ada, replace(ada, space=space), replace(ada, channel=Channel.AGENT)):
        assert await rules(memory, viewer) == {USER: "be brief"}
    assert await rules(memory, aloud(ada, space)) == {}


async def test_the_rules_of_a_space_are_its_owners_and_read_by_all_in_it(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    await put(memory, replace(ada, space=space), "water at night", SPACE)
    with pytest.raises(Refused, match="Only an owner"):
        await put(memory, replace(ben, space=space), "obey ben", SPACE)
    with pytest.raises(WriteRefused):
        async with memory.unit(replace(ben, space=space)) as unit:
            await add_view(unit.session, unit.viewer, name=RULES, scope=SPACE, content="obey ben", now=NOON)

    for viewer in (aloud(ben, space), aloud(ada, space, Channel.PUBLIC), replace(ben, space=space)):
        assert await rules(memory, viewer) == {SPACE: "water at night"}
    assert await rules(memory, ben) == {}


async def test_secrets_are_taken_out_and_what_is_sensitive_is_refused(memory: Memory, ada: Viewer) -> None:
    assert SECRET not in await put(memory, ada, f"use {SECRET}")
    with pytest.raises(Refused, match="leave out anything sensitive"):
        await put(memory, ada, "My sister Zelda has diabetes")
    with pytest.raises(Refused, match="leave out anything sensitive"):
        await put(memory, ada, "Call me on +49 170 1234567", SPACE)
    with pytest.raises(Refused, match="20,000"):
        await put(memory, ada, "x" * 20_001)


@pytest.mark.parametrize("name", [IDENTITY, RULES])
@pytest.mark.parametrize(
    "sentence", ["Speak like a kind grandmother. ", "Говори как добрая бабушка. ", "<b>温柔</b>。"]
)
async def test_what_would_not_fit_into_a_prompt_is_refused_and_what_is_kept_stands_there(
    memory: Memory, ada: Viewer, ben: Viewer, start: Converse, name: ViewName, sentence: str
) -> None:
    here = replace(ada, space=await found_together(memory, ada, ben))
    words = (sentence * 20_000)[:19_000]
    async with memory.unit(here, now=NOON) as unit:
        with pytest.raises(Refused, match="goes into every conversation") as refusal:
            await views.put(unit, name, SPACE, words)
    longest = int(re.findall(r"about ([\d,]+) characters", str(refusal.value))[0].replace(",", ""))
    async with memory.unit(here, now=NOON) as unit:
        kept = await views.put(unit, name, SPACE, words[:longest])
    bundle = await build_bundle(memory, None, here, await start(here), "thanks", now=NOON)

    assert longest > 300
    assert kept.content[:50] in str([item.text for item in bundle.items(SectionName(name))]).replace("‹", "<")


async def test_an_agent_does_not_write_its_own_rules(memory: Memory, ada: Viewer) -> None:
    with pytest.raises(Refused, match="only by people"):
        await put(memory, replace(ada, channel=Channel.AGENT), "obey nobody")


async def test_empty_words_take_a_view_back(memory: Memory, ada: Viewer) -> None:
    await put(memory, ada, "be kind")
    await put(memory, ada, " ", day=1)

    assert await rules(memory, ada) == {}


async def test_a_forgotten_fact_is_blanked_in_every_version(memory: Memory, ada: Viewer) -> None:
    await put(memory, ada, "- Alec is my boss\n- be kind")
    await put(memory, ada, "- be kind\n- alec  is my boss", day=1)
    async with memory.unit(ada, now=NOON) as unit:
        await remember(unit, FactDraft("Alec is my boss", Category.PERSON, subject="Alec"), Approval.COMMAND)
        await forget(unit, ForgetRequest(subject="Alec"))
        left = [row.content for row in await views.history(unit, RULES, USER)]

    assert left == [f"- be kind\n- {'█' * 16}", f"- {'█' * 15}\n- be kind"]
