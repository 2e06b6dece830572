"""The doctor on a database with calls in it, and with each kind of embedder."""

from typing import Any

import pytest
from sqlalchemy import text

from bot.doctor import examine
from db.viewer import Viewer
from memory.settings import Settings
from memory.unit import Memory
from tests.conftest import Converse


async def told(app_url: str, viewer: Viewer, **given: Any) -> str:
    settings = Settings.model_validate({"DATABASE_URL": app_url, "KEEPSAKE_TENANT": viewer.tenant, **given})
    return "\n".join((await examine(settings, lambda _: None, has_env_file=False)).lines)


async def keep_call(memory: Memory, viewer: Viewer, conversation: str, estimated: int, counted: int) -> None:
    statement = (
        "INSERT INTO bundles (tenant_id, id, user_id, conversation_id, ts, request, hashes, provenance, token_est,"
        " token_used) VALUES (:t, :i, :u, :c, now(), '{}', '{}', '{}', :e, :n)"
    )
    values = {"t": viewer.tenant, "i": f"acb_{counted}", "u": viewer.user, "c": conversation}
    async with memory.unit(viewer) as unit:
        await unit.session.execute(text(statement), {**values, "e": estimated, "n": counted})


async def test_the_doctor_warns_when_a_model_ever_counted_more_than_was_estimated(
    memory: Memory, app_url: str, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    assert "tokens" not in await told(app_url, ada)

    await keep_call(memory, ada, conversation, 1000, 900)
    assert "1 calls counted, none above its estimate" in await told(app_url, ada)

    await keep_call(memory, ada, conversation, 1000, 1200)
    warned = await told(app_url, ada)
    assert "✗ 1 of 2 calls cost more than estimated, up to 1.20 times" in warned
    assert "Set KEEPSAKE_TOKEN_MARGIN to 1.25" in warned
    assert "2 calls counted, none above" in await told(app_url, ada, KEEPSAKE_TOKEN_MARGIN="1.25")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({}, "embedder    multilingual-e5-small-q4, on this machine"),
        ({"KEEPSAKE_EMBEDDER": "off"}, "embedder    off: what was said is found by its words"),
        (
            {"KEEPSAKE_EMBEDDER": "voyage", "KEEPSAKE_EMBEDDER_KEY": "k"},
            "embedder    voyage-3.5; what is said is sent there, what is sensitive is not",
        ),
    ],
)
async def test_the_doctor_names_the_embedder(app_url: str, ada: Viewer, given: dict[str, str], line: str) -> None:
    assert line in await told(app_url, ada, **given)


async def test_without_a_wheel_for_this_machine_the_doctor_says_what_else_to_set(
    app_url: str, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.doctor.why_not_here", lambda: "There is no bundled embedder for Plan 9.")
    warned = await told(app_url, ada)

    assert "✗ not on this machine" in warned
    assert "There is no bundled embedder for Plan 9. Set KEEPSAKE_EMBEDDER to voyage, openai or off." in warned
