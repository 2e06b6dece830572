"""The program serves its metrics while it runs, and says so in one line when it cannot."""

import json
import socket

import httpx
import pytest

from tests.e2e.child import UNTRACED
from tests.e2e.conftest import Chatting, Keepsake
from tests.ports import free_port
from tests.waiting import STUCK


def test_a_chat_serves_its_metrics_as_long_as_it_lasts(chatting: Chatting, own_database: dict[str, str]) -> None:
    listen = f"127.0.0.1:{free_port()}"
    with chatting(**own_database, **UNTRACED, KEEPSAKE_METRICS_LISTEN=listen) as chat:
        chat.say("hello")
        shown = httpx.get(f"http://{listen}/metrics", timeout=STUCK, trust_env=False, verify=False).text
        chat.typed.close()
        assert chat.process.wait() == 0

    assert 'keepsake_turns_total{outcome="answered"} 1.0' in shown
    assert "keepsake_inbox_waiting 0.0" in shown
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://{listen}/metrics", timeout=STUCK, trust_env=False, verify=False)


def test_a_port_that_is_taken_stops_the_start_with_one_line(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        ran = keepsake("chat", **own_database, **UNTRACED, KEEPSAKE_METRICS_LISTEN=listen)

    assert ran.returncode == 1
    assert ran.stderr.decode().splitlines() == [
        f"· KEEPSAKE_METRICS_LISTEN: {listen} cannot be listened on: Address already in use."
    ]


def test_logs_as_json_are_one_object_a_line_without_a_word_that_was_said(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    away = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{free_port()}"}
    logs = {"KEEPSAKE_LOG_LEVEL": "debug", "KEEPSAKE_LOG_FORMAT": "json", "KEEPSAKE_MODEL_SECONDS": "1"}
    ran = keepsake("chat", typed=b"the kanarienvogel sings\n", **own_database, **away, **logs, **UNTRACED)
    printed = ran.stderr.decode()
    lines = [json.loads(line) for line in printed.splitlines() if not line.startswith("· ")]

    assert "memory.llm" in {line["logger"] for line in lines}
    assert "kanarienvogel" not in printed
