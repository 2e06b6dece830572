"""The base: `db/schema` makes what was there at this revision, and migrations begin after it.

A later change is a migration, 0021 and on, and the same change in `db/schema`, in one commit; a test holds the two
together. The migrations up to 0020 stand in the history, the last time in the commit that `db/migrate.py` names.
"""

revision = "0020"
down_revision = None


def upgrade() -> None:
    """Nothing: an empty database is made from `db/schema`, not by migrations."""


def downgrade() -> None:
    """Nothing: `db/migrate.py` refuses to go below."""
