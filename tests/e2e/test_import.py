"""`keepsake import` as a process: what it says, killed in the middle, and how much room a large file takes."""

import json
import signal
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from bot.language import texts, use_language
from bot.terminal.user import terminal_user
from memory.errors import Refused
from memory.importing.messages import SkipReason
from memory.importing.write import AT_ONCE
from memory.refusals import Refusal
from tests.e2e.child import UNTRACED, Child, Completed
from tests.e2e.conftest import Keepsake
from tests.e2e.points import Arming
from tests.exports import BEN, as_archive, as_json, chatgpt_talk, claude_talk, telegram_chat, telegram_message
from tests.waiting import until

pytestmark = pytest.mark.slow

MANY, LARGE = 4 * AT_ONCE + 50, 1_700
STOPPED = "stopped"  # what its connections are called, so that one sees when the last of them is gone
AT_WORK = f"SELECT 1 FROM pg_stat_activity WHERE application_name = '{STOPPED}' AND datname = current_database()"
AS_PERSON = """SELECT set_config('keepsake.tenant', %(tenant)s, false), set_config('keepsake.user', %(user)s, false),
    set_config('keepsake.space', 'personal:' || %(user)s, false), set_config('keepsake.channel', 'private', false)"""
TOLD = "SELECT content->>'text' FROM events ORDER BY ts, seq"


class Here:
    """The person of this terminal, in a tenant of their own."""

    def __init__(self, variables: dict[str, str], user: str = "") -> None:
        self.values = {"tenant": variables["KEEPSAKE_TENANT"], "user": user or terminal_user()}
        self.connection = psycopg.connect(variables["DATABASE_URL"], autocommit=True)
        self.rows(AS_PERSON)

    def rows(self, query: str) -> list[Any]:
        return self.connection.execute(query.encode(), self.values).fetchall()

    def kept(self) -> int:
        """How many events there are, once PostgreSQL is done with what it was told before the end."""
        until(lambda: not self.rows(AT_WORK), lambda: "PostgreSQL is still at work")
        [(count,)] = self.rows("SELECT count(*) FROM events")
        return int(count)


@pytest.fixture
def here(own_database: dict[str, str]) -> Iterator[Here]:
    found = Here(own_database)
    yield found
    found.connection.close()


Importing = Callable[..., Child]


@pytest.fixture
def importing(environment: dict[str, str], own_database: dict[str, str], folder: Path, arming: Arming) -> Importing:
    """Starts the import of `result.json`, which may end at a point that a test names."""
    url = f"{own_database['DATABASE_URL']}&application_name={STOPPED}"
    settings = {**environment, **own_database, **UNTRACED, "DATABASE_URL": url}
    return lambda *more: Child("import", "result.json", *more, env=settings, cwd=folder, armed=arming)


def told(ran: Completed) -> list[str]:
    assert ran.stdout == b""
    return [line.removeprefix("· ") for line in ran.stderr.decode().splitlines()]


def imported(new: int, known: int, conversations: int = 1, left: int = 0, why: str = "", user: str = "") -> str:
    return texts.IMPORT_MESSAGES_DONE.format(
        user=user or terminal_user(), conversations=conversations, new=new, known=known, left=left, why=why
    )


def test_a_chat_comes_in_once_and_what_became_of_it_is_told(
    keepsake: Keepsake, own_database: dict[str, str], here: Here, folder: Path
) -> None:
    service = {"id": 3, "type": "service", "date": "2023-11-14T22:15:00"}
    sticker = telegram_message(4, "", media_type="sticker", file="x.webp")
    chat = telegram_chat(telegram_message(1, "Hello", BEN), telegram_message(2, "Hi <script>"), service, sticker)
    as_json(folder, chat, "result.json")
    first = keepsake("import", "result.json", **own_database, **UNTRACED)
    second = keepsake("import", ".", **own_database, **UNTRACED)

    assert (first.returncode, second.returncode) == (0, 0), first.stderr.decode()
    why = f": {texts.IMPORT_LEFT[SkipReason.SERVICE]} (1), {texts.IMPORT_LEFT[SkipReason.WORDLESS]} (1)"
    lines = told(first)
    assert lines[-3:] == ["Importing: 100 % (4 of 4)", imported(2, 0, left=2, why=why), texts.IMPORT_NO_CARDS]
    assert texts.IMPORT_AS.format(name="Ada", id="user111") in lines
    assert imported(0, 2, left=2, why=why) in told(second)
    assert here.rows(TOLD) == [("Hello",), ("Hi <script>",)]


