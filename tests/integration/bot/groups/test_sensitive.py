"""What is too sensitive for a public group: answered, sealed, never loaded again, and no trouble after a crash."""

import pytest

from tests.integration.bot.groups.stage import ME, Make, Stage, tool
from tests.scripted_model import Fails, Says
from tests.telegram import Group, Person
from tests.waiting import STUCK, eventually

WORDS = "I have diabetes and need insulin"
INBOX = "SELECT row(state, payload, answer, failures)::text FROM inbox WHERE tenant_id = %s"
SAID = "SELECT row(sensitivity, actor_type)::text FROM events WHERE tenant_id = %s AND kind = 'message' ORDER BY seq"
POSTS = "SELECT count(*) FROM posts WHERE tenant_id = %s"


async def test_a_sensitive_message_is_answered_sealed_and_not_loaded_again(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    stage.plays(tool("add_to_memory", content=WORDS, category="other"), Says(("Your diabetes is not for here.",)))
    [answer] = await stage.say(ann, f"{ME} {WORDS}", to=team)
    assert answer.text == "Your diabetes is not for here."
    assert stage.rows(SAID) == ["(high,human)", "(high,agent)"]
    assert stage.rows(POSTS) == [0]
    assert stage.rows(INBOX) == ["(done,,,0)"]
    for table in ("events", "chunks", "bundles", "inbox", "fact_versions", "proposals"):
        assert "insulin" not in str(stage.rows(f"SELECT t::text FROM {table} AS t WHERE tenant_id = %s"))

    count = len(stage.asked)
    stage.plays(tool("search_memory", query="insulin diabetes"))
    await stage.say(bob, f"{ME} what does Ann have?", to=team)
    await stage.say(ann, f"{ME} what do I need?", to=team)
    assert "need insulin" not in "".join(stage.asked[count:])
    assert "not for here" not in "".join(stage.asked[count:])
    await stage.say(ann, "/why", to=team)
    assert [each for each in await stage.replayed(ann) if not each.is_same] == []
    assert [each for each in await stage.replayed(bob) if not each.is_same] == []


async def test_a_sensitive_message_is_taken_up_after_a_crash_without_an_error(
    make_stage: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its event is there, but its author may not read it in that channel."""
    monkeypatch.setattr("bot.telegram.app.SECONDS_TO_STOP", 0.0)
    monkeypatch.setattr("bot.delivery.worker.SECONDS_TO_DELIVER", STUCK)
    async with make_stage() as stage:
        ann = stage.telegram.person(11, "Ann")
        team = stage.telegram.group(-100500, "Team", admins=[ann])
        async with stage.playing():
            stage.plays(*[Fails("stall", words="")] * 9)
            ann.say(f"{ME} {WORDS}", to=team)
            await eventually(lambda: stage.model.requests)
            assert stage.rows(SAID) == ["(high,human)"]
        assert stage.rows("SELECT state FROM inbox WHERE tenant_id = %s") == ["waiting"]

        stage.model.script.clear()
        async with stage.playing():
            await stage.quiet()
            assert stage.rows(SAID) == ["(high,human)", "(high,agent)"]
            assert stage.rows(INBOX) == ["(done,,,0)"]
            assert [each.text for each in team.answers()] == ["All right."]
