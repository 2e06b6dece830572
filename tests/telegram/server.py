"""The Bot API over real HTTP, on the loop of a test or on a loop of its own beside it."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from tests.telegram.api import METHODS, SPELLED
from tests.telegram.fake import FakeTelegram
from tests.telegram.line import Poll, delete_webhook, deliver, get_updates, get_webhook_info, set_webhook
from tests.telegram.request import Params, Refused, params_of
from tests.telegram.trouble import Trouble

SYNC = {**METHODS, "setWebhook": set_webhook, "deleteWebhook": delete_webhook, "getWebhookInfo": get_webhook_info}


class Dropped(Exception):
    """The connection ends here, with no answer."""


class Receiver(RequestHandler):
    """What all addresses of the server have in common."""

    def initialize(self, telegram: FakeTelegram, over: asyncio.Event) -> None:
        self.telegram = telegram
        self.over = over

    def compute_etag(self) -> str | None:
        return None

    gone = False

    def on_connection_close(self) -> None:
        self.gone = True

    def reply(self, code: int, body: dict[str, Any]) -> None:
        if self.gone:
            return
        self.set_status(code)
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps(body))


class Methods(Receiver):
    """`/bot{token}/{method}`."""

    poll: Poll | None = None

    async def post(self, token: str, method: str) -> None:
        try:
            await self.answer(token, SPELLED.get(method.lower(), method))
        except Refused as refused:
            self.reply(refused.code, refused.body)
        except Dropped:
            self.detach().close()
        except Exception as fault:
            # The fake itself is wrong: the test must hear of it, not only the bot.
            self.telegram.faults.append(fault)
            raise

    get = post

    async def answer(self, token: str, name: str) -> None:
        if token != self.telegram.token:
            raise Refused(401, "Unauthorized")
        params = params_of(self.request)
        call = self.telegram.note(name, params)
        try:
            result = await self.perform(name, params)
        except Refused as refused:
            call.code, call.error = refused.code, refused.description
            raise
        call.code = 200
        self.reply(200, {"ok": True, "result": result})

    async def perform(self, name: str, params: Params) -> Any:
        troubles = self.telegram.troubles
        if name.lower() not in SPELLED or name in troubles.forgotten:
            raise Refused(404, "Not Found")
        with self.telegram.lock:
            trouble = troubles.next_for(name, params)
        if trouble and not trouble.after_effect:
            await self.befall(trouble)
        if name == "getUpdates":
            self.poll = asyncio.get_running_loop().create_future()
            result: Any = [] if self.gone else await get_updates(self.telegram, params, self.poll)
        else:
            with self.telegram.lock:
                result = SYNC[name](self.telegram, params)
        if trouble and trouble.after_effect:
            await self.befall(trouble)
        return result

    async def befall(self, trouble: Trouble) -> None:
        if trouble.seconds:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.over.wait(), trouble.seconds)
                raise Dropped
        if trouble.drops:
            raise Dropped
        if trouble.refusal is not None:
            raise trouble.refusal

    def on_connection_close(self) -> None:
        super().on_connection_close()
        if self.poll is not None and not self.poll.done():
            self.poll.set_result(Refused(499, "Nobody listens"))


class Files(Receiver):
    """`/file/bot{token}/{path}`."""

    def get(self, token: str, path: str) -> None:
        kept = next((one for one in self.telegram.files.values() if one.path == path), None)
        if token != self.telegram.token or kept is None:
            self.reply(404, Refused(404, "Not Found").body)
            return
        self.set_header("Content-Type", "application/octet-stream")
        self.finish(kept.content)


@asynccontextmanager
async def fake_telegram(telegram: FakeTelegram | None = None, **wishes: Any) -> AsyncIterator[FakeTelegram]:
    """A fake Telegram in this event loop; the wishes are those of FakeTelegram."""
    telegram = telegram or FakeTelegram(**wishes)
    over = asyncio.Event()
    runtime = {"telegram": telegram, "over": over}
    rooms = [(r"/bot([^/]+)/([^/]+)", Methods, runtime), (r"/file/bot([^/]+)/(.+)", Files, runtime)]
    server = HTTPServer(Application(rooms, log_function=lambda _: None))
    sockets = bind_sockets(0, "127.0.0.1")
    server.add_sockets(sockets)
    telegram.url = f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
    telegram.updates.loop = asyncio.get_running_loop()
    delivery = asyncio.create_task(deliver(telegram))
    try:
        yield telegram
    finally:
        telegram.updates.loop = None
        telegram.updates.end_poll(None)
        over.set()
        delivery.cancel()
        await asyncio.gather(delivery, return_exceptions=True)
        server.stop()
        await server.close_all_connections()
    assert not telegram.faults, f"The fake Telegram itself failed: {telegram.faults!r}"


@contextmanager
def telegram_for_a_process(**wishes: Any) -> Iterator[FakeTelegram]:
    """The same server in a thread of its own, for programs that run beside the test."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    serving = fake_telegram(**wishes)
    try:
        yield asyncio.run_coroutine_threadsafe(serving.__aenter__(), loop).result()
    finally:
        try:
            asyncio.run_coroutine_threadsafe(serving.__aexit__(None, None, None), loop).result()
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
