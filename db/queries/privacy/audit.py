"""The audit log: who did what and when, without the words. The database itself records changes of facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.ids import timed_id
from db.tables import AuditEntry
from db.viewer import Viewer


@dataclass(frozen=True, slots=True)
class AuditRow:
    ts: datetime
    actor: str
    action: str
    target: str
    details: Mapping[str, Any]


async def note(
    session: AsyncSession,
    viewer: Viewer,
    action: str,
    target: str,
    now: datetime,
    *,
    actor: str | None = None,
    **details: Any,
) -> None:
    await session.execute(
        insert(AuditEntry).values(
            tenant_id=viewer.tenant,
            id=timed_id("aud", now),
            user_id=viewer.person,
            ts=now,
            actor=actor or viewer.person,
            action=action,
            target=target,
            details=details,
        )
    )


async def audit_of(session: AsyncSession, viewer: Viewer) -> Sequence[AuditRow]:
    """All entries about this person, oldest first."""
    rows = await session.execute(
        select(AuditEntry.ts, AuditEntry.actor, AuditEntry.action, AuditEntry.target, AuditEntry.details)
        .where(AuditEntry.tenant_id == viewer.tenant, AuditEntry.user_id == viewer.person)
        .order_by(AuditEntry.ts, AuditEntry.id)
    )
    return [AuditRow(*row) for row in rows]
