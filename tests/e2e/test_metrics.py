"""The program serves its metrics while it runs, and says so in one line when it cannot."""

import json
import socket
from functools import partial

import httpx
import pytest

from tests.e2e.child import UNTRACED
from tests.e2e.conftest import Chatting, Keepsake
from tests.ports import free_port
from tests.scripted_model import QUIETLY, Fails, Says, model_for_a_process
from tests.waiting import STUCK, until

pytestmark = pytest.mark.slow


def measured(url: str) -> str:
    """What is shown once the pass that counts the inbox has run, which nobody waits for."""
    shown = httpx.get(url, timeout=STUCK, trust_env=False, verify=False).text
    return shown if "keepsake_inbox_waiting 0.0" in shown else ""


def test_a_chat_serves_its_metrics_as_long_as_it_lasts(chatting: Chatting, own_database: dict[str, str]) -> None:
    listen = f"127.0.0.1:{free_port()}"
    with chatting(**own_database, **UNTRACED, KEEPSAKE_METRICS_LISTEN=listen) as chat:
        chat.say("hello")
        shown = until(partial(measured, f"http://{listen}/metrics"))
        chat.typed.close()
        assert chat.process.wait() == 0

    assert 'keepsake_turns_total{outcome="answered"} 1.0' in shown
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://{listen}/metrics", timeout=STUCK, trust_env=False, verify=False)


def test_a_port_that_is_taken_stops_the_start_with_one_line(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        ran = keepsake("chat", **own_database, **UNTRACED, KEEPSAKE_METRICS_LISTEN=listen)

    assert ran.returncode == 1
    assert ran.stderr.decode().splitlines() == [
        f"· KEEPSAKE_METRICS_LISTEN: I can't listen on {listen}: Address already in use."
    ]


def test_logs_as_json_are_one_object_a_line_without_a_word_that_was_said(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    logs = {"KEEPSAKE_LOG_LEVEL": "debug", "KEEPSAKE_LOG_FORMAT": "json", **QUIETLY, **UNTRACED}
    with model_for_a_process(Fails("529"), Says(("Heard.",))) as model:  # it is asked again, and that is logged
        brain = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url, "KEEPSAKE_MODEL_SECONDS": "600"}
        ran = keepsake("chat", typed=b"the kanarienvogel sings\n", **own_database, **brain, **logs)
    printed = ran.stderr.decode()
    lines = [json.loads(line) for line in printed.splitlines() if not line.startswith("· ")]

    assert "memory.model.claude.retry" in {line["logger"] for line in lines}
    assert "kanarienvogel" not in printed
