"""`keepsake stats`: what the models took and cost, as a table or as JSON; sums only."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from typing import Any

from bot.formatting import table
from bot.language import texts
from db.queries.usage import Sums, usage_of, usage_of_all
from db.viewer import Viewer
from memory.unit import Memory


async def sums(memory: Memory, viewer: Viewer, since: datetime, *, own: bool) -> Sequence[Sums]:
    """By model: of one person, who alone can see them one by one, or of the whole deployment."""
    nobody = Viewer.nobody(viewer.tenant)
    async with memory.database.transaction(viewer if own else nobody, read_only=True) as session:
        return await (usage_of(session, viewer, since) if own else usage_of_all(session, since))


def first_day(now: datetime, days: int) -> datetime:
    return now - timedelta(days=days)


def total(rows: Sequence[Sums]) -> Sums:
    """Of all models; what is unknown is left out, and counted."""
    costs = [row.cost_microdollars for row in rows if row.cost_microdollars is not None]
    counted = {
        field.name: sum(getattr(row, field.name) for row in rows)
        for field in fields(Sums)
        if field.name not in {"model", "cost_microdollars"}
    }
    return Sums(model=texts.STATS_TOTAL, cost_microdollars=sum(costs) if costs else None, **counted)


def as_json(rows: Sequence[Sums], days: int) -> str:
    told: dict[str, Any] = {"days": days, "models": [asdict(row) for row in rows], "total": asdict(total(rows))}
    told["total"].pop("model")
    return json.dumps(told, ensure_ascii=False, indent=1)


def as_table(rows: Sequence[Sums], days: int, user: str | None) -> str:
    """Aligned columns; the names to the left, the numbers to the right."""
    whose = texts.STATS_OF.format(user=user) if user else texts.STATS_OF_ALL
    heading = texts.STATS_HEADING.format(days=days, whose=whose)
    if not rows:
        return f"{heading}\n{texts.STATS_NOTHING}"
    told = [texts.STATS_COLUMNS, *(_cells(row) for row in (*rows, *([total(rows)] if len(rows) > 1 else [])))]
    unpriced = sum(row.unpriced for row in rows)
    return "\n".join([heading, *table(told), *([texts.STATS_UNPRICED.format(calls=unpriced)] if unpriced else [])])


def _cells(row: Sums) -> tuple[str, ...]:
    sent = row.input_tokens + row.cache_read_tokens + row.cache_write_tokens
    share = row.cache_read_tokens / sent if sent else 0.0
    known = row.cost_microdollars
    cost = texts.STATS_UNKNOWN if known is None else f"${known / 1e6:,.4f}{'+' if row.unpriced else ''}"
    return (
        row.model,
        f"{row.calls:,}",
        f"{sent:,}",
        f"{row.cache_read_tokens:,}",
        f"{share:.0%}",
        f"{row.cache_write_tokens:,}",
        f"{row.output_tokens:,}",
        f"{row.milliseconds / row.calls / 1000:.1f} s",
        cost,
    )
