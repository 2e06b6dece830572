"""Finds facts by the words they share with a query, sensitive ones included."""

from collections.abc import Sequence

from db.queries.facts.facts import FactRow, present_facts
from memory.concurrency.in_thread import in_thread
from memory.language.terms import index_terms, query_terms
from memory.unit import Unit

MAX_SEARCHED = 2000


async def search(unit: Unit, query: str, *, limit: int) -> list[FactRow]:
    """The best matches among the first `MAX_SEARCHED` facts that the viewer may read, in snapshot order."""
    rows = await unit.vault.open_rows(await present_facts(unit.session, unit.viewer, limit=MAX_SEARCHED))
    return (await matching(rows, query))[:limit]


async def matching(rows: Sequence[FactRow], query: str) -> list[FactRow]:
    """The facts that share words with the query, best first. Stemming many facts is slow, so it runs in a thread."""
    return await in_thread(sum(len(row.words) for row in rows), best_first, rows, query)


def best_first(rows: Sequence[FactRow], query: str) -> list[FactRow]:
    """Rank by shared words, rare ones weighing more; newer facts win ties."""
    asked = set(query_terms(query))
    shared = {row.id: asked.intersection(index_terms(f"{row.subject or ''} {row.words}")) for row in rows}
    holders = {term: sum(term in found for found in shared.values()) for term in asked}
    scored = [(sum(1 / holders[term] for term in shared[row.id]), row.updated_at, row.id, row) for row in rows]
    best = sorted((entry for entry in scored if entry[0] > 0), reverse=True, key=lambda entry: entry[:3])
    return [row for *_, row in best]
