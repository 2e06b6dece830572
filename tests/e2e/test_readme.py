"""The conversation that the README shows is one that the program has, but for ids and days."""

import re
from pathlib import Path

from bot import texts
from tests.e2e.conftest import Keepsake

README = Path(__file__).resolve().parents[2] / "README.md"
ID = re.compile(r"(?<=\[)[A-Za-z0-9]{8}(?=\])|(?<=(?:undo|cept|ject) )[A-Za-z0-9]{8}")
DAY = re.compile(r"\d{1,2} [A-Z][a-z]+ \d{4}")


def without_ids_and_days(lines: list[str]) -> list[str]:
    return [DAY.sub("DAY", ID.sub("ID", line)) for line in lines if line]


def test_the_program_answers_as_the_readme_shows(keepsake: Keepsake, own_database: dict[str, str]) -> None:
    [transcript] = re.findall(r"```text\n\$ make run\n(.*?)```", README.read_text(), re.DOTALL)
    lines = transcript.splitlines()
    typed = [line.removeprefix(texts.PROMPT) for line in lines if line.startswith(texts.PROMPT)]
    shown = [line for line in lines if not line.startswith(texts.PROMPT) and line != texts.START_HINT]
    ran = keepsake(typed="\n".join(typed).encode(), **own_database)

    assert len(typed) > 5
    assert without_ids_and_days(ran.stdout.decode().splitlines()) == without_ids_and_days(shown)
