"""Every reason has a code and a sentence; an error carries the code and its values wherever it goes."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import memory
from bot.language import OFFLINE_LOCALE
from memory import errors
from memory.errors import CodedError, KeyMissing, ModelAway, NotFound, Refused, translate_error
from memory.model.brain import Message, Request, Text, TextDelta, ToolUse
from memory.model.offline import OfflineBrain
from memory.model.steps import limit_results, render_result
from memory.model.tools.add_to_memory import AddToMemory
from memory.model.tools.base import Caller, Tool, run_tool
from memory.refusals import ENGLISH_ONLY, SENTENCES, Refusal
from memory.translation import Plural, use_language
from tests.catalogue_files import translations_of

ROOT = Path(memory.__path__[0]).parent
CALL = ToolUse("t1", "add_to_memory", {"content": "I like tea", "category": "preference"})


def modules() -> Iterator[tuple[str, ast.Module]]:
    for folder in ("api", "bot", "memory"):
        for path in (ROOT / folder).rglob("*.py"):
            yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def test_every_code_has_a_sentence_in_the_order_of_the_codes() -> None:
    assert list(SENTENCES) == list(Refusal)
    assert set(Refusal) >= ENGLISH_ONLY


def test_every_code_is_used() -> None:
    used = {
        node.attr
        for name, tree in modules()
        for node in ast.walk(tree)
        if name != "memory/refusals.py" and isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Refusal"
    }

    assert used == {code.name for code in Refusal}


def test_a_sentence_of_memory_stands_in_the_table_and_not_where_it_is_raised() -> None:
    kinds = {name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, CodedError)}
    kinds -= {"PortTaken"}  # its first argument is a variable
    written = [
        f"{name}:{node.lineno}"
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds
        for reason in node.args[:1]
        if isinstance(reason, ast.JoinedStr) or (isinstance(reason, ast.Constant) and reason.value)
    ]

    assert written == []


def test_a_sentence_is_english_for_models_and_translated_for_people(tmp_path: Path) -> None:
    refusal = Refused(Refusal.SPACE_NAME, field="name", most=100)
    many = Refused(Refusal.TOO_MANY_CARDS, count=1)
    german: dict[str | Plural, str | tuple[str, ...]] = {
        SENTENCES[Refusal.SPACE_NAME]: "Ein Raumname hat 1 bis {most} Zeichen.",
        SENTENCES[Refusal.TOO_MANY_CARDS]: ("Eine Karte wartet.", "{count} Karten warten."),
    }
    with translations_of(tmp_path, "de", german), use_language("de"):
        assert translate_error(refusal) == "Ein Raumname hat 1 bis 100 Zeichen."
        assert translate_error(many) == "Eine Karte wartet."
        assert translate_error(NotFound()) == ""
        assert translate_error(KeyMissing("{braces} of a person's own")) == "{braces} of a person's own"
        assert str(refusal) == "The name of a space has to be 1 to 100 characters long."
        assert str(many) == "Not asked: 1 card is already waiting for an answer."
    assert translate_error(refusal) == str(refusal)
    assert str(ModelAway(Refusal.MODEL_TIMEOUT, most=0.5)) == "The model took longer than 0.5 seconds."


def test_code_and_values_come_back_from_another_process() -> None:
    before = Refused(Refusal.CONTENT_TOO_LONG, field="goal", name="goal", most=2000)

    after = pickle.loads(pickle.dumps(before))

    assert (type(after), str(after), after.code, after.field, after.values) == (
        Refused,
        str(before),
        Refusal.CONTENT_TOO_LONG,
        "goal",
        {"name": "goal", "most": 2000},
    )


def test_a_code_is_its_name_in_small_letters() -> None:
    assert all(code == code.name.lower() and re.fullmatch(r"[a-z0-9_]+", code) for code in Refusal)


async def test_what_a_tool_refuses_is_spoken_by_the_offline_brain_in_the_users_language(
    tmp_path: Path, caller: Caller
) -> None:
    async def refuse(args: AddToMemory, caller: Caller) -> str:
        raise Refused(Refusal.FACT_LENGTH, field="content", least=5, most=500)

    result = await run_tool({CALL.name: Tool(CALL.name, AddToMemory, refuse)}, CALL, caller)
    [result] = [render_result(each) for each in limit_results([result], room=1000)]
    request = Request(
        "", "", (Message("user", (Text("note it"),)), Message("assistant", (CALL,)), Message("user", (result,)))
    )
    german: dict[str | Plural, str] = {SENTENCES[Refusal.FACT_LENGTH]: "Nicht gemerkt: {least} bis {most} Zeichen."}
    with translations_of(tmp_path, "de", german), use_language("de"):
        [said, _] = [delta async for delta in OfflineBrain(OFFLINE_LOCALE).answer(request)]

    assert said == TextDelta("Nicht gemerkt: 5 bis 500 Zeichen.")
    assert result.content == "Not stored: a memory has to be 5 to 500 characters long."


@pytest.fixture
def caller() -> Caller:
    from datetime import UTC, datetime

    from db.queries.people.people import Choices
    from db.viewer import Viewer
    from db.vocabulary import Mode

    choices = Choices("UTC", Mode.CONFIRM, frozenset())
    now = datetime(2026, 11, 18, tzinfo=UTC)
    viewer = Viewer.in_private("home", "test:ada")
    return Caller(None, viewer, "", "", now, choices)  # type: ignore[arg-type]
