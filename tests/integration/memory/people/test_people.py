"""People: known from their first visit on, with what they are called and what they chose."""

import pytest

from db.queries.people.people import Choices
from db.viewer import Viewer
from db.vocabulary import Category, Mode
from memory.people import people
from memory.unit import Memory


async def test_nobody_is_known_before_they_are_welcomed_and_a_second_welcome_changes_nothing(
    memory: Memory, tenant: str
) -> None:
    eve = Viewer.in_private(tenant, "test:eve")
    async with memory.unit(eve) as unit:
        assert (await people.is_known(unit), await people.lock_person(unit), await people.name_of(unit)) == (
            False,
            False,
            None,
        )

        await people.register_person(unit, name="Eve", timezone="Europe/Lisbon", language="pt")
        await people.register_person(unit, name="Eva", timezone="UTC")

        assert (await people.is_known(unit), await people.lock_person(unit), await people.name_of(unit)) == (
            True,
            True,
            "Eve",
        )
        chosen = Choices("Europe/Lisbon", Mode.CONFIRM, frozenset(), language="pt", name="Eve")
        assert await people.choices_of(unit) == chosen


async def test_what_somebody_chooses_is_theirs_alone(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    async with memory.unit(ada) as unit:
        await people.rename(unit, "Ada L.")
        await people.choose_mode(unit, Mode.AUTO)
        await people.choose_categories(unit, frozenset({Category.HOBBY}))
        await people.choose_reminders(unit, True)
        await people.choose_language(unit, "de")
        hers = await people.choices_of(unit)
    async with memory.unit(ben) as unit:
        his = await people.choices_of(unit)

    assert hers == Choices("UTC", Mode.AUTO, frozenset({Category.HOBBY}), True, "de", "Ada L.")
    assert his == Choices("UTC", Mode.CONFIRM, frozenset(), False, "en", "ben")


@pytest.mark.parametrize(("timezone", "is_taken"), [("Asia/Kolkata", True), ("Mars/Olympus", False), ("", False)])
async def test_a_place_is_taken_whole_or_not_at_all(memory: Memory, ada: Viewer, timezone: str, is_taken: bool) -> None:
    async with memory.unit(ada) as unit:
        assert await people.choose_locale(unit, timezone=timezone, language="hi") is is_taken
        chosen = await people.choices_of(unit)

    assert (chosen.timezone, chosen.language) == ((timezone, "hi") if is_taken else ("UTC", "en"))
