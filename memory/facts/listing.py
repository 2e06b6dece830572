"""Lists of facts for browsing: in pages, by category and subject, and the deleted ones."""

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
    rows: Sequence[FactRow]
    counts: dict[Category, int]
    """Facts per category, not limited to the chosen one."""
    page: int
    pages: int


async def fact_page(unit: Unit, section: ListingSection, page: int = 1) -> FactPage:
    """A page of the viewer's own facts in their personal space, or of the facts shared in another space. A
    number beyond the last page returns the last."""
    if section.subject is not None:
        return await _about(unit, section, section.subject, page)
    counts = await queries.counts_by_category(unit.session, unit.viewer)
    page, pages = _page(counts.get(section.category, 0) if section.category else sum(counts.values()), page)
    rows = await queries.facts_in_section(unit.session, unit.viewer, section, limit=PAGE, offset=(page - 1) * PAGE)
    return FactPage(await unit.vault.open_rows(rows), counts, page, pages)


async def _about(unit: Unit, section: ListingSection, subject: str, page: int) -> FactPage:
    """A page about one subject. Sealed facts are opened, since their subject is sealed too."""
    opened = await unit.vault.open_rows(
        await queries.facts_in_section(unit.session, unit.viewer, ListingSection(subject=section.subject))
    )
    about = [row for row in opened if (row.subject or "").casefold() == subject.casefold()]
    rows = [row for row in about if section.category in (None, row.category)]
    page, pages = _page(len(rows), page)
    counts = dict(Counter(row.category for row in about))
    return FactPage(rows[(page - 1) * PAGE : page * PAGE], counts, page, pages)


def _page(count: int, requested: int) -> tuple[int, int]:
    """The nearest existing page, and the number of pages."""
    pages = max(-(-count // PAGE), 1)
    return min(max(requested, 1), pages), pages


async def readable_facts_sealed(unit: Unit) -> Sequence[FactRow]:
    """All facts that the viewer may read, in snapshot order, still sealed: the caller opens only the page it shows."""
    return await fact_queries.present_facts(unit.session, unit.viewer)


async def count_facts(unit: Unit) -> int:
    """The number of listed facts, without opening any."""
    return sum((await queries.counts_by_category(unit.session, unit.viewer)).values())


async def listed_facts(unit: Unit, most: int) -> list[FactRow]:
    """The first `most` listed facts, opened."""
    return await unit.vault.open_rows(
        await queries.facts_in_section(unit.session, unit.viewer, ListingSection(), limit=most)
    )


async def deleted_facts(unit: Unit) -> list[FactRow]:
    """The viewer's deleted facts that can still be restored, newest first."""
    rows = await fact_queries.hidden_facts(unit.session, unit.viewer)
    return sorted(await unit.vault.open_rows(rows), key=lambda row: (row.updated_at, row.id), reverse=True)


async def deleted_versions(unit: Unit) -> list[FactRow]:
    """Every version of the deleted facts. Other texts must no longer repeat them."""
    return await unit.vault.open_rows(await fact_queries.hidden_versions(unit.session, unit.viewer))
