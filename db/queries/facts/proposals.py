"""Proposals: facts that wait for their owner's answer on a card."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Update, delete, func, select, update
from sqlalchemy.dialects.postgresql import Range, insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Proposal
from db.viewer import Viewer
from db.vocabulary import Attribute, Category, ProposalKind, ProposalStatus, Sensitivity


@dataclass(frozen=True, slots=True)
class ProposalRow:
    id: str
    kind: ProposalKind
    fact_id: str | None
    fact_version: int | None
    category: Category
    attribute: Attribute | None
    content: str | None
    subject: str | None
    value: dict[str, Any] | None
    sealed: bytes | None
    sensitivity: Sensitivity
    content_hash: str
    source_event_id: str | None
    span: tuple[int, int] | None
    author: str
    reply_event_id: str | None
    shown_at: datetime | None
    status: ProposalStatus
    expires_at: datetime
    created_at: datetime


COLUMNS = [Proposal.__table__.c[name] for name in ProposalRow.__dataclass_fields__]


async def add_proposal(session: AsyncSession, viewer: Viewer, row: ProposalRow) -> bool:
    """Add a proposal. Return False if the same one already waits, perhaps in another space."""
    values = {name: getattr(row, name) for name in ProposalRow.__dataclass_fields__}
    values["span"] = Range(*row.span) if row.span else None
    scope = {"tenant_id": viewer.tenant, "space_id": viewer.place, "user_id": viewer.person, "channel": viewer.channel}
    added = await session.execute(
        insert(Proposal).values(**scope, **values).on_conflict_do_nothing().returning(Proposal.id)
    )
    return added.scalar_one_or_none() is not None


async def waiting_proposals(session: AsyncSession, viewer: Viewer, now: datetime) -> Sequence[ProposalRow]:
    """The viewer's cards that can still be answered, oldest first."""
    return await _rows(session, viewer, Proposal.status == ProposalStatus.WAITING, Proposal.expires_at > now)


async def all_proposals(session: AsyncSession, viewer: Viewer) -> Sequence[ProposalRow]:
    return await _rows(session, viewer)


async def remove_proposals(session: AsyncSession, viewer: Viewer, ids: Sequence[str]) -> None:
    await session.execute(
        delete(Proposal).where(
            Proposal.tenant_id == viewer.tenant, Proposal.user_id == viewer.person, Proposal.id.in_(ids)
        )
    )


async def cards_on(session: AsyncSession, viewer: Viewer, reply_event_id: str) -> Sequence[ProposalRow]:
    """Every card attached to a reply, answered or not."""
    return await _rows(session, viewer, Proposal.reply_event_id == reply_event_id)


async def proposal(session: AsyncSession, viewer: Viewer, proposal_id: str) -> ProposalRow | None:
    proposals = await _rows(session, viewer, Proposal.id == proposal_id)
    return proposals[0] if proposals else None


async def unaccepted(session: AsyncSession, viewer: Viewer) -> Sequence[ProposalRow]:
    """Cards that the viewer rejected or has not answered."""
    unanswered = (ProposalStatus.WAITING, ProposalStatus.REJECTED)
    return await _rows(session, viewer, Proposal.status.in_(unanswered))


async def proposal_with_hash(
    session: AsyncSession, viewer: Viewer, content_hash: str, status: ProposalStatus
) -> ProposalRow | None:
    """The newest card with this hash and status."""
    proposals = await _rows(session, viewer, Proposal.status == status, Proposal.content_hash == content_hash)
    return proposals[-1] if proposals else None


async def remove_done(session: AsyncSession, viewer: Viewer, before: datetime) -> None:
    """Remove cards that were accepted or expired before this moment. Rejected cards stay: their words are needed to
    recognise the same fact in other words."""
    await session.execute(
        delete(Proposal).where(
            Proposal.tenant_id == viewer.tenant,
            Proposal.user_id == viewer.person,
            Proposal.status != ProposalStatus.REJECTED,
            func.coalesce(Proposal.decided_at, Proposal.expires_at) < before,
        )
    )


async def decide(
    session: AsyncSession, viewer: Viewer, proposal_id: str, content_hash: str, status: ProposalStatus, now: datetime
) -> bool:
    """Accept or reject exactly what was shown, while it waits. Of two concurrent answers the first one counts."""
    decided = await session.execute(
        update(Proposal)
        .where(
            Proposal.tenant_id == viewer.tenant,
            Proposal.user_id == viewer.person,
            Proposal.id == proposal_id,
            Proposal.content_hash == content_hash,
            Proposal.status == ProposalStatus.WAITING,
            Proposal.expires_at > now,
        )
        .values(status=status, decided_by=viewer.person, decided_at=now)
        .returning(Proposal.id)
    )
    return decided.first() is not None


async def hang_on(session: AsyncSession, viewer: Viewer, ids: Sequence[str], reply_event_id: str | None) -> None:
    """Attach these cards to a reply."""
    await session.execute(_these(viewer, ids).values(reply_event_id=reply_event_id))


async def mark_shown(session: AsyncSession, viewer: Viewer, ids: Sequence[str], now: datetime) -> None:
    """Record when these cards were first shown."""
    await session.execute(_these(viewer, ids).values(shown_at=func.coalesce(Proposal.shown_at, now)))


async def expire_about(session: AsyncSession, viewer: Viewer, fact_id: str) -> None:
    """Expire the waiting cards about a fact that is gone."""
    await session.execute(
        update(Proposal)
        .where(
            Proposal.tenant_id == viewer.tenant,
            Proposal.user_id == viewer.person,
            Proposal.fact_id == fact_id,
            Proposal.status == ProposalStatus.WAITING,
        )
        .values(status=ProposalStatus.EXPIRED)
    )


async def expire(session: AsyncSession, viewer: Viewer, ids: Sequence[str]) -> None:
    await session.execute(_these(viewer, ids).values(status=ProposalStatus.EXPIRED))


def _these(viewer: Viewer, ids: Sequence[str]) -> Update:
    return update(Proposal).where(
        Proposal.tenant_id == viewer.tenant, Proposal.user_id == viewer.person, Proposal.id.in_(ids)
    )


async def _rows(session: AsyncSession, viewer: Viewer, *conditions: Any) -> Sequence[ProposalRow]:
    result = await session.execute(
        select(*COLUMNS)
        .where(Proposal.tenant_id == viewer.tenant, Proposal.user_id == viewer.person, *conditions)
        .order_by(Proposal.created_at, Proposal.id)
    )
    return [_row(row._asdict()) for row in result]


def _row(columns: dict[str, Any]) -> ProposalRow:
    values = {
        "kind": ProposalKind(columns["kind"]),
        "category": Category(columns["category"]),
        "attribute": Attribute(columns["attribute"]) if columns["attribute"] else None,
        "sensitivity": Sensitivity(columns["sensitivity"]),
        "status": ProposalStatus(columns["status"]),
        "span": (columns["span"].lower, columns["span"].upper) if columns["span"] else None,
    }
    return ProposalRow(**{**columns, **values})
