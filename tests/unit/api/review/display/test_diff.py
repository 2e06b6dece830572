"""What changed between two texts, for a reader."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from api.review.display.diff import DiffPart, diff, pieces
from tests.tables import table


def marked(before: str, after: str) -> str:
    """The difference in signs: [-gone-] and {+come+}."""
    signs = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    return "".join(signs[part.kind].format(part.text) for part in diff(before, after))


@table(
    ("before", "after", "shown"),
    [
        ("I live in Porto", "I live in Porto", "I live in Porto"),
        ("I live in Porto", "I live in Lisbon", "I live in [-Porto-]{+Lisbon+}"),
        ("I live in Porto", "I now live in Porto", "I {+now +}live in Porto"),
        ("I live in Porto now", "I live in Porto", "I live in Porto[- now-]"),
        ("", "something new", "{+something new+}"),
        ("something old", "", "[-something old-]"),
        ("a cat", "two dogs", "[-a cat-]{+two dogs+}"),
        ("don’t ask", "don't ask", "[-don’t-]{+don't+} ask"),
        ("room 12", "room 13", "room [-12-]{+13+}"),
        ("Stop.", "Stop!", "Stop[-.-]{+!+}"),
    ],
)
def test_words_that_came_and_went_are_told_apart(before: str, after: str, shown: str) -> None:
    assert marked(before, after) == shown


@table(
    ("before", "after", "shown"),
    [
        ("我住在北京", "我住在上海", "我住在[-北京-]{+上海+}"),
        ("東京が好きです", "京都が好きです", "[-東-]京{+都+}が好きです"),
        ("ฉันชอบชา", "ฉันชอบกาแฟ", "ฉันชอบ[-ช-]{+ก+}า{+แฟ+}"),
        ("أحب القهوة", "أحب الشاي", "أحب [-القهوة-]{+الشاي+}"),
        ("मुझे चाय पसंद है", "मुझे कॉफ़ी पसंद है", "मुझे [-चाय-]{+कॉफ़ी+} पसंद है"),
    ],
)
def test_other_scripts_are_compared_by_what_they_have(before: str, after: str, shown: str) -> None:
    assert marked(before, after) == shown


@table("sign", ["👩‍👩‍👧‍👦", "👍🏽", "❤️", "🇵🇹", "é", "हि"])
def test_what_looks_like_one_sign_is_never_cut(sign: str) -> None:
    assert list(pieces(f"{sign}{sign}")) in ([sign, sign], [sign * 2])
    assert marked(f"love {sign}", "love") == f"love[- {sign}-]"


def test_two_flags_are_two() -> None:
    assert marked("🇵🇹🇩🇪", "🇵🇹🇫🇷") == "🇵🇹[-🇩🇪-]{+🇫🇷+}"


def test_white_space_between_two_changes_belongs_to_them() -> None:
    assert marked("one two three four", "one TWO THREE four") == "one [-two three-]{+TWO THREE+} four"


@given(st.text(max_size=60), st.text(max_size=60))
def test_nothing_is_lost_and_nothing_is_made_up(before: str, after: str) -> None:
    parts = diff(before, after)

    assert "".join(part.text for part in parts if part.kind != "added") == before
    assert "".join(part.text for part in parts if part.kind != "removed") == after
    assert all(one.kind != other.kind for one, other in pairwise(parts))


@table(
    ("before", "after"),
    [
        ("ab " * 166, "ba " * 166),
        ("🙂🙃" * 250, "🙃🙂" * 250),
        ("我喜欢" * 166, "喜我欢" * 166),
        ("a b" * 166, "b a" * 166),
    ],
)
def test_texts_that_look_alike_everywhere_are_told_apart(before: str, after: str) -> None:
    assert {part.kind for part in diff(before, after)} >= {"removed", "added"}


def test_equal_texts_have_no_difference() -> None:
    assert diff("🙂" * 500, "🙂" * 500) == [DiffPart("same", "🙂" * 500)]
