"""How updates come in and menus go out: the webhook and its secret, polling after it, and servers that lack things."""

import asyncio
import json
import socket
from typing import Any

import httpx
import pytest

from bot.language import available_languages
from bot.telegram.app import open_bot, webhook_secret
from memory.errors import PortTaken, SettingsError
from tests.integration.bot.groups.stage import ME, Make, Stage
from tests.ports import free_port
from tests.telegram import Person
from tests.waiting import STUCK, eventually

SECRET = "X-Telegram-Bot-Api-Secret-Token"
INBOX = "SELECT row(update_id, state)::text FROM inbox WHERE tenant_id = %s ORDER BY update_id"
COUNT = "SELECT count(*) FROM inbox WHERE tenant_id = %s"


def hook_settings() -> dict[str, str]:
    port = free_port()
    return {"TELEGRAM_WEBHOOK_URL": f"http://127.0.0.1:{port}/hook", "KEEPSAKE_WEBHOOK_LISTEN": f"127.0.0.1:{port}"}


def update(number: int, person: Person, text: str) -> dict[str, Any]:
    message = {"message_id": number, "date": 1, "chat": person.chat.shown, "from": person.user, "text": text}
    return {"update_id": number, "message": message}


async def post(stage: Stage, told: dict[str, Any], secret: str | None) -> int:
    return await send(stage, json.dumps(told).encode(), secret)


async def send(stage: Stage, body: bytes, secret: str | None) -> int:
    headers = {SECRET: secret} if secret is not None else {}
    url = stage.settings.telegram_webhook_url
    assert url
    async with httpx.AsyncClient(trust_env=False, timeout=STUCK) as client:
        return (await client.post(url, content=body, headers=headers)).status_code


async def test_updates_come_by_webhook_and_each_is_handled_once(play: Make) -> None:
    async with play(**hook_settings()) as stage:
        [set_up] = stage.telegram.calls_of("setWebhook")
        assert set_up.params["url"] == stage.settings.telegram_webhook_url
        assert set_up.params["secret_token"] == webhook_secret(stage.settings)
        assert "webhook" in stage.told[-1]
        assert webhook_secret(stage.settings) not in str(stage.told)
        ann = stage.telegram.person(11, "Ann")
        team = stage.telegram.group(-100500, "Team", admins=[ann])
        assert len(await stage.say(ann, "hello")) == 1
        assert len(await stage.say(ann, f"{ME} hello", to=team)) == 1

        ann.chat.opened = True
        same = update(5000, ann, "once")
        codes = await asyncio.gather(*(post(stage, same, webhook_secret(stage.settings)) for _ in range(3)))
        others = [update(5001 + n, stage.telegram.person(20 + n, "P"), "hi") for n in range(5)]
        codes += await asyncio.gather(*(post(stage, each, webhook_secret(stage.settings)) for each in others))
        assert set(codes) == {200}
        await stage.quiet()
        assert len(ann.answers()) == 2
        assert stage.rows(COUNT) == [8]


async def test_without_the_secret_nothing_is_written(play: Make) -> None:
    async with play(**hook_settings()) as stage:
        eve = stage.telegram.person(13, "Eve")
        for secret in (None, "", "wrong", webhook_secret(stage.settings)[:-1]):
            assert await post(stage, update(5000, eve, "let me in"), secret) == 403
        assert stage.rows(COUNT) == [0]


async def test_an_update_that_cannot_be_read_is_acknowledged_and_put_aside(play: Make) -> None:
    async with play(**hook_settings()) as stage:
        ann, secret = stage.telegram.person(11, "Ann"), webhook_secret(stage.settings)
        ann.chat.opened = True
        broken = update(5000, ann, "words")
        broken["message"]["poll"] = {"id": "1", "question": "words"}
        codes = [await post(stage, each, secret) for each in (broken, broken, update(5001, ann, "hello"))]
        assert codes == [200, 200, 200]
        await stage.quiet()
        assert len(ann.answers()) == 1
        assert stage.rows(INBOX) == ["(5000,parked)", "(5001,done)"]
        assert await send(stage, b"{no json", secret) == 400


