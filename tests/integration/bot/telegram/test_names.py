"""What people are called: as they call themselves in Telegram when a conversation begins."""

from typing import Any

import pytest

from db.queries.people.people import UNNAMED, welcome
from db.viewer import Viewer
from tests.integration.bot.telegram.conftest import Bot, Running, of
from tests.telegram import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


def known(bot: Bot, person: Person) -> dict[str, Any]:
    [row] = bot.rows("SELECT name, language FROM users WHERE {mine} AND id = %(id)s", id=of(person))
    return row


async def test_of_whom_only_a_history_was_brought_in_name_and_language_are_known_when_they_come(offline: Bot) -> None:
    inge = offline.person("Inge", language="de")
    home = Viewer.in_private(offline.tenant, of(inge))
    async with offline.runtime.memory.unit(home) as unit:
        await welcome(unit.session, home, name=UNNAMED, timezone="UTC", now=unit.now)
    await offline.ask(inge, "hallo")

    assert known(offline, inge) == {"name": "Inge", "language": "de"}


async def test_who_takes_another_name_has_it_in_the_next_conversation_and_keeps_their_language(begin: Running) -> None:
    async with begin(KEEPSAKE_IDLE_HOURS="0.0000001") as bot:
        ada = bot.person("Ada")
        await bot.ask(ada, "hello")
        before = known(bot, ada)
        ada.user.update(first_name="Augusta", language_code="fr")
        await bot.ask(ada, "hello again")

        assert before == {"name": "Ada", "language": "en"}
        assert known(bot, ada) == {"name": "Augusta", "language": "en"}


async def test_who_has_no_name_that_can_be_read_keeps_the_language_they_chose(begin: Running) -> None:
    async with begin(KEEPSAKE_IDLE_HOURS="0.0000001") as bot:
        ghost = bot.person("\u200b", language="de")
        await bot.ask(ghost, "hallo")
        assert known(bot, ghost) == {"name": of(ghost), "language": "de"}
        bot.rows("UPDATE users SET language = 'fr' WHERE {mine} AND id = %(id)s RETURNING 1", id=of(ghost))
        bot.admin.commit()
        await bot.ask(ghost, "hallo")

        assert known(bot, ghost) == {"name": of(ghost), "language": "fr"}
