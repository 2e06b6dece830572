"""A new slash command is one function, one row in the registry and its sentences: seen with one that is made up."""

import json
from collections.abc import AsyncIterator, Iterator

import pytest

from bot import texts
from bot.commands import registry
from bot.commands.registry import EVERYWHERE, SlashCommand, Where, help_text
from bot.terminal.completion import next_words
from bot.terminal.console import Console
from memory import translation
from memory.turn.chat import Chat
from tests.integration.bot.groups.stage import Make
from tests.waiting import eventually

TERMINAL_LINE = "  /echo words                  say it again"
TELEGRAM_LINE = "/echo words – say it again"


async def echo(chat: Chat, words: str) -> str:
    return f"{words}, {words}!"


@pytest.fixture
def echoing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    row = SlashCommand("echo", EVERYWHERE, echo, lambda words: [] if words else ["hoy", "hollo"])
    monkeypatch.setattr(registry, "COMMANDS", (*registry.COMMANDS, row))
    for table, line in (
        ("TERMINAL_HELP_LINES", TERMINAL_LINE),
        ("TELEGRAM_HELP_LINES", TELEGRAM_LINE),
        ("MENU_LINES", "say it again"),
    ):
        monkeypatch.setattr(texts, table, getattr(texts, table) | {"echo": line})
    translation._translated.cache_clear()
    yield
    monkeypatch.undo()
    translation._translated.cache_clear()


class Typed:
    interactive = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"/echo hoy\n"
        yield b"/help\n"
        yield b"/quit now\n"
        yield b"/exit\n"
        yield b"/echo nobody hears that\n"


@pytest.mark.usefixtures("echoing")
async def test_it_is_in_the_menu_in_help_and_answered_in_telegram(make_stage: Make) -> None:
    async with make_stage() as stage:
        ann = stage.telegram.person(11, "Ann")
        team = stage.telegram.group(-100500, "Team", members=[ann])
        async with stage.playing():
            for scope in ("all_private_chats", "all_group_chats"):
                key = (json.dumps({"type": scope}), "zh")
                await eventually(lambda: key in stage.telegram.commands)  # noqa: B023
                assert stage.telegram.commands[key][-1] == {"command": "echo", "description": "say it again"}
            [told] = await stage.say(ann, "/echo hoy")
            [explained] = await stage.say(ann, "/help")
            [aloud] = await stage.say(ann, "/echo hollo", to=team)

    assert told.text == "hoy, hoy!"
    assert explained.text.endswith(f"\n{TELEGRAM_LINE}")
    assert aloud.text == "hollo, hollo!"


@pytest.mark.usefixtures("echoing")
async def test_it_is_in_help_and_answered_in_the_terminal(make_stage: Make, capsys: pytest.CaptureFixture[str]) -> None:
    async with make_stage() as stage, stage.opened_house() as runtime:
        assert await Console(runtime, Typed()).run() == 0

    assert capsys.readouterr().out.splitlines() == [
        f"You're talking to Claude ({runtime.brain.name}), and it can use your memory.",
        "hoy, hoy!",
        *help_text(Where.TERMINAL).splitlines(),
        texts.UNKNOWN_COMMAND.format(command="/quit"),
    ]
    assert help_text(Where.TERMINAL).endswith(f"\n{TERMINAL_LINE}")


@pytest.mark.usefixtures("echoing")
def test_it_is_completed_in_the_terminal() -> None:
    assert next_words("/e") == ["/echo"]
    assert next_words("/echo ho") == ["hollo", "hoy"]
    assert next_words("/echo hoy ") == []
