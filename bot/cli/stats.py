"""`keepsake stats`: what the models took and cost, as a table or as JSON; sums only."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.cli.person import memory_of
from bot.cli.stats_audit import rot_as_json, rot_as_lines
from bot.cli.stats_summaries import chain_as_json, chain_as_table
from bot.formatting import table
from bot.language import texts
from memory import Progress, Sums
from memory.consolidation.statistics import summary_versions
from memory.errors import Refused
from memory.model.usage import usage_by_model
from memory.privacy.auditor import find_rot
from memory.settings import Settings

MOST_DAYS = 36_500


async def run(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    told = await _told(settings, chosen, progress)
    sys.stdout.write(told + "\n")
    return 0


async def _told(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> str:
    now = datetime.now(UTC)
    if chosen.audit:
        async with memory_of(settings, chosen.user, progress) as (memory, viewer):
            rot = await find_rot(memory, viewer)
        return rot_as_json(rot) if chosen.json else rot_as_lines(rot)
    if chosen.summaries or chosen.conversation:
        if chosen.user:
            raise Refused(texts.STATS_NOT_OF_ONE)
        async with memory_of(settings, None, progress, known=False) as (memory, viewer):
            chain = await summary_versions(memory, viewer.tenant, chosen.conversation, now)
        return chain_as_json(chain) if chosen.json else chain_as_table(chain)
    if not 1 <= chosen.days <= MOST_DAYS:
        raise Refused(texts.STATS_DAYS)
    own = chosen.user is not None
    async with memory_of(settings, chosen.user, progress, known=own) as (memory, viewer):
        rows = await usage_by_model(memory, viewer, now - timedelta(days=chosen.days), own=own)
    return as_json(rows, chosen.days) if chosen.json else as_table(rows, chosen.days, chosen.user)


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
