"""Cutting: at sentence ends, never too long in any script, nothing lost, and the same whenever it is done again."""

from hypothesis import given
from hypothesis import strategies as st

from db.ids import derived_id
from db.vocabulary import EventKind
from memory.context.items import evidence_item
from memory.context.sections import HEADING
from memory.model.tokens import estimate
from memory.retrieval.chunks import MAX_LENGTH, MAX_TOKENS, make_event_chunks, searchable_text, split_text
from tests.conftest import NOON
from tests.tables import table

SCRIPTS = {
    "english": "I moved to Berlin in the spring, and I work as a gardener there. ",
    "russian": "Весной я переехал в Берлин и работаю там садовником. ",
    "chinese": "我春天搬到了柏林，在那里当园丁。",
    "japanese": "春にベルリンへ引っ越して、そこで庭師として働いています。",
    "thai": "ฤดูใบไม้ผลิผมย้ายไปเบอร์ลินและทำงานเป็นคนสวนที่นั่น",
    "hindi": "मैं वसंत में बर्लिन चला गया और वहाँ माली का काम करता हूँ। ",
    "arabic": "انتقلت إلى برلين في الربيع وأعمل هناك بستانيا. ",
    "georgian": "გაზაფხულზე ბერლინში გადავედი და იქ მებაღედ ვმუშაობ. ",
    "numbers": "4815162342",
    "emoji": "ok 👩🏽‍🌾👨‍👩‍👧‍👦 ",
}

SENTENCES = st.lists(
    st.sampled_from(
        [
            "I like tea. ",
            "Wo wohnst du? ",
            "他住在北京。",
            "مرحبا بك؟ ",
            "- a point\n",
            "x" * 3000,
            "wide words " * 200,
            "😀",
            *SCRIPTS.values(),
        ]
    ),
    max_size=40,
)


@given(SENTENCES)
def test_no_part_is_too_long_and_no_letter_is_lost(sentences: list[str]) -> None:
    text = "".join(sentences)
    parts = split_text(text)

    assert all(0 < len(part) <= MAX_LENGTH and estimate(part) <= MAX_TOKENS for part in parts)
    kept = "".join("".join(parts).split())
    assert [sign for sign in kept if sign.isalnum()] == [sign for sign in text if sign.isalnum()]


def test_a_long_text_is_cut_where_a_sentence_ends() -> None:
    parts = split_text("This is a sentence of some length. " * 100)

    assert len(parts) == 4
    assert all(part.endswith("length.") for part in parts)


@table("script", SCRIPTS)
def test_a_part_fits_into_the_evidence_of_a_chat_in_every_script(script: str) -> None:
    parts = split_text(SCRIPTS[script] * 100)
    id = derived_id("chk", "evt_01J", 0)
    shown = [evidence_item(id, "evt_01J", 0, "Caroline", NOON, part, [], superseded=False) for part in parts]

    assert max(map(estimate, parts)) <= MAX_TOKENS <= 300
    assert min(item.tokens for item in shown[:-1]) > 150
    assert HEADING + 2 * max(item.tokens for item in shown) <= 800


def test_a_letter_keeps_its_marks_and_an_emoji_stays_one() -> None:
    for sign in ("ก้", "e\u0301\u0323", "👩🏽\u200d🌾"):
        for before in range(4):
            parts = split_text("x" * before + f"{sign}1" * 500)

            assert len(parts) > 1
            assert all(part.strip("x").replace(f"{sign}1", "") in {"", "1", sign, f"1{sign}"} for part in parts)


def test_what_says_nothing_is_no_chunk() -> None:
    assert split_text(" \n… !! ██ 😀") == []


def test_each_kind_of_event_has_its_words() -> None:
    decided = {
        "decision": "We use Rust.",
        "rationale": ["it is fast"],
        "constraints": ["by May"],
        "alternatives": ["C"],
    }

    assert searchable_text(EventKind.MESSAGE, {"text": "hello", "caption": "a dog"}) == "hello\na dog"
    assert searchable_text(EventKind.TOOL_RESULT, {"excerpt_text": "42", "tool": "x"}) == "42"
    assert searchable_text(EventKind.DECISION, decided) == "We use Rust.\nit is fast\nby May"
    assert searchable_text(EventKind.TASK_UPDATE, {"title": "Buy milk", "status": "open"}) == "Buy milk"
    shown = {
        "artifact_id": "art_1",
        "text": "Sales rose.",
        "mime": "text/csv",
        "name": "sales.csv",
        "description": "Q3",
    }
    assert searchable_text(EventKind.ARTIFACT, shown) == "sales.csv\nQ3\nSales rose."
    assert searchable_text(EventKind.TOOL_CALL, {"arguments": {"query": "secret plans"}}) == ""
    assert searchable_text(EventKind.MESSAGE, {"text": 5}) == ""


def test_chunks_that_are_made_again_are_the_same_chunks() -> None:
    once, again = (make_event_chunks("evt_01J", EventKind.MESSAGE, {"text": "Hello there. " * 100}) for _ in range(2))

    assert once == again
    assert [chunk.part for chunk in once] == [0, 1, 2, 3]
    assert len({chunk.id for chunk in once}) == 4


def test_decisions_weigh_more_than_tasks_and_these_more_than_words() -> None:
    weights = [
        make_event_chunks("evt_01J", kind, content)[0].importance
        for kind, content in (
            (EventKind.DECISION, {"decision": "We use Rust."}),
            (EventKind.TASK_UPDATE, {"title": "Learn Rust"}),
            (EventKind.MESSAGE, {"text": "Rust is nice"}),
            (EventKind.TOOL_RESULT, {"excerpt_text": "rust 1.90"}),
        )
    ]

    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 4
