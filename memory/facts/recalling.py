"""Tells which facts a reply rests on, and marks them: they fade more slowly."""

from collections.abc import Collection, Set

from db.queries.facts import facts as queries
from memory.context.build import Bundle
from memory.context.items import words_in
from memory.context.sections import SHOWING_FACTS
from memory.language.terms import telling
from memory.unit import Unit

NEARLY_ALL = 0.75  # of the telling words of a fact; of three and fewer it is all


def used(bundle: Bundle, reply: str, message: str) -> set[str]:
    """The facts of a bundle that a reply used, by their ids. Pure."""
    facts = [item for name in SHOWING_FACTS for item in bundle.items(name)]
    said, asked = telling(reply), telling(message)
    return {item.row["fact"] for item in facts if not item.is_cut and tells(words_in(item), said, asked)}


def tells(fact: str, said: Set[str], asked: Set[str]) -> bool:
    """Nearly all telling words of a fact stand in a reply, and not all of these in the message that it answers: what
    merely repeats the person recalls nothing."""
    told = telling(fact)
    repeated = told & said
    return len(repeated) >= NEARLY_ALL * len(told) and not repeated <= asked


async def mark(unit: Unit, fact_ids: Collection[str]) -> None:
    """Each once, whatever it was recalled by; what is said in a group marks nothing."""
    if fact_ids and not unit.viewer.is_aloud:
        await queries.mark_recalled(unit.session, unit.viewer, fact_ids, unit.now)
