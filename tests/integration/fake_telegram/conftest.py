"""A Telegram of the test's own, and the client of the library that talks to it."""

from collections.abc import AsyncIterator

import pytest
from telegram import Bot

from tests.telegram import FakeTelegram, fake_telegram
from tests.telegram.patience import patient_request


@pytest.fixture
async def telegram() -> AsyncIterator[FakeTelegram]:
    async with fake_telegram() as running:
        yield running


@pytest.fixture
async def bot(telegram: FakeTelegram) -> AsyncIterator[Bot]:
    base = f"{telegram.url}/bot", f"{telegram.url}/file/bot"
    async with Bot(telegram.token, *base, request=patient_request(), get_updates_request=patient_request()) as speaking:
        yield speaking
