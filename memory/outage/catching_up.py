"""Brings into the database what was said while it was away, each thing once, in the order it was said."""

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
from memory.errors import DatabaseAway, DatabaseHangs, KeyMissing, Refused, ServerTrouble, WriteRefused
from memory.events.inbox_store import sealed_for
from memory.events.record import EventDraft, prepare, record
from memory.outage.spool import Entry, Spool
from memory.outage.state import Outage
from memory.unit import Memory

PAUSE = 1.0
UNDER_WAY = timedelta(seconds=60)  # that a forgetting may take from its first word to its commit
SOON = 5.0  # seconds in which a server that died is started again
LONG = 1.0  # seconds that a transaction may take before somebody looks whether the database is still there

Revive = Callable[[], Awaitable[None]]

log = logging.getLogger(__name__)


def later_events(
    viewer: Viewer, conversation_id: str, chat: str, drafts: list[tuple[str, datetime, EventDraft]]
) -> Entry:
    """What was said, with the ids it will have."""
    return {
        "kind": "events",
        **_scope(viewer),
        "chat": chat,
        "conversation": conversation_id,
        "events": [{"id": id, "ts": ts.isoformat(), **asdict(draft)} for id, ts, draft in drafts],
    }


def later_update(viewer: Viewer, update_id: int, chat: str, payload: str) -> Entry:
    """An update that came meanwhile, to be dealt with as if it came now."""
    return {"kind": "update", **_scope(viewer), "update": update_id, "chat": chat, "payload": payload}


def later_number(viewer: Viewer, update_id: int, chat: str) -> Entry:
    """An update that was dealt with meanwhile."""
    return {"kind": "done", **_scope(viewer), "update": update_id, "chat": chat}


async def keep_catching_up(
    memory: Memory, spool: Spool, outage: Outage, let_go: Callable[[timedelta], Awaitable[None]], revive: Revive
) -> None:
    """As long as the program runs: look for a database that is away or hangs, and when it is there empty the spool and
    let go of what other processes were told to forget."""
    outage.is_watched, looked = True, time.monotonic()
    while True:
        try:
            if outage.has_begun or memory.database.waits_since(LONG):
                await memory.database.look()
            await catch_up(memory, spool, outage)
            outage.over()
            began = time.monotonic()
            await let_go(timedelta(seconds=began - looked) + UNDER_WAY)
            looked = began
        except DatabaseHangs:
            outage.notice()
        except DatabaseAway:
            await _bring_back(memory, outage, revive)
        except OSError as error:
            log.error("the spool cannot be read: %s", error.strerror)
        except Exception as fault:
            log.error("catching up broke off: %s", type(fault).__name__)
        await asyncio.sleep(PAUSE)


async def _bring_back(memory: Memory, outage: Outage, revive: Revive) -> None:
    """An embedded server that died and is soon started again is no outage: whoever talks meanwhile waits for it."""
    takes_long = asyncio.get_running_loop().call_later(SOON, outage.notice)
    try:
        await revive()
        if not outage.has_begun:
            await memory.database.look()
    except ServerTrouble as trouble:
        log.warning("the server could not be started again: %s", trouble)
        outage.notice()
    except DatabaseAway:
        outage.notice()
    finally:
        takes_long.cancel()


async def catch_up(memory: Memory, spool: Spool, outage: Outage) -> int:
    """How many things were brought in. What belongs to a chat in which something is being answered without the
    database waits for the end of that; its file is read again."""
    quiet = outage.quiet()
    files = await asyncio.to_thread(spool.waiting)
    done = {entry["update"] for entries in files.values() for entry in entries if entry["kind"] == "done"}
    brought, waits = 0, set[str]()
    for path, entries in files.items():
        for entry in entries:
            chat = entry.get("chat", "")
            if chat in waits or outage.is_talking(chat):
                waits.add(chat)
                continue
            try:
                await _bring_in(memory, entry, done)
                brought += 1
            except (WriteRefused, Refused, KeyMissing) as refusal:
                log.warning("something said while the database was away has no place in it: %s", refusal)
        if waits.isdisjoint(entry.get("chat", "") for entry in entries):
            path.unlink(missing_ok=True)
    outage.caught_up({chat: stamp for chat, stamp in quiet.items() if chat not in waits})
    return brought


async def _bring_in(memory: Memory, entry: Entry, done: set[int]) -> None:
    viewer = Viewer(entry["tenant"], entry["user"], entry["space"], Channel(entry["channel"]))
    now = datetime.now(UTC)
    if entry["kind"] == "events":
        return await _record(memory, viewer, entry)
    async with memory.unit(viewer) as unit:
        if entry["update"] in done:
            await inbox.settle(unit.session, viewer, entry["update"], now)
        else:
            payload = entry["payload"].encode()
            sealed = memory.keyring.wrap(payload, sealed_for(viewer.tenant, entry["update"]))
            await inbox.write_down(unit.session, viewer, entry["update"], entry["chat"], sealed, now)
    return None


async def _record(memory: Memory, viewer: Viewer, entry: Entry) -> None:
    prepared = []
    for told in entry["events"]:
        draft = _draft(told)
        event = await asyncio.to_thread(prepare, draft, datetime.fromisoformat(told["ts"]), event_id=told["id"])
        prepared.append(event)
    async with memory.unit(viewer) as unit:
        new = [each for each in prepared if not await is_recorded(unit.session, viewer, each.event.id)]
        if new:
            await record(unit, entry["conversation"], new)


def _draft(told: dict[str, Any]) -> EventDraft:
    draft = EventDraft(ActorType(told["actor_type"]), told["actor_id"], EventKind(told["kind"]), told["content"])
    return replace(
        draft,
        refs=tuple(told["refs"]),
        tags=tuple(told["tags"]),
        update_id=told["update_id"],
        sensitive=told["sensitive"],
    )


def _scope(viewer: Viewer) -> dict[str, Any]:
    return {"tenant": viewer.tenant, "user": viewer.user, "space": viewer.space, "channel": str(viewer.channel)}
