"""What a person told the bot alone never reaches a group, whatever a lying model tries; what is said there is found."""

from dataclasses import replace
from typing import Any

import pytest

from db.vocabulary import ArtifactKind, Category, Channel, ViewName, ViewScope
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.facts.proposals import propose
from memory.ledgers import artifacts, decisions, documents, tasks, views
from memory.unit import Unit
from tests.conftest import NOON
from tests.integration.bot.groups.stage import ME, Stage, tool
from tests.scripted_model import Calls, Says
from tests.telegram import Group, Person

SAME = "the budget meeting is on Friday"
TOOL_IDS = "SELECT id FROM {} WHERE tenant_id = %s"


async def furnish(stage: Stage, ann: Person) -> None:
    """Everything that can be kept about somebody, each with the word `canary` in it."""
    await stage.say(ann, "the canary0 sings in the cellar")
    for words, category in (
        ("my canary1 is yellow", "other"),
        ("I like canary2 seed", "preference"),
        (SAME, "context"),
    ):
        stage.plays(tool("add_to_memory", content=words, category=category))
        await stage.say(ann, f"remember that {words}")
    stage.plays(tool("add_to_memory", content="I have diabetes like canary3", category="other"))
    await stage.say(ann, "remember that I have diabetes like canary3")
    ann.send_document("canary4.txt", b"the canary4 file", "read my canary4 file")
    await stage.quiet()
    assert stage.runtime
    entry: dict[str, Any] = {"event_id": None, "ts": NOON, "sensitivity": "none"}

    async with stage.runtime.memory.unit(stage.viewer(ann)) as unit:
        await decisions.add_decision(unit, decisions.DecisionDraft("we decide on canary5"), **entry)
        await tasks.save_task(unit, tasks.TaskDraft(title="feed canary6"), **entry)
        await artifacts.store_bytes(unit, b"a list with canary7", kind=ArtifactKind.DOCUMENT)
        await views.put(unit, ViewName.RULES, ViewScope.USER, "always mention canary8")
        await views.put(unit, ViewName.IDENTITY, ViewScope.USER, "you are canary9")
        prepared = await documents.prepare_document("canary10.md", b"# On canary10\n\nIt has feathers, canary10.")
        await documents.add_document(unit, prepared)
        await propose(unit, "add", FactDraft("the canary11 waits for an answer", Category.OTHER))  # type: ignore[arg-type]
        assert len(await facts.all_facts(unit)) == 4
    assert len(stage.rows("SELECT id FROM artifacts WHERE tenant_id = %s")) >= 3


