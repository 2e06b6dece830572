"""The library's client without its limits of 5 seconds, which a busy machine exceeds."""

from typing import Any

from telegram.ext import Application
from telegram.request import HTTPXRequest

from tests.telegram.fake import FakeTelegram
from tests.waiting import STUCK


def patient_request() -> HTTPXRequest:
    return HTTPXRequest(8, connect_timeout=STUCK, read_timeout=STUCK, write_timeout=STUCK, pool_timeout=STUCK)


def patient_application(telegram: FakeTelegram) -> Application[Any, Any, Any, Any, Any, Any]:
    builder = Application.builder().token(telegram.token).base_url(f"{telegram.url}/bot")
    return builder.request(patient_request()).get_updates_request(patient_request()).build()
