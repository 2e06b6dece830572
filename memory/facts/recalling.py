"""Finds the facts that a reply used and marks them as recalled, which makes them fade more slowly."""

from collections.abc import Collection, Set

from db.queries.facts import facts as queries
from memory.context.build import Bundle
from memory.context.items import words_in
from memory.context.sections import FACT_SECTIONS
from memory.language.terms import key_terms
from memory.unit import Unit

NEARLY_ALL = 0.75  # share of a fact's key terms; a fact with three or fewer needs them all


def facts_used(bundle: Bundle, reply: str, message: str) -> set[str]:
    """The ids of a bundle's facts that a reply used. Pure."""
    facts = [item for name in FACT_SECTIONS for item in bundle.items(name)]
    reply_terms, message_terms = key_terms(reply), key_terms(message)
    return {
        item.row["fact"]
        for item in facts
        if not item.is_cut and is_repeated(words_in(item), reply_terms, message_terms)
    }


def is_repeated(fact: str, reply_terms: Set[str], message_terms: Set[str]) -> bool:
    """Whether a reply has nearly all key terms of a fact, and some that the user's message did not have."""
    fact_terms = key_terms(fact)
    repeated = fact_terms & reply_terms
    return len(repeated) >= NEARLY_ALL * len(fact_terms) and not repeated <= message_terms


async def mark_recalled(unit: Unit, fact_ids: Collection[str]) -> None:
    """Count one recall for each fact. In a group nothing is marked."""
    if fact_ids and not unit.viewer.is_aloud:
        await queries.mark_recalled(unit.session, unit.viewer, fact_ids, unit.now)
