"""How updates reach the bot: a long poll, or a webhook that is called until it says yes."""

import asyncio
import json
import re

import httpx

from tests.telegram.chats import Json
from tests.telegram.request import Params, Refused, bad
from tests.telegram.updates import MAX_AT_ONCE, Update
from tests.telegram.world import Hook, World
from tests.waiting import STUCK

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
LONGEST_POLL = 50
BUSY = "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"

Poll = asyncio.Future[Refused | None]


async def get_updates(world: World, params: Params, mine: Poll) -> list[Update]:
    """`mine` ends the wait early, when a second poll comes or the connection is gone."""
    offset = params.number("offset")
    limit = min(max(params.number("limit", MAX_AT_ONCE), 1), MAX_AT_ONCE)
    updates = world.updates
    with world.lock:
        if world.hook.url:
            raise Refused(409, BUSY)
        updates.hang_up()
        updates.allow(params.get("allowed_updates"))
        updates.confirm(offset)
        batch = updates.offered(offset, limit)
    seconds = min(params.number("timeout"), LONGEST_POLL)
    if batch or seconds <= 0:
        return batch
    await updates.wait(mine, seconds)
    with world.lock:
        if world.hook.url:
            raise Refused(409, "Conflict: terminated by setWebhook request")
        return updates.offered(offset, limit)


def set_webhook(world: World, params: Params) -> bool:
    secret = params.words("secret_token")
    if secret and not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", secret):
        raise bad("secret token contains unallowed characters")
    url = params.words("url")
    if url and not url.startswith(("http://", "https://")):
        raise bad("bad webhook: An HTTPS URL must be provided for webhook")
    world.hook = Hook(url, secret)
    world.updates.allow(params.get("allowed_updates"))
    return forget_pending(world, params)


def delete_webhook(world: World, params: Params) -> bool:
    world.hook = Hook()
    return forget_pending(world, params)


def forget_pending(world: World, params: Params) -> bool:
    if params.get("drop_pending_updates"):
        world.updates.clear()
    world.updates.wake()
    return True


def get_webhook_info(world: World, params: Params) -> Json:
    told: Json = {
        "url": world.hook.url,
        "has_custom_certificate": False,
        "pending_update_count": len(world.updates.waiting),
        "max_connections": 40,
    }
    if world.hook.error:
        told.update(last_error_date=int(world.hook.error_at), last_error_message=world.hook.error)
    if world.updates.allowed is not None:
        told["allowed_updates"] = sorted(world.updates.allowed)
    return told


async def deliver(world: World) -> None:
    """Calls the webhook with one update after the other, each until it is taken."""
    woken = world.updates.wake_webhook = asyncio.Event()
    while not world.hook.url:
        await woken.wait()
        woken.clear()
    # Certificates of tests are self-signed. The client costs time, so only a fake with a webhook has one.
    async with httpx.AsyncClient(timeout=STUCK, trust_env=False, verify=False) as client:
        pause = FIRST_PAUSE
        while True:
            with world.lock:
                hook, update = world.hook, next(iter(world.updates.waiting.values()), None)
            if not hook.url or update is None:
                await woken.wait()
                woken.clear()
                continue
            hook.error = await refusal_of(client, hook, update)
            if not hook.error:
                pause = FIRST_PAUSE
                with world.lock:
                    world.updates.taken(update["update_id"])
                continue
            hook.error_at = world.clock()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)


async def refusal_of(client: httpx.AsyncClient, hook: Hook, update: Update) -> str:
    """Why the webhook did not take an update, or nothing."""
    headers = {"content-type": "application/json"}
    if hook.secret:
        headers["X-Telegram-Bot-Api-Secret-Token"] = hook.secret
    try:
        answer = await client.post(hook.url, content=json.dumps(update), headers=headers)
    except httpx.HTTPError:
        return "Connection refused"
    return "" if answer.is_success else f"Wrong response from the webhook: {answer.status_code} {answer.reason_phrase}"
