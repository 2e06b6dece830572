"""Views: the Markdown that an owner writes for their agents, a version for each edit."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Space, User, View
from db.viewer import Viewer
from db.vocabulary import ViewName, ViewScope

COLUMNS: tuple[Any, ...] = (
    View.name,
    View.scope,
    View.version,
    View.content,
    View.created_at,
    View.user_id.label("owner"),
    View.space_id.label("space"),
)


@dataclass(frozen=True, slots=True)
class ViewRow:
    name: ViewName
    scope: ViewScope
    version: int
    content: str
    created_at: datetime
    owner: str
    space: str


async def add_view(
    session: AsyncSession, viewer: Viewer, *, name: ViewName, scope: ViewScope, content: str, now: datetime
) -> int:
    """Add the next version and return its number. Writers take turns by a lock on the user or space it is about;
    inserts that only reference that row are not blocked."""
    about: Any = User if scope == ViewScope.USER else Space
    key = viewer.person if scope == ViewScope.USER else viewer.place
    present = select(about.id).where(about.tenant_id == viewer.tenant, about.id == key)
    await session.execute(present.with_for_update(key_share=True))
    last = await session.execute(
        select(func.coalesce(func.max(View.version), 0)).where(_of(viewer), View.name == name, View.scope == scope)
    )
    version = last.scalar_one() + 1
    await session.execute(
        insert(View).values(
            tenant_id=viewer.tenant,
            user_id=viewer.person,
            space_id=viewer.place,
            name=name,
            scope=scope,
            version=version,
            content=content,
            created_at=now,
        )
    )
    return version


async def views(session: AsyncSession, viewer: Viewer) -> Sequence[ViewRow]:
    """Every version of the viewer's own views and of those of their space, newest first."""
    newest = (View.name, View.scope, View.version.desc(), View.created_at.desc(), View.user_id)
    return await _rows(session, select(*COLUMNS).where(_of(viewer)).order_by(*newest))


async def own_views(session: AsyncSession, viewer: Viewer) -> Sequence[ViewRow]:
    """Every view that the viewer wrote, in any space."""
    mine = (View.tenant_id == viewer.tenant, View.user_id == viewer.person)
    return await _rows(session, select(*COLUMNS).where(*mine).order_by(View.space_id, View.name, View.version))


async def rewrite_view(session: AsyncSession, viewer: Viewer, row: ViewRow, content: str) -> None:
    """Replace the content of a version. Only forgetting does that."""
    await session.execute(
        update(View)
        .where(
            View.tenant_id == viewer.tenant,
            View.user_id == row.owner,
            View.space_id == row.space,
            View.name == row.name,
            View.scope == row.scope,
            View.version == row.version,
        )
        .values(content=content)
    )


def _of(viewer: Viewer) -> Any:
    own = and_(View.scope == ViewScope.USER, View.user_id == viewer.user)
    here = and_(View.scope == ViewScope.SPACE, View.space_id == viewer.space)
    return and_(View.tenant_id == viewer.tenant, or_(own, here))


async def _rows(session: AsyncSession, query: Select[Any]) -> Sequence[ViewRow]:
    return [
        ViewRow(ViewName(name), ViewScope(scope), version, content, created_at, owner, space)
        for name, scope, version, content, created_at, owner, space in await session.execute(query)
    ]
