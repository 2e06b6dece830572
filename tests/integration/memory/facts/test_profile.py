"""The profile: twelve attributes, set and read back, every change a version of a fact."""

from typing import Any

import pytest
from pydantic import BaseModel

from db.queries.facts.facts import FactRow
from db.viewer import Viewer
from db.vocabulary import Approval, Attribute, Category, Sensitivity
from memory.errors import Refused
from memory.facts import facts, history
from memory.facts.profile import FamilyMember, ImportantDate, Preferences, format_profile, profile_of, update_profile
from memory.facts.receipts import Receipt, ReceiptKind
from memory.unit import Memory

WHOLE = Preferences(
    name="Ada Lovelace",
    preferred_name="Ada",
    occupation="programmer",
    location="Oslo",
    communication_style="technical",
    faith_context="Quaker",
    interests=["chess", "rowing"],
    family_members=[
        FamilyMember(relation="uncle", name="Bo", notes="plays the cello"),
        FamilyMember(relation="cousin"),
    ],
    goals=["learn Norwegian", "sleep well"],
    important_dates=[ImportantDate(label="wedding day", date="12 May"), ImportantDate(label="graduation")],
    interaction_preferences=["short answers", "no jokes"],
    custom={"editor": "vim", "keyboard": "dvorak"},
)
ONE_VALUED = ["name", "preferred_name", "occupation", "location", "communication_style", "faith_context"]


async def set_to(memory: Memory, viewer: Viewer, update: Preferences) -> list[Receipt]:
    async with memory.unit(viewer) as unit:
        return await update_profile(unit, update)


async def profile(memory: Memory, viewer: Viewer) -> dict[str, Any]:
    """What is told, its lists in the order of the alphabet: values of one moment have no other."""
    async with memory.unit(viewer, read_only=True) as unit:
        return told((await profile_of(unit)).preferences)


def told(preferences: Preferences) -> dict[str, Any]:
    fields = {name: value for name, value in preferences if value is not None}
    return {
        name: sorted(map(each, value), key=str) if isinstance(value, list) else value for name, value in fields.items()
    }


def each(value: Any) -> Any:
    fields = value.model_dump(exclude_none=True) if isinstance(value, BaseModel) else value
    return dict(sorted(fields.items())) if isinstance(fields, dict) else fields


async def all_of(memory: Memory, viewer: Viewer) -> list[FactRow]:
    async with memory.unit(viewer, read_only=True) as unit:
        return await facts.all_facts(unit)


