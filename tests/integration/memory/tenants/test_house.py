"""A house works for whoever is in its database: from its start on, and for tenants whose first key came later."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.language import OFFLINE_LOCALE
from db.engine import Database
from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.people.people import welcome
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, EventKind
from memory.events.record import EventDraft as Event
from memory.events.record import prepare, record
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.language.lexicon_cache import _cached, lexicon_cached
from memory.people.keys import make_key
from memory.privacy.encryption import Keyring, encode_key, new_key
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import Runtime, open_memory, open_runtime
from tests.background_jobs import keeps_record
from tests.conftest import NOON
from tests.integration.memory.tenants.conftest import NORTH, SOUTH, found
from tests.scripted_embeddings import scripted_embeddings
from tests.scripted_embeddings import vectors as vectors_of
from tests.scripted_model import ScriptedModel, scripted_model
from tests.waiting import STUCK, eventually, eventually_async

SICK = "My doctor says I have diabetes"


@asynccontextmanager
async def opened(app_url: str, folder: Path, **wishes: Any) -> AsyncIterator[tuple[Runtime, ScriptedModel]]:
    """A house of the north, as the program opens it, over a model and an embedder that answer."""
    async with scripted_model() as model, scripted_embeddings(vectors_of) as embeddings:
        model.always = keeps_record
        given = {
            "DATABASE_URL": app_url,
            "KEEPSAKE_DATA_DIR": str(folder),
            "KEEPSAKE_TENANT": NORTH,
            "KEEPSAKE_EXTRACTION": "off",
            "KEEPSAKE_EMBEDDER": "openai",
            "KEEPSAKE_EMBEDDER_URL": embeddings.url,
            "KEEPSAKE_EMBEDDER_MODEL": "m",
            "ANTHROPIC_API_KEY": "k",
            "ANTHROPIC_BASE_URL": model.url,
        }
        settings = Settings.model_validate({**given, **wishes})
        async with (
            open_runtime(settings, offline_locale=OFFLINE_LOCALE, progress=lambda _: None) as runtime,
            asyncio.timeout(2 * STUCK),
        ):
            yield runtime, model


async def talk(memory: Memory, viewer: Viewer) -> None:
    async with memory.unit(viewer) as unit:
        conversation = timed_id("cnv", unit.now)
        await start_conversation(unit.session, viewer, conversation_id=conversation, agent_id="a", now=unit.now)
        for number in range(16):
            said = Event(ActorType.HUMAN, viewer.person, EventKind.MESSAGE, {"text": f"Number {number} is the weather"})
            heard = Event(ActorType.AGENT, "a", EventKind.MESSAGE, {"text": f"Heard number {number}."})
            await record(unit, conversation, [prepare(said, unit.now), prepare(heard, unit.now)])


def rows(superuser_url: str, query: str) -> list[Any]:
    with psycopg.connect(superuser_url) as admin:
        return [row[0] for row in admin.execute(query.encode())]


async def test_a_house_makes_patterns_ahead(app_url: str, tmp_path: Path) -> None:
    made: list[bool] = []
    late = lexicon_cached(lambda: made.append(True))
    try:
        async with opened(app_url, tmp_path):
            await eventually(lambda: made)
    finally:
        _cached.remove(late)


async def test_a_house_makes_its_tenant_known(app_url: str, superuser_url: str, tmp_path: Path) -> None:
    for _ in range(2):
        async with opened(app_url, tmp_path):
            assert rows(superuser_url, "SELECT tenant_id FROM tenants") == [NORTH]


async def test_a_tenant_whose_first_key_is_made_while_the_house_stands_is_worked_for_at_once(
    app_url: str, superuser_url: str, tmp_path: Path
) -> None:
    async with opened(app_url, tmp_path) as (runtime, model):
        await make_key(runtime.memory, SOUTH, user="api:ada")
        ada = Viewer.in_private(SOUTH, "api:ada")
        await talk(runtime.memory, ada)
        runtime.nudge(ada)

        async def is_done() -> bool:
            digests = rows(superuser_url, "SELECT tenant_id FROM summaries WHERE status = 'completed'")
            said = "SELECT 1 FROM chunks AS c WHERE c.event_id IS NOT NULL AND {} EXISTS"
            said += " (SELECT FROM embeddings AS e WHERE e.chunk_id = c.id)"
            made, waiting = (rows(superuser_url, said.format(which)) for which in ("", "NOT"))
            return digests == [SOUTH] and bool(made) and not waiting

        await eventually_async(is_done)
    assert len(model.requests) == 1
    assert rows(superuser_url, "SELECT DISTINCT tenant_id FROM embeddings") == [SOUTH]


async def test_what_a_tenant_left_undone_is_done_by_the_house_of_another(
    app_url: str, superuser_url: str, database: Database, memory: Memory, tmp_path: Path
) -> None:
    await talk(memory, await found(database, SOUTH))
    async with opened(app_url, tmp_path):

        async def is_done() -> bool:
            digests = rows(superuser_url, "SELECT 1 FROM summaries WHERE status = 'completed'")
            return bool(digests) and bool(rows(superuser_url, "SELECT 1 FROM embeddings"))

        await eventually_async(is_done)


async def wrapped(memory: Memory, viewer: Viewer, *keys: bytes) -> list[str]:
    """What can be read of the viewer's facts with these keys."""
    async with Memory(memory.database, Keyring(keys)).unit(viewer, read_only=True) as unit:
        return [row.words for row in await facts.own_facts(unit)]


@pytest.mark.parametrize("knows_itself", [True, False])
async def test_with_a_new_key_in_front_everybodys_data_key_is_wrapped_anew(
    memory: Memory, database: Database, app_url: str, tmp_path: Path, knows_itself: bool
) -> None:
    """Also of a tenant that no house has made known since there are several."""
    north, south = Viewer.in_private(NORTH, "test:ada"), await found(database, SOUTH)
    if knows_itself:
        await found(database, NORTH)
    else:
        async with database.transaction(north) as session:
            await welcome(session, north, name="Ada", timezone="UTC", now=NOON)
    old, new = new_key(), new_key()
    before = Memory(memory.database, Keyring((old,)))
    for viewer in (north, south):
        async with before.unit(viewer) as unit:
            await facts.remember(unit, FactDraft(SICK, Category.PERSON), Approval.COMMAND)
    keys = ",".join(map(encode_key, (new, old)))
    settings = Settings.model_validate(
        {"KEEPSAKE_TENANT": NORTH, "KEEPSAKE_DATA_DIR": str(tmp_path), "KEEPSAKE_ENCRYPTION_KEY": keys}
    )
    await (await open_memory(settings, app_url)).database.close()

    for viewer in (north, south):
        assert await wrapped(memory, viewer, new) == [SICK]
        assert await wrapped(memory, viewer, old) != [SICK]
