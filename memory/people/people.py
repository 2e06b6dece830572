"""People: registration, names, and their settings for language, time zone and memory."""

from datetime import datetime
from zoneinfo import available_timezones

from db.queries.people import people as queries
from db.queries.people.people import UNNAMED, Choices
from db.vocabulary import Category, Mode
from memory.unit import Unit

__all__ = [
    "UNNAMED",
    "choices_of",
    "choose_categories",
    "choose_language",
    "choose_locale",
    "choose_mode",
    "choose_reminders",
    "is_known",
    "lock_person",
    "name_of",
    "register_person",
    "rename",
    "signed_out_since",
]


async def register_person(unit: Unit, *, name: str, timezone: str, language: str = "en") -> None:
    """Create the viewer and their personal space, unless they exist."""
    await queries.welcome(unit.session, unit.viewer, name=name, timezone=timezone, now=unit.now, language=language)


async def is_known(unit: Unit) -> bool:
    return await queries.is_known(unit.session, unit.viewer)


async def lock_person(unit: Unit) -> bool:
    """Lock the viewer's row, so that they cannot be erased until the unit ends. Returns False if they do not exist."""
    return await queries.lock_person(unit.session, unit.viewer)


async def name_of(unit: Unit) -> str | None:
    """The viewer's name, or None if they do not exist."""
    return await queries.name_of(unit.session, unit.viewer)


async def rename(unit: Unit, name: str) -> None:
    await queries.rename(unit.session, unit.viewer, name)


async def choices_of(unit: Unit) -> Choices:
    """The viewer's settings, or the defaults if they do not exist."""
    return await queries.choices_of(unit.session, unit.viewer)


async def choose_mode(unit: Unit, mode: Mode) -> None:
    await queries.choose_mode(unit.session, unit.viewer, mode)


async def choose_categories(unit: Unit, excluded: frozenset[Category]) -> None:
    """Set the categories that are never remembered."""
    await queries.choose_categories(unit.session, unit.viewer, excluded)


async def choose_reminders(unit: Unit, enabled: bool) -> None:
    await queries.choose_reminders(unit.session, unit.viewer, enabled)


async def choose_language(unit: Unit, language: str) -> None:
    await queries.choose_language(unit.session, unit.viewer, language)


async def choose_locale(unit: Unit, *, timezone: str, language: str) -> bool:
    """Set time zone and language. Returns False if Python or the database does not know the time zone."""
    if timezone not in available_timezones() or not await queries.is_timezone(unit.session, timezone):
        return False
    await queries.choose_timezone(unit.session, unit.viewer, timezone)
    await choose_language(unit, language)
    return True


async def signed_out_since(unit: Unit, moment: datetime) -> bool:
    """Whether the viewer signed out of all review-page sessions at this moment or later."""
    return await queries.signed_out_since(unit.session, unit.viewer, moment)