def test_archives_of_assistants_come_in_for_another_user_with_a_model_at_hand(
    keepsake: Keepsake, own_database: dict[str, str], folder: Path
) -> None:
    as_archive(folder, [chatgpt_talk("Hello", "Hi")], name="chatgpt.zip")
    as_archive(folder, [claude_talk("Hello", "Hi", "Bye")], name="claude.zip")
    model = {"ANTHROPIC_API_KEY": "k", "LANG": "de_DE.UTF-8"}
    for name, count in (("chatgpt.zip", 2), ("claude.zip", 3)):
        ran = keepsake("import", name, "--user", "telegram:5", **own_database, **UNTRACED)
        assert imported(count, 0, user="telegram:5") in told(ran), ran.stderr.decode()
    german = keepsake("import", "claude.zip", "--user", "telegram:5", **own_database, **UNTRACED, **model)

    english = [imported(0, 3, user="telegram:5"), texts.IMPORT_CARDS]
    with use_language("de"):
        in_german = [imported(0, 3, user="telegram:5"), texts.IMPORT_CARDS]
    assert told(german)[-2:] == in_german
    assert set(in_german).isdisjoint(english)
    found = Here(own_database, "telegram:5")
    assert found.rows("SELECT count(*) FROM events") == [(5,)]
    found.connection.close()


def test_what_cannot_be_imported_is_told_in_one_line_and_makes_nobody(
    keepsake: Keepsake, own_database: dict[str, str], here: Here, folder: Path
) -> None:
    group = telegram_chat(telegram_message(1, "Hi"), telegram_message(2, "Ho", BEN), type="private_group", id=9)
    as_json(folder, group, "result.json")
    as_json(folder, {"something": "else"}, "else.json")
    nobody = keepsake("import", "result.json", **own_database, **UNTRACED)
    other = keepsake("import", "else.json", **own_database, **UNTRACED)
    missing = keepsake("import", "missing.zip", **own_database, **UNTRACED)
    as_archive(folder, [claude_talk("Hello", "Hi")], name="claude.zip")
    mistyped = keepsake("import", "claude.zip", "--user", "telegarm:12", **own_database, **UNTRACED)

    assert [ran.returncode for ran in (nobody, other, missing, mistyped)] == [1, 1, 1, 1]
    assert told(mistyped)[-1] == texts.NO_SUCH_USER.format(user="telegarm:12")
    assert told(nobody)[-1] == str(Refused(Refusal.IMPORT_WHO, people="Ada (user111), Ben (user222)"))
    assert told(other) == [str(Refused(Refusal.IMPORT_UNKNOWN, name="else.json"))]
    assert told(missing) == [texts.IMPORT_NOT_READABLE.format(path="missing.zip", why="No such file or directory")]
    assert here.rows("SELECT 1 FROM users") == []

    said = keepsake("import", "result.json", "--as", "ben", **own_database, **UNTRACED)
    assert imported(2, 0) in told(said), said.stderr.decode()
    assert here.rows("SELECT actor_id FROM events ORDER BY seq") == [("user111",), (terminal_user(),)]


def test_our_own_export_comes_in_from_an_archive_too(
    keepsake: Keepsake, own_database: dict[str, str], folder: Path
) -> None:
    keepsake(typed=b"remember that Alec is my boss\n", **own_database, **UNTRACED)
    with zipfile.ZipFile(folder / "mine.zip", "w") as archive:
        archive.writestr("keepsake.json", keepsake("export", **own_database, **UNTRACED).stdout)
        archive.writestr("keepsake.md", "# All of it")
    copied, again = (keepsake("import", "mine.zip", "--user", "telegram:5", **own_database, **UNTRACED) for _ in "12")

    assert [line.partition("%")[0] for line in told(copied) if "100 %" in line] == ["Reading: 100 ", "Importing: 100 "]
    assert told(copied)[-1] == texts.IMPORT_DONE.format(count=1, user="telegram:5")
    assert (again.returncode, told(again)[-1]) == (0, texts.IMPORT_REPEATED.format(path="mine.zip", user="telegram:5"))


