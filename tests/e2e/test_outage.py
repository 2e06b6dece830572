"""PostgreSQL goes away in mid-conversation in Telegram: the bot goes on, and loses and doubles nothing."""

import re
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest

from bot import texts
from db.embedded.own_database import APPLICATION
from memory.outage.spool import Spool
from memory.privacy.keyfile import load_keyring
from memory.settings import Settings
from tests.conftest import wait_until_stopped
from tests.e2e.away import Away, taken_away
from tests.e2e.points import NOTICES_HANGING, Arming
from tests.e2e.program import running, settings_for
from tests.e2e.stopping import server_of, stop_server, wait_until_revived
from tests.e2e.talking import TAG, answered, ask, seen
from tests.e2e.thinking import thinking
from tests.scripted_model import Calls, Says, Step, has_results, model_for_a_process, words_of
from tests.telegram import telegram_for_a_process
from tests.waiting import until

pytestmark = pytest.mark.slow

INBOX = "SELECT state FROM inbox WHERE tenant_id = %(tenant)s"


def think(request: dict[str, Any]) -> Step:
    said = [words_of({"messages": [each]}) for each in request["messages"] if each["role"] == "user"]
    words = next((each for each in reversed(said) if each.strip()), "")
    tag = (TAG.findall(words) or ["??"])[-1]
    if "remember that" in words and not has_results(request):
        return Calls("add_to_memory", {"content": words.split("remember that ")[-1], "category": "context"})
    return Says((f"answer m{tag}",))


@pytest.fixture(scope="module")
def away(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Away]:
    with taken_away(run_folder, tmp_path_factory.mktemp("away")) as made:
        yield made


@pytest.fixture
def database_away(away: Away, tenant: str) -> dict[str, str]:
    away.revive()
    return {"DATABASE_URL": away.url(APPLICATION), "KEEPSAKE_TENANT": tenant, "KEEPSAKE_LEASE_SECONDS": "10"}


def spooled(data: Path) -> list[Path]:
    return list((data / "spool").glob("*.spool"))


def read_spool(data: Path, tenant: str) -> list[Any]:
    keyring = load_keyring(Settings.model_validate({"KEEPSAKE_DATA_DIR": str(data)}))
    reader = Spool(data / "spool", keyring, tenant)
    return [entry for path in spooled(data) for entry in reader._read(path)]


def tags_of(away: Away, tenant: str) -> list[int]:
    return [int(TAG.findall(said)[0]) for _, said in away.heard(tenant)]


def test_with_the_database_stopped_in_mid_conversation_the_bot_goes_on_and_catches_up(
    environment: dict[str, str], database_away: dict[str, str], away: Away, folder: Path, tmp_path: Path, tenant: str
) -> None:
    data = tmp_path / "data"
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **database_away}
        with running({**environment, **settings}, folder):
            ada, ben, eve = telegram.person(11, "Ada"), telegram.person(12, "Ben"), telegram.person(13, "Eve")
            assert ask(telegram, ada, "hello m1") == "answer m1"
            assert ask(telegram, ben, "/private") == texts.PRIVATE_STARTED
            assert ask(telegram, ben, "my cat is a zebra m2") == "answer m2"

            away.stop()
            assert ask(telegram, ada, "I bought a unicorn m3") == f"answer m3\n\n{texts.MEMORY_AWAY_NOT_REMEMBERING}"
            assert "hello m1" in str(model.requests[-1]["messages"])
            assert ask(telegram, ada, "remember that the captain is Alec m4") == "answer m4"
            assert "memory can't be reached right now" in str(model.requests[-1]["messages"])
            assert ask(telegram, ada, "/memory") == texts.MEMORY_AWAY
            assert ask(telegram, ben, "it ate an aardvark m5") == "answer m5"
            assert "zebra m2" in str(model.requests[-1]["messages"])
            assert ask(telegram, eve, "hello m6") == texts.MEMORY_AWAY_ANSWER_LATER
            eve.say("are you there? m7")
            seen(telegram, lambda: not telegram.pending)

            kept = read_spool(data, tenant)
            assert {entry["user"] for entry in kept} == {"telegram:11", "telegram:13"}
            assert "unicorn" in str(kept)
            assert "aardvark" not in str(kept)
            assert not [path for path in spooled(data) if re.search(rb"unicorn|captain|telegram", path.read_bytes())]

            away.revive()
            seen(telegram, lambda: answered(eve) == [6, 7])
            until(lambda: away.has_caught_up(tenant, "answer m4", "answer m7"))
            assert ask(telegram, ada, "are you back? m8") == "answer m8"
            until(lambda: ask(telegram, ada, "/memory") == texts.MEMORY_LIST_EMPTY)
            until(lambda: not spooled(data))
            assert ask(telegram, eve, "goodbye m9") == "answer m9"
            until(lambda: away.has_caught_up(tenant, "answer m8", "answer m9"))  # so nothing is left that could come

            assert answered(ada) == [1, 3, 4, 8]
            assert answered(ben) == [2, 5]
            assert [each.text for each in eve.answers()] == [
                texts.MEMORY_AWAY_ANSWER_LATER,
                "answer m6",
                "answer m7",
                "answer m9",
            ]
            heard = away.heard(tenant)
            assert [said for _, said in heard if "zebra" in said or "aardvark" in said or "m2" in said] == []
            assert [who for who, said in heard] == ["human", "agent"] * 7
            assert tags_of(away, tenant) == [1, 1, 3, 3, 4, 4, 8, 8, 6, 6, 7, 7, 9, 9]


