"""Who enters a group by its number, and who moves the group to another, wait for each other.

Both chats tell of a move. Who came second could find the group already standing under its new number, take it for one
that was made there too early, and end its conversation; somebody who spoke there just then was in the way of both.
"""

from alembic import op

revision = "0020"
down_revision = "0019"

ENTERING = "    INSERT INTO public.spaces AS s"
MOVING = "    SELECT s.id INTO stays FROM"
ENTERS = """    PERFORM pg_advisory_xact_lock_shared(hashtextextended(wall.viewer_tenant() || ' ' || entered, 0));
"""
MOVES = """    PERFORM pg_advisory_xact_lock(hashtextextended(here || ' ' || number, 0))
        FROM (SELECT unnest(ARRAY[former, present]) AS number ORDER BY 1) AS both_numbers;
"""


def rewrite(function: str, before: str, after: str) -> None:
    op.execute(f"""
        DO $$ BEGIN EXECUTE replace(pg_get_functiondef('wall.{function}'::regprocedure),
            $q${before}$q$, $q${after}$q$); END $$
    """)


def upgrade() -> None:
    rewrite("enter_group(text, text, text, boolean, timestamptz)", ENTERING, ENTERS + ENTERING)
    rewrite("move_group(text, text)", MOVING, MOVES + MOVING)


def downgrade() -> None:
    rewrite("enter_group(text, text, text, boolean, timestamptz)", ENTERS + ENTERING, ENTERING)
    rewrite("move_group(text, text)", MOVES + MOVING, MOVING)
