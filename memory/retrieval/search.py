"""Finds facts by the words they share with a question; sensitive ones too, by opening them."""

from db.queries.facts import FactRow, present_facts
from memory.facts import opened
from memory.retrieval.languages import index_terms, query_terms
from memory.unit import Unit

MOST_SEARCHED = 2000


async def search(unit: Unit, query: str, *, limit: int) -> list[FactRow]:
    """Facts that share words with the query, the rarest words counting most; ties go to the newer one."""
    asked = set(query_terms(query))
    rows = await opened(unit, await present_facts(unit.session, unit.viewer, limit=MOST_SEARCHED))
    shared = {row.id: asked.intersection(index_terms(f"{row.subject or ''} {row.words}")) for row in rows}
    holders = {term: sum(term in held for held in shared.values()) for term in asked}
    scored = [(sum(1 / holders[term] for term in shared[row.id]), row.updated_at, row.id, row) for row in rows]
    best = sorted((entry for entry in scored if entry[0] > 0), reverse=True, key=lambda entry: entry[:3])
    return [row for *_, row in best[:limit]]
