"""Users: their settings, and the keys of their sensitive data."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Update, bindparam, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Space, SpaceMember, User
from db.viewer import Viewer
from db.vocabulary import Category, Mode, Role, SpaceKind

UNNAMED = ""
"""The name of people who have not been here themselves yet."""


@dataclass(frozen=True, slots=True)
class Choices:
    """A person's settings."""

    timezone: str
    mode: Mode
    never_remember: frozenset[Category]
    reminders: bool = False
    language: str = "en"
    name: str = ""
    """The name that the front end reports; not a setting."""


async def welcome(
    session: AsyncSession, viewer: Viewer, *, name: str, timezone: str, now: datetime, language: str = "en"
) -> None:
    """Create this person and their personal space, unless they exist."""
    key = {"tenant_id": viewer.tenant}
    await session.execute(
        insert(User)
        .values(**key, id=viewer.person, name=name, timezone=timezone, language=language, created_at=now)
        .on_conflict_do_nothing()
    )
    await session.execute(
        insert(Space)
        .values(**key, id=viewer.place, kind=SpaceKind.PERSONAL, created_by=viewer.person, created_at=now)
        .on_conflict_do_nothing()
    )
    await session.execute(
        insert(SpaceMember)
        .values(**key, space_id=viewer.place, user_id=viewer.person, role=Role.OWNER, joined_at=now)
        .on_conflict_do_nothing()
    )


async def name_of(session: AsyncSession, viewer: Viewer) -> str | None:
    """The viewer's name, None if they are unknown."""
    query = select(User.name).where(User.tenant_id == viewer.tenant, User.id == viewer.person)
    return (await session.execute(query)).scalar_one_or_none()


async def rename(session: AsyncSession, viewer: Viewer, name: str) -> None:
    await session.execute(_me(viewer).values(name=name))


async def is_known(session: AsyncSession, viewer: Viewer) -> bool:
    result = await session.execute(select(User.id).where(User.tenant_id == viewer.tenant, User.id == viewer.person))
    return result.first() is not None


async def lock_person(session: AsyncSession, viewer: Viewer) -> bool:
    """Keep the viewer from being erased until this transaction ends. Return False if they are unknown."""
    query = select(User.id).where(User.tenant_id == viewer.tenant, User.id == viewer.person)
    return (await session.execute(query.with_for_update(read=True, key_share=True))).first() is not None


async def choices_of(session: AsyncSession, viewer: Viewer) -> Choices:
    """The viewer's settings, or the defaults if they are unknown."""
    result = await session.execute(
        select(User.timezone, User.mode, User.never_remember, User.reminders, User.language, User.name).where(
            User.tenant_id == viewer.tenant, User.id == viewer.user
        )
    )
    defaults = ("UTC", Mode.CONFIRM, (), False, "en", "")
    timezone, mode, never, reminders, language, name = result.one_or_none() or defaults
    return Choices(timezone, Mode(mode), frozenset(map(Category, never)), reminders, language, name)


async def note_forgetting(session: AsyncSession, viewer: Viewer) -> None:
    """Record when the viewer last forgot something, so that other processes drop their cached words."""
    await session.execute(_me(viewer).values(forgot_at=func.clock_timestamp()))


async def note_leaving(session: AsyncSession, viewer: Viewer, now: datetime) -> None:
    """Record that the viewer signed out of the review page everywhere."""
    await session.execute(_me(viewer).values(left_pages_at=now))


async def signed_out_since(session: AsyncSession, viewer: Viewer, moment: datetime) -> bool:
    """True if the viewer signed out everywhere at this moment or later."""
    query = select(User.id).where(User.tenant_id == viewer.tenant, User.id == viewer.person)
    return (await session.execute(query.where(User.left_pages_at >= moment))).first() is not None


async def who_forgot(session: AsyncSession, people: Sequence[str], *, within: timedelta) -> dict[str, timedelta | None]:
    """The people among these who forgot something recently, and how long ago; None for people who were erased. For
    `Viewer.nobody`."""
    query = text("SELECT person, ago FROM wall.who_forgot(:people, :within)")
    rows = await session.execute(query, {"people": list(people), "within": within})
    return {row.person: row.ago for row in rows}


async def choose_mode(session: AsyncSession, viewer: Viewer, mode: Mode) -> None:
    await session.execute(_me(viewer).values(mode=mode))


async def choose_reminders(session: AsyncSession, viewer: Viewer, wanted: bool) -> None:
    await session.execute(_me(viewer).values(reminders=wanted))


async def choose_categories(session: AsyncSession, viewer: Viewer, never: frozenset[Category]) -> None:
    await session.execute(_me(viewer).values(never_remember=sorted(never)))


async def is_timezone(session: AsyncSession, name: str) -> bool:
    """True if the database has a timezone of this name."""
    timezones = func.pg_timezone_names().table_valued("name")
    return (await session.execute(select(timezones.c.name).where(timezones.c.name == name))).first() is not None


async def choose_timezone(session: AsyncSession, viewer: Viewer, timezone: str) -> None:
    await session.execute(_me(viewer).values(timezone=timezone))


async def choose_language(session: AsyncSession, viewer: Viewer, language: str) -> None:
    await session.execute(_me(viewer).values(language=language))


async def set_data_key(session: AsyncSession, viewer: Viewer, wrapped: bytes, *, instead_of: bytes | None) -> None:
    """Store the wrapped key, unless another writer was faster."""
    await session.execute(_me(viewer).where(User.data_key.is_not_distinct_from(instead_of)).values(data_key=wrapped))


async def data_keys(session: AsyncSession) -> dict[str, bytes]:
    """The wrapped keys of the viewer and of the members of the viewer's space."""
    rows = await session.execute(text("SELECT user_id, data_key FROM wall.data_keys()"))
    return {user: bytes(key) for user, key in rows}


async def wrapped_otherwise(session: AsyncSession, key_name: bytes) -> Sequence[str]:
    """The users whose data key is not wrapped by the master key of this name."""
    query = text("SELECT user_id FROM wall.wrapped_otherwise(:name)").bindparams(bindparam("name", key_name))
    return list((await session.execute(query)).scalars())


def _me(viewer: Viewer) -> Update:
    return update(User).where(User.tenant_id == viewer.tenant, User.id == viewer.person)
