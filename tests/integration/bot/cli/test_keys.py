"""`keepsake keys` on a database: what it prints, what it says beside that, and what it refuses."""

import json
import re
from collections.abc import Awaitable, Callable

import pytest

from bot import texts
from bot.cli.keys import run as keys_command
from bot.cli.registry import make_parser
from bot.language import translate_error
from db.viewer import Viewer
from memory.errors import Refused
from memory.people.keys import RateLimit, authenticate_key
from memory.refusals import SENTENCES, Refusal
from memory.settings import Settings
from memory.unit import Memory

KEY = re.compile(r"ks\.[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_-]{43}")
Typed = Callable[..., Awaitable[tuple[str, list[str]]]]
QUICK = RateLimit(burst=60, per_second=10.0)
NO_SUCH_KEY = str(SENTENCES[Refusal.KEY_NOT_FOUND])
AGENT_NAME = SENTENCES[Refusal.AGENT_NAME]
API_NAME = SENTENCES[Refusal.API_USER_NAME]
TENANT_NAME = SENTENCES[Refusal.TENANT_NAME]


@pytest.fixture
def typed(app_url: str, tenant: str, capsys: pytest.CaptureFixture[str]) -> Typed:
    """Types a command; gives what is printed, and what is said beside it."""
    parser = make_parser()
    settings = Settings.model_validate({"DATABASE_URL": app_url, "KEEPSAKE_TENANT": tenant})

    async def run(*words: str) -> tuple[str, list[str]]:
        beside: list[str] = []
        assert await keys_command(settings, parser.parse_args(["keys", *words]), beside.append) == 0
        return capsys.readouterr().out, beside

    return run


def id_in(beside: list[str]) -> str:
    return " ".join(beside).partition("key_")[2][:26]


async def test_a_key_is_printed_alone_and_told_about_once(typed: Typed, memory: Memory, tenant: str) -> None:
    printed, beside = await typed("new", "--user", "api:ada", "--name", "my laptop")
    key, key_id = printed.removesuffix("\n"), f"key_{id_in(beside)}"
    listed, nothing = await typed("list")

    assert KEY.fullmatch(key)
    assert key.startswith(f"ks.{tenant}.")
    assert beside == [
        texts.KEY_MADE.format(id=key_id, scopes="read, write"),
        texts.KEY_WHOSE["owner"].format(user="api:ada"),
    ]
    assert nothing == []
    assert re.search(rf"^{key_id}  my laptop  api:ada  –      read,write  [\d: -]+  –  +–$", listed, re.M)
    assert key.rpartition(".")[2] not in listed
    bearer = await authenticate_key(memory, key, QUICK)
    assert bearer is not None
    assert bearer.is_owner


async def test_each_kind_of_key_says_whose_word_it_carries(typed: Typed, ada: Viewer, memory: Memory) -> None:
    kinds = {
        "own agent": ["--user", ada.person, "--agent", "coder"],
        "agent": ["--agent", "coder", "--scope", "read"],
        "tenant": ["--scope", "admin,read"],
    }
    for whose, words in kinds.items():
        printed, beside = await typed("new", *words)
        assert beside[-1] == texts.KEY_WHOSE[whose].format(user=ada.person, agent="coder")
        bearer = await authenticate_key(memory, printed.strip(), QUICK)
        assert bearer is not None
        assert not bearer.is_owner
    rows = json.loads((await typed("list", "--json"))[0])
    assert [(row["user"], row["agent"], row["scopes"]) for row in rows] == [
        (ada.person, "coder", ["read", "write"]),
        (None, "coder", ["read"]),
        (None, None, ["admin", "read"]),
    ]


async def test_a_revoked_key_opens_nothing_and_is_still_in_the_list(typed: Typed, memory: Memory) -> None:
    printed, beside = await typed("new", "--user", "api:ada")
    key_id = f"key_{id_in(beside)}"
    assert await authenticate_key(memory, printed.strip(), QUICK)

    assert (await typed("revoke", key_id)) == ("", [texts.KEY_REVOKED.format(id=key_id)])
    assert await authenticate_key(memory, printed.strip(), QUICK) is None
    [row] = json.loads((await typed("list", "--json"))[0])
    assert row["last_used_at"] < row["revoked_at"]
    with pytest.raises(Refused, match=NO_SUCH_KEY):
        await typed("revoke", key_id)


