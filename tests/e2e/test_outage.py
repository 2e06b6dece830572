"""PostgreSQL or the model goes away in mid-conversation in Telegram: the bot goes on, and loses and doubles nothing."""

import asyncio
import os
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from bot import texts
from db.embedded import EmbeddedServer, join_server, keeper
from db.embedded.house import APPLICATION, DATABASE, OWNER, make_database
from db.migrate import migrate
from memory.privacy.keyfile import load_keyring
from memory.settings import Settings
from memory.spool import Spool
from tests.conftest import FAST, wait_until_stopped
from tests.e2e.program import Program, free_port, running, settings_for, until
from tests.e2e.test_program import stop_server
from tests.scripted_model import Calls, Says, Step, has_results, model_for_a_process, words_of
from tests.telegram import FakeTelegram, Person, telegram_for_a_process

pytestmark = pytest.mark.slow

TAG = re.compile(r"\bm(\d\d)\b")
INBOX = "SELECT state FROM inbox WHERE tenant_id = %(tenant)s"


def think(request: dict[str, Any]) -> Step:
    said = [words_of({"messages": [each]}) for each in request["messages"] if each["role"] == "user"]
    words = next((each for each in reversed(said) if each.strip()), "")
    tag = (TAG.findall(words) or ["??"])[-1]
    if "remember that" in words and not has_results(request):
        return Calls("add_to_memory", {"content": words.split("remember that ")[-1], "category": "context"})
    return Says((f"answer m{tag}",))


