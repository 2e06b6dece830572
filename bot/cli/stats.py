"""`keepsake stats`: token use and cost of the models, as a table or as JSON."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.cli.person import open_person
from bot.cli.stats_audit import audit_as_json, audit_as_lines
from bot.cli.stats_summaries import chain_as_json, chain_as_table
from bot.formatting import table
from bot.language import texts
from memory import Progress, Sums
from memory.consolidation.statistics import summary_versions
from memory.errors import Refused
from memory.model.usage import usage_by_model
from memory.privacy.memory_audit import audit_memory
from memory.settings import Settings

MAX_DAYS = 36_500


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    sys.stdout.write(await _report(settings, args, progress) + "\n")
    return 0


async def _report(settings: Settings, args: argparse.Namespace, progress: Progress) -> str:
    now = datetime.now(UTC)
    if args.audit:
        async with open_person(settings, args.user, progress) as (memory, viewer):
            audit = await audit_memory(memory, viewer)
        return audit_as_json(audit) if args.json else audit_as_lines(audit)
    if args.summaries or args.conversation:
        if args.user:
            raise Refused(texts.STATS_NOT_OF_ONE)
        async with open_person(settings, None, progress, must_exist=False) as (memory, viewer):
            chain = await summary_versions(memory, viewer.tenant, args.conversation, now)
        return chain_as_json(chain) if args.json else chain_as_table(chain)
    if not 1 <= args.days <= MAX_DAYS:
        raise Refused(texts.STATS_DAYS)
    own = args.user is not None
    async with open_person(settings, args.user, progress, must_exist=own) as (memory, viewer):
        rows = await usage_by_model(memory, viewer, now - timedelta(days=args.days), own=own)
    return as_json(rows, args.days) if args.json else as_table(rows, args.days, args.user)


def total(rows: Sequence[Sums]) -> Sums:
    """Sum all models. Unknown costs are left out."""
    costs = [row.cost_microdollars for row in rows if row.cost_microdollars is not None]
    counted = {
        field.name: sum(getattr(row, field.name) for row in rows)
        for field in fields(Sums)
        if field.name not in {"model", "cost_microdollars"}
    }
    return Sums(model=texts.STATS_TOTAL, cost_microdollars=sum(costs) if costs else None, **counted)


def as_json(rows: Sequence[Sums], days: int) -> str:
    report: dict[str, Any] = {"days": days, "models": [asdict(row) for row in rows], "total": asdict(total(rows))}
    report["total"].pop("model")
    return json.dumps(report, ensure_ascii=False, indent=1)


def as_table(rows: Sequence[Sums], days: int, user: str | None) -> str:
    """Return aligned columns, with a total and a note on calls without a price."""
    whose = texts.STATS_OF.format(user=user) if user else texts.STATS_OF_ALL
    heading = texts.STATS_HEADING.format(days=days, whose=whose)
    if not rows:
        return f"{heading}\n{texts.STATS_NOTHING}"
    lines = [texts.STATS_COLUMNS, *(_cells(row) for row in (*rows, *([total(rows)] if len(rows) > 1 else [])))]
    unpriced = sum(row.unpriced for row in rows)
    return "\n".join([heading, *table(lines), *([texts.STATS_UNPRICED.format(calls=unpriced)] if unpriced else [])])


def _cells(row: Sums) -> tuple[str, ...]:
    sent = row.input_tokens + row.cache_read_tokens + row.cache_write_tokens
    share = row.cache_read_tokens / sent if sent else 0.0
    microdollars = row.cost_microdollars
    cost = texts.STATS_UNKNOWN if microdollars is None else f"${microdollars / 1e6:,.4f}{'+' if row.unpriced else ''}"
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
