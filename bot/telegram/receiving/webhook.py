"""The webhook that Telegram sends updates to. It answers 200 only when the update is stored."""

import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hmac import compare_digest
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from tornado.httpserver import HTTPServer
from tornado.web import Application, RequestHandler

from bot.telegram.receiving.receiver import NotStored, Receiver
from memory.errors import PortTaken
from memory.metrics import Metrics

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105
MAX_BYTES = 10_000_000


class UpdateHandler(RequestHandler):
    SUPPORTED_METHODS = ("POST",)

    def initialize(self, receiver: Receiver, metrics: Metrics, secret: str) -> None:
        self._receiver, self._metrics, self._secret = receiver, metrics, secret

    async def post(self) -> None:
        given = self.request.headers.get(SECRET_HEADER, "")
        if not compare_digest(given.encode("utf-8", "replace"), self._secret.encode()):
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        try:
            raw = json.loads(self.request.body)
        except (ValueError, RecursionError):
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        self._metrics.record_telegram_contact()
        try:
            await self._receiver.receive(raw)
        except NotStored:
            self.send_error(HTTPStatus.SERVICE_UNAVAILABLE)  # Telegram sends it again

    def log_exception(self, *_: Any) -> None:
        """Log nothing: the default logs the whole request, and `Receiver.receive` has logged the error."""


@asynccontextmanager
async def listening(receiver: Receiver, metrics: Metrics, *, url: str, listen: str, secret: str) -> AsyncIterator[None]:
    host, _, port = listen.rpartition(":")
    path = f"/{urlsplit(url).path.strip('/')}/?"
    handler = (path, UpdateHandler, {"receiver": receiver, "metrics": metrics, "secret": secret})
    server = HTTPServer(Application([handler], log_function=lambda _: None), max_body_size=MAX_BYTES)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        bound = socket.create_server((host.strip("[]"), int(port)), family=family)
    except OSError as error:
        raise PortTaken("KEEPSAKE_WEBHOOK_LISTEN", listen, error) from error
    bound.setblocking(False)
    server.add_socket(bound)
    try:
        yield
    finally:
        server.stop()
        await server.close_all_connections()
