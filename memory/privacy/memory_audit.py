"""Audits one person's memory: reads their facts and, page by page, all messages to and from them."""

from collections.abc import Sequence
from itertools import groupby
from zoneinfo import ZoneInfo

from db.queries.events.events import MessageRow, own_sayings
from db.queries.facts.facts import FactRow, versions_of
from db.queries.people.people import choices_of
from db.viewer import Viewer
from db.vocabulary import ActorType
from memory.events.framing import has_own_words
from memory.events.record import open_content
from memory.facts.facts import own_facts
from memory.privacy.audit_rules import (
    AuditMessage,
    AuditReport,
    EchoFinder,
    find_contradictions,
    find_duplicates,
    find_never_recalled,
    first_with_current_words,
)
from memory.unit import Memory, Unit

PAGE = 500


async def audit_memory(memory: Memory, viewer: Viewer) -> AuditReport:
    """Audit the viewer's facts. No transaction is open during the comparisons."""
    async with memory.unit(viewer, read_only=True) as unit:
        rows = await own_facts(unit)
        first = await _first_versions(unit, rows)
        timezone = ZoneInfo((await choices_of(unit.session, viewer)).timezone)
        now = unit.now
    finder = EchoFinder(rows, first)
    page = await _load_page(memory, viewer, None, timezone)
    while page is not None:
        messages, last = page
        for message in messages:
            finder.add(message)
        page = await _load_page(memory, viewer, last, timezone)
    return AuditReport(
        facts=len(rows),
        duplicates=find_duplicates(rows),
        echoes=finder.echoes,
        contradictions=find_contradictions(rows),
        never_recalled=find_never_recalled(rows, now),
    )


async def _first_versions(unit: Unit, rows: Sequence[FactRow]) -> dict[str, FactRow]:
    """The version of each fact that introduced its current words."""
    first = {row.id: row for row in rows}
    changed = [row.id for row in rows if row.version > 1]
    for at in range(0, len(changed), PAGE):
        versions = await unit.vault.open_rows(await versions_of(unit.session, unit.viewer, changed[at : at + PAGE]))
        groups = groupby(versions, key=lambda row: row.id)
        first |= {fact_id: first_with_current_words(list(group)) for fact_id, group in groups}
    return first


async def _load_page(
    memory: Memory, viewer: Viewer, after: MessageRow | None, timezone: ZoneInfo
) -> tuple[list[AuditMessage], MessageRow] | None:
    """Return the next page of messages and its last row, or None at the end."""
    async with memory.unit(viewer, read_only=True) as unit:
        since = (after.ts, after.event_id) if after else None
        rows = await own_sayings(unit.session, viewer, after=since, limit=PAGE)
        messages = []
        for row in rows:
            content = await open_content(unit, row.user, row.event_id, row.content)
            by_owner = row.actor_type == ActorType.HUMAN
            text = next((str(content[name]) for name in ("text", "excerpt_text", "said") if content.get(name)), "")
            if text and (has_own_words(content) or not by_owner):
                messages.append(AuditMessage(row.event_id, by_owner, text, row.ts.astimezone(timezone)))
    return (messages, rows[-1]) if rows else None