WRONG = {
    ("new", "--tenant", "no name"): TENANT_NAME,
    ("new", "--tenant", "x" * 65): TENANT_NAME,
    ("new", "--tenant", "a.b"): TENANT_NAME,
    ("new", "--user", "telegram:1"): str(Refused(Refusal.KEY_USER_NOT_FOUND, user="telegram:1")),
    ("new", "--user", ""): str(Refused(Refusal.KEY_USER_NOT_FOUND, user="")),
    ("new", "--user", "api:"): API_NAME,
    ("new", "--user", "api:ada lovelace"): API_NAME,
    ("new", "--user", "api:ada\udcff"): API_NAME,
    ("new", "--user", f"api:{'a' * 65}"): API_NAME,
    ("new", "--agent", ""): AGENT_NAME,
    ("new", "--agent", "a" * 65): AGENT_NAME,
    ("new", "--agent", "\udcff"): AGENT_NAME,
    ("new", "--scope", "everything"): texts.KEY_SCOPES,
    ("new", "--scope", ""): texts.KEY_SCOPES,
    ("new", "--scope", "\udcff"): texts.KEY_SCOPES,
    ("new", "--name", "n" * 101): "The name of a key may have at most 100 characters.",
    ("list", "--tenant", "nobody"): texts.NO_SUCH_TENANT.format(tenant="nobody"),
    ("list", "--tenant", "\udcff"): texts.NO_SUCH_TENANT.format(tenant="\ufffd"),
    ("revoke", "key_nonsense"): NO_SUCH_KEY,
    ("revoke", "\udcff"): NO_SUCH_KEY,
    ("revoke", "key_nonsense", "--tenant", "nobody"): texts.NO_SUCH_TENANT.format(tenant="nobody"),
}


async def test_what_is_wrong_is_one_clear_line_and_makes_nothing(
    typed: Typed, capsys: pytest.CaptureFixture[str]
) -> None:
    told: dict[tuple[str, ...], str] = {}
    for words in WRONG:
        try:
            told[words] = f"was done: {await typed(*words)}"
        except Refused as refused:
            told[words] = translate_error(refused) + capsys.readouterr().out

    assert told == WRONG
    assert (await typed("list"))[0] == f"{texts.KEYS_NONE}\n"


async def test_a_name_is_kept_in_one_line_without_what_nobody_sees(typed: Typed) -> None:
    await typed("new", "--name", "a\n\x1b[2J b\u202e\udcff")

    [row] = json.loads((await typed("list", "--json"))[0])
    assert row["name"] == "a ␛[2J b\ufffd"


async def test_another_tenant_begins_with_its_first_key_and_has_a_list_of_its_own(typed: Typed, tenant: str) -> None:
    other = f"{tenant}-acme"
    printed, beside = await typed("new", "--tenant", other, "--agent", "coder")
    key_id = f"key_{id_in(beside)}"

    assert printed.startswith(f"ks.{other}.")
    assert beside[0] == texts.KEY_NEW_TENANT.format(tenant=other)
    assert len((await typed("new", "--tenant", other))[1]) == 2
    assert (await typed("list"))[0] == f"{texts.KEYS_NONE}\n"
    assert key_id in (await typed("list", "--tenant", other))[0]
    with pytest.raises(Refused, match=NO_SUCH_KEY):
        await typed("revoke", key_id)
    assert (await typed("revoke", key_id, "--tenant", other))[1] == [texts.KEY_REVOKED.format(id=key_id)]


async def test_a_user_who_is_refused_begins_no_tenant(typed: Typed, tenant: str) -> None:
    with pytest.raises(Refused):
        await typed("new", "--tenant", f"{tenant}-acme", "--user", "telegram:1")
    with pytest.raises(Refused, match="There is no tenant"):
        await typed("list", "--tenant", f"{tenant}-acme")