@pytest.mark.slow
async def test_a_lying_model_gets_nothing_of_what_was_told_alone(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    await furnish(stage, ann)
    private, before = len(stage.model.requests), len(ann.answers())
    ids = {table: stage.rows(f"SELECT id FROM {table} WHERE tenant_id = %s") for table in ("facts", "artifacts")}
    versions = "SELECT count(*) FROM fact_versions WHERE tenant_id = %s"
    kept = stage.rows(versions)
    tries: list[Calls] = [tool("search_memory", query=words) for words in ("canary", "canary10", "diabetes", "budget")]
    tries += [tool("search_memory", query="what does Ann like", limit=50)]
    tries += [tool("read_artifact", artifact_id=each) for each in ids["artifacts"]]
    tries += [tool("forget_memory", memory_id=each) for each in ids["facts"]]
    tries += [tool("update_memory", memory_id=each, content="a bird is yellow") for each in ids["facts"]]
    tries += [tool("add_to_memory", content="the canary11 waits for an answer", category="other")]
    tries += [tool("update_task", task_id=each, status="done") for each in stage.rows(TOOL_IDS.format("tasks"))]
    tries += [
        tool("record_decision", decision="we decide anew", supersedes=each, refs=[each])
        for each in stage.rows(TOOL_IDS.format("decisions"))
    ]
    for person in (ann, bob):
        for at in range(0, len(tries), 7):
            stage.plays(*tries[at : at + 7], Says(("I found nothing.",)))
            await stage.say(person, f"{ME} tell us about the bird, a bird is yellow", to=team)

    requests = stage.asked[private:]
    assert len(requests) > 2 * len(tries)
    asked = "".join(requests).replace("the canary11 waits for an answer", "").replace('"query": "canary', "")
    assert "canary" not in asked
    assert "diabetes like" not in asked
    assert "budget meeting" not in asked
    assert "canary" not in stage.groups_see.replace("the canary11 waits for an answer", "")  # its own words
    assert len(ann.answers()) == before
    assert stage.rows(versions) == kept
    assert stage.rows("SELECT status FROM tasks WHERE tenant_id = %s") == ["open"]
    assert [each for each in [*await stage.replayed(ann), *await stage.replayed(bob)] if not each.is_same] == []


async def test_the_same_words_in_a_group_are_another_fact(stage: Stage, ann: Person, bob: Person, team: Group) -> None:
    stage.plays(tool("add_to_memory", content=SAME, category="context"))
    await stage.say(ann, f"remember that {SAME}")
    stage.plays(tool("add_to_memory", content=SAME, category="context"))
    [answer] = await stage.say(ann, f"{ME} remember that {SAME}", to=team)

    assert "✓ Remembered [" in answer.text
    kinds = "SELECT visibility FROM facts WHERE tenant_id = %s ORDER BY 1"
    assert stage.rows(kinds) == ["private", "shared"]
    await stage.tap(ann, answer, "Undo")
    await stage.say(bob, f"{ME} when is it?", to=team)
    assert f"{SAME} (shared)" not in stage.asked[-1]
    await stage.say(ann, "when is it?")
    assert SAME in stage.asked[-1]


async def test_what_was_said_in_a_group_is_found_by_its_members_there_and_not_elsewhere(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    other = stage.telegram.group(-100600, "Team", admins=[bob], members=[ann])
    await stage.say(ann, f"{ME} the boiler needs a plumber from Ghent", to=team)
    stage.plays(tool("add_to_memory", content="the boiler is new", category="context"))
    await stage.say(ann, f"{ME} remember that the boiler is new", to=team)
    await stage.say(bob, "/new", to=team)
    await stage.say(bob, f"{ME} what about the boiler?", to=team)
    assert "Ann: the boiler needs a plumber from Ghent" in stage.asked[-1]
    assert "the boiler is new (shared)" in stage.asked[-1]
    stage.plays(tool("search_memory", query="plumber"))
    await stage.say(bob, f"{ME} look it up", to=team)
    assert "plumber from Ghent" in stage.asked[-1]

    count = len(stage.asked)
    stage.plays(tool("search_memory", query="plumber boiler"))
    await stage.say(bob, f"{ME} what about the boiler and the plumber?", to=other)
    assert "Ghent" not in "".join(stage.asked[count:])
    assert "is new" not in "".join(stage.asked[count:])
    assert len(stage.rows("SELECT id FROM spaces WHERE tenant_id = %s AND kind = 'group'")) == 2


async def test_what_a_team_says_is_not_read_when_it_is_public_again(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    await stage.say(ann, "/space channel team", to=team)
    for words, category in (("I like canary tea", "preference"), ("I have diabetes like canary", "other")):
        stage.plays(tool("add_to_memory", content=words, category=category))
        [answer] = await stage.say(ann, f"{ME} remember that {words}", to=team)
        assert "✓ Remembered" in answer.text
    await stage.say(bob, f"{ME} what does Ann like?", to=team)
    assert "canary tea" in stage.asked[-1]
    assert "diabetes like canary" in stage.asked[-1]

    await stage.say(ann, "/space channel public", to=team)
    count = len(stage.asked)
    stage.plays(tool("search_memory", query="canary tea diabetes"))
    await stage.say(ann, f"{ME} what do I like?", to=team)
    assert "canary tea" not in "".join(stage.asked[count:]).replace("canary tea diabetes", "")
    channels = stage.rows("SELECT channel FROM conversations WHERE tenant_id = %s ORDER BY started_at")
    assert channels == ["public", "team", "public"]
    assert [each for each in [*await stage.replayed(ann), *await stage.replayed(bob)] if not each.is_same] == []


async def test_the_wall_and_not_the_program_keeps_it_so(stage: Stage, ann: Person, team: Group) -> None:
    await furnish(stage, ann)
    await stage.say(ann, f"{ME} hello", to=team)
    [space] = stage.rows("SELECT id FROM spaces WHERE tenant_id = %s AND kind = 'group'")
    assert stage.runtime

    async def look(unit: Unit) -> str:
        return str([await facts.all_facts(unit), await tasks.open_tasks(unit, limit=99), await views.get(unit)])

    for channel in (Channel.PUBLIC, Channel.TEAM):
        async with stage.runtime.memory.unit(replace(stage.viewer(ann), space=space, channel=channel)) as unit:
            assert "canary" not in await look(unit)