class Away:
    """A PostgreSQL that is not ours to revive, and can be taken away."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server: EmbeddedServer = join_server(folder, progress=lambda _: None, settings=FAST)
        make_database(self.server)
        asyncio.run(migrate(self.url(OWNER), self.url(APPLICATION), progress=lambda _: None))

    def url(self, role: str) -> str:
        return self.server.url(role, DATABASE)

    def stop(self) -> None:
        stop_server(self.folder, signal.SIGINT)
        wait_until_stopped(self.folder)

    def revive(self) -> None:
        self.server.revive()

    def send(self, number: signal.Signals) -> None:
        """To the server and all who serve for it."""
        pid = keeper.server_pid(self.folder)
        assert pid
        for each in (psutil.Process(pid), *psutil.Process(pid).children()):
            os.kill(each.pid, number)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        self.send(signal.SIGSTOP)
        try:
            yield
        finally:
            self.send(signal.SIGCONT)

    def rows(self, query: str, tenant: str) -> list[Any]:
        with psycopg.connect(self.url("postgres")) as admin:
            return admin.execute(query.encode(), {"tenant": tenant}).fetchall()

    def heard(self, tenant: str) -> list[tuple[str, str]]:
        """Who said what, in the order of the events of each conversation."""
        query = """SELECT actor_type, content ->> 'text' FROM events
            WHERE tenant_id = %(tenant)s AND kind = 'message' ORDER BY conversation_id, seq"""
        return self.rows(query, tenant)

    def has_caught_up(self, tenant: str, *words: str) -> bool:
        heard = {said for _, said in self.heard(tenant)}
        query = "SELECT 1 FROM inbox WHERE tenant_id = %(tenant)s AND state <> 'done'"
        return heard.issuperset(words) and not self.rows(query, tenant)


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Away]:
    made = Away(tmp_path_factory.mktemp("away"))
    yield made
    made.server.leave()


@pytest.fixture
def database_away(away: Away, tenant: str) -> dict[str, str]:
    away.revive()
    return {"DATABASE_URL": away.url(APPLICATION), "KEEPSAKE_TENANT": tenant, "KEEPSAKE_LEASE_SECONDS": "2"}


def ask(telegram: FakeTelegram, person: Person, words: str, seconds: float = 20) -> tuple[str, float]:
    """The answer, and how long it took."""
    before, began = len(person.answers()), time.monotonic()
    person.say(words)
    telegram.wait_until(lambda: len(person.answers()) > before, seconds)
    return person.answers()[before].text, time.monotonic() - began


def spooled(data: Path) -> list[Path]:
    return list((data / "spool").glob("*.spool"))


def answered(person: Person) -> list[str]:
    return [tag for each in person.answers() for tag in re.findall(r"answer m(\d\d)", each.text)]


def test_with_the_database_stopped_in_mid_conversation_the_bot_goes_on_and_catches_up(
    environment: dict[str, str], database_away: dict[str, str], away: Away, folder: Path, tmp_path: Path, tenant: str
) -> None:
    data = tmp_path / "data"
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **database_away}
        with running(environment, folder, **settings):
            ada, ben, eve = telegram.person(11, "Ada"), telegram.person(12, "Ben"), telegram.person(13, "Eve")
            assert ask(telegram, ada, "hello m01")[0] == "answer m01"
            assert ask(telegram, ben, "/private")[0] == texts.PRIVATE_BEGUN
            assert ask(telegram, ben, "my cat is a zebra m02")[0] == "answer m02"

            away.stop()
            assert ask(telegram, ada, "I bought a unicorn m03")[0] == f"answer m03\n\n{texts.CANNOT_REMEMBER}"
            assert "hello m01" in str(model.requests[-1]["messages"])
            assert ask(telegram, ada, "remember that the captain is Alec m04")[0] == "answer m04"
            assert "cannot be reached just now" in str(model.requests[-1]["messages"])
            assert ask(telegram, ada, "/memory")[0] == texts.MEMORY_AWAY
            assert ask(telegram, ben, "it ate an aardvark m05")[0] == "answer m05"
            assert "zebra m02" in str(model.requests[-1]["messages"])
            assert ask(telegram, eve, "hello m06")[0] == texts.ANSWER_LATER
            eve.say("are you there? m07")
            telegram.wait_until(lambda: not telegram.pending)

            kept = read_spool(data, tenant)
            assert {entry["user"] for entry in kept} == {"telegram:11", "telegram:13"}
            assert "unicorn" in str(kept)
            assert "aardvark" not in str(kept)
            assert not [path for path in spooled(data) if re.search(rb"unicorn|captain|telegram", path.read_bytes())]

            away.revive()
            telegram.wait_until(lambda: answered(eve) == ["06", "07"], 20)
            until(lambda: away.has_caught_up(tenant, "answer m04", "answer m07"), 20)
            assert ask(telegram, ada, "are you back? m08")[0] == "answer m08"
            until(lambda: ask(telegram, ada, "/memory")[0] == texts.NOTHING_REMEMBERED, 20)
            until(lambda: not spooled(data), 10)
            time.sleep(1.5)  # nothing comes twice

            assert answered(ada) == ["01", "03", "04", "08"]
            assert answered(ben) == ["02", "05"]
            assert [each.text for each in eve.answers()] == [texts.ANSWER_LATER, "answer m06", "answer m07"]
            heard = away.heard(tenant)
            assert [said for _, said in heard if "zebra" in said or "aardvark" in said or "m02" in said] == []
            assert [who for who, said in heard] == ["human", "agent"] * 6
            assert [TAG.findall(said)[0] for _, said in heard] == [
                *("01", "01", "03", "03", "04", "04", "08", "08"),
                *("06", "06", "07", "07"),
            ]


def read_spool(data: Path, tenant: str) -> list[Any]:
    keyring = load_keyring(Settings.model_validate({"KEEPSAKE_DATA_DIR": str(data)}))
    reader = Spool(data / "spool", keyring, tenant)
    return [entry for path in spooled(data) for entry in reader._read(path)]


def test_what_was_acknowledged_in_an_outage_is_answered_after_kill_nine(
    environment: dict[str, str], database_away: dict[str, str], away: Away, folder: Path
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **database_away}
        with running(environment, folder, **settings) as program:
            ada = telegram.person(11, "Ada")
            assert ask(telegram, ada, "hello m01")[0] == "answer m01"
            away.stop()
            assert ask(telegram, ada, "hello m02")[0].startswith("answer m02")
            telegram.wait_until(lambda: not telegram.pending)
            model.seconds = 30
            ada.say("hello m03")
            telegram.wait_until(lambda: len(model.requests) >= 3 and not telegram.pending)
            program.kill()
            model.seconds = 0
            away.revive()
            telegram.reoffer(telegram.updates.next_id - 2)  # the confirmation of what was answered got lost
            program.start()

            telegram.wait_until(lambda: answered(ada) == ["01", "02", "03"])
            assert ask(telegram, ada, "hello m04")[0] == "answer m04"
            until(lambda: away.has_caught_up(database_away["KEEPSAKE_TENANT"], "answer m04"), 10)
            assert answered(ada) == ["01", "02", "03", "04"]
            tags = [TAG.findall(said)[0] for _, said in away.heard(database_away["KEEPSAKE_TENANT"])]
            assert tags == ["01", "01", "02", "02", "03", "03", "04", "04"]


def test_what_is_being_answered_when_the_database_comes_back_is_not_answered_twice(
    environment: dict[str, str], database_away: dict[str, str], away: Away, folder: Path, tenant: str
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always, may_answer = think, threading.Event()

        async def hold_back(request: dict[str, Any]) -> Step:
            await asyncio.to_thread(may_answer.wait, 60)
            return think(request)

        settings = {**settings_for(telegram, model.url), **database_away}
        with running(environment, folder, **settings):
            ada, ben = telegram.person(11, "Ada"), telegram.person(12, "Ben")
            assert ask(telegram, ada, "hello m01")[0] == "answer m01"
            assert ask(telegram, ben, "/memory")[0] == texts.NOTHING_REMEMBERED
            away.stop()
            assert ask(telegram, ben, "/memory")[0] == texts.MEMORY_AWAY  # it has noticed
            model.ponders = hold_back
            ada.say("hello m02")
            telegram.wait_until(lambda: len(model.requests) >= 2)
            away.revive()
            until(lambda: len(away.rows(INBOX, tenant)) == 3, 20)  # it has noticed: the command of the outage is there
            ada.say("hello m03")
            telegram.wait_until(lambda: not telegram.pending)
            assert answered(ada) == ["01"]
            may_answer.set()
            telegram.wait_until(lambda: "03" in answered(ada))
            until(lambda: away.has_caught_up(tenant, "answer m03"), 10)
            assert ask(telegram, ada, "hello m04")[0].startswith("answer m04")
            until(lambda: away.has_caught_up(tenant, "answer m04"), 10)  # a chat may be behind for a second longer

            assert answered(ada) == ["01", "02", "03", "04"]
            assert sum(texts.CANNOT_REMEMBER in each.text for each in ada.answers()) == 1
            tags = [TAG.findall(said)[0] for _, said in away.heard(tenant)]
            assert tags == ["01", "01", "02", "02", "03", "03", "04", "04"]


def test_an_embedded_server_that_was_killed_is_revived_by_the_next_message(
    environment: dict[str, str], folder: Path, tmp_path: Path
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        with running(environment, folder, **settings_for(telegram, model.url)) as program:
            ada = telegram.person(11, "Ada")
            assert ask(telegram, ada, "remember that the captain is Alec m01")[0].startswith("answer m01")
            stop_server(tmp_path / "data", signal.SIGKILL)
            time.sleep(1.2)  # so that the program has noticed before anybody speaks
            assert ask(telegram, ada, "hello m02")[0].startswith("answer m02")
            until(lambda: "Alec" in ask(telegram, ada, "/memory")[0], 15, lambda: program.account)
            until(lambda: not spooled(tmp_path / "data"), 10)
            assert ask(telegram, ada, "hello m03")[0] == "answer m03"
            assert answered(ada) == ["01", "02", "03"]
            program.end()


def test_a_database_that_hangs_holds_up_one_message_for_seconds_and_the_next_ones_not(
    environment: dict[str, str], database_away: dict[str, str], away: Away, folder: Path, tenant: str
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **database_away, "KEEPSAKE_LEASE_SECONDS": "30"}
        with running(environment, folder, **settings):
            ada, ben = telegram.person(11, "Ada"), telegram.person(12, "Ben")
            ask(telegram, ada, "hello m01")
            ask(telegram, ben, "hello m02")
            model.seconds = 1.5
            ben.say("in the middle m03")
            telegram.wait_until(lambda: len(model.requests) >= 3)
            model.seconds = 0
            with away.hanging():
                _, first = ask(telegram, ada, "hello m04")
                telegram.wait_until(lambda: "03" in answered(ben), 20)
                later = [ask(telegram, ada, f"hello m{number:02}")[1] for number in (5, 6, 7)]
                asked, command = ask(telegram, ada, "/memory")
                print(f"a hanging database: first {first:.1f} s, then {max(later):.1f} s, a command {command:.1f} s")
                assert first < 10
                assert max(later) < 3  # to look for it once more takes half a second longer than that
                assert asked == texts.MEMORY_AWAY
                assert command < 3
            until(lambda: away.has_caught_up(tenant, "answer m03", "answer m07"), 20)
            assert ask(telegram, ada, "hello m08")[0] == "answer m08"
            until(lambda: away.has_caught_up(tenant, "answer m08"), 20)

            assert answered(ada) == ["01", "04", "05", "06", "07", "08"]
            assert answered(ben) == ["02", "03"]
            said = Counter(away.heard(tenant))
            assert set(said.values()) == {1}
            assert len(said) == 16


def test_a_model_that_is_away_is_waited_for_and_the_person_told_when_it_takes_too_long(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    port = free_port()
    with telegram_for_a_process() as telegram:
        settings = {**settings_for(telegram, f"http://127.0.0.1:{port}"), **own_database, "KEEPSAKE_MODEL_SECONDS": "8"}
        told = {"KEEPSAKE_LEASE_SECONDS": "1", "KEEPSAKE_LOG_LEVEL": "info"}
        with running(environment, folder, **settings, **told) as program:
            ada = telegram.person(11, "Ada")
            answer, took = ask(telegram, ada, "hello m01")
            assert answer.startswith(texts.MODEL_AWAY.split("{")[0])
            assert took < 16  # eight seconds for the model, the rest is the interpreter on a busy machine

            say_in_vain(telegram, program, ada, "hello m02")
            with answering(port):
                telegram.wait_until(lambda: answered(ada) == ["02"])

            say_in_vain(telegram, program, ada, "hello m03")
            program.kill()
            program.start()
            with answering(port):
                telegram.wait_until(lambda: answered(ada) == ["02", "03"])
                assert ask(telegram, ada, "hello m04")[0] == "answer m04"
            assert len(ada.answers()) == 4


def say_in_vain(telegram: FakeTelegram, program: Program, person: Person, words: str) -> None:
    """Until the model was asked once and was not there; it will be asked again."""

    def retries() -> int:
        return sum("the model is asked again" in line for line in program.printed)

    before = retries()
    person.say(words)
    telegram.wait_until(lambda: retries() > before and not telegram.pending)


@contextmanager
def answering(port: int) -> Iterator[None]:
    with model_for_a_process(port=port) as model:
        model.always = think
        yield


def test_the_program_ends_in_seconds_and_what_it_leaves_is_answered_by_the_next_start(
    environment: dict[str, str], own_database: dict[str, str], folder: Path
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **own_database}
        with running(environment, folder, **settings) as program:
            ada, ben = telegram.person(11, "Ada"), telegram.person(12, "Ben")
            ask(telegram, ada, "hello m01")
            model.seconds = 2
            ada.say("quickly m02")
            telegram.wait_until(lambda: len(model.requests) >= 2)
            model.seconds = 30
            ben.say("slowly m03")
            telegram.wait_until(lambda: len(model.requests) >= 3)
            took = ended(program)
            print(f"ended {took:.1f} s after SIGTERM")
            assert took < 10  # four seconds for the answers, the rest is the interpreter on a busy machine
            assert answered(ada) == ["01", "02"]
            assert answered(ben) == []

            model.seconds = 0
            program.start()
            telegram.wait_until(lambda: answered(ben) == ["03"])
            ask(telegram, ada, "hello m04")
            assert answered(ada) == ["01", "02", "04"]
            assert answered(ben) == ["03"]


def ended(program: Program) -> float:
    return program.end(signal.SIGTERM)