def test_ctrl_c_ends_it_at_once_and_the_next_run_goes_on(
    keepsake: Keepsake, own_database: dict[str, str], here: Here, importing: Importing, arming: Arming, folder: Path
) -> None:
    _write_many(folder, MANY)
    arming.hold_at("batch imported")
    with importing() as program:
        until(lambda: arming.was_hit and psutil.Process(program.pid).status() == psutil.STATUS_STOPPED)
        program.send_signal(signal.SIGINT)
        assert program.end(signal.SIGCONT) == 128 + signal.SIGINT
    done = here.kept()
    went_on = keepsake("import", "result.json", **own_database, **UNTRACED)

    assert AT_ONCE <= done < MANY  # what was being committed as it was told to end may be in
    assert imported(MANY - done, done) in told(went_on)


def test_killed_again_and_again_it_ends_as_if_it_had_not_been(
    keepsake: Keepsake, own_database: dict[str, str], here: Here, importing: Importing, arming: Arming, folder: Path
) -> None:
    """After a batch was committed, and in the middle of the transaction of one."""
    _write_many(folder, MANY)
    for point, time, reached in (
        ("batch imported", 1, AT_ONCE),
        ("batch imported", 3, 3 * AT_ONCE),  # the first one is known by now
        ("batch in a transaction", 1, 3 * AT_ONCE),
    ):
        arming.kill_at(point, time=time)
        with importing() as program:
            assert program.wait() == -signal.SIGKILL
        assert here.kept() == reached

    went_on = keepsake("import", "result.json", **own_database, **UNTRACED)
    whole = here.rows("SELECT id, seq, message_seq, ts, content::text FROM events ORDER BY seq")
    chunks = here.rows("SELECT id, text FROM chunks ORDER BY id")
    again = keepsake("import", "result.json", **own_database, **UNTRACED)

    assert imported(MANY - 3 * AT_ONCE, 3 * AT_ONCE) in told(went_on)
    assert imported(0, MANY) in told(again)
    assert [row[1] for row in whole] == list(range(MANY))
    assert [row[4] for row in whole] == [row[4] for row in sorted(whole, key=lambda row: row[3])]
    assert len(chunks) == MANY
    assert here.rows("SELECT id, seq, message_seq, ts, content::text FROM events ORDER BY seq") == whole
    assert here.rows("SELECT id, text FROM chunks ORDER BY id") == chunks


def test_a_large_file_takes_no_more_room_than_a_small_one(importing: Importing, here: Here, folder: Path) -> None:
    _write_many(folder, 200)
    with importing("--user", "telegram:111") as small:
        assert small.wait() == 0
    size = _write_many(folder, LARGE, padding=12_600)
    with importing() as large:
        assert large.wait() == 0

    assert size > 20_000_000
    assert here.kept() == LARGE
    assert large.megabytes - small.megabytes < 20, (small.megabytes, large.megabytes)


def _write_many(folder: Path, count: int, padding: int = 0) -> int:
    """Most of a large export tells what nobody reads: how each word was drawn, and who liked it."""
    drawn = [{"type": "plain", "text": "x" * 100, "document_id": str(n)} for n in range(padding // 150)]
    with (folder / "result.json").open("w") as file:
        file.write('{"name": "Ben", "type": "personal_chat", "id": 222, "messages": [')
        for number in range(1, count + 1):
            message = telegram_message(number, f"Number {number} is about the weather in town {number}")
            more = {"reactions": drawn}
            file.write(("," if number > 1 else "") + json.dumps({**message, **more}))
        file.write("]}")
    return (folder / "result.json").stat().st_size
