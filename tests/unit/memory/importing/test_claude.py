"""What Claude exports: what was said, without what was thought and done with tools."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.importing.files import find_export
from memory.importing.messages import ImportedMessage, SkipReason
from memory.language.orders import own_texts
from tests.exports import BEGAN, as_json, claude_message, claude_talk, heard, told
from tests.tables import table


def test_a_talk_is_read_in_its_order(tmp_path: Path) -> None:
    export = find_export(as_json(tmp_path, [claude_talk("I am Ada", "Hello Ada")]))
    first, answer = (each for each in told(export) if isinstance(each, ImportedMessage))

    assert export.format.kind == "claude"
    assert (first.chat, first.key, first.text, first.by_assistant) == ("t-1", "m-0", "I am Ada", False)
    assert first.at.replace(microsecond=0) == datetime.fromtimestamp(BEGAN, UTC)
    assert (answer.text, answer.by_assistant) == ("Hello Ada", True)


def test_of_an_answer_in_parts_what_was_said_is_read(tmp_path: Path) -> None:
    parts = [
        {"type": "thinking", "thinking": "Hmm"},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "name": "search", "input": {"text": "never"}},
        {"type": "tool_result", "content": [{"type": "text", "text": "never"}]},
        {"type": "text", "text": "It is Lima."},
        {"type": "text", "text": None},
        "never",
    ]
    plain = "Let me look.\n```\nThis block is not supported on your current device yet.\n```\nIt is Lima."
    only_tools = claude_message(3, plain, content=parts[2:4])
    found = told(
        find_export(
            as_json(tmp_path, [claude_talk("Capital?", claude_message(1, plain, content=parts), "More", only_tools)])
        )
    )

    assert [each.text for each in found[:3] if isinstance(each, ImportedMessage)] == [
        "Capital?",
        "Let me look.\n\nIt is Lima.",
        "More",
    ]
    assert found[3] == SkipReason.WORDLESS


@table("content", [None, [], "x"])
def test_an_older_export_has_the_words_alone(tmp_path: Path, content: Any) -> None:
    assert [each.text for each in heard(tmp_path, [claude_talk(claude_message(0, "Hello", content=content))])] == [
        "Hello"
    ]


def test_files_are_named_and_a_file_alone_is_no_word_of_its_sender(tmp_path: Path) -> None:
    files = {
        "attachments": [{"file_name": "a.txt", "extracted_content": "I am Zelda"}],
        "files": [{"file_name": "b.png"}],
    }
    with_words, alone = heard(
        tmp_path, [claude_talk(claude_message(0, "Read it", **files), claude_message(2, "", **files))]
    )

    assert (with_words.text, with_words.extra) == ("Read it", {"file": "a.txt, b.png"})
    assert (alone.text, alone.extra) == ("a.txt, b.png", {"file": "a.txt, b.png"})


@table("name", ["", "paste.txt", None])
def test_what_was_pasted_is_there_and_is_nobodys_statement(tmp_path: Path, name: str | None) -> None:
    pasted = {"attachments": [{"file_name": name, "extracted_content": 'I am a nurse\r\nin Rome\u2028"and a cook'}]}
    with_words, alone = heard(
        tmp_path, [claude_talk(claude_message(0, "I like it", **pasted), claude_message(2, "", **pasted))]
    )

    assert alone.text == '> I am a nurse\n> in Rome\n> "and a cook'
    assert with_words.text == f"I like it\n\n{alone.text}"
    assert (own_texts(with_words.text), own_texts(alone.text)) == (["I like it\n"], [])
    assert with_words.extra is None


def test_what_has_no_time_is_as_old_as_what_came_before(tmp_path: Path) -> None:
    talk = claude_talk("One", claude_message(1, "Two", created_at=None), claude_message(2, "Three", created_at="soon"))
    times = [each.at for each in heard(tmp_path, [talk])]
    timeless = told(
        find_export(as_json(tmp_path, [{**talk, "created_at": None}, {"chat_messages": talk["chat_messages"][1:]}]))
    )

    assert times == [times[0]] * 3
    assert timeless[-2:] == [SkipReason.UNREADABLE] * 2


@table("odd", [None, 5, "x", [], {}, {"chat_messages": 5}])
def test_what_is_no_talk_is_left_out(tmp_path: Path, odd: Any) -> None:
    found = told(find_export(as_json(tmp_path, [claude_talk("Hello", claude_message(1, "x", sender="system")), odd])))

    assert isinstance(found[0], ImportedMessage)
    assert found[1:] == [SkipReason.HIDDEN, SkipReason.UNREADABLE]


def test_a_message_that_is_none_is_left_out(tmp_path: Path) -> None:
    talk = claude_talk("Hello")
    talk["chat_messages"] += [None, 5, {}]

    assert told(find_export(as_json(tmp_path, [talk])))[1:] == [
        SkipReason.UNREADABLE,
        SkipReason.UNREADABLE,
        SkipReason.HIDDEN,
    ]
