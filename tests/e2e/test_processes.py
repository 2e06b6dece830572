"""Several processes on one database, and many chats in one process: order is kept, and each message answered once."""

import asyncio
import signal
import threading
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.e2e.inbox import InboxRows
from tests.e2e.points import DOUBLES, Arming
from tests.e2e.program import Program, running, settings_for
from tests.e2e.several import dead, ensure_answered, several
from tests.e2e.talking import TAG, answered, ask, people_of, seen
from tests.scripted_model import Says, Step, model_for_a_process, words_of
from tests.telegram import FakeTelegram, Person, telegram_for_a_process
from tests.waiting import STUCK, until

pytestmark = pytest.mark.slow

TAKEN_OVER = "another process has taken over an update"
AT_LEAST = 4  # messages of each person
ROUNDS = 8


def think(request: dict[str, Any]) -> Says:
    return Says((f"answer m{TAG.findall(words_of(request))[-1]}",))


@pytest.fixture
def inbox(superuser_url: str, tenant: str) -> InboxRows:
    return InboxRows(superuser_url, tenant)


def test_three_processes_keep_the_order_of_each_chat_also_when_one_is_killed(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, inbox: InboxRows
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**environment, **settings_for(telegram, model.url), **own_database}
        with several([settings] * 3, folder) as three:
            for each in three:
                each.start()
            people, killed = people_of(telegram, 8), three[1]
            assert killed.armed
            for number in count():
                if number == 1:
                    killed.armed.kill_at(DOUBLES)
                for person in people:
                    person.say(f"hello m{number}")
                if number >= AT_LEAST:  # until it sends something
                    seen(telegram, lambda: not killed.is_alive or not (telegram.pending or inbox.open()))
                    if not killed.is_alive:
                        break
            held = dead(killed, inbox)
            seen(telegram, lambda: not telegram.pending and not inbox.open())

            assert 1 <= ensure_answered(people, number + 1, held) <= len(held)


def test_a_process_that_slept_longer_than_its_lease_does_not_answer_a_second_time(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, inbox: InboxRows
) -> None:
    """It sleeps while the model thinks, and in one chat when it is about to send."""
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        people, woken = people_of(telegram, 4), threading.Event()

        async def answer_the_sleeper_late(request: dict[str, Any]) -> Step:
            if len(model.requests) <= len(people):
                await asyncio.to_thread(woken.wait, STUCK)
            return think(request)

        model.ponders = answer_the_sleeper_late
        settings = {**environment, **settings_for(telegram, model.url), **own_database}
        with several([{**settings, "KEEPSAKE_LEASE_SECONDS": "5"}, settings], folder) as (sleeper, other):
            sleeper.start()
            for person in people:
                person.say("hello m0")
            seen(telegram, lambda: len(model.requests) == len(people) and not telegram.pending)
            sleeper.send(signal.SIGSTOP)
            other.start()
            seen(telegram, lambda: all(answered(each) == [0] for each in people))
            woken.set()
            sleeper.send(signal.SIGCONT)
            until(lambda: sleeper.lines(TAKEN_OVER) == len(people), lambda: sleeper.account)

            assert sleeper.armed
            seen(telegram, lambda: not inbox.open())  # Telegram has an answer before the program has marked it
            other.end()
            sleeper.armed.hold_at("answer kept")
            people[0].say("hello m1")
            sleeping = psutil.Process(sleeper.process.pid)
            seen(telegram, lambda: sleeper.armed.was_hit and sleeping.status() == psutil.STATUS_STOPPED)  # type: ignore[union-attr]
            other.start()
            seen(telegram, lambda: answered(people[0]) == [0, 1])
            sleeper.send(signal.SIGCONT)
            until(lambda: sleeper.lines(TAKEN_OVER) == len(people) + 1, lambda: sleeper.account)
            sleeper.end()
            for person in people:
                ask(telegram, person, "hello m2")

            assert answered(people[0]) == [0, 1, 2]
            assert [answered(each) for each in people[1:]] == [[0, 2]] * (len(people) - 1)


def test_fifty_chats_at_once_do_not_wait_for_each_other(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    """The model answers nobody before all fifty have asked."""
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        people, all_asked = people_of(telegram, 50), threading.Event()

        async def answer_when_all_have_asked(request: dict[str, Any]) -> Step:
            if len(model.requests) >= len(people):
                all_asked.set()
            await asyncio.to_thread(all_asked.wait, STUCK)
            return think(request)

        model.ponders = answer_when_all_have_asked
        with running({**environment, **settings_for(telegram, model.url), **own_database}, folder):
            for number in range(3):
                for person in people:
                    person.say(f"hello m{number}")
            seen(telegram, lambda: all(len(each.answers()) == 3 for each in people))

            assert [answered(each) for each in people] == [[0, 1, 2]] * 50


def test_memory_stays_flat_over_hundreds_of_messages(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, arming: Arming
) -> None:
    """Once the last words of each chat that are kept in RAM are full. What fills up once, such as a cache, grows in
    some of the rounds; what is kept of each message grows in all of them. Words alone are not among the objects, so
    the room is looked at as well."""
    with telegram_for_a_process(keep_calls=False) as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**environment, **settings_for(telegram, model.url), **own_database, "KEEPSAKE_POOL_SIZE": "2"}
        with running(settings, folder, armed=arming) as program:
            people, held = people_of(telegram, 5), list[int]()
            for number in range(1, 17):
                round_of(telegram, people, number)
            megabytes = program.megabytes()
            for number in range(17, 17 + 4 * ROUNDS):
                if number % ROUNDS == 1:
                    held.append(objects_of(program, arming))
                round_of(telegram, people, number)
            held.append(objects_of(program, arming))
            more = [after - before for before, after in pairwise(held)]
            grown = program.megabytes() - megabytes
            print(f"objects more for {ROUNDS * len(people)} messages each: {more}, {grown:.1f} MB more for all of them")
            assert len(more) == 4
            assert min(more) < ROUNDS * len(people)  # less than one for each message
            assert grown < 12


def round_of(telegram: FakeTelegram, people: list[Person], number: int) -> None:
    for person in people:
        person.chat.messages.clear()
        person.say(f"hello m{number}")
    seen(telegram, lambda: not telegram.pending and all(each.answers() for each in people))


def objects_of(program: Program, arming: Arming) -> int:
    """The fewest of some looks: at any moment something may be going on beside."""
    counts = []
    for _ in range(5):
        arming.objects.unlink(missing_ok=True)
        program.send(signal.SIGUSR1)
        until(arming.objects.exists)
        counts.append(int(arming.objects.read_text()))
    return min(counts)
