"""Reminders of important dates: wanted, on the day, in the owner's own morning, once."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from db.engine import Database
from db.queries.people.people import choose_reminders
from db.viewer import Viewer
from db.vocabulary import Approval, Attribute, Category
from memory.consolidation.reminders import remind
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.settings import Settings
from memory.turn import background_notices
from memory.unit import Memory

MARCH = datetime(2027, 3, 15, tzinfo=UTC)


async def told_of(memory: Memory, viewer: Viewer, now: datetime) -> list[str]:
    async with memory.unit(viewer, now=now) as unit:
        return [row.words for row in (await background_notices.take_pending(unit)).reminders]


async def remember(memory: Memory, viewer: Viewer, words: str, **value: str) -> str:
    async with memory.unit(viewer) as unit:
        draft = FactDraft(words, Category.MILESTONE, attribute=Attribute.IMPORTANT_DATE, value=dict(value) or None)
        return (await facts.remember(unit, draft, Approval.COMMAND, separate=True)).row.id


async def want(memory: Memory, viewer: Viewer, timezone: str = "UTC") -> Settings:
    async with memory.unit(viewer) as unit:
        await choose_reminders(unit.session, viewer, True)
        await unit.session.execute(text("UPDATE users SET timezone = :z"), {"z": timezone})
    return Settings.model_validate({"KEEPSAKE_TENANT": viewer.tenant})


async def test_nobody_is_reminded_who_did_not_ask_for_it(memory: Memory, ada: Viewer) -> None:
    await remember(memory, ada, "my wife's birthday is on March 15")
    settings = Settings.model_validate({"KEEPSAKE_TENANT": ada.tenant})

    assert await remind(memory, settings, MARCH.replace(hour=12)) == 0


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("my wife's birthday is on March 15", {}),
        ("our wedding was on 2011-03-15", {}),
        ("the birthday of Clara", {"label": "birthday of Clara", "date": "15 March 2014"}),
        ("am 15. März hat Oma Geburtstag", {}),
        ("我的生日是3月15日", {}),
    ],
)
async def test_a_date_is_told_once_on_its_day_from_the_morning_on(
    memory: Memory, ada: Viewer, words: str, value: dict[str, str]
) -> None:
    await remember(memory, ada, words, **value)
    settings = await want(memory, ada)

    assert await remind(memory, settings, MARCH.replace(hour=7, minute=59)) == 0
    assert await remind(memory, settings, MARCH.replace(hour=8)) == 1
    assert await remind(memory, settings, MARCH.replace(hour=9)) == 0
    assert await told_of(memory, ada, MARCH.replace(hour=9)) == [words]
    assert await told_of(memory, ada, MARCH.replace(hour=10)) == []
    assert await remind(memory, settings, MARCH.replace(day=16, hour=9)) == 0
    assert await remind(memory, settings, MARCH.replace(year=2028, hour=9)) == 1


async def test_the_morning_is_the_owners_own(memory: Memory, ada: Viewer) -> None:
    await remember(memory, ada, "my wife's birthday is on March 15")
    settings = await want(memory, ada, "Asia/Tokyo")

    assert await remind(memory, settings, datetime(2027, 3, 14, 22, 59, tzinfo=UTC)) == 0
    assert await remind(memory, settings, datetime(2027, 3, 14, 23, 0, tzinfo=UTC)) == 1


async def test_a_year_to_come_is_that_year_and_a_leap_day_has_its_eve(memory: Memory, ada: Viewer) -> None:
    await remember(memory, ada, "the exam is on 2028-03-15")
    await remember(memory, ada, "Tom was born on 29 February 2008")
    settings = await want(memory, ada)

    assert await remind(memory, settings, MARCH.replace(hour=9)) == 0
    assert await remind(memory, settings, datetime(2027, 2, 28, 9, tzinfo=UTC)) == 1
    assert await remind(memory, settings, datetime(2028, 2, 28, 9, tzinfo=UTC)) == 0
    assert await remind(memory, settings, datetime(2028, 2, 29, 9, tzinfo=UTC)) == 1
    assert await remind(memory, settings, MARCH.replace(year=2028, hour=9)) == 1


async def test_what_was_deleted_meanwhile_is_not_told(memory: Memory, ada: Viewer) -> None:
    fact_id = await remember(memory, ada, "my wife's birthday is on March 15")
    settings = await want(memory, ada)
    await remind(memory, settings, MARCH.replace(hour=9))
    async with memory.unit(ada) as unit:
        await facts.hide(unit, fact_id, Approval.COMMAND)

    assert await told_of(memory, ada, MARCH.replace(hour=10)) == []


async def test_two_processes_note_one_reminder_and_somebody_else_hears_nothing(
    memory: Memory, ada: Viewer, ben: Viewer, app_url: str
) -> None:
    await remember(memory, ada, "my wife's birthday is on March 15")
    settings = await want(memory, ada)
    database = Database(app_url)
    other = Memory(database, memory.keyring)
    made = [await remind(each, settings, MARCH.replace(hour=9)) for each in (memory, other, memory)]
    await database.close()

    assert made == [1, 0, 0]
    assert await told_of(memory, ben, MARCH.replace(hour=10)) == []
