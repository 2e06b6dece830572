"""The daemon beside the bot, in one process: both answer, a link of the one opens the other, and both end together."""

import re
import signal
import socket
from errno import EADDRINUSE
from os import strerror
from pathlib import Path

import httpx
import pytest

from bot import texts
from bot.language import translate_error, use_language
from memory.errors import PortTaken
from tests.e2e.child import UNTRACED
from tests.e2e.conftest import Keepsake
from tests.e2e.daemon import is_well
from tests.e2e.program import running, settings_for
from tests.e2e.talking import ask
from tests.ports import free_port
from tests.telegram import telegram_for_a_process
from tests.waiting import STUCK

pytestmark = pytest.mark.slow

LINK = re.compile(r"(http://\S+)/review/open/\S+")


def test_one_process_is_bot_and_daemon_and_ends_as_both(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    settings = {**own_database, "KEEPSAKE_SERVE": "1", "KEEPSAKE_PORT": str(port)}
    with (
        telegram_for_a_process() as telegram,
        running({**environment, **settings_for(telegram), **settings}, folder) as program,
    ):
        ada = telegram.person(11, "Ada")
        found = LINK.search(ask(telegram, ada, "/memory web"))
        assert found
        with httpx.Client(base_url=url, timeout=STUCK, trust_env=False, verify=False, follow_redirects=True) as browser:
            knocked, opened = browser.get(found[0]), browser.post(found[0], data={"open": "1"})
            used = httpx.post(found[0], data={"open": "1"}, timeout=STUCK, trust_env=False, verify=False)
            ours = browser.get("/review")
        well, document = is_well(url), httpx.get(f"{url}/openapi.json", timeout=STUCK, trust_env=False, verify=False)
        ended = program.end()

        assert found[1] == url
        assert (knocked.status_code, opened.status_code, ours.status_code, used.status_code) == (200, 200, 200, 410)
        assert opened.url == ours.url == f"{url}/review"
        assert well
        assert document.json()["info"]["title"] == "Keepsake"
        assert any(texts.SERVING.format(url=url) in line for line in program.printed)
        assert ended == 128 + signal.SIGTERM
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{url}/api/v1/healthz", timeout=STUCK, trust_env=False, verify=False)


def test_a_call_that_is_being_answered_does_not_hold_up_the_end(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, key: str
) -> None:
    port = free_port()
    settings = {**own_database, "KEEPSAKE_SERVE": "1", "KEEPSAKE_PORT": str(port)}
    with (
        telegram_for_a_process() as telegram,
        running({**environment, **settings_for(telegram), **settings}, folder) as program,
        socket.create_connection(("127.0.0.1", port), timeout=STUCK) as slow,
        socket.create_connection(("127.0.0.1", port)),
    ):
        named = f"authorization: Bearer {key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n"
        slow.sendall(f"POST /api/v1/events HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n{named}\r\n".encode())
        assert slow.recv(65_536).startswith(b"HTTP/1.1 100 ")  # it waits for the body
        slow.sendall(b"{")

        assert program.end() == 128 + signal.SIGTERM
        assert slow.recv(65_536).startswith(b"HTTP/1.1 503 ")


@pytest.mark.parametrize("command", ["bot", "serve"])
def test_a_port_that_is_taken_is_one_line_before_anything_else_starts(
    keepsake: Keepsake, own_database: dict[str, str], command: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, telegram_for_a_process() as telegram:
        port = taken.getsockname()[1]
        ran = keepsake(
            command,
            **own_database,
            **UNTRACED,
            **settings_for(telegram),
            KEEPSAKE_SERVE="1",
            KEEPSAKE_PORT=str(port),
            LANG="de_DE.UTF-8",
        )
        asked = list(telegram.calls)

    trouble = PortTaken("KEEPSAKE_PORT", f"127.0.0.1:{port}", OSError(EADDRINUSE, strerror(EADDRINUSE)))
    with use_language("de"):
        in_german = translate_error(trouble)
    assert in_german != str(trouble)
    assert ran.returncode == 1
    assert ran.stderr.decode().splitlines() == [f"· {in_german}"]
    assert asked == []


def test_without_the_setting_the_bot_serves_nothing(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    port = free_port()
    with (
        telegram_for_a_process() as telegram,
        running({**environment, **settings_for(telegram), **own_database, "KEEPSAKE_PORT": str(port)}, folder),
    ):
        ada = telegram.person(11, "Ada")

        assert ask(telegram, ada, "/memory web") == texts.WEB_NOT_SERVED
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"http://127.0.0.1:{port}/api/v1/healthz", trust_env=False, verify=False)
