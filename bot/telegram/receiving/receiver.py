"""Receives every update and stores it before Telegram is told that we have it."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any, cast

from telegram import Update, User
from telegram.error import TelegramError

from bot.delivery.delivery import Delivery
from bot.delivery.incoming import Incoming, UpdateKind
from bot.delivery.worker import InboxWorker
from bot.language import texts, use_language
from bot.telegram.dispatcher import Dispatcher
from bot.telegram.receiving.parsing import read_update
from bot.telegram.sending.answers import text_answer
from memory import Viewer
from memory.concurrency.in_thread import in_thread
from memory.errors import DatabaseAway, DatabaseHangs, EmbeddedServerError
from memory.outage.catching_up import update_entry
from memory.outage.spool import Spool
from memory.people.allowlist import is_allowed

MAX_STRANGERS = 1_000
MAX_SEEN = 10_000
# Updates without an answer. They need the database, so during an outage they wait in the spool.
NO_ANSWER = {UpdateKind.EDITED, UpdateKind.LEFT, UpdateKind.MOVED}

log = logging.getLogger(__name__)


class NotStored(Exception):
    """The update is stored nowhere, so Telegram must deliver it again."""


class Receiver:
    """Stores updates. When `receive` returns, the update is in the database or in the spool."""

    def __init__(self, dispatcher: Dispatcher, inbox: InboxWorker) -> None:
        self._dispatcher = dispatcher
        self._inbox = inbox
        self._strangers: OrderedDict[int, None] = OrderedDict()
        self._seen: OrderedDict[int, None] = OrderedDict()
        """Updates received during an outage, which have no row that would prevent a second answer."""
        self._locks: dict[str, asyncio.Lock] = {}
        self._lock_users = Counter[str]()
        self._tasks: set[asyncio.Task[None]] = set()

    async def receive(self, raw: object) -> None:
        """Take one update as raw JSON. Record an unreadable one by its id and skip it, so that it blocks no other."""
        try:
            update = Update.de_json(cast("dict[str, Any]", raw), self._dispatcher.sender.bot)
            message = update.effective_message
            length = len(str(getattr(message, "text", None) or getattr(message, "caption", None) or ""))
            incoming = await in_thread(length, read_update, update, self._dispatcher.me, datetime.now(UTC))
        except Exception as fault:
            await self._skip_unreadable(update_id_of(raw), type(fault).__name__)
            return
        try:
            await self._accept(update, incoming)
        except (DatabaseAway, EmbeddedServerError, OSError) as trouble:
            log.error("could not store an update: %s", type(trouble).__name__)
            raise NotStored from trouble
        except Exception as fault:
            await self._skip_unreadable(update.update_id, type(fault).__name__)

    async def _accept(self, update: Update, incoming: Incoming | None) -> None:
        if incoming is None or not self._is_for_us(incoming):
            await self._record_number(update.update_id)
        elif not self._is_allowed(incoming, update):
            if await self._record_number(update.update_id) and incoming.kind != UpdateKind.LEFT:
                self._start_task(self._refuse_stranger(incoming))
        else:
            await self._save(incoming)

    async def _skip_unreadable(self, number: int | None, why: str) -> None:
        log.error("cannot read update %s, skipping it: %s", "without an id" if number is None else number, why)
        self._dispatcher.runtime.metrics.count_failure("unreadable_update")
        if number is None:
            return
        try:
            await self._inbox.store.record_unreadable(number, why)
        except (DatabaseAway, EmbeddedServerError):
            self._dispatcher.runtime.outage.report()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _is_for_us(self, incoming: Incoming) -> bool:
        """Whether to handle the update. Most messages in a group are not for the bot, and nothing of them is stored."""
        if incoming.addressed or incoming.kind not in {UpdateKind.MESSAGE, UpdateKind.EDITED}:
            return True
        return self._dispatcher.runtime.settings.group_answers == "all" and bool(incoming.text or incoming.file)

    def _is_allowed(self, incoming: Incoming, update: Update) -> bool:
        """Check the person it is about: who left a group, not who removed them. A group's move concerns nobody."""
        if incoming.kind == UpdateKind.MOVED:
            return True
        names = {user.id: user.username for user in (update.effective_user, _departed_user(update)) if user is not None}
        return is_allowed(self._dispatcher.runtime.settings.allowed_users, incoming.user, names.get(incoming.user))

    async def _refuse_stranger(self, incoming: Incoming) -> None:
        """Send one polite refusal per user. Only their id is remembered, in RAM."""
        if incoming.query_id:
            with use_language(incoming.language):
                return await self._dispatcher.sender.alert(incoming.query_id, texts.STRANGER)
        if incoming.user in self._strangers:
            return None
        self._strangers[incoming.user] = None
        if len(self._strangers) > MAX_STRANGERS:
            self._strangers.popitem(last=False)
        with use_language(incoming.language):
            try:
                await self._dispatcher.sender.bot.send_message(
                    incoming.chat, texts.STRANGER, message_thread_id=incoming.thread
                )
            except TelegramError as error:
                log.info("could not answer a stranger: %s", type(error).__name__)
        return None

    async def _record_number(self, update_id: int) -> bool:
        try:
            return await self._inbox.store.record_number(update_id)
        except (DatabaseAway, EmbeddedServerError):
            self._dispatcher.runtime.outage.report()
            return True

    async def _save(self, incoming: Incoming) -> None:
        """Store the update in the database, after restarting a dead embedded server if need be, or in the spool."""
        outage = self._dispatcher.runtime.outage
        if not outage.is_active_for(incoming.place):
            for can_revive in (True, False):
                try:
                    await self._inbox.save(incoming)
                except DatabaseHangs:
                    break
                except DatabaseAway:
                    if can_revive:
                        await self._revive()
                else:
                    return
            outage.report()
        await self._save_without_database(incoming)

    async def _revive(self) -> None:
        try:
            await self._dispatcher.runtime.revive()
        except EmbeddedServerError as trouble:
            log.warning("could not restart the database server: %s", trouble)

    async def _save_without_database(self, incoming: Incoming) -> None:
        """Spool the update and answer it from RAM, after those of its chat that are stored but not answered yet."""
        if incoming.update_id in self._seen:
            return
        self._seen[incoming.update_id] = None
        if len(self._seen) > MAX_SEEN:
            self._seen.popitem(last=False)
        busy = ExitStack()
        busy.enter_context(self._dispatcher.runtime.outage.answering(incoming.place))
        try:
            if (spool := self._spool_for(incoming)) is not None:
                payload = incoming.model_dump_json(exclude_defaults=True)
                entry = update_entry(self._owner(incoming), incoming.update_id, incoming.place, payload)
                await asyncio.to_thread(spool.add, entry)
        except BaseException:
            self._seen.pop(incoming.update_id)
            busy.close()
            raise
        if incoming.kind in NO_ANSWER:
            busy.close()
            return
        earlier = self._inbox.take_fresh(incoming.place)
        self._start_task(self._answer_in_turn([*earlier, incoming], busy))

    async def _answer_in_turn(self, updates: Sequence[Incoming], busy: ExitStack) -> None:
        """Answer the updates in order, one at a time per chat."""
        place = updates[-1].place
        lock, self._lock_users[place] = self._locks.setdefault(place, asyncio.Lock()), self._lock_users[place] + 1
        try:
            with busy:
                async with lock:
                    for incoming in updates:
                        await self._answer_without_database(incoming)
        finally:
            self._lock_users[place] -= 1
            if not self._lock_users[place]:
                del self._lock_users[place], self._locks[place]

    async def _answer_without_database(self, incoming: Incoming) -> None:
        """Answer from RAM. In a chat that is not cached, say once that the answer will follow later."""
        runtime = self._dispatcher.runtime
        delivery = Delivery(runtime, self._dispatcher.sender, self._inbox.store, incoming)
        with use_language(incoming.language):
            try:
                if self._dispatcher.cached_chat(incoming) is None:
                    if runtime.outage.needs_notice(incoming.place):
                        delivery.answer = text_answer(delivery, texts.MEMORY_AWAY_ANSWER_LATER)
                        await delivery.deliver()
                    return
                await self._dispatcher.handle(delivery)
                if delivery.answer is not None:
                    await delivery.deliver()
            except TelegramError as error:
                log.warning("could not send an answer without the database: %s", type(error).__name__)
                return
            except Exception as fault:
                log.error("handling an update failed without the database: %s", type(fault).__name__)
                return
        await self._inbox.mark_answered_later(delivery, spooled=self._spool_for(incoming) is not None)

    def _spool_for(self, incoming: Incoming) -> Spool | None:
        """Return the spool, or None for a /private chat."""
        return None if self._dispatcher.chat_cache.is_unsaved(incoming.place) else self._dispatcher.runtime.spool

    def _owner(self, incoming: Incoming) -> Viewer:
        return Viewer.in_private(self._dispatcher.runtime.settings.tenant, incoming.person)

    def _start_task(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def update_id_of(raw: object) -> int | None:
    """Return the id of a raw update, or None if it has no valid one."""
    number = raw.get("update_id") if isinstance(raw, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**63 - 1 else None


def _departed_user(update: Update) -> User | None:
    if update.chat_member is not None:
        return update.chat_member.new_chat_member.user
    return update.message.left_chat_member if update.message is not None else None
