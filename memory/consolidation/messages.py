"""Reads messages for a summary or an extraction, decrypted and without content deleted meanwhile."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from db.queries.consolidation.consolidation import NumberedMessage
from db.queries.facts.facts import hidden_versions
from db.tables.events import SECONDHAND
from db.vocabulary import ActorType, Sensitivity
from memory.consolidation.summaries.transcript import TranscriptLine
from memory.context.gather import blanks
from memory.events.framing import has_own_words
from memory.events.record import open_content
from memory.language.spans import blank_out
from memory.unit import Unit


async def read_messages(unit: Unit, rows: Sequence[NumberedMessage], timezone: ZoneInfo) -> list[TranscriptLine]:
    """Turn rows into transcript lines. Messages without text, or whose key is missing, are left out."""
    gone = await unit.vault.open_rows(await hidden_versions(unit.session, unit.viewer))
    lines = []
    for row in rows:
        content = await open_content(unit, row.user, row.event_id, row.content)
        by_human, text = row.actor_type == ActorType.HUMAN, str(content.get("text", ""))
        if text.strip():
            spans = blanks(text, gone, row.event_id, by_human=by_human)
            lines.append(
                TranscriptLine(
                    seq=row.seq,
                    event_id=row.event_id,
                    owner=row.user,
                    by_human=by_human,
                    by=str(content.get("by") or "user"),
                    text=blank_out(text, list(spans)),
                    at=row.ts.astimezone(timezone),
                    is_own=has_own_words(content),
                    is_sensitive=row.sensitivity == Sensitivity.HIGH,
                    is_secondhand=SECONDHAND in row.tags,
                )
            )
    return lines
