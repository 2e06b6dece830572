"""People: whether they are known here, what they are called, and what they chose about their memory."""

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
    "choose_mode",
    "choose_place",
    "choose_reminders",
    "has_left_since",
    "hold",
    "is_known",
    "name_of",
    "rename",
    "welcome",
]


async def welcome(unit: Unit, *, name: str, timezone: str, language: str = "en") -> None:
    """Know the viewer and their personal space from now on; who is known already stays as they are."""
    await queries.welcome(unit.session, unit.viewer, name=name, timezone=timezone, now=unit.now, language=language)


async def is_known(unit: Unit) -> bool:
    return await queries.is_known(unit.session, unit.viewer)


async def hold(unit: Unit) -> bool:
    """Whether the viewer is known; then nobody erases them until the unit ends."""
    return await queries.hold(unit.session, unit.viewer)


async def name_of(unit: Unit) -> str | None:
    """What the viewer is called; nothing where they are not known."""
    return await queries.name_of(unit.session, unit.viewer)


async def rename(unit: Unit, name: str) -> None:
    await queries.rename(unit.session, unit.viewer, name)


async def choices_of(unit: Unit) -> Choices:
    """Whoever is not known here chose nothing."""
    return await queries.choices_of(unit.session, unit.viewer)


async def choose_mode(unit: Unit, mode: Mode) -> None:
    await queries.choose_mode(unit.session, unit.viewer, mode)


async def choose_categories(unit: Unit, never: frozenset[Category]) -> None:
    """Of these kinds nothing is remembered from now on."""
    await queries.choose_categories(unit.session, unit.viewer, never)


async def choose_reminders(unit: Unit, wanted: bool) -> None:
    await queries.choose_reminders(unit.session, unit.viewer, wanted)


async def choose_language(unit: Unit, language: str) -> None:
    await queries.choose_language(unit.session, unit.viewer, language)


async def choose_place(unit: Unit, *, timezone: str, language: str) -> bool:
    """Whether both were taken: the timezone is one that the program knows, and the database too."""
    if timezone not in available_timezones() or not await queries.is_timezone(unit.session, timezone):
        return False
    await queries.choose_timezone(unit.session, unit.viewer, timezone)
    await choose_language(unit, language)
    return True


async def has_left_since(unit: Unit, moment: datetime) -> bool:
    """Whether the viewer left the review page everywhere, at this moment or later."""
    return await queries.has_left_since(unit.session, unit.viewer, moment)
