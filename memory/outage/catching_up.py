"""Stores the messages of an outage once the database is back: each once, in order."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from db.queries.events import inbox
from db.queries.events.events import is_recorded
from db.viewer import Viewer
from db.vocabulary import ActorType, Channel, EventKind
from memory.errors import DatabaseAway, DatabaseHangs, EmbeddedServerError, KeyMissing, Refused, WriteRefused
from memory.events.inbox_store import seal_context
from memory.events.record import EventDraft, prepare, record
from memory.outage.spool import Entry, Spool
from memory.outage.state import Outage
from memory.unit import Memory

PAUSE = 1.0
FORGETTING_TIME = timedelta(seconds=60)  # the longest that a forgetting takes from its request to its commit
RESTART_SECONDS = 5.0  # an embedded server that restarts within this time is no outage
SLOW_TRANSACTION = 1.0  # seconds; a longer transaction makes us check that the database still answers

Revive = Callable[[], Awaitable[None]]

log = logging.getLogger(__name__)


def events_entry(
    viewer: Viewer, conversation_id: str, chat: str, drafts: list[tuple[str, datetime, EventDraft]]
) -> Entry:
    """Messages, with the event ids that they will get."""
    return {
        "kind": "events",
        **_scope(viewer),
        "chat": chat,
        "conversation": conversation_id,
        "events": [{"id": id, "ts": ts.isoformat(), **asdict(draft)} for id, ts, draft in drafts],
    }


def update_entry(viewer: Viewer, update_id: int, chat: str, payload: str) -> Entry:
    """An update that arrived during the outage, to be processed as if it arrived now."""
    return {"kind": "update", **_scope(viewer), "update": update_id, "chat": chat, "payload": payload}


def done_entry(viewer: Viewer, update_id: int, chat: str) -> Entry:
    """An update that was answered during the outage."""
    return {"kind": "done", **_scope(viewer), "update": update_id, "chat": chat}


async def keep_catching_up(
    memory: Memory, spool: Spool, outage: Outage, forget_recent: Callable[[timedelta], Awaitable[None]], revive: Revive
) -> None:
    """Runs until it is cancelled. Checks a database that is away or hangs. When it answers, stores the spool and calls
    `forget_recent` with the time span in which another process may have forgotten something."""
    outage.is_watched, checked_at = True, time.monotonic()
    while True:
        try:
            if outage.is_reported or memory.database.has_transaction_older_than(SLOW_TRANSACTION):
                await memory.database.ping()
            await catch_up(memory, spool, outage)
            outage.end()
            now = time.monotonic()
            await forget_recent(timedelta(seconds=now - checked_at) + FORGETTING_TIME)
            checked_at = now
        except DatabaseHangs:
            outage.report()
        except DatabaseAway:
            await _bring_back(memory, outage, revive)
        except OSError as error:
            log.error("the spool cannot be read: %s", error.strerror)
        except Exception as error:
            log.error("catching up failed: %s", type(error).__name__)
        await asyncio.sleep(PAUSE)


async def _bring_back(memory: Memory, outage: Outage, revive: Revive) -> None:
    """Restart an embedded server. A quick restart is not reported as an outage: messages just wait for it."""
    delayed_report = asyncio.get_running_loop().call_later(RESTART_SECONDS, outage.report)
    try:
        await revive()
        if not outage.is_reported:
            await memory.database.ping()
    except EmbeddedServerError as error:
        log.warning("the server could not be restarted: %s", error)
        outage.report()
    except DatabaseAway:
        outage.report()
    finally:
        delayed_report.cancel()


async def catch_up(memory: Memory, spool: Spool, outage: Outage) -> int:
    """Store the spooled entries and return how many. A chat that is answering without the database waits until it has
    finished; its file is read again on the next pass."""
    idle = outage.idle_chats()
    files = await asyncio.to_thread(spool.pending)
    done = {entry["update"] for entries in files.values() for entry in entries if entry["kind"] == "done"}
    stored, waiting = 0, set[str]()
    for path, entries in files.items():
        for entry in entries:
            chat = entry.get("chat", "")
            if chat in waiting or outage.is_answering(chat):
                waiting.add(chat)
                continue
            try:
                await _store(memory, entry, done)
                stored += 1
            except (WriteRefused, Refused, KeyMissing) as refusal:
                log.warning("an entry of the spool was refused and is dropped: %s", refusal)
        if waiting.isdisjoint(entry.get("chat", "") for entry in entries):
            path.unlink(missing_ok=True)
    outage.mark_caught_up({chat: count for chat, count in idle.items() if chat not in waiting})
    return stored


async def _store(memory: Memory, entry: Entry, done: set[int]) -> None:
    viewer = Viewer(entry["tenant"], entry["user"], entry["space"], Channel(entry["channel"]))
    now = datetime.now(UTC)
    if entry["kind"] == "events":
        return await _record(memory, viewer, entry)
    async with memory.unit(viewer) as unit:
        if entry["update"] in done:
            await inbox.mark_done(unit.session, viewer, entry["update"], now)
        else:
            payload = entry["payload"].encode()
            sealed = memory.keyring.wrap(payload, seal_context(viewer.tenant, entry["update"]))
            await inbox.add_update(unit.session, viewer, entry["update"], entry["chat"], sealed, now)
    return None


async def _record(memory: Memory, viewer: Viewer, entry: Entry) -> None:
    prepared = []
    for fields in entry["events"]:
        draft = _draft(fields)
        event = await asyncio.to_thread(prepare, draft, datetime.fromisoformat(fields["ts"]), event_id=fields["id"])
        prepared.append(event)
    async with memory.unit(viewer) as unit:
        new = [each for each in prepared if not await is_recorded(unit.session, viewer, each.event.id)]
        if new:
            await record(unit, entry["conversation"], new)


def _draft(fields: dict[str, Any]) -> EventDraft:
    draft = EventDraft(
        ActorType(fields["actor_type"]), fields["actor_id"], EventKind(fields["kind"]), fields["content"]
    )
    return replace(
        draft,
        refs=tuple(fields["refs"]),
        tags=tuple(fields["tags"]),
        update_id=fields["update_id"],
        sensitive=fields["sensitive"],
    )


def _scope(viewer: Viewer) -> dict[str, Any]:
    return {"tenant": viewer.tenant, "user": viewer.user, "space": viewer.space, "channel": str(viewer.channel)}
