"""A model that is away for a while or for long, and the end of the program while it thinks."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bot import texts
from tests.e2e.program import Program, running, settings_for
from tests.e2e.talking import TAG, answered, ask, seen
from tests.e2e.thinking import thinking
from tests.ports import free_port
from tests.scripted_model import Says, model_for_a_process, words_of
from tests.telegram import FakeTelegram, Person, telegram_for_a_process
from tests.waiting import until

pytestmark = pytest.mark.slow


def think(request: dict[str, Any]) -> Says:
    return Says((f"answer m{TAG.findall(words_of(request))[-1]}",))


def test_a_model_that_is_away_for_too_long_is_told(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    with telegram_for_a_process() as telegram:
        settings = {**settings_for(telegram, f"http://127.0.0.1:{free_port()}"), **own_database}
        with running({**environment, **settings, "KEEPSAKE_MODEL_SECONDS": "1"}, folder):
            ada = telegram.person(11, "Ada")
            assert ask(telegram, ada, "hello m1").startswith(texts.MODEL_AWAY.split("{")[0])


def test_a_model_that_is_away_for_a_while_is_asked_again_also_after_a_kill(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    port = free_port()
    with telegram_for_a_process() as telegram:
        settings = {**settings_for(telegram, f"http://127.0.0.1:{port}"), **own_database}
        patient = {"KEEPSAKE_MODEL_SECONDS": "600", "KEEPSAKE_LOG_LEVEL": "info", "KEEPSAKE_LEASE_SECONDS": "5"}
        with running({**environment, **settings, **patient}, folder) as program:
            ada = telegram.person(11, "Ada")
            say_in_vain(telegram, program, ada, "hello m2")
            with answering(port):
                seen(telegram, lambda: answered(ada) == [2])

            say_in_vain(telegram, program, ada, "hello m3")
            program.kill()
            program.start()
            with answering(port):
                seen(telegram, lambda: answered(ada) == [2, 3])
                assert ask(telegram, ada, "hello m4") == "answer m4"
            assert len(ada.answers()) == 3


def say_in_vain(telegram: FakeTelegram, program: Program, person: Person, words: str) -> None:
    """Until the model was asked once and was not there; it will be asked again."""
    before = program.lines("the model is asked again")
    person.say(words)
    seen(telegram, lambda: program.lines("the model is asked again") > before and not telegram.pending)


@contextmanager
def answering(port: int) -> Iterator[None]:
    with model_for_a_process(port=port) as model:
        model.always = think
        yield


def test_what_is_being_answered_at_the_end_comes_to_its_end_first(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **own_database}
        with running(
            {**environment, **settings}, folder, changes={"bot.telegram.app.SECONDS_TO_STOP": 300.0}
        ) as program:
            ada = telegram.person(11, "Ada")
            with thinking(model, think):
                ada.say("hello m1")
                seen(telegram, lambda: len(model.requests) == 1 and not telegram.pending)
                program.send(signal.SIGTERM)
                until(lambda: telegram.updates.poll is None)  # it listens no more
            assert program.process.wait() == 128 + signal.SIGTERM
            assert answered(ada) == [1]


def test_what_takes_too_long_at_the_end_is_given_back_and_answered_by_the_next_start(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    """Nobody waits for a lease: that one would take ten minutes."""
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **own_database, "KEEPSAKE_LEASE_SECONDS": "600"}
        with running({**environment, **settings}, folder, changes={"bot.telegram.app.SECONDS_TO_STOP": 0.5}) as program:
            ada = telegram.person(11, "Ada")
            with thinking(model, think):
                ada.say("hello m1")
                seen(telegram, lambda: len(model.requests) == 1 and not telegram.pending)
                assert program.end() == 128 + signal.SIGTERM
            assert answered(ada) == []

            program.start()
            seen(telegram, lambda: answered(ada) == [1])
            assert ask(telegram, ada, "hello m2") == "answer m2"
            assert answered(ada) == [1, 2]