def test_what_was_acknowledged_in_an_outage_is_answered_after_kill_nine(
    environment: dict[str, str], database_away: dict[str, str], away: Away, folder: Path, tenant: str
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **database_away}
        with running({**environment, **settings}, folder) as program:
            ada = telegram.person(11, "Ada")
            assert ask(telegram, ada, "hello m1") == "answer m1"
            away.stop()
            assert ask(telegram, ada, "hello m2").startswith("answer m2")
            seen(telegram, lambda: not telegram.pending)
            with thinking(model, think):
                ada.say("hello m3")
                seen(telegram, lambda: len(model.requests) == 3 and not telegram.pending)
                program.kill()
            away.revive()
            telegram.reoffer(telegram.updates.next_id - 2)  # the confirmation of what was answered got lost
            program.start()

            seen(telegram, lambda: answered(ada) == [1, 2, 3])
            assert ask(telegram, ada, "hello m4") == "answer m4"
            until(lambda: away.has_caught_up(tenant, "answer m4"))
            assert answered(ada) == [1, 2, 3, 4]
            assert tags_of(away, tenant) == [1, 1, 2, 2, 3, 3, 4, 4]


def test_what_is_being_answered_when_the_database_comes_back_is_not_answered_twice(
    environment: dict[str, str], database_away: dict[str, str], away: Away, folder: Path, tenant: str
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **database_away}
        with running({**environment, **settings}, folder):
            ada, ben = telegram.person(11, "Ada"), telegram.person(12, "Ben")
            assert ask(telegram, ada, "hello m1") == "answer m1"
            assert ask(telegram, ben, "/memory") == texts.MEMORY_LIST_EMPTY
            away.stop()
            assert ask(telegram, ben, "/memory") == texts.MEMORY_AWAY  # it has noticed
            with thinking(model, think):
                ada.say("hello m2")
                seen(telegram, lambda: len(model.requests) == 2)
                away.revive()
                until(lambda: len(away.rows(INBOX, tenant)) == 3)  # it has noticed: the command of the outage is there
                ada.say("hello m3")
                seen(telegram, lambda: not telegram.pending)
                assert answered(ada) == [1]
            seen(telegram, lambda: 3 in answered(ada))
            until(lambda: away.has_caught_up(tenant, "answer m3"))
            assert ask(telegram, ada, "hello m4").startswith("answer m4")
            until(lambda: away.has_caught_up(tenant, "answer m4"))  # a chat may be behind for a second longer

            assert answered(ada) == [1, 2, 3, 4]
            assert sum(texts.MEMORY_AWAY_NOT_REMEMBERING in each.text for each in ada.answers()) == 1
            assert tags_of(away, tenant) == [1, 1, 2, 2, 3, 3, 4, 4]


def test_an_embedded_server_that_was_killed_is_revived_whoever_notices_first(
    environment: dict[str, str], folder: Path, data: Path, arming: Arming
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        with running({**environment, **settings_for(telegram, model.url)}, folder, armed=arming) as program:
            ada = telegram.person(11, "Ada")
            assert ask(telegram, ada, "remember that the captain is Alec m1").startswith("answer m1")
            pid = server_of(data)
            stop_server(data, signal.SIGKILL)
            wait_until_revived(data, pid)  # the program has noticed before anybody speaks
            assert ask(telegram, ada, "hello m2").startswith("answer m2")
            until(lambda: "Alec" in ask(telegram, ada, "/memory"), lambda: program.account)
            until(lambda: not spooled(data))

            arming.hold_at("caught up")
            seen(telegram, lambda: arming.was_hit and psutil.Process(program.process.pid).status() == "stopped")
            stop_server(data, signal.SIGKILL)
            ada.say("hello m3")
            program.send(signal.SIGCONT)
            seen(telegram, lambda: 3 in answered(ada))
            until(lambda: "Alec" in ask(telegram, ada, "/memory"), lambda: program.account)
            until(lambda: not spooled(data))
            assert ask(telegram, ada, "hello m4") == "answer m4"
            assert answered(ada) == [1, 2, 3, 4]
            assert program.end() == 128 + signal.SIGTERM
    wait_until_stopped(data)


def test_a_database_that_hangs_holds_up_one_message_and_is_not_asked_for_the_next_ones(
    environment: dict[str, str], database_away: dict[str, str], away: Away, folder: Path, tenant: str, arming: Arming
) -> None:
    with telegram_for_a_process() as telegram, model_for_a_process() as model:
        model.always = think
        settings = {**settings_for(telegram, model.url), **database_away, "KEEPSAKE_LEASE_SECONDS": "600"}
        with running({**environment, **settings}, folder, changes=NOTICES_HANGING, armed=arming) as program:
            ada, ben = telegram.person(11, "Ada"), telegram.person(12, "Ben")
            ask(telegram, ada, "hello m1")
            ask(telegram, ben, "hello m2")
            with ExitStack() as hanging:
                with thinking(model, think):
                    ben.say("in the middle m3")
                    seen(telegram, lambda: len(model.requests) == 3)
                    hanging.enter_context(away.hanging())
                ask(telegram, ada, "hello m4")
                seen(telegram, lambda: 3 in answered(ben))
                arming.kill_at("received")  # on its way into the database
                for number in (5, 6, 7):
                    assert ask(telegram, ada, f"hello m{number}") == f"answer m{number}"
                assert ask(telegram, ada, "/memory") == texts.MEMORY_AWAY
                assert not arming.was_hit
                arming.path.unlink()
            until(lambda: away.has_caught_up(tenant, "answer m3", "answer m7"), lambda: program.account)
            assert ask(telegram, ada, "hello m8").startswith("answer m8")
            until(lambda: away.has_caught_up(tenant, "answer m8"))

            assert answered(ada) == [1, 4, 5, 6, 7, 8]
            assert answered(ben) == [2, 3]
            said = Counter(away.heard(tenant))
            assert set(said.values()) == {1}
            assert len(said) == 16
