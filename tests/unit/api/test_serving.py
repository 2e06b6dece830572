"""Where the daemon cannot listen, that is one sentence with the variable in it."""

import socket

import pytest

from api.serving import listen
from bot.language import available_languages, translate_error, use_language
from memory.errors import PortTaken
from memory.settings import Settings
from tests.ports import free_port
from tests.tables import table
from tests.waiting import STUCK


def at(host: str, port: int) -> Settings:
    return Settings.model_validate({"KEEPSAKE_HOST": host, "KEEPSAKE_PORT": port})


def test_who_comes_before_somebody_serves_is_kept_waiting() -> None:
    port = free_port()
    with listen(at("127.0.0.1", port)), socket.create_connection(("127.0.0.1", port), timeout=STUCK) as caller:
        caller.sendall(b"GET / HTTP/1.1\r\n\r\n")
        with pytest.raises(PortTaken, match="Address already in use"):
            listen(at("127.0.0.1", port))
    listen(at("127.0.0.1", port)).close()  # at once after its end


def test_a_small_answer_leaves_at_once() -> None:
    """Only where the protocol is named does asyncio switch off Nagle's delay of 40 ms."""
    with listen(at("127.0.0.1", free_port())) as listening:
        assert listening.proto == socket.IPPROTO_TCP


@table(
    ("host", "why"),
    [
        ("192.0.2.1", "Cannot assign requested address"),
        ("a..b", "this machine has no such address"),
        ("x" * 70, "this machine has no such address"),
    ],
)
def test_a_host_that_is_not_ours_is_told(host: str, why: str) -> None:
    with pytest.raises(PortTaken) as taken:
        listen(at(host, 8080))

    assert str(taken.value) == f"KEEPSAKE_PORT: I can't listen on {host}:8080: {why}."


@table("language", available_languages())
def test_it_is_told_in_the_language_of_the_terminal(language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortTaken) as taken:
            listen(at("127.0.0.1", port))
    with use_language(language):
        told = translate_error(taken.value)

    assert told.startswith("KEEPSAKE_PORT")
    assert f"127.0.0.1:{port}" in told
    assert ("I can't listen on" in told) is (language == "en")
