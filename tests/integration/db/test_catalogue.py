"""Walks the catalogue of PostgreSQL, so that a table or function added later without its wall fails the suite."""

import re
from typing import Any

import psycopg
import pytest

from db import vocabulary

NOT_OURS = {"alembic_version"}  # holds a revision number and nothing of a person


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(query.encode()).fetchall()


def unguarded(connection: psycopg.Connection) -> set[str]:
    found = connection.execute(
        """SELECT c.relname FROM pg_class AS c
           WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'm', 'f')
           AND NOT (c.relrowsecurity AND c.relforcerowsecurity
                    AND EXISTS (SELECT FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polroles = '{0}'))"""
    )
    return {name for (name,) in found} - NOT_OURS


def test_every_table_forces_row_level_security_and_has_a_policy(superuser_url: str) -> None:
    with psycopg.connect(superuser_url) as connection:
        assert unguarded(connection) == set()


@pytest.mark.parametrize(
    "hole",
    [
        "CREATE TABLE forgotten (tenant_id text)",
        "CREATE MATERIALIZED VIEW forgotten AS SELECT * FROM facts",
        "ALTER TABLE facts NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE facts DISABLE ROW LEVEL SECURITY",
        "DROP POLICY themselves ON users",
    ],
)
def test_a_hole_in_the_wall_is_seen(superuser_url: str, hole: str) -> None:
    with psycopg.connect(superuser_url) as connection:
        connection.execute(hole.encode())
        assert len(unguarded(connection)) == 1
        connection.rollback()


def test_there_is_no_view_that_could_see_around_the_wall(superuser_url: str) -> None:
    views = rows(
        superuser_url, "SELECT relname FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace"
    )

    assert views == []


def test_every_policy_names_the_tenant(superuser_url: str) -> None:
    policies = rows(
        superuser_url,
        """SELECT c.relname || '.' || p.polname,
                  concat(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
           FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid""",
    )

    assert [name for name, rule in policies if "viewer_tenant()" not in rule] == []


def test_functions_that_look_across_people_belong_to_roles_that_cannot_log_in(superuser_url: str) -> None:
    definers = rows(
        superuser_url,
        """SELECT p.proname, r.rolname, r.rolcanlogin OR r.rolsuper OR r.rolbypassrls, p.proconfig::text
           FROM pg_proc AS p JOIN pg_roles AS r ON r.oid = p.proowner
           WHERE p.prosecdef AND p.pronamespace IN ('wall'::regnamespace, 'public'::regnamespace)""",
    )

    assert {name: (owner, powerful) for name, owner, powerful, _ in definers} == {
        "number_event": ("keepsake_warden", False),
        "number_version": ("keepsake_warden", False),
        "viewer_space": ("keepsake_warden", False),
        "viewer_spaces": ("keepsake_warden", False),
        "viewer_owns_space": ("keepsake_warden", False),
        "viewer_may_found": ("keepsake_warden", False),
        "accept_invitation": ("keepsake_warden", False),
        "end_membership": ("keepsake_warden", False),
        "data_keys": ("keepsake_warden", False),
        "wrapped_otherwise": ("keepsake_warden", False),
        "due_purges": ("keepsake_warden", False),
        "due_embeddings": ("keepsake_warden", False),
        "crowded_spaces": ("keepsake_warden", False),
        "outdated_embeddings": ("keepsake_warden", False),
        "embedding_progress": ("keepsake_warden", False),
        "shelve_chunk": ("keepsake_warden", False),
        "post_terms": ("keepsake_warden", False),
        "withdraw_terms": ("keepsake_warden", False),
        "supersede": ("keepsake_warden", False),
        "cited_artifacts": ("keepsake_warden", False),
        "due_artifacts": ("keepsake_warden", False),
        "due_bundles": ("keepsake_warden", False),
        "estimates": ("keepsake_warden", False),
        "claim_updates": ("keepsake_warden", False),
        "hold_updates": ("keepsake_warden", False),
        "clear_inbox": ("keepsake_warden", False),
        "keep_answer": ("keepsake_warden", False),
        "finish_update": ("keepsake_warden", False),
        "inbox_state": ("keepsake_warden", False),
        "private_chats": ("keepsake_warden", False),
        "enter_group": ("keepsake_warden", False),
        "choose_channel": ("keepsake_warden", False),
        "move_group": ("keepsake_warden", False),
        "usage_sums": ("keepsake_warden", False),
        "due_summaries": ("keepsake_warden", False),
        "due_extractions": ("keepsake_warden", False),
        "take_over": ("keepsake_warden", False),
        "due_reminders": ("keepsake_warden", False),
        "claim_notices": ("keepsake_warden", False),
        "summary_chain": ("keepsake_warden", False),
        "consolidation_state": ("keepsake_warden", False),
        "admit_key": ("keepsake_warden", False),
        "key_list": ("keepsake_warden", False),
        "open_link": ("keepsake_warden", False),
        "session_of": ("keepsake_warden", False),
        "clear_doors": ("keepsake_warden", False),
        "who_forgot": ("keepsake_warden", False),
        "names_here": ("keepsake_warden", False),
        "drop_what_rests_on": ("keepsake_eraser", False),
        "count_back": ("keepsake_eraser", False),
        "erase_event": ("keepsake_eraser", False),
        "erase_events": ("keepsake_eraser", False),
        "erase_spaces": ("keepsake_eraser", False),
        "seal_event": ("keepsake_eraser", False),
        "blank_event": ("keepsake_eraser", False),
        "blank_words": ("keepsake_eraser", False),
    }
    assert all("search_path" in config for *_, config in definers)


