"""Receives every update, and writes it down before Telegram hears that we have it."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack
from typing import Any, cast

from telegram import Update, User
from telegram.error import TelegramError

from bot.delivery.delivery import Delivery
from bot.delivery.incoming import Incoming, UpdateKind
from bot.delivery.worker import InboxWorker
from bot.language import speaking, texts
from bot.telegram.dispatcher import Dispatcher
from bot.telegram.receiving.parsing import moment, read_update
from bot.telegram.sending.answers import lines_answer
from memory import Viewer
from memory.concurrency.in_thread import in_thread
from memory.errors import DatabaseAway, DatabaseHangs, ServerTrouble
from memory.outage.catching_up import later_update
from memory.outage.spool import Spool
from memory.people.allowlist import is_expected

MOST_STRANGERS = 1_000
MOST_SEEN = 10_000
# Nobody waits for an answer to these, and without the database they cannot be done: they are, when it is back.
ONLY_NOTED = {UpdateKind.EDITED, UpdateKind.LEFT, UpdateKind.MOVED}

log = logging.getLogger(__name__)


class NotWrittenDown(Exception):
    """An update is safe nowhere yet: whoever offered it must offer it again."""


class Receiver:
    """What `receive` was given is safe when it returns."""

    def __init__(self, dispatcher: Dispatcher, inbox: InboxWorker) -> None:
        self._dispatcher = dispatcher
        self._inbox = inbox
        self._strangers: OrderedDict[int, None] = OrderedDict()
        self._seen: OrderedDict[int, None] = OrderedDict()
        """Updates that came while the database was away: no row keeps them from being answered twice."""
        self._turns: dict[str, asyncio.Lock] = {}
        self._waiting = Counter[str]()
        self._beside: set[asyncio.Task[None]] = set()

    async def receive(self, raw: object) -> None:
        """Takes one update as Telegram sent it. One that cannot be read is put aside by its number and never comes in
        the way of another: offered again it would be no more readable."""
        try:
            update = Update.de_json(cast("dict[str, Any]", raw), self._dispatcher.sender.bot)
            message = update.effective_message
            length = len(str(getattr(message, "text", None) or getattr(message, "caption", None) or ""))
            incoming = await in_thread(length, read_update, update, self._dispatcher.me, moment())
        except Exception as fault:
            await self._put_aside(number_of(raw), type(fault).__name__)
            return
        try:
            await self._let_in(update, incoming)
        except (DatabaseAway, ServerTrouble, OSError) as trouble:
            log.error("an update was not written down: %s", type(trouble).__name__)
            raise NotWrittenDown from trouble
        except Exception as fault:
            await self._put_aside(update.update_id, type(fault).__name__)

    async def _let_in(self, update: Update, incoming: Incoming | None) -> None:
        if incoming is None or not self._is_meant(incoming):
            await self._only_number(update.update_id)
        elif not self._is_allowed(incoming, update):
            if await self._only_number(update.update_id) and incoming.kind != UpdateKind.LEFT:
                self._beside_task(self._turn_away(incoming))
        else:
            await self._take(incoming)

    async def _put_aside(self, number: int | None, why: str) -> None:
        log.error(
            "update %s cannot be read and is put aside: %s", "without a number" if number is None else number, why
        )
        self._dispatcher.runtime.metrics.failed("unreadable_update")
        if number is None:
            return
        try:
            await self._inbox.store.put_aside(number, why)
        except (DatabaseAway, ServerTrouble):
            self._dispatcher.runtime.outage.notice()

    async def close(self) -> None:
        for task in self._beside:
            task.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)

    def _is_meant(self, incoming: Incoming) -> bool:
        """In a group most of what is said is none of our business, and leaves no trace."""
        if incoming.addressed or incoming.kind not in {UpdateKind.MESSAGE, UpdateKind.EDITED}:
            return True
        return self._dispatcher.runtime.settings.group_answers == "all" and bool(incoming.text or incoming.file)

    def _is_allowed(self, incoming: Incoming, update: Update) -> bool:
        """Whose update it is: who left a group, not who put them out. A group that moves is everybody's."""
        if incoming.kind == UpdateKind.MOVED:
            return True
        names = {user.id: user.username for user in (update.effective_user, _gone(update)) if user is not None}
        return is_expected(self._dispatcher.runtime.settings.allowed_users, incoming.user, names.get(incoming.user))

    async def _turn_away(self, incoming: Incoming) -> None:
        """One polite line; whoever goes on gets no more, and nothing is kept of them but in this list, in RAM."""
        if incoming.query_id:
            with speaking(incoming.language):
                return await self._dispatcher.sender.alert(incoming.query_id, texts.STRANGER)
        if incoming.user in self._strangers:
            return None
        self._strangers[incoming.user] = None
        if len(self._strangers) > MOST_STRANGERS:
            self._strangers.popitem(last=False)
        with speaking(incoming.language):
            try:
                await self._dispatcher.sender.bot.send_message(
                    incoming.chat, texts.STRANGER, message_thread_id=incoming.thread
                )
            except TelegramError as error:
                log.info("a stranger could not be told: %s", type(error).__name__)
        return None

    async def _only_number(self, update_id: int) -> bool:
        try:
            return await self._inbox.store.note_number(update_id)
        except (DatabaseAway, ServerTrouble):
            self._dispatcher.runtime.outage.notice()
            return True

    async def _take(self, incoming: Incoming) -> None:
        """Into the database; when that is away into the spool, and answered from what is in RAM. The trouble of an
        embedded server that died is over when it was started again."""
        outage = self._dispatcher.runtime.outage
        if not outage.is_on_for(incoming.place):
            for may_revive in (True, False):
                try:
                    await self._inbox.write_down(incoming)
                except DatabaseHangs:
                    break
                except DatabaseAway:
                    if may_revive:
                        await self._revive()
                else:
                    return
            outage.notice()
        await self._take_without_database(incoming)

    async def _revive(self) -> None:
        try:
            await self._dispatcher.runtime.revive()
        except ServerTrouble as trouble:
            log.warning("the server could not be started again: %s", trouble)

    async def _take_without_database(self, incoming: Incoming) -> None:
        """What of this chat is written down and not yet answered comes first."""
        if incoming.update_id in self._seen:
            return
        self._seen[incoming.update_id] = None
        if len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)
        talking = ExitStack()
        talking.enter_context(self._dispatcher.runtime.outage.talking(incoming.place))
        try:
            if (spool := self._spool_for(incoming)) is not None:
                payload = incoming.model_dump_json(exclude_defaults=True)
                entry = later_update(self._owner(incoming), incoming.update_id, incoming.place, payload)
                await asyncio.to_thread(spool.add, entry)
        except BaseException:
            self._seen.pop(incoming.update_id)
            talking.close()
            raise
        if incoming.kind in ONLY_NOTED:
            talking.close()
            return
        before = self._inbox.waiting_in(incoming.place)
        self._beside_task(self._answer_in_turn([*before, incoming], talking))

    async def _answer_in_turn(self, updates: Sequence[Incoming], talking: ExitStack) -> None:
        """In order within a chat."""
        place = updates[-1].place
        turn, self._waiting[place] = self._turns.setdefault(place, asyncio.Lock()), self._waiting[place] + 1
        try:
            with talking:
                async with turn:
                    for incoming in updates:
                        await self._answer_without_database(incoming)
        finally:
            self._waiting[place] -= 1
            if not self._waiting[place]:
                del self._waiting[place], self._turns[place]

    async def _answer_without_database(self, incoming: Incoming) -> None:
        """Of a chat that we know nothing about, only that the answer comes later."""
        runtime = self._dispatcher.runtime
        delivery = Delivery(runtime, self._dispatcher.sender, self._inbox.store, incoming)
        with speaking(incoming.language):
            try:
                if self._dispatcher.known(incoming) is None:
                    if runtime.outage.tell(incoming.place):
                        delivery.answer = lines_answer(delivery, texts.ANSWER_LATER)
                        await delivery.deliver()
                    return
                await self._dispatcher.handle(delivery)
                if delivery.answer is not None:
                    await delivery.deliver()
            except TelegramError as error:
                log.warning("an answer without the database was not sent: %s", type(error).__name__)
                return
            except Exception as fault:
                log.error("an update broke its handler without the database: %s", type(fault).__name__)
                return
        await self._inbox.settle_later(delivery, spooled=self._spool_for(incoming) is not None)

    def _spool_for(self, incoming: Incoming) -> Spool | None:
        """Nothing of a chat in which nothing is kept is written anywhere."""
        return None if self._dispatcher.places.is_unkept(incoming.place) else self._dispatcher.runtime.spool

    def _owner(self, incoming: Incoming) -> Viewer:
        return Viewer.in_private(self._dispatcher.runtime.settings.tenant, incoming.person)

    def _beside_task(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)


def number_of(raw: object) -> int | None:
    """The number of an update that may not be one at all."""
    number = raw.get("update_id") if isinstance(raw, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**63 - 1 else None


def _gone(update: Update) -> User | None:
    if update.chat_member is not None:
        return update.chat_member.new_chat_member.user
    return update.message.left_chat_member if update.message is not None else None
