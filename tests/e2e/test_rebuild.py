"""`keepsake rebuild` as a process: after a chat, killed in the middle, and with a model that is away."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot import texts
from bot.terminal.user import terminal_user
from memory.consolidation.rebuild import PAGE
from tests.e2e.child import UNTRACED, Child
from tests.e2e.conftest import Keepsake
from tests.e2e.points import Arming
from tests.scripted_model import Fails, model_for_a_process

pytestmark = pytest.mark.slow

MANY = 10 * PAGE
AS_PERSON = """SELECT set_config('keepsake.tenant', %(tenant)s, false), set_config('keepsake.user', %(user)s, false),
    set_config('keepsake.space', 'personal:' || %(user)s, false), set_config('keepsake.channel', 'private', false)"""
TALK = """INSERT INTO events (tenant_id, id, conversation_id, user_id, ts, actor_type, actor_id, kind, content)
    SELECT c.tenant_id, 'evt_' || lpad(n::text, 26, '0'), c.id, c.user_id, now(), 'human', c.user_id, 'message',
           jsonb_build_object('text', 'Number ' || n || ' is about the weather in town ' || n)
    FROM conversations AS c CROSS JOIN generate_series(1, %(many)s) AS n"""
CHUNKS = """SELECT id, event_id, thread, seq, part, ts, kind, actor_id, token_est, importance, text, text_hash, terms
    FROM chunks WHERE tenant_id = %(tenant)s ORDER BY id"""


class Here:
    """The person of this terminal, in a tenant of their own."""

    def __init__(self, variables: dict[str, str]) -> None:
        self.values = {"tenant": variables["KEEPSAKE_TENANT"], "user": terminal_user(), "many": MANY}
        self.connection = psycopg.connect(variables["DATABASE_URL"], autocommit=True)
        self.rows(AS_PERSON)

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def rows(self, query: str) -> list[Any]:
        found = self.connection.execute(query.encode(), self.values)
        return found.fetchall() if found.description else []


@pytest.fixture
def here(keepsake: Keepsake, own_database: dict[str, str]) -> Iterator[Here]:
    """After a first word."""
    assert keepsake(typed=b"remember that Alec is my boss\n", **own_database, **UNTRACED).returncode == 0
    with Here(own_database) as found:
        yield found


def test_what_was_said_is_cut_anew_with_lines_that_tell_how_far_it_is(
    keepsake: Keepsake, own_database: dict[str, str], here: Here
) -> None:
    here.rows(TALK)
    said = len(here.rows("SELECT 1 FROM events"))
    before = here.rows(CHUNKS)

    first = keepsake("rebuild", **own_database)
    cut = here.rows(CHUNKS)
    second = keepsake("rebuild", "--user", terminal_user(), **own_database, **UNTRACED)

    assert (first.returncode, second.returncode) == (0, 0), first.stderr.decode()
    lines = first.stderr.decode().splitlines()
    told = texts.STEP.format(stage="Chunks", share=100, done=said, of=said)
    assert f"· {told}" in lines
    assert len([line for line in lines if line.startswith("· Chunks")]) == 10
    made = texts.REBUILT_BUT_SUMMARIES.format(user=terminal_user(), chunks=len(cut), vectors=0)
    assert lines[-1] == f"· {made}"
    assert len(cut) == MANY + len(before)
    assert set(before) < set(cut)
    assert here.rows(CHUNKS) == cut


def test_killed_in_the_middle_it_goes_on_where_it_was(
    keepsake: Keepsake,
    own_database: dict[str, str],
    here: Here,
    environment: dict[str, str],
    folder: Path,
    arming: Arming,
) -> None:
    here.rows(TALK)
    arming.kill_at("page rebuilt", time=3)
    settings = {**environment, **own_database, **UNTRACED}
    with Child("rebuild", env=settings, cwd=folder, armed=arming) as program:
        assert program.wait() == -signal.SIGKILL
    [(reached,)] = here.rows("SELECT made_until FROM rebuilds")
    done = len(here.rows("SELECT 1 FROM chunks WHERE event_id LIKE 'evt_000%%'"))
    assert done == 3 * PAGE

    went_on = keepsake("rebuild", **own_database, **UNTRACED)
    cut = here.rows(CHUNKS)
    keepsake("rebuild", **own_database, **UNTRACED)

    assert went_on.returncode == 0, reached
    assert f"({MANY - done + len(cut) - MANY:,})" in went_on.stderr.decode().splitlines()[-1]
    assert here.rows("SELECT 1 FROM rebuilds") == []
    assert here.rows(CHUNKS) == cut
    assert len(cut) >= MANY


def test_a_model_that_is_away_is_told_in_a_sentence(
    keepsake: Keepsake, own_database: dict[str, str], here: Here
) -> None:
    here.values["many"] = 60
    here.rows(TALK)
    with model_for_a_process() as model:
        model.always = lambda request: Fails("401")
        variables = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url}
        ran = keepsake("rebuild", **own_database, **variables, **UNTRACED)

    told = ran.stderr.decode().splitlines()[-1]
    assert ran.returncode == 1
    assert told.startswith("· " + texts.REBUILD_MODEL_AWAY.partition("{")[0])
    assert "Traceback" not in ran.stderr.decode()
    assert len(here.rows(CHUNKS)) >= 60


def test_who_is_not_known_has_nothing_to_make(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    ran = keepsake("rebuild", "--user", "telegram:1", **own_database, **UNTRACED)

    assert ran.returncode == 1
    assert texts.NO_SUCH_USER.format(user="telegram:1") in ran.stderr.decode()