def test_the_application_role_owns_nothing(superuser_url: str) -> None:
    owned = rows(
        superuser_url,
        "SELECT relname FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner WHERE rolname = 'keepsake_app'",
    )

    assert owned == []


def test_every_key_begins_with_the_tenant(superuser_url: str) -> None:
    """What a distributed PostgreSQL needs."""
    keys = rows(
        superuser_url,
        """SELECT con.conrelid::regclass::text || ' ' || con.conname, a.attname
           FROM pg_constraint AS con
           JOIN pg_attribute AS a ON a.attrelid = con.conrelid AND a.attnum = con.conkey[1]
           WHERE con.contype IN ('p', 'u', 'f') AND con.connamespace = 'public'::regnamespace""",
    )

    assert {name for name, first in keys if first != "tenant_id"} == {
        "alembic_version alembic_version_pkc",
    }


def test_every_unique_index_and_both_ends_of_every_foreign_key_begin_with_the_tenant(superuser_url: str) -> None:
    """Then all that one row depends on lies where the row lies."""
    indexes = rows(
        superuser_url,
        """SELECT i.indexrelid::regclass::text, a.attname FROM pg_index AS i
           JOIN pg_class AS c ON c.oid = i.indrelid AND c.relnamespace = 'public'::regnamespace
           JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0] WHERE i.indisunique""",
    )
    keys = rows(
        superuser_url,
        """SELECT con.conname, a.attname FROM pg_constraint AS con
           JOIN pg_attribute AS a ON a.attrelid = con.confrelid AND a.attnum = con.confkey[1]
           WHERE con.contype = 'f' AND con.connamespace = 'public'::regnamespace""",
    )

    assert [name for name, first in indexes if first != "tenant_id"] == ["alembic_version_pkc"]
    assert [name for name, first in keys if first != "tenant_id"] == []


CHECKED = {
    "users.mode": vocabulary.Mode,
    "spaces.kind": vocabulary.SpaceKind,
    "space_members.role": vocabulary.Role,
    "conversations.channel": vocabulary.Channel,
    "events.channel": vocabulary.Channel,
    "events.actor_type": vocabulary.ActorType,
    "events.kind": vocabulary.EventKind,
    "events.sensitivity": vocabulary.Sensitivity,
    "facts.category": vocabulary.Category,
    "facts.attribute": vocabulary.Attribute,
    "facts.visibility": vocabulary.Visibility,
    "facts.sensitivity": vocabulary.Sensitivity,
    "users.never_remember": vocabulary.Category,
    "fact_versions.approval": vocabulary.Approval,
    "fact_versions.visibility": vocabulary.Visibility,
    "fact_versions.sensitivity": vocabulary.Sensitivity,
    "proposals.attribute": vocabulary.Attribute,
    "proposals.sensitivity": vocabulary.Sensitivity,
    "proposals.kind": vocabulary.ProposalKind,
    "proposals.status": vocabulary.ProposalStatus,
    "summaries.status": vocabulary.SummaryStatus,
    "extractions.status": vocabulary.SummaryStatus,
    "notices.kind": vocabulary.NoticeKind,
    "artifacts.kind": vocabulary.ArtifactKind,
    "decisions.status": vocabulary.DecisionStatus,
    "decisions.scope": vocabulary.DecisionScope,
    "tasks.status": vocabulary.TaskStatus,
    "views.name": vocabulary.ViewName,
    "views.scope": vocabulary.ViewScope,
    "inbox.state": vocabulary.InboxState,
    "api_keys.scopes": vocabulary.Scope,
}


def test_the_database_knows_the_same_words_as_the_program(superuser_url: str) -> None:
    checks = rows(
        superuser_url,
        """SELECT con.conrelid::regclass::text || '.' || a.attname, pg_get_constraintdef(con.oid)
           FROM pg_constraint AS con
           JOIN pg_attribute AS a ON a.attrelid = con.conrelid AND con.conkey = ARRAY[a.attnum]
           WHERE con.contype = 'c'""",
    )
    known = {column: set[str]() for column in CHECKED}
    for column, check in checks:
        if column in known:
            known[column] |= set(re.findall(r"'([a-z_]+)'", check))

    unlike = {column: words for column, words in known.items() if words != set(CHECKED[column])}
    assert not unlike, unlike
