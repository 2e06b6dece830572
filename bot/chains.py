"""`keepsake stats --summaries`: versions of summaries and how the work on them goes; ids and numbers, never words."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from bot.formatting import one_line, table
from bot.language import texts
from db.queries.stats import ChainRow, WorkState, consolidation_state, summary_chain
from db.viewer import Viewer
from db.vocabulary import SummaryStatus
from memory.unit import Memory

SHOWN = 20
LOOKED_THROUGH = 10_000  # of all conversations, for what is stuck
OF_ONE = 1_000


@dataclass(frozen=True, slots=True)
class Chain:
    """The versions of one conversation, or the newest of all, newest first; what is stuck; all work in numbers."""

    conversation: str | None
    versions: Sequence[ChainRow]
    stuck: Sequence[ChainRow]
    work: Sequence[WorkState]
    now: datetime


async def read_chain(memory: Memory, tenant: str, conversation: str | None, now: datetime) -> Chain:
    nobody = Viewer.nobody(tenant)
    async with memory.database.transaction(nobody, read_only=True) as session:
        rows = await summary_chain(session, conversation, limit=OF_ONE if conversation else LOOKED_THROUGH)
        work = await consolidation_state(session, now)
    stuck = [
        row for row in rows if row.status == SummaryStatus.PROCESSING and row.lease_until and row.lease_until <= now
    ]
    return Chain(conversation, rows if conversation else rows[:SHOWN], stuck, work, now)


def chain_as_json(chain: Chain) -> str:
    told = {
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
    return json.dumps(told, ensure_ascii=False, indent=1, default=datetime.isoformat)


def chain_as_table(chain: Chain) -> str:
    lines = table([texts.CHAIN_COLUMNS, *map(_cells, chain.versions)]) if chain.versions else [texts.CHAIN_EMPTY]
    for row in chain.stuck:
        told = {
            "conversation": row.conversation_id,
            "id": row.id,
            "minutes": f"{age(row, chain).total_seconds() / 60:.0f}",
        }
        lines.append(texts.CHAIN_STUCK.format(**told))
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
    """How many messages a version covers."""
    return row.end_seq - row.start_seq + 1


def age(row: ChainRow, chain: Chain) -> timedelta:
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
