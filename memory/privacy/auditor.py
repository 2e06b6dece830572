"""Reads one person's memory, and page by page all that was said to and by them, and audits it."""

from collections.abc import Sequence
from itertools import groupby
from zoneinfo import ZoneInfo

from db.queries.events.events import MessageRow, own_sayings
from db.queries.facts.facts import FactRow, versions_of
from db.queries.people.people import choices_of
from db.viewer import Viewer
from db.vocabulary import ActorType
from memory.events.framing import is_own
from memory.events.record import open_content
from memory.facts.facts import own_facts
from memory.privacy.audit import AuditedMessage, Echoes, Rot, contradictions, duplicates, first_told, never_recalled
from memory.unit import Memory, Unit

PAGE = 500


async def find_rot(memory: Memory, viewer: Viewer) -> Rot:
    """No transaction is open while things are compared."""
    async with memory.unit(viewer, read_only=True) as unit:
        rows = await own_facts(unit)
        first = await _first_told(unit, rows)
        timezone = ZoneInfo((await choices_of(unit.session, viewer)).timezone)
        now = unit.now
    echoes = Echoes(rows, first)
    page = await _page(memory, viewer, None, timezone)
    while page is not None:
        heard, last = page
        for each in heard:
            echoes.hear(each)
        page = await _page(memory, viewer, last, timezone)
    return Rot(
        facts=len(rows),
        duplicates=duplicates(rows),
        echoes=echoes.found,
        contradictions=contradictions(rows),
        never_recalled=never_recalled(rows, now),
    )


async def _first_told(unit: Unit, rows: Sequence[FactRow]) -> dict[str, FactRow]:
    first = {row.id: row for row in rows}
    changed = [row.id for row in rows if row.version > 1]
    for at in range(0, len(changed), PAGE):
        versions = await unit.vault.opened(await versions_of(unit.session, unit.viewer, changed[at : at + PAGE]))
        first |= {name: first_told(list(listed)) for name, listed in groupby(versions, key=lambda row: row.id)}
    return first


async def _page(
    memory: Memory, viewer: Viewer, after: MessageRow | None, timezone: ZoneInfo
) -> tuple[list[AuditedMessage], MessageRow] | None:
    """What was said after an event, and the last event that was looked at."""
    async with memory.unit(viewer, read_only=True) as unit:
        since = (after.ts, after.event_id) if after else None
        rows = await own_sayings(unit.session, viewer, after=since, limit=PAGE)
        heard = []
        for row in rows:
            content = await open_content(unit, row.user, row.event_id, row.content)
            by_owner = row.actor_type == ActorType.HUMAN
            text = next((str(content[name]) for name in ("text", "excerpt_text", "said") if content.get(name)), "")
            if text and (is_own(content) or not by_owner):
                heard.append(AuditedMessage(row.event_id, by_owner, text, row.ts.astimezone(timezone)))
    return (heard, rows[-1]) if rows else None