async def test_an_update_is_in_the_database_before_it_is_acknowledged_and_waits_for_the_next_start(
    make_stage: Make,
) -> None:
    async with make_stage(**hook_settings()) as stage:
        ann = stage.telegram.person(11, "Ann")
        ann.chat.opened = True
        async with (
            stage.opened_house() as runtime,
            open_bot(runtime, "UTC"),
        ):  # the door is open, and nobody works inside
            assert await post(stage, update(5000, ann, "hello"), webhook_secret(stage.settings)) == 200
            assert stage.rows(INBOX) == ["(5000,waiting)"]
        async with stage.playing():
            await stage.quiet()
            assert [each.text for each in ann.answers()] == ["All right."]

        stage.settings = stage.settings.model_copy(update={"telegram_webhook_url": None})
        async with stage.playing():
            assert stage.telegram.hook.url == ""
            assert len(await stage.say(ann, "and by polling?")) == 1


@pytest.mark.parametrize("slash", ["", "/"])
async def test_another_server_is_used_and_what_it_lacks_is_done_without(make_stage: Make, slash: str) -> None:
    async with make_stage(ending=slash) as stage:
        assert stage.settings.telegram_base_url == stage.telegram.url
        lacking = "setMyCommands sendChatAction sendMessageDraft getChatMember deleteWebhook answerCallbackQuery"
        for method in lacking.split() if slash else []:
            stage.telegram.forget_method(method)
        ann = stage.telegram.person(11, "Ann")
        team = stage.telegram.group(-100500, "Team", admins=[ann])
        async with stage.playing():
            assert [each.text for each in await stage.say(ann, "hello")] == ["All right."]
            assert len(await stage.say(ann, f"{ME} hello", to=team)) == 1
            assert len(await stage.say(ann, "/space channel team", to=team)) == 1
            [page] = await stage.say(ann, "/memory")
            ann.tap(page, data="page|11|0|")
            await stage.quiet()
            ann.send_document("a.txt", b"words", "read this")
            await stage.quiet()
            assert stage.rows("SELECT why FROM inbox WHERE tenant_id = %s AND failures > 0") == []


async def test_menus_are_set_for_each_kind_of_chat_and_each_language(stage: Stage) -> None:
    wanted = {
        (json.dumps({"type": scope}), "" if language == "en" else language)
        for scope in ("all_private_chats", "all_group_chats")
        for language in available_languages()
    }
    await eventually(lambda: wanted <= stage.telegram.commands.keys())
    private = stage.telegram.commands[json.dumps({"type": "all_private_chats"}), ""]
    groups = stage.telegram.commands[json.dumps({"type": "all_group_chats"}), ""]
    assert [each["command"] for each in private] == "memory why new private space forget help".split()
    assert "private" not in [each["command"] for each in groups]
    assert {"memory", "why", "new", "space", "help"} == {each["command"] for each in groups}


async def test_a_start_does_not_fail_for_want_of_menus(make_stage: Make) -> None:
    async with make_stage() as stage:
        stage.telegram.fail("setMyCommands", 1, 400, "Bad Request: BOT_COMMAND_INVALID")
        ann = stage.telegram.person(11, "Ann")
        async with stage.playing():
            assert len(await stage.say(ann, "hello")) == 1


async def test_what_keeps_a_webhook_from_working_is_told_in_one_line(make_stage: Make) -> None:
    async with make_stage(**hook_settings()) as stage:
        stage.telegram.fail("setWebhook", 1, 400, "Bad Request: bad webhook: HTTPS url must be provided")
        with pytest.raises(SettingsError, match="rejected TELEGRAM_WEBHOOK_URL: Bad webhook: https url"):
            async with stage.playing():
                pass
        host, port = stage.settings.webhook_listen.split(":")
        with socket.create_server((host, int(port))), pytest.raises(PortTaken, match="KEEPSAKE_WEBHOOK_LISTEN"):
            async with stage.playing():
                pass


async def test_what_cannot_be_written_down_is_asked_for_again(play: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    async with play(**hook_settings()) as stage:
        ann, secret = stage.telegram.person(11, "Ann"), webhook_secret(stage.settings)
        ann.chat.opened = True
        with monkeypatch.context() as broken:
            broken.setattr("bot.telegram.receiving.receiver.Receiver._accept", full_disk)
            assert await post(stage, update(5000, ann, "hello"), secret) == 503
        assert stage.rows(COUNT) == [0]
        assert await post(stage, update(5000, ann, "hello"), secret) == 200
        await stage.quiet()
        assert len(ann.answers()) == 1


async def full_disk(*_: Any) -> None:
    raise OSError(28, "No space left on device")
