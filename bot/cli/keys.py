"""`keepsake keys`: creates, lists and revokes API keys. A key is printed only once."""

import argparse
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from bot.formatting import table
from bot.language import texts
from memory import KeyRow, Progress, Scope
from memory.cleaning import visible
from memory.errors import Refused, SettingsError
from memory.people.keys import list_keys, make_key, revoke_key
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_memory, ready_database

Action = Callable[[Memory, Settings, argparse.Namespace, Progress], Awaitable[None]]
NOTHING = "–"


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    async with ready_database(settings, progress) as ready:
        memory = await open_memory(settings, ready.url)
        try:
            await ACTIONS[args.action](memory, settings, args, progress)
        finally:
            await memory.database.close()
    return 0


async def new(memory: Memory, settings: Settings, args: argparse.Namespace, progress: Progress) -> None:
    """Create a key and write nothing but the key to standard output. Revoke it if that fails."""
    if sys.stdout is None:
        raise SettingsError(texts.NO_OUTPUT)
    tenant, scopes = args.tenant or settings.tenant, parse_scopes(args.scope)
    is_new = tenant not in await memory.tenants(settings.tenant)
    key_id, secret = await make_key(memory, tenant, user=args.user, agent=args.agent, scopes=scopes, name=args.name)
    try:
        sys.stdout.write(f"{secret}\n")
        sys.stdout.flush()
    except OSError:
        await revoke_key(memory, tenant, key_id)
        raise
    if is_new:
        progress(texts.KEY_NEW_TENANT.format(tenant=tenant))
    progress(texts.KEY_MADE.format(id=key_id, scopes=", ".join(scopes)))
    progress(describe_holder(args.user, args.agent))


async def show(memory: Memory, settings: Settings, args: argparse.Namespace, progress: Progress) -> None:
    tenant = args.tenant or settings.tenant
    rows = await list_keys(memory, tenant)
    if not rows and tenant not in await memory.tenants(settings.tenant):
        raise Refused(texts.NO_SUCH_TENANT.format(tenant=tenant))
    sys.stdout.write((keys_as_json(rows) if args.json else keys_as_table(rows)) + "\n")


async def revoke(memory: Memory, settings: Settings, args: argparse.Namespace, progress: Progress) -> None:
    tenant = args.tenant or settings.tenant
    if tenant not in await memory.tenants(settings.tenant):
        raise Refused(texts.NO_SUCH_TENANT.format(tenant=tenant))
    key = await revoke_key(memory, tenant, args.id)
    progress(texts.KEY_REVOKED.format(id=key.id))


def parse_scopes(words: str) -> list[Scope]:
    named = dict.fromkeys(word.strip() for word in words.split(","))
    if not set(named) <= set(Scope):
        raise Refused(texts.KEY_SCOPES)
    return [Scope(word) for word in named]


def describe_holder(user: str | None, agent: str | None) -> str:
    """Describe who acts with this key, and what they cannot do."""
    whose = "owner" if user and not agent else "own agent" if user else "agent" if agent else "tenant"
    return texts.KEY_WHOSE[whose].format(user=user, agent=agent)


def keys_as_table(rows: Sequence[KeyRow]) -> str:
    if not rows:
        return texts.KEYS_NONE
    return "\n".join(table([texts.KEYS_COLUMNS, *map(_cells, rows)], numbers=False))


def keys_as_json(rows: Sequence[KeyRow]) -> str:
    keys = [
        {
            "id": row.id,
            "name": row.name,
            "user": row.user,
            "agent": row.agent,
            "scopes": sorted(row.scopes),
            "created_at": row.created_at.isoformat(),
            "last_used_at": row.last_used_at.isoformat() if row.last_used_at else None,
            "revoked_at": row.revoked_at.isoformat() if row.revoked_at else None,
        }
        for row in rows
    ]
    return json.dumps(keys, ensure_ascii=False, indent=1)


def _cells(row: KeyRow) -> tuple[str, ...]:
    return (
        row.id,
        visible(row.name) or NOTHING,
        row.user or texts.KEYS_TENANT,
        row.agent or NOTHING,
        ",".join(scope for scope in Scope if scope in row.scopes),
        _moment(row.created_at),
        _moment(row.last_used_at),
        _moment(row.revoked_at),
    )


def _moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else NOTHING


ACTIONS: dict[str, Action] = {"new": new, "list": show, "revoke": revoke}