async def wordings(memory: Memory, viewer: Viewer, fact_id: str) -> list[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        return [row.words for row in await history.history(unit, fact_id)]


async def test_all_twelve_attributes_are_kept_and_told(memory: Memory, ada: Viewer) -> None:
    receipts = await set_to(memory, ada, WHOLE)

    assert {receipt.kind for receipt in receipts} == {ReceiptKind.STORED}
    assert {receipt.row.attribute for receipt in receipts} == set(Attribute)
    assert {receipt.row.approval for receipt in receipts} == {Approval.COMMAND}
    assert await profile(memory, ada) == told(WHOLE)


async def test_what_is_told_is_a_profile_like_the_one_that_was_given(memory: Memory, ada: Viewer) -> None:
    given = Preferences(
        name="Ada Lovelace",
        family_members=[FamilyMember(relation="uncle", name="Bo")],
        important_dates=[ImportantDate(label="wedding day")],
    )
    await set_to(memory, ada, given)
    async with memory.unit(ada, read_only=True) as unit:
        read = (await profile_of(unit)).preferences

    assert read.family_members == given.family_members
    assert read.important_dates == given.important_dates
    assert Preferences.model_validate_json(read.model_dump_json()) == read


async def test_what_nobody_set_is_empty(memory: Memory, ada: Viewer) -> None:
    assert await profile(memory, ada) == told(Preferences())


async def test_the_same_profile_again_changes_nothing(memory: Memory, ada: Viewer) -> None:
    await set_to(memory, ada, WHOLE)
    before = await all_of(memory, ada)

    assert await set_to(memory, ada, WHOLE) == []
    assert await all_of(memory, ada) == before


@pytest.mark.parametrize("field", ONE_VALUED)
async def test_another_value_is_a_new_version_of_the_same_fact(memory: Memory, ada: Viewer, field: str) -> None:
    await set_to(memory, ada, WHOLE)
    other = "casual" if field == "communication_style" else "Copenhagen"
    [receipt] = await set_to(memory, ada, Preferences.model_validate({field: other}))

    assert (receipt.kind, receipt.row.version) == (ReceiptKind.CHANGED, 2)
    assert receipt.before is not None
    assert receipt.before.id == receipt.row.id
    assert await profile(memory, ada) == {**told(WHOLE), field: other}


async def test_of_many_values_one_is_added_and_one_removed(memory: Memory, ada: Viewer) -> None:
    await set_to(memory, ada, WHOLE)
    receipts = await set_to(memory, ada, Preferences(interests=["chess", "gardening"]))

    assert [(receipt.kind, receipt.row.content) for receipt in receipts] == [
        (ReceiptKind.STORED, "Interest: gardening"),
        (ReceiptKind.FORGOTTEN, "Interest: rowing"),
    ]
    assert await profile(memory, ada) == {**told(WHOLE), "interests": ["chess", "gardening"]}


async def test_a_removed_value_can_be_set_again(memory: Memory, ada: Viewer) -> None:
    for interests in (["chess", "rowing"], ["chess"]):
        await set_to(memory, ada, Preferences(interests=interests))
    [receipt] = await set_to(memory, ada, Preferences(interests=["chess", "rowing"]))

    assert receipt.kind == ReceiptKind.RESTORED
    assert (await profile(memory, ada))["interests"] == ["chess", "rowing"]


async def test_a_value_of_before_can_be_set_again(memory: Memory, ada: Viewer) -> None:
    for location in ("Oslo", None, "Paris", "Oslo"):
        await set_to(memory, ada, Preferences(location=location))

    assert (await profile(memory, ada))["location"] == "Oslo"


CHANGED: list[tuple[dict[str, Any], dict[str, Any], list[str]]] = [
    (
        {"custom": {"editor": "vim", "shell": "fish"}},
        {"custom": {"editor": "emacs", "shell": "fish"}},
        ["Note: editor: vim", "Note: editor: emacs"],
    ),
    (
        {"important_dates": [{"label": "wedding", "date": "12 May"}, {"label": "exam"}]},
        {"important_dates": [{"label": "exam"}, {"label": "wedding", "date": "13 May"}]},
        ["Important date: wedding, 12 May", "Important date: wedding, 13 May"],
    ),
    (
        {"family_members": [{"relation": "uncle", "name": "Bo"}, {"relation": "cousin"}]},
        {"family_members": [{"relation": "cousin"}, {"relation": "uncle", "name": "Bo", "notes": "a cellist"}]},
        ["Family: uncle (Bo)", "Family: uncle (Bo), a cellist"],
    ),
]


@pytest.mark.parametrize(("before", "after", "words"), CHANGED, ids=["key", "label", "relation"])
async def test_a_value_with_a_key_a_label_or_a_relation_changes_by_a_version(
    memory: Memory, ada: Viewer, before: dict[str, Any], after: dict[str, Any], words: list[str]
) -> None:
    await set_to(memory, ada, Preferences.model_validate(before))
    [receipt] = await set_to(memory, ada, Preferences.model_validate(after))

    assert receipt.kind == ReceiptKind.CHANGED
    assert await wordings(memory, ada, receipt.row.id) == words
    assert await profile(memory, ada) == told(Preferences.model_validate(after))


async def test_only_the_named_fields_change(memory: Memory, ada: Viewer) -> None:
    await set_to(memory, ada, WHOLE)
    async with memory.unit(ada) as unit:
        await facts.remember(unit, facts.FactDraft("the key is under the mat", Category.OTHER), Approval.ORDER)
    await set_to(memory, ada, Preferences())
    await set_to(memory, ada, Preferences(goals=["sleep better"]))

    assert await profile(memory, ada) == {**told(WHOLE), "goals": ["sleep better"]}
    assert "the key is under the mat" in [row.content for row in await all_of(memory, ada)]


EMPTY: list[dict[str, Any]] = [
    *({field: None} for field in ONE_VALUED),
    {"name": ""},
    {"name": "  "},
    {"interests": []},
    {"interests": ["", "  "]},
    {"family_members": []},
    {"goals": []},
    {"important_dates": []},
    {"interaction_preferences": []},
    {"custom": {}},
    {"custom": {"editor": "", "keyboard": " "}},
]


async def test_an_empty_value_forgets(memory: Memory, ada: Viewer) -> None:
    for update in EMPTY:
        await set_to(memory, ada, WHOLE)
        assert await profile(memory, ada) == told(WHOLE)
        receipts = await set_to(memory, ada, Preferences.model_validate(update))

        [field] = update
        assert {receipt.kind for receipt in receipts} == {ReceiptKind.FORGOTTEN}, update
        expected = {**told(WHOLE), field: {} if field == "custom" else []}
        if field in ONE_VALUED:
            del expected[field]
        assert await profile(memory, ada) == expected, update


async def test_a_value_is_set_though_the_same_words_are_a_fact_without_attribute(memory: Memory, ada: Viewer) -> None:
    async with memory.unit(ada) as unit:
        await facts.remember(unit, facts.FactDraft("location: Oslo", Category.OTHER), Approval.ORDER)
    await set_to(memory, ada, Preferences(location="Paris"))
    await set_to(memory, ada, Preferences(location="Oslo"))

    assert (await profile(memory, ada))["location"] == "Oslo"


async def test_a_secret_in_a_value_is_refused_and_nothing_of_that_update_is_kept(memory: Memory, ada: Viewer) -> None:
    with pytest.raises(Refused, match="looks like a secret"):
        await set_to(memory, ada, Preferences(name="Ada", custom={"aws": "AKIAIOSFODNN7EXAMPLE"}))

    assert await all_of(memory, ada) == []


async def test_a_faith_is_sensitive_whatever_its_words(memory: Memory, ada: Viewer) -> None:
    [receipt] = await set_to(memory, ada, Preferences(faith_context="Quaker"))

    assert receipt.row.sensitivity == Sensitivity.HIGH
    assert (await profile(memory, ada))["faith_context"] == "Quaker"


async def test_a_sensitive_value_is_sealed_and_told(memory: Memory, ada: Viewer) -> None:
    [receipt] = await set_to(memory, ada, Preferences(custom={"health": "I have diabetes"}))

    assert (receipt.row.sensitivity, receipt.row.sealed is not None) == (Sensitivity.HIGH, True)
    assert (await profile(memory, ada))["custom"] == {"health": "I have diabetes"}


async def test_an_attribute_that_was_told_in_words_stands_in_the_profile_in_those_words(
    memory: Memory, ada: Viewer
) -> None:
    async with memory.unit(ada) as unit:
        told = facts.FactDraft("I moved to Bergen", Category.CONTEXT, attribute=Attribute.LOCATION)
        fact_id = (await facts.remember(unit, told, Approval.ORDER)).row.id
    assert (await profile(memory, ada))["location"] == "I moved to Bergen"
    [receipt] = await set_to(memory, ada, Preferences(location="Bergen"))

    assert (receipt.kind, receipt.row.id, receipt.row.version) == (ReceiptKind.CHANGED, fact_id, 2)


async def test_a_profile_is_its_owners_alone(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    await set_to(memory, ada, WHOLE)
    await set_to(memory, ben, Preferences(name="Ben"))

    assert await profile(memory, ben) == told(Preferences(name="Ben"))
    async with memory.unit(ada, read_only=True) as unit:
        shown = format_profile(await profile_of(unit))
    assert "Ada Lovelace" in shown
    assert "Ben" not in shown
