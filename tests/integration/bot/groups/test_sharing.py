"""What is remembered in a group belongs to the group; a card belongs to the person it asks."""

from bot import texts
from memory.refusals import SENTENCES, Refusal
from tests.integration.bot.groups.stage import ME, Stage, tool
from tests.telegram import Group, Person, Sent

FACTS = """SELECT row(v.content, v.visibility, s.kind, v.approval)::text FROM facts AS f
           JOIN fact_versions AS v ON v.tenant_id = f.tenant_id AND v.fact_id = f.id
           JOIN spaces AS s ON s.tenant_id = v.tenant_id AND s.id = v.space_id
           WHERE f.tenant_id = %s ORDER BY v.created_at, v.version"""
CARDS = "SELECT status FROM proposals WHERE tenant_id = %s ORDER BY created_at"


async def test_what_is_ordered_in_a_group_is_shared_with_it(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    stage.plays(tool("add_to_memory", content="standup is at 9", category="context"))
    [answer] = await stage.say(ann, f"{ME} remember that standup is at 9", to=team)
    assert "✓ Remembered" in answer.text
    assert stage.rows(FACTS) == ['("standup is at 9",shared,group,order)']

    await stage.say(bob, f"{ME} hello", to=team)
    assert "standup is at 9 (shared)" in stage.asked[-1]
    await stage.say(bob, "/new", to=team)
    await stage.say(bob, f"{ME} hello", to=team)
    assert "standup is at 9 (shared)" in stage.asked[-1]
    assert await stage.tap(bob, answer, "Undo") == {"text": texts.BUTTON_NOT_YOURS, "show_alert": False}
    await stage.tap(ann, answer, "Undo")
    await stage.say(bob, f"{ME} hello", to=team)
    assert "standup is at 9 (shared)" not in stage.asked[-1]


async def test_what_is_deleted_in_a_group_is_gone_there_and_can_be_brought_back(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    stage.plays(tool("add_to_memory", content="standup is at 9", category="context"))
    await stage.say(ann, f"{ME} remember that standup is at 9", to=team)
    [fact] = stage.rows("SELECT id FROM facts WHERE tenant_id = %s")
    stage.plays(tool("forget_memory", memory_id=fact))
    await stage.say(bob, f"{ME} forget that standup is at 9", to=team)
    assert str(SENTENCES[Refusal.FACT_NOT_FOUND]) in stage.asked[-1]
    stage.plays(tool("forget_memory", memory_id=fact))
    [answer] = await stage.say(ann, f"{ME} forget that standup is at 9", to=team)
    assert "✓ Deleted" in answer.text

    await stage.say(bob, "/new", to=team)
    stage.plays(tool("search_memory", query="standup"))
    await stage.say(ann, f"{ME} what do you know?", to=team)
    assert f"[id:{fact}]" not in stage.asked[-1]
    assert await stage.tap(bob, answer, "Undo") == {"text": texts.BUTTON_NOT_YOURS, "show_alert": False}
    await stage.tap(ann, answer, "Undo")
    assert "✓ Remembered again" in team.answers()[-1].text
    await stage.say(bob, f"{ME} what do you know?", to=team)
    assert f"[id:{fact}] standup is at 9 (shared)" in stage.asked[-1]


async def test_likings_and_what_is_sensitive_are_refused_kindly_in_public(
    stage: Stage, ann: Person, team: Group
) -> None:
    for words, category in (("I like tea", "preference"), ("I have diabetes", "other"), ("my son is Tim", "other")):
        stage.plays(tool("add_to_memory", content=words, category=category, attribute=None))
        await stage.say(ann, f"{ME} remember that {words}", to=team)
        if category == "preference" or "diabetes" in words:
            assert "I don't keep things like this in public. Tell me in private." in stage.asked[-1]
    stage.plays(tool("add_to_memory", content="tea is lovely", category="preference"))
    [answer] = await stage.say(ann, f"{ME} tea is lovely", to=team)

    assert "I don't keep things like this in public" in stage.asked[-1]
    assert answer.labels in ([], ["Why?"])
    assert stage.rows(CARDS) == []
    assert "diabetes" not in str(stage.rows(FACTS))
    assert "tea" not in str(stage.rows(FACTS))


async def test_a_fact_of_the_group_cannot_become_sensitive_in_public(stage: Stage, ann: Person, team: Group) -> None:
    stage.plays(tool("add_to_memory", content="standup is at 9", category="context"))
    await stage.say(ann, f"{ME} remember that standup is at 9", to=team)
    [fact] = stage.rows("SELECT id FROM facts WHERE tenant_id = %s")
    stage.plays(tool("update_memory", memory_id=fact, content="I have diabetes"))
    await stage.say(ann, f"{ME} I have diabetes", to=team)

    assert stage.rows(FACTS) == ['("standup is at 9",shared,group,order)']
    assert stage.rows("SELECT failures FROM inbox WHERE tenant_id = %s AND failures > 0") == []


async def card_for(stage: Stage, person: Person, team: Group, words: str) -> Sent:
    stage.plays(tool("add_to_memory", content=words, category="project"))
    [_, card] = await stage.say(person, f"{ME} {words}", to=team)
    assert card.labels == ["Remember", "Edit", "No"]
    return card


async def test_only_its_owner_answers_a_card(stage: Stage, ann: Person, bob: Person, team: Group) -> None:
    card = await card_for(stage, ann, team, "the server is called Hugo")
    for label in card.labels:
        assert (await stage.tap(bob, card, label))["text"] == texts.BUTTON_NOT_YOURS
    await stage.say(bob, f"{ME} yes", to=team)
    await stage.say(bob, "yes", to=team, reply_to=card)
    await stage.say(bob, "the server is called Egon", to=team, reply_to=card)
    assert stage.rows(CARDS) == ["waiting"]
    assert stage.rows(FACTS) == []

    assert (await stage.tap(ann, card, "Remember"))["text"] == ""
    assert stage.rows(FACTS) == ['("the server is called Hugo",shared,group,card)']
    [now] = [each for each in team.answers() if each.message_id == card.message_id]
    assert "✓ Remembered" in now.text
    old = card.buttons[0][0][1]
    assert (await stage.tap(ann, card, data=old))["text"] == texts.BUTTON_OLD
    assert (await stage.tap(ann, card, data="nonsense"))["text"] == texts.BUTTON_OLD


async def test_a_plain_yes_of_its_owner_answers_a_card_in_a_group(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    card = await card_for(stage, ann, team, "the server is called Hugo")
    await stage.say(bob, "yes", to=team, reply_to=card)
    assert stage.rows(CARDS) == ["waiting"]
    await stage.say(ann, "/new", to=team)
    stage.plays(tool("add_to_memory", content="the printer is called Rosa", category="project"))
    [_, other] = await stage.say(ann, f"{ME} the printer is called Rosa", to=team)
    [receipt] = await stage.say(ann, "yes", to=team, reply_to=other)

    assert "✓ Remembered" in receipt.text
    assert stage.rows(FACTS) == ['("the printer is called Rosa",shared,group,yes)']


async def test_own_words_for_a_card_are_its_owners_alone(stage: Stage, ann: Person, bob: Person, team: Group) -> None:
    card = await card_for(stage, ann, team, "the server is called Hugo")
    await stage.tap(ann, card, "Edit")
    question = team.answers()[-1]
    assert "How should it read" in question.text
    [no] = await stage.say(bob, "the server is called Egon", to=team, reply_to=question)
    assert "✓" not in no.text
    assert stage.rows(FACTS) == []
    [yes] = await stage.say(ann, "the server is called Ida", to=team, reply_to=question)

    assert "✓ Remembered" in yes.text
    assert stage.rows(FACTS) == ['("the server is called Ida",shared,group,card)']


async def test_what_a_button_shows_alone_is_not_shown_in_a_group(stage: Stage, ann: Person, team: Group) -> None:
    """A client of one's own can send any data with any message."""
    stage.plays(tool("add_to_memory", content="my boss is called Alec", category="person"))
    await stage.say(ann, "remember that my boss is called Alec")
    [fact] = stage.rows("SELECT id FROM facts WHERE tenant_id = %s")
    [answer] = await stage.say(ann, f"{ME} hello", to=team)

    for verb in ("page", "open", "history", "edit", "delete", "share", "unshare", "forget"):
        shown = await stage.tap(ann, answer, data=f"{verb}|{ann.id}|{fact if verb != 'page' else 0}|")
        assert shown["text"] == texts.BUTTON_OLD
    assert (await stage.tap(ann, answer, data=f"undo|{ann.id}|{fact}|"))["text"] == texts.BUTTON_OLD
    assert "Alec" not in stage.groups_see
    assert stage.rows(FACTS) == ['("my boss is called Alec",private,personal,order)']
