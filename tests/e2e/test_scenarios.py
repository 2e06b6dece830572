"""The six scenarios of source 004 in the terminal, each with a scripted Claude and with the offline brain."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot import texts
from db.vocabulary import ProposalKind
from tests.e2e.child import UNTRACED
from tests.e2e.conftest import Keepsake
from tests.scripted_model import QUIETLY, Calls, Says, Step, Thought, model_for_a_process

pytestmark = pytest.mark.slow

Talk = Callable[..., list[str]]
BRAINS = ("scripted", "offline")


@pytest.fixture(params=BRAINS)
def brain(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def talk(keepsake: Keepsake, own_database: dict[str, str], brain: str) -> Talk:
    """One run of the program: what is typed, what the model does (where there is one), what is printed."""

    def run(*typed: str, model: tuple[Step | Thought, ...] = ()) -> list[str]:
        with served(brain, model) as variables:
            lines = "".join(f"{line}\n" for line in typed).encode()
            ran = keepsake(typed=lines, **own_database, **variables, **UNTRACED)
        assert ran.returncode == 0, ran.stdout.decode() + ran.stderr.decode()
        return ran.stdout.decode().splitlines()[1:]

    return run


@contextmanager
def served(brain: str, script: tuple[Step | Thought, ...]) -> Iterator[dict[str, str]]:
    if brain == "offline":
        yield {}
        return
    with model_for_a_process(*script) as model:
        yield {**QUIETLY, "ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model.url}
        assert model.script == []


def add(content: str, category: str, subject: str | None = None) -> Calls:
    return Calls("add_to_memory", {"content": content, "category": category, "subject": subject})


def id_in(text: str, words: str) -> str:
    """The id under which some words stand in a prompt or on the screen."""
    found = re.search(rf"\[(?:id:)?([A-Za-z0-9]{{8}})\][^\n]*{re.escape(words)}", text)
    assert found, f"no id for {words!r} in {text!r}"
    return found[1]


def memory_of(request: dict[str, Any]) -> str:
    return "\n".join(block["text"] for block in request["system"])


def said(lines: list[str], words: str) -> bool:
    return any(words in line for line in lines)


def test_1_a_fact_is_suggested_and_stored_on_yes(talk: Talk) -> None:
    lines = talk(
        "Alec is my boss by the way",
        "Yes",
        "/memory",
        model=(add("Alec is my boss", "person", "Alec"), Says(("Would you like me to remember that?",))),
    )

    [asked] = [line for line in lines if line.startswith("▸")]
    assert asked.endswith("] Alec is my boss")
    assert said(lines, "✓ Remembered [")
    assert said(lines, "What I remember about you (1):")


def test_2_what_is_remembered_is_there_in_a_new_conversation(talk: Talk) -> None:
    talk("remember that Alec is my boss", model=(add("Alec is my boss", "person", "Alec"), Says(("Noted.",))))

    def knows(request: dict[str, Any]) -> Says:
        assert "[Alec] Alec is my boss" in memory_of(request)
        return Says(("I'll create a task to update Alec, your boss: Alec is my boss.",))

    assert said(talk("who is my boss?", model=(knows,)), "Alec is my boss")


def test_3_what_changed_is_updated_with_a_receipt(talk: Talk) -> None:
    words = "Sarah works on the Platform team"
    talk(f"remember that {words}", model=(add(words, "person", "Sarah"), Says(("Noted.",))))

    def changes(request: dict[str, Any]) -> Calls:
        memory_id = id_in(memory_of(request), words)
        return Calls("update_memory", {"memory_id": memory_id, "content": "Sarah moved to the Design team"})

    lines = talk("Sarah moved to the Design team", "/memory", model=(changes, Says(("Updated.",))))

    assert said(lines, f"]: Sarah moved to the Design team (was: {words}) · undo: /memory undo ")
    assert said(lines, "What I remember about you (1):")
    fact_id = id_in("\n".join(lines), "Sarah moved to the Design team")
    shown = talk(f"/memory history {fact_id}", "/memory undo", "/memory")
    assert [line[2:4] for line in shown[1:3]] == ["1.", "2."]
    assert said(shown, f"✓ Changed [{fact_id}]: {words}")
    assert shown[-1] == f"  [{fact_id}] {words}"


def test_4_what_the_user_declines_is_not_stored(talk: Talk) -> None:
    lines = talk(
        "James is my colleague on this project",
        "No, it's just for this task",
        "/memory",
        model=(
            add("James is a project collaborator", "person", "James"),
            Says(("Would you like me to remember that?",)),
            Says(("No problem.",)),
        ),
    )

    assert sum(line.startswith("▸") for line in lines) == 1
    assert lines[-3:] == ["No problem.", texts.CARD_REJECTED[ProposalKind.ADD], texts.MEMORY_LIST_EMPTY]


def remember_two(talk: Talk) -> str:
    """Two facts, and what /memory then shows."""
    model = (
        add("Alec is my boss", "person", "Alec"),
        Says(("Noted.",)),
        add("I prefer Thursday due dates", "preference"),
        Says(("Noted.",)),
    )
    lines = talk("remember that Alec is my boss", "remember that I prefer Thursday due dates", "/memory", model=model)
    return "\n".join(lines[lines.index("What I remember about you (2):") :])


def test_5_the_list_is_grouped_by_category_with_ids(talk: Talk) -> None:
    shown = remember_two(talk)

    assert re.fullmatch(
        r"What I remember about you \(2\):\n"
        r"People\n  \[[A-Za-z0-9]{8}\] Alec is my boss\n"
        r"Preferences\n  \[[A-Za-z0-9]{8}\] I prefer Thursday due dates",
        shown,
    )


def test_6_a_fact_is_deleted_directly_and_can_be_undone(talk: Talk) -> None:
    fact_id = id_in(remember_two(talk), "I prefer Thursday due dates")
    lines = talk(f"/memory delete {fact_id}", "/memory", "/memory undo", "/memory search due dates")

    assert lines == [
        f"✓ Deleted [{fact_id}]: I prefer Thursday due dates · undo: /memory undo {fact_id}",
        "What I remember about you (1):",
        "People",
        lines[3],
        f"✓ Remembered again [{fact_id}]: I prefer Thursday due dates",
        f"[{fact_id}] I prefer Thursday due dates",
    ]
