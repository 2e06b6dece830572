"""The embedded server under the program: killed, revived, shared, and a server of one's own that goes away."""

import re
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import psycopg
import pytest

from bot import texts
from db.embedded import join_server, keeper
from db.embedded.own_database import APPLICATION, DATABASE
from tests.conftest import wait_until_stopped
from tests.e2e.conftest import Chat, Chatting, Keepsake, told
from tests.e2e.points import Arming
from tests.e2e.stopping import stop_server
from tests.waiting import until

pytestmark = pytest.mark.slow

NEVER = 600.0
ANSWERED = 8


def test_kill_nine_of_program_and_server_loses_no_answered_message(
    chatting: Chatting, keepsake: Keepsake, data: Path
) -> None:
    with chatting() as chat:
        for number in range(ANSWERED):
            chat.type(f"remember that number {number} was said")
            while not chat.read().startswith("✓"):
                pass
        chat.type(*["remember that this one may be lost"] * 5)
        stop_server(data, signal.SIGKILL)
        chat.process.kill()

    again = keepsake(typed=b"/memory\n")
    assert again.returncode == 0
    told(again)
    assert len(re.findall(r"number \d+ was said", again.stdout.decode())) == ANSWERED


def test_two_programs_share_one_data_folder_and_the_server_ends_with_the_last(
    chatting: Chatting, keepsake: Keepsake, data: Path
) -> None:
    with ThreadPoolExecutor() as both:
        ran = list(both.map(lambda n: keepsake(typed=f"remember that writer {n} was here".encode()), range(2)))

    assert [(chat.returncode, told(chat).count("Traceback")) for chat in ran] == [(0, 0), (0, 0)]
    with chatting() as second:
        with chatting() as first:
            assert first.say("/memory") == "What I remember about you (2):"
            assert first.process.end(signal.SIGKILL) == -signal.SIGKILL
        with (data / "users.lock").open() as users:
            assert not keeper.taken(users)  # what its keeper asks before it ends the server
        assert second.say("/memory") == "What I remember about you (2):"
    wait_until_stopped(data)


def seen_by_the_chat(chat: Chat, arming: Arming, stop: Callable[[], None], line: str) -> str:
    """Nobody else looks for the server."""
    stop()
    return chat.say(line)


def seen_by_who_looks_every_second(chat: Chat, arming: Arming, stop: Callable[[], None], line: str) -> str:
    held(chat, arming)
    stop()
    chat.process.send_signal(signal.SIGCONT)
    held(chat, arming)  # it came round once more: the server is there again
    chat.process.send_signal(signal.SIGCONT)
    return chat.say(line)


def seen_by_both(chat: Chat, arming: Arming, stop: Callable[[], None], line: str) -> str:
    held(chat, arming)
    stop()
    chat.type(line)
    chat.process.send_signal(signal.SIGCONT)
    return chat.read()


def held(chat: Chat, arming: Arming) -> None:
    """Who looks every second has just looked; the whole program stands still there."""
    arming.hold_at("caught up")
    until(lambda: arming.was_hit and psutil.Process(chat.process.pid).status() == psutil.STATUS_STOPPED)


@pytest.mark.parametrize(
    ("notice", "looks_every"),
    [(seen_by_the_chat, NEVER), (seen_by_who_looks_every_second, 0.1), (seen_by_both, 0.1)],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_an_embedded_database_that_dies_in_mid_chat_is_started_again(
    chatting: Chatting,
    arming: Arming,
    data: Path,
    notice: Callable[[Chat, Arming, Callable[[], None], str], str],
    looks_every: float,
) -> None:
    with chatting(changes={"memory.outage.catching_up.PAUSE": looks_every}, armed=arming) as chat:
        for how in (signal.SIGINT, signal.SIGKILL):
            assert chat.say("hello") == texts.OFFLINE.greeting
            assert notice(chat, arming, lambda: stop_server(data, how), "hello again") == texts.OFFLINE.greeting  # noqa: B023
            assert notice(chat, arming, lambda: stop_server(data, how), "/memory") == texts.MEMORY_LIST_EMPTY  # noqa: B023
        chat.typed.close()

        assert chat.process.wait() == 0


def test_while_an_own_database_is_away_the_chat_goes_on_and_is_written_down_later(
    chatting: Chatting, data: Path
) -> None:
    server = join_server(data, progress=lambda _: None)
    with chatting(DATABASE_URL=server.url(APPLICATION, DATABASE)) as chat:
        assert chat.say("hello") == texts.OFFLINE.greeting
        stop_server(data, signal.SIGINT)
        wait_until_stopped(data)
        assert chat.say("hello there") == texts.OFFLINE.greeting
        assert chat.read() == texts.MEMORY_AWAY_NOT_REMEMBERING
        assert chat.say("hi once more") == texts.OFFLINE.greeting
        assert chat.say("/memory") == texts.MEMORY_AWAY
        server.revive()
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as connection:
            query = "SELECT count(*) FROM events WHERE content ->> 'text' = 'hi once more'"
            until(lambda: connection.execute(query).fetchone() == (1,))
        assert chat.say("hello") == texts.OFFLINE.greeting
        chat.typed.close()

        assert chat.process.wait() == 1
        assert b"Traceback" not in chat.errors.read()
    server.leave()
    wait_until_stopped(data)
