"""`keepsake stats` after a chat with a scripted Claude: what it took, for everybody and for one person."""

import json

import pytest

from bot import texts
from tests.e2e.child import UNTRACED
from tests.e2e.conftest import Keepsake
from tests.scripted_model import QUIETLY, Calls, Says, model_for_a_process

pytestmark = pytest.mark.slow


def test_what_a_chat_took_is_told_as_a_table_and_as_json(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    before = keepsake("stats", **own_database, **UNTRACED)
    assert (before.returncode, before.stdout.decode().splitlines()[-1]) == (0, texts.STATS_NOTHING)

    with model_for_a_process(Calls("search_memory", {"query": "boss"}), Says(("Nobody.",))) as model:
        variables = {**QUIETLY, "ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url}
        assert keepsake(typed=b"who is my boss?\n", **own_database, **variables, **UNTRACED).returncode == 0
    table = keepsake("stats", **own_database).stdout.decode().splitlines()
    told = json.loads(keepsake("stats", "--days", "7", "--json", **own_database, **UNTRACED).stdout)

    assert table[0] == "The last 30 days, all users"
    assert table[2].split()[:7] == ["claude-sonnet-5-5", "2", "34", "14", "41%", "0", "10"]
    assert (told["days"], told["total"]["calls"], told["total"]["cost_microdollars"]) == (7, 2, 214)


def test_summaries_and_the_rot_of_a_memory_are_told(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    said = "remember that I eat meat\nremember that I do not eat meat\n"
    assert keepsake(typed=said.encode(), **own_database, **UNTRACED).returncode == 0
    chain = keepsake("stats", "--summaries", **own_database).stdout.decode()
    rot = keepsake("stats", "--audit", **own_database)
    told = json.loads(keepsake("stats", "--audit", "--json", **own_database, **UNTRACED).stdout)

    assert chain.splitlines()[0] == texts.CHAIN_EMPTY
    assert rot.returncode == 0
    assert [line.partition("] ")[2] for line in rot.stdout.decode().splitlines()[1:]] == [
        "I eat meat",
        "I do not eat meat",
    ]
    assert (told["facts"], len(told["contradictions"]), told["echoes"]) == (2, 1, [])


def test_who_is_not_known_has_no_stats_and_nobody_summaries_of_their_own(
    keepsake: Keepsake, own_database: dict[str, str]
) -> None:
    ran = keepsake("stats", "--user", "telegram:1", **own_database, **UNTRACED)

    assert ran.returncode == 1
    assert texts.NO_SUCH_USER.format(user="telegram:1") in ran.stderr.decode()
    of_one = keepsake("stats", "--summaries", "--user", "telegram:1", **own_database, **UNTRACED)
    assert (of_one.returncode, of_one.stdout) == (1, b"")
    assert texts.STATS_NOT_OF_ONE in of_one.stderr.decode()
