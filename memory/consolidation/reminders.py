"""Creates reminders of important dates for people who want them: one on the day, in their own morning."""

from collections.abc import Sequence
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from db.queries.consolidation.notices import due_reminders
from db.queries.facts.facts import FactRow
from db.queries.people.people import choices_of
from db.viewer import Viewer
from db.vocabulary import Attribute
from memory.facts import facts
from memory.language.time.dates import anniversary
from memory.settings import Settings
from memory.turn import background_notices
from memory.unit import Memory


async def remind(memory: Memory, settings: Settings, now: datetime) -> int:
    """Add today's reminders for everyone whose morning has come. Return how many are new."""
    async with memory.database.transaction(Viewer.nobody(settings.tenant), read_only=True) as session:
        users = await due_reminders(session)
    count = 0
    for user in users:
        async with memory.unit(Viewer.in_private(settings.tenant, user), now=now) as unit:
            timezone = ZoneInfo((await choices_of(unit.session, unit.viewer)).timezone)
            today = now.astimezone(timezone).date()
            morning = datetime.combine(today, time(settings.reminder_hour), timezone)
            if now < morning:
                continue
            for row in dates_on(await facts.own_facts(unit), today):
                count += await background_notices.add_reminder(unit, row.id, today.isoformat(), morning)
    return count


def dates_on(rows: Sequence[FactRow], day: date) -> list[FactRow]:
    """The important dates on this day. A date recurs every year from its own year on."""
    return [row for row in rows if row.attribute == Attribute.IMPORTANT_DATE and _is_on(row, day)]


def _is_on(row: FactRow, day: date) -> bool:
    text = str((row.value or {}).get("date") or row.words)
    found = anniversary(text) or anniversary(row.words)
    if found is None:
        return False
    month, number, year = found
    if (month, number) == (2, 29) and not _is_leap(day.year):
        number = 28
    return (month, number) == (day.month, day.day) and (year is None or year <= day.year)


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
