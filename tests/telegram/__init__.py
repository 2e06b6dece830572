"""A fake Telegram over real HTTP, with people and groups for tests."""

from tests.telegram.chats import Draft, Said, Sent
from tests.telegram.fake import FakeTelegram
from tests.telegram.groups import Group
from tests.telegram.people import Person, Tap
from tests.telegram.request import Upload
from tests.telegram.server import fake_telegram, telegram_for_a_process
from tests.telegram.world import Call

__all__ = [
    "Call",
    "Draft",
    "FakeTelegram",
    "Group",
    "Person",
    "Said",
    "Sent",
    "Tap",
    "Upload",
    "fake_telegram",
    "telegram_for_a_process",
]
