"""`keepsake keys` from the outside: a shell takes the key, and it opens a daemon on the same database."""

import json
import re
import subprocess
from pathlib import Path

import httpx
import pytest

from bot import texts
from memory.refusals import SENTENCES, Refusal
from tests.conftest import wait_until_stopped
from tests.e2e.child import UNTRACED, Completed
from tests.e2e.conftest import PATIENT, PROGRAM, Keepsake
from tests.e2e.daemon import serving
from tests.e2e.program import running, settings_for
from tests.e2e.talking import ask
from tests.telegram import telegram_for_a_process
from tests.waiting import STUCK

pytestmark = pytest.mark.slow

KEY = re.compile(r"ks\.[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_-]{43}")
NO_SUCH_KEY = str(SENTENCES[Refusal.KEY_NOT_FOUND])


def told(ran: Completed) -> list[str]:
    lines = ran.stderr.decode().splitlines()
    assert not [line for line in lines if "Traceback" in line]
    return lines


def made(ran: Completed) -> tuple[str, str]:
    """The key and its id."""
    assert ran.returncode == 0, ran.stderr.decode()
    key = ran.stdout.decode().removesuffix("\n")
    assert KEY.fullmatch(key)
    found = re.search(r"key_[0-9A-Z]{26}", ran.stderr.decode())
    assert found
    return key, found[0]


def status(url: str, key: str) -> int:
    """Of a call that needs a key."""
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.get(f"{url}/api/v1/memory", headers=headers, timeout=STUCK, trust_env=False, verify=False).status_code


def test_a_shell_takes_the_key_and_an_output_that_is_full_or_closed_leaves_none(
    keepsake: Keepsake,
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    command: dict[str, str],
) -> None:
    def typed(line: str) -> Completed:
        settings = {**environment, **own_database, **UNTRACED, **command, **PATIENT}
        return subprocess.run(["sh", "-c", line], env=settings, cwd=folder, capture_output=True)

    shown = typed('KEY=$($PROGRAM keys new --agent coder) && printf "%s" "[$KEY]"')
    full, closed = typed("$PROGRAM keys new > /dev/full"), typed(f"{' '.join(PROGRAM)} keys new >&-")

    assert KEY.fullmatch(shown.stdout.decode().strip("[]"))
    assert len(told(shown)) == 2
    assert (full.returncode, closed.returncode) == (1, 1)
    assert (len(told(full)), told(closed)) == (1, [f"· {texts.NO_OUTPUT}"])
    rows = json.loads(keepsake("keys", "list", "--json", **own_database, **UNTRACED).stdout)
    assert [(row["agent"], row["revoked_at"] is None) for row in rows] == [("coder", True), (None, False)]


def test_keys_are_made_and_revoked_while_the_daemon_runs_on_the_same_embedded_database(
    keepsake: Keepsake, environment: dict[str, str], folder: Path, data: Path
) -> None:
    with serving(environment, folder) as url:
        key, key_id = made(keepsake("keys", "new", "--user", "api:ada", **UNTRACED))
        before = status(url, key)
        revoked = keepsake("keys", "revoke", key_id, **UNTRACED)
        after = status(url, key)
        again = keepsake("keys", "revoke", key_id, **UNTRACED)

    assert (before, after) == (200, 401)
    assert (revoked.stdout, told(revoked)) == (b"", [f"· {texts.KEY_REVOKED.format(id=key_id)}"])
    assert (again.returncode, again.stdout, told(again)) == (1, b"", [f"· {NO_SUCH_KEY}"])
    wait_until_stopped(data)


def test_keys_are_made_while_the_bot_runs_for_people_whom_it_knows(
    keepsake: Keepsake, environment: dict[str, str], folder: Path, data: Path
) -> None:
    with telegram_for_a_process() as telegram, running({**environment, **settings_for(telegram)}, folder):
        ada = telegram.person(11, "Ada")
        ask(telegram, ada, "hello")
        known = keepsake("keys", "new", "--user", "telegram:11", "--agent", "coder", **UNTRACED)
        unknown = keepsake("keys", "new", "--user", "telegram:12", **UNTRACED)
        made(known)

        assert told(known)[-1] == f"· {texts.KEY_WHOSE['own agent'].format(user='telegram:11', agent='coder')}"
        assert (unknown.returncode, len(told(unknown))) == (1, 1)
        ask(telegram, ada, "hello again")

        assert len(ada.answers()) == 2
