"""A new language is one file of words and one catalogue: in a made-up one the bot does what it does in others."""

import json
from collections.abc import Iterator

import pytest

from db.vocabulary import Approval
from tests.integration.bot.telegram.conftest import Bot
from tests.made_up_language import languages_of
from tests.scripted_model import Calls, Says
from tests.waiting import eventually

pytestmark = pytest.mark.asyncio(loop_scope="module")

BOSS = "mipo drako blinka Alec"


@pytest.fixture(scope="module", autouse=True)
def made_up() -> Iterator[None]:
    """Before the bot starts, which sets its menus in all languages."""
    with languages_of():
        yield


async def test_an_order_stores_and_an_order_forgets_with_receipts_in_the_words_of_the_catalogue(offline: Bot) -> None:
    vola = offline.person("Vola", language="vo")
    *_, stored = await offline.ask(vola, f"Plimo, zorbu kwa {BOSS}.")
    kept = offline.facts(vola)
    *_, forgotten = await offline.ask(vola, f"Glorbu kwa {BOSS}!")

    assert kept == [BOSS]
    assert offline.versions(vola)[0]["approval"] == Approval.ORDER
    assert stored.text.startswith("Gluk.\n\n✓ Zorbuda [")
    assert offline.facts(vola) == []
    assert forgotten.text.startswith("Glak.\n\n✓ Glorbuda [")


async def test_what_the_language_says_not_to_keep_is_not_kept(offline: Bot) -> None:
    vola = offline.person("Vola", language="vo")
    await offline.ask(vola, f"Nupo zorbu kwa {BOSS}.")
    await offline.ask(vola, f"Zorbu kwa {BOSS}?")

    assert offline.facts(vola) == []


async def test_a_plain_yes_accepts_a_card_and_a_no_puts_it_aside(scripted: Bot) -> None:
    for words, kept, told in (("Yumpa, mirka!", [BOSS], "✓ Zorbuda ["), ("Nupo.", [], "")):
        vola = scripted.person("Vola", language="vo")
        scripted.script[:] = [Calls("add_to_memory", {"content": BOSS, "category": "person"}), Says(("Hojo.",))]
        *_, card = await scripted.ask(vola, "hojo")
        *_, answer = await scripted.ask(vola, words)

        assert card.text.startswith("▸ Xula mo zorbu izo [")
        assert scripted.facts(vola) == kept
        assert answer.text.startswith(told)
        assert [row["status"] for row in scripted.of(vola, "proposals")] == ["accepted" if kept else "rejected"]


async def test_the_menu_is_set_in_it_too(offline: Bot) -> None:
    audience = (json.dumps({"type": "all_private_chats"}), "vo")
    await eventually(lambda: audience in offline.telegram.commands)

    assert offline.telegram.commands[audience][0]["description"] == "kwa mo zorbu du tu"
