"""Where Alembic enters: `db/migrate.py` hands it a connection; the bare `alembic` command reads KEEPSAKE_OWNER_URL."""

import asyncio
import os

from alembic import context
from db.engine import one_connection
from db.errors import DatabaseUnfit
from db.migrate import check_revisions
from db.tables import Base


def run(connection) -> None:
    context.configure(connection=connection, target_metadata=Base.metadata, on_version_apply=tell)
    with context.begin_transaction():
        context.run_migrations()


def tell(step, **_) -> None:
    progress = context.config.attributes.get("progress", print)
    what = step.up_revision.doc.rstrip(".")
    progress(f"{'Schema' if step.is_upgrade else 'Undoing schema'} {step.up_revision_id}: {what}")


async def run_alone() -> None:
    async with one_connection(os.environ["KEEPSAKE_OWNER_URL"]) as connection:
        if await connection.run_sync(check_revisions, "head") is None:
            raise DatabaseUnfit("An empty database is made by `keepsake migrate`.")
        await connection.run_sync(run)


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    asyncio.run(run_alone())
