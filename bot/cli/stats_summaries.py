"""`keepsake stats --summaries`: versions of summaries and the state of their jobs, without any text of them."""

import json
from dataclasses import asdict
from datetime import datetime, timedelta

from bot.formatting import one_line, table
from bot.language import texts
from memory.consolidation.statistics import ChainRow, SummaryChain


def chain_as_json(chain: SummaryChain) -> str:
    report = {
        "conversation": chain.conversation,
        "versions": [{**asdict(row), "window": window(row)} for row in chain.versions],
        "stuck": [
            {
                "conversation_id": row.conversation_id,
                "id": row.id,
                "age_seconds": round(age(row, chain).total_seconds()),
            }
            for row in chain.stuck
        ],
        "work": [asdict(state) for state in chain.work],
    }
    return json.dumps(report, ensure_ascii=False, indent=1, default=datetime.isoformat)


def chain_as_table(chain: SummaryChain) -> str:
    lines = table([texts.CHAIN_COLUMNS, *map(_cells, chain.versions)]) if chain.versions else [texts.CHAIN_EMPTY]
    for row in chain.stuck:
        values = {
            "conversation": row.conversation_id,
            "id": row.id,
            "minutes": f"{age(row, chain).total_seconds() / 60:.0f}",
        }
        lines.append(texts.CHAIN_STUCK.format(**values))
    for state in chain.work:
        lines.append(
            texts.CHAIN_WORK.format(
                work=texts.DOCTOR_NAMES[state.work],
                completed=f"{state.completed:,}",
                failed=f"{state.failed:,}",
                stuck=f"{state.stuck:,}",
            )
        )
        if state.average_ms is not None and state.most_ms is not None:
            lines[-1] += " " + texts.CHAIN_TIMES.format(average=f"{state.average_ms:,.0f}", most=f"{state.most_ms:,}")
        lines += [f"  {one_line(reason)}" for reason in state.reasons]
    return "\n".join(lines)


def window(row: ChainRow) -> int:
    """Number of messages that a version covers."""
    return row.end_seq - row.start_seq + 1


def age(row: ChainRow, chain: SummaryChain) -> timedelta:
    return chain.now - row.created_at


def _cells(row: ChainRow) -> tuple[str, ...]:
    return (
        row.conversation_id,
        f"{row.start_seq}",
        f"{row.end_seq}",
        f"{window(row)}",
        "" if row.base_end_seq is None else f"{row.base_end_seq}",
        row.status,
        f"{row.attempts}",
        "" if row.generation_ms is None else f"{row.generation_ms:,}",
        f"{row.created_at:%Y-%m-%d %H:%M}",
    )
