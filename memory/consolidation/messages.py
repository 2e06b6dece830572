"""Reads what a summary or an extraction is made of, opened and without what was deleted meanwhile."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from db.queries.consolidation.consolidation import SaidRow
from db.queries.facts.facts import hidden_versions
from db.tables.events import SECONDHAND
from db.vocabulary import ActorType, Sensitivity
from memory.consolidation.summaries.transcript import TranscriptLine
from memory.context.gather import blanks
from memory.events.framing import is_own
from memory.events.record import open_content
from memory.language.spans import blanked
from memory.unit import Unit


async def read(unit: Unit, rows: Sequence[SaidRow], timezone: ZoneInfo) -> list[TranscriptLine]:
    """The messages with their words; those that cannot be opened, or hold none, are left out."""
    gone = await unit.vault.opened(await hidden_versions(unit.session, unit.viewer))
    said = []
    for row in rows:
        content = await open_content(unit, row.user, row.event_id, row.content)
        by_human, text = row.actor_type == ActorType.HUMAN, str(content.get("text", ""))
        if text.strip():
            spans = blanks(text, gone, row.event_id, by_human=by_human)
            said.append(
                TranscriptLine(
                    seq=row.seq,
                    event_id=row.event_id,
                    owner=row.user,
                    by_human=by_human,
                    by=str(content.get("by") or "user"),
                    text=blanked(text, list(spans)),
                    at=row.ts.astimezone(timezone),
                    is_own=is_own(content),
                    is_sensitive=row.sensitivity == Sensitivity.HIGH,
                    is_secondhand=SECONDHAND in row.tags,
                )
            )
    return said
