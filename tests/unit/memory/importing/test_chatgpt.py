"""What ChatGPT exports: the way through a tree to the last answer, without what nobody saw."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory.importing.files import find_export
from memory.importing.messages import ImportedMessage, SkipReason
from tests.exports import BEGAN, as_json, chatgpt_conversation, chatgpt_node, chatgpt_talk, heard, told
from tests.tables import table


def all_of(folder: Path, *conversations: Any) -> list[Any]:
    return told(find_export(as_json(folder, list(conversations))))


def test_a_talk_is_read_in_its_order(tmp_path: Path) -> None:
    export = find_export(as_json(tmp_path, [chatgpt_talk("I am Ada", "Hello Ada"), chatgpt_talk("More", id="c-2")]))
    first, answer, second = (each for each in told(export) if isinstance(each, ImportedMessage))

    assert export.format.kind == "chatgpt"
    assert (first.chat, first.key, first.text, first.by_assistant) == ("c-1", "c-1-0", "I am Ada", False)
    assert (answer.text, answer.by_assistant) == ("Hello Ada", True)
    assert answer.at == datetime.fromtimestamp(BEGAN + 60.5, UTC)
    assert second.chat == "c-2"


def test_only_what_leads_to_the_last_answer_is_read(tmp_path: Path) -> None:
    conversation = chatgpt_conversation(
        chatgpt_node("q", "root", "user", "Which tea?", create_time=BEGAN),
        chatgpt_node("a1", "q", "assistant", "Green", create_time=BEGAN + 1),
        chatgpt_node("a2", "q", "assistant", "Black", create_time=BEGAN + 2),
        chatgpt_node("t", "a1", "user", "Thanks", create_time=BEGAN + 3),
        last="a2",
    )
    found = all_of(tmp_path, conversation)

    assert [each.text for each in found if isinstance(each, ImportedMessage)] == ["Which tea?", "Black"]
    assert found.count(SkipReason.ABANDONED) == 2


def test_where_nothing_says_which_is_last_it_is_the_newest(tmp_path: Path) -> None:
    conversation = chatgpt_conversation(
        chatgpt_node("q", "root", "user", "Which tea?", create_time=BEGAN),
        chatgpt_node("a1", "q", "assistant", "Green", create_time=BEGAN + 9),
        chatgpt_node("a2", "q", "assistant", "Black", create_time=BEGAN + 2),
    )
    for last in (None, "gone", 5):
        conversation["current_node"] = last
        assert [each.text for each in heard(tmp_path, [conversation])] == ["Which tea?", "Green"]


def test_a_missing_time_is_that_of_what_came_before(tmp_path: Path) -> None:
    nodes = (
        chatgpt_node("q", "root", "user", "One", create_time=None),
        chatgpt_node("a", "q", "assistant", "Two", create_time=BEGAN + 7.25),
        chatgpt_node("r", "a", "user", "Three"),
    )
    times = [each.at.timestamp() - BEGAN for each in heard(tmp_path, [chatgpt_conversation(*nodes)])]
    timeless = all_of(tmp_path, chatgpt_conversation(*nodes, create_time=None))

    assert times == [0, 7.25, 7.25]
    assert timeless[0] == SkipReason.UNREADABLE
    assert [each.text for each in timeless[1:]] == ["Two", "Three"]


@table(
    "node",
    [
        chatgpt_node("n", "q", "system", "You are helpful"),
        chatgpt_node("n", "q", "tool", "result: 5"),
        chatgpt_node("n", "q", "assistant", 'search("x")', recipient="web"),
        chatgpt_node("n", "q", "assistant", content={"content_type": "code", "text": "print(5)"}),
        chatgpt_node("n", "q", "assistant", content={"content_type": "thoughts", "thoughts": []}),
        chatgpt_node("n", "q", "assistant", "Hmm", channel="analysis"),
        chatgpt_node("n", "q", "user", "My instructions", metadata={"is_user_system_message": True}),
        chatgpt_node("n", "q", "assistant", "", metadata={"is_visually_hidden_from_conversation": True}),
        chatgpt_node("n", "q", "user", content={"content_type": "user_editable_context", "user_profile": "I am"}),
        chatgpt_node("n", "q", "user", author="me"),
    ],
)
def test_what_nobody_saw_is_left_out_and_counted(tmp_path: Path, node: dict[str, Any]) -> None:
    first = chatgpt_node("q", "root", "user", "Hello")

    assert all_of(tmp_path, chatgpt_conversation(first, node))[1:] == [SkipReason.HIDDEN]


def test_words_are_found_among_pictures_and_voices_and_signs(tmp_path: Path) -> None:
    parts = ["Look at this", {"content_type": "image_asset_pointer", "asset_pointer": "x"}, "and that", None, 5]
    spoken = [{"content_type": "audio_transcription", "text": "Said aloud"}, {"content_type": "audio_asset_pointer"}]
    cited = "Porto\ue200cite\ue202turn0search1\ue201 is nice."
    files = {"attachments": [{"name": "plan.pdf"}, {"name": "a.png"}, {}]}
    found = all_of(
        tmp_path,
        chatgpt_conversation(
            chatgpt_node("a", "root", "user", content={"content_type": "multimodal_text", "parts": parts}),
            chatgpt_node("b", "a", "user", content={"content_type": "multimodal_text", "parts": spoken}),
            chatgpt_node("c", "b", "assistant", cited),
            chatgpt_node("d", "c", "user", "Read it", metadata=files),
            chatgpt_node("e", "d", "user", "", metadata=files),
            chatgpt_node("f", "e", "assistant", ""),
        ),
    )

    assert [each.text for each in found[:5]] == [
        "Look at this\n\nand that",
        "Said aloud",
        "Porto is nice.",
        "Read it",
        "plan.pdf, a.png",
    ]
    assert found[3].extra == found[4].extra == {"file": "plan.pdf, a.png"}
    assert found[5] == SkipReason.WORDLESS


@table(
    "mapping",
    [
        {},
        {"a": None},
        {"a": {"parent": "b", "message": None}, "b": {"parent": "a", "message": None}},
        {"a": {"parent": ["x"], "message": "hi"}},
        {"a": {"message": {"content": [], "author": 5, "metadata": "x"}}},
    ],
)
def test_a_tree_that_is_none_breaks_nothing(tmp_path: Path, mapping: dict[str, Any]) -> None:
    whole = chatgpt_talk("Hello", id="c-2")
    found = all_of(tmp_path, {**whole, "mapping": mapping}, whole, None, 5, {"title": "x"})

    assert [each.text for each in found if isinstance(each, ImportedMessage)] == ["Hello"]
    assert found[-3:] == [SkipReason.UNREADABLE] * 3
