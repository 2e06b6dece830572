"""What is remembered, for somebody who looks through it: in pages, by category and subject, or by words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from db.queries.facts import facts as fact_queries
from db.queries.facts import listing as queries
from db.queries.facts.facts import FactRow
from db.queries.facts.listing import ListingSection
from db.vocabulary import Category
from memory.unit import Unit

PAGE = 50


@dataclass(frozen=True, slots=True)
class FactPage:
    """One page, and how much there is of each category without choosing one."""

    rows: Sequence[FactRow]
    counts: dict[Category, int]
    page: int
    pages: int


async def shelf(unit: Unit, section: ListingSection, page: int = 1) -> FactPage:
    """At home the viewer's own facts, elsewhere those that members share there. A page beyond the last is the last."""
    if section.subject is not None:
        return await _about(unit, section, section.subject, page)
    counts = await queries.counts_on_shelf(unit.session, unit.viewer)
    page, pages = _page(counts.get(section.category, 0) if section.category else sum(counts.values()), page)
    found = await queries.facts_on_shelf(unit.session, unit.viewer, section, limit=PAGE, offset=(page - 1) * PAGE)
    return FactPage(await unit.vault.opened(found), counts, page, pages)


async def _about(unit: Unit, section: ListingSection, subject: str, page: int) -> FactPage:
    """What is about one subject, which of what is sealed only its opened words tell."""
    found = await unit.vault.opened(
        await queries.facts_on_shelf(unit.session, unit.viewer, ListingSection(subject=section.subject))
    )
    about = [row for row in found if (row.subject or "").casefold() == subject.casefold()]
    rows = [row for row in about if section.category in (None, row.category)]
    page, pages = _page(len(rows), page)
    counts = dict(Counter(row.category for row in about))
    return FactPage(rows[(page - 1) * PAGE : page * PAGE], counts, page, pages)


def _page(held: int, wanted: int) -> tuple[int, int]:
    """The page that there is, and how many there are."""
    pages = max(-(-held // PAGE), 1)
    return min(max(wanted, 1), pages), pages


async def unopened(unit: Unit) -> Sequence[FactRow]:
    """All that the viewer may read, in snapshot order. What is sealed still is: who shows a page opens only that."""
    return await fact_queries.present_facts(unit.session, unit.viewer)


async def counted(unit: Unit) -> int:
    """How many there are, without opening any."""
    return sum((await queries.counts_on_shelf(unit.session, unit.viewer)).values())


async def all_on_shelf(unit: Unit, most: int) -> list[FactRow]:
    """Not more than so many, to look through."""
    return await unit.vault.opened(
        await queries.facts_on_shelf(unit.session, unit.viewer, ListingSection(), limit=most)
    )


async def deleted(unit: Unit) -> list[FactRow]:
    """What the viewer deleted and could still bring back, the newest first."""
    found = await fact_queries.hidden_facts(unit.session, unit.viewer)
    return sorted(await unit.vault.opened(found), key=lambda row: (row.updated_at, row.id), reverse=True)


async def deleted_versions(unit: Unit) -> list[FactRow]:
    """Every version of it: what other texts must not repeat any more."""
    return await unit.vault.opened(await fact_queries.hidden_versions(unit.session, unit.viewer))
