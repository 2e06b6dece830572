"""The bot in groups: a stage with the curtain up, and people who are in a group together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from db.engine import Database
from tests.integration.bot.groups.stage import Make, Stage, staged
from tests.telegram import Group, Person


@pytest.fixture
def make_stage(app_url: str, superuser_url: str, bots_database: Database, tenant: str, tmp_path: Path) -> Make:
    """A stage whose curtain is down: the bot does not run yet."""
    return partial(staged, app_url, superuser_url, bots_database, tenant, tmp_path)


@pytest.fixture
def play(make_stage: Make) -> Make:
    @asynccontextmanager
    async def make(**chosen: Any) -> AsyncIterator[Stage]:
        async with make_stage(**chosen) as stage, stage.playing():
            yield stage

    return make


@pytest.fixture
async def stage(play: Make) -> AsyncIterator[Stage]:
    async with play() as playing:
        yield playing


@pytest.fixture
def ann(stage: Stage) -> Person:
    return stage.telegram.person(11, "Ann", username="ann_l")


@pytest.fixture
def bob(stage: Stage) -> Person:
    return stage.telegram.person(12, "Bob")


@pytest.fixture
def team(stage: Stage, ann: Person, bob: Person) -> Group:
    """A supergroup that Ann runs."""
    return stage.telegram.group(-100500, "Team", admins=[ann], members=[bob])
