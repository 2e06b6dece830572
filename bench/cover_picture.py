"""Makes the picture of the README: a chat with the real bot in a fake Telegram, beside that person's review page."""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment
from playwright.async_api import Browser, ViewportSize

from bot.language import OFFLINE_LOCALE
from bot.telegram.app import run_bot
from db.engine import Database
from db.viewer import Viewer
from memory.model.offline import OfflineBrain
from memory.settings import Settings
from memory.wiring import Runtime
from tests.browser import at_page
from tests.daemon import Daemon
from tests.integration.bot.runtime import house_on
from tests.telegram import FakeTelegram, Person, Sent, fake_telegram
from tests.waiting import eventually

TEMPLATE = Path(__file__).parent / "data" / "cover_picture.html"
SIZE = ViewportSize(width=1216, height=936)
PHONE = ViewportSize(width=566, height=880)
# What the person types, and the last button under the answer, if there is one. `PRESS` presses the first button.
PRESS = "press"
SCRIPT = (
    ("Alec is my boss, by the way", "No"),
    (PRESS, "Undo"),
    ("Please remember that Sarah works on the Platform team", "Undo"),
    ("Actually, Sarah moved to the Design team", "Undo"),
    ("who is my boss?", ""),
    ("My sister is called Inês", "No"),
)


@dataclass(frozen=True, slots=True)
class ShownMessage:
    text: str
    by_person: bool
    buttons: list[list[str]]


@asynccontextmanager
async def bot_beside(daemon: Daemon, app_url: str, telegram: FakeTelegram) -> AsyncIterator[Runtime]:
    """A bot for the people of this daemon."""
    settings = Settings.model_validate(
        {
            "TELEGRAM_BOT_TOKEN": telegram.token,
            "TELEGRAM_BASE_URL": telegram.url,
            "KEEPSAKE_TENANT": daemon.tenant,
            "KEEPSAKE_DATA_DIR": str(daemon.runtime.settings.data_dir),
            "KEEPSAKE_MESSAGES_PER_SECOND": "0",
        }
    )
    database = Database(app_url)
    runtime = house_on(database, settings, OfflineBrain(OFFLINE_LOCALE))
    running = asyncio.create_task(run_bot(runtime, "UTC", lambda _: None))
    try:
        yield runtime
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await database.close()


async def converse(person: Person) -> None:
    for words, label in SCRIPT:
        before = person.answers()
        if words == PRESS:
            person.tap(before[-1], before[-1].labels[0])
        else:
            person.say(words)
        await eventually(partial(has_answered, person, before, label))


def has_answered(person: Person, before: list[Sent], label: str) -> bool:
    now = person.answers()
    return now != before and (now[-1].labels or [""])[-1] == label


def shown_messages(person: Person) -> list[ShownMessage]:
    """The chat as it stands now."""
    answers = {answer.message_id: answer for answer in person.answers()}
    found = []
    for number, message in sorted(person.chat.messages.items()):
        buttons = [[label for label, _ in row] for row in answers[number].buttons] if number in answers else []
        found.append(ShownMessage(message.text, number not in answers, buttons))
    return found


async def take_cover(daemon: Daemon, browser: Browser, app_url: str, path: Path) -> None:
    async with fake_telegram() as telegram, bot_beside(daemon, app_url, telegram):
        ada = telegram.person(12345, "Ada")
        await converse(ada)
        messages = shown_messages(ada)
    viewer = Viewer.in_private(daemon.tenant, f"telegram:{ada.id}")
    look: dict[str, Any] = {"viewport": PHONE, "color_scheme": "light", "device_scale_factor": 1.5}
    async with at_page(daemon, browser, viewer, **look) as page:
        await page.goto(f"{daemon.url}/review/memory")
        picture = await page.screenshot()
    template = Environment(autoescape=True).from_string(TEMPLATE.read_text())
    context = await browser.new_context(viewport=SIZE)
    cover = await context.new_page()
    await cover.set_content(template.render(messages=messages, page=base64.b64encode(picture).decode()))
    await cover.screenshot(path=path)
    await context.close()
