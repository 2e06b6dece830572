"""Tenants: deployments and API customers that have rows in this database."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Tenant
from db.viewer import Viewer


async def know_tenant(session: AsyncSession, viewer: Viewer, now: datetime) -> None:
    await session.execute(insert(Tenant).values(tenant_id=viewer.tenant, created_at=now).on_conflict_do_nothing())


async def tenants(session: AsyncSession) -> Sequence[str]:
    """All tenants, for a viewer of none."""
    return (await session.execute(select(Tenant.tenant_id).order_by(Tenant.tenant_id))).scalars().all()
