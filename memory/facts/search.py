"""Finds facts by the words they share with a question; sensitive ones too, by opening them."""

from collections.abc import Sequence

from db.queries.facts.facts import FactRow, present_facts
from memory.concurrency.in_thread import in_thread
from memory.language.terms import index_terms, query_terms
from memory.unit import Unit

MOST_SEARCHED = 2000


async def search(unit: Unit, query: str, *, limit: int) -> list[FactRow]:
    """The best of what the viewer may read. Only so many are looked at, in snapshot order."""
    rows = await unit.vault.opened(await present_facts(unit.session, unit.viewer, limit=MOST_SEARCHED))
    return (await matching(rows, query))[:limit]


async def matching(rows: Sequence[FactRow], query: str) -> list[FactRow]:
    """Those that share words with the query, the best first. Finding the words of many takes long, so nobody else waits
    for it."""
    return await in_thread(sum(len(row.words) for row in rows), best_first, rows, query)


def best_first(rows: Sequence[FactRow], query: str) -> list[FactRow]:
    """The rarest words count most; ties go to the newer one."""
    asked = set(query_terms(query))
    shared = {row.id: asked.intersection(index_terms(f"{row.subject or ''} {row.words}")) for row in rows}
    holders = {term: sum(term in held for held in shared.values()) for term in asked}
    scored = [(sum(1 / holders[term] for term in shared[row.id]), row.updated_at, row.id, row) for row in rows]
    best = sorted((entry for entry in scored if entry[0] > 0), reverse=True, key=lambda entry: entry[:3])
    return [row for *_, row in best]
