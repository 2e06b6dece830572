"""Facts: what is remembered, found and listed. Versions, sharing and forgetting build on this."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from db.queries import facts as queries
from db.queries.facts import FactRow
from db.viewer import Viewer
from db.vocabulary import Category
from memory.retrieval.languages import plain, terms

MOST_SEARCHED = 2000
SHORTEST, LONGEST = 5, 500


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact that its owner wants kept."""

    content: str
    category: Category
    subject: str | None
    source_event_id: str | None
    span: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Kept:
    row: FactRow
    is_new: bool


async def remember(session: AsyncSession, viewer: Viewer, draft: Draft, now: datetime) -> Kept:
    """Store the first version of a fact; the same words again are the same fact."""
    await queries.lock_facts_of(session, viewer)
    wanted = plain(draft.content)
    for row in await queries.own_facts(session, viewer, limit=MOST_SEARCHED):
        if plain(row.content) == wanted:
            return Kept(row, is_new=False)
    row = await queries.add_fact(
        session,
        viewer,
        content=draft.content,
        category=draft.category,
        subject=draft.subject,
        source_event_id=draft.source_event_id,
        span=draft.span,
        now=now,
    )
    return Kept(row, is_new=True)


async def search(session: AsyncSession, viewer: Viewer, query: str, *, limit: int) -> list[FactRow]:
    """Facts that share words with the query, the rarest words counting most; ties go to the newer one."""
    asked = set(terms(query))
    rows = await queries.active_facts(session, viewer, limit=MOST_SEARCHED)
    shared = {row.id: asked.intersection(terms(f"{row.subject or ''} {row.content}")) for row in rows}
    holders = {term: sum(term in held for held in shared.values()) for term in asked}
    scored = [(sum(1 / holders[term] for term in shared[row.id]), row.updated_at, row.id, row) for row in rows]
    best = sorted((entry for entry in scored if entry[0] > 0), reverse=True, key=lambda entry: entry[:3])
    return [row for *_, row in best[:limit]]
