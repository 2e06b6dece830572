"""Charts: nothing overlaps, nothing leaves the picture, and whatever anybody wrote stays text."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from xml.etree.ElementTree import Element, fromstring

from hypothesis import given
from hypothesis import strategies as some

from api.review.display.charts import LETTER, WIDTH, ChartLabel, bars, columns, line, ticks, truncate, width_of
from db.vocabulary import Category
from tests.tables import table

ABOUT = ChartLabel("facts", "Memories over time", "From 1 to 12.")
FIRST = date(2026, 9, 17)
WIDE = "記憶" * 40
HOSTILE = "</text><script>alert(1)</script>\" onload='x' &amp;"


def spelled(value: float) -> str:
    return f"{value:g}"


def labelled(day: date) -> str:
    return f"{day.day} {day:%b}"


def boxes(svg: Element) -> Iterator[tuple[str, float, float, float, float]]:
    """Words, and where each text stands: left, right, top, bottom."""
    for text in svg.iter("text"):
        words, x, y = text.text or "", float(text.get("x", "")), float(text.get("y", ""))
        wide = LETTER * width_of(words)
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[text.get("text-anchor", "")]
        yield words, left, left + wide, y - 10, y + 3


def ensure_sound(svg: Element) -> None:
    """It says what it is, holds no style, all of it is inside, and no two texts touch."""
    _, _, width, height = map(float, svg.get("viewBox", "").split())
    assert (svg.get("role"), width) == ("img", WIDTH)
    assert {svg.get("aria-labelledby"), svg.get("aria-describedby")} == {
        each.get("id") for each in svg.iter() if each.get("id")
    }
    assert not [each for each in svg.iter() if each.get("style") or each.tag in {"script", "style"}]
    assert "nan" not in "".join(value for each in svg.iter() for value in each.attrib.values())
    placed = list(boxes(svg))
    for words, left, right, top, bottom in placed:
        assert -1 <= left <= right <= width + 1, words
        assert -4 <= top <= bottom <= height, words
    for index, (words, left, right, top, bottom) in enumerate(placed):
        for other, left2, right2, top2, bottom2 in placed[index + 1 :]:
            assert right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top, (words, other)
    for shape in svg.iter("rect"):
        assert 0 <= float(shape.get("x", "")) <= WIDTH
        assert float(shape.get("x", "")) + float(shape.get("width", "")) <= WIDTH + 0.1
        assert float(shape.get("height", "")) > 0


@table("count", [1, 2, 11, 12, 40])
def test_bars_stand_below_each_other_each_with_its_name_and_number(count: int) -> None:
    rows = [(f"kind {number}", float(count - number)) for number in range(count)]

    svg = fromstring(bars(ABOUT, rows, format_value=spelled))

    ensure_sound(svg)
    assert [text.text for text in svg.iter("text")] == [words for row in rows for words in (row[0], spelled(row[1]))]
    drawn = [float(each.get("width", "")) for each in svg.iter("rect") if "chart-bar" in each.get("class", "")]
    assert drawn == sorted(drawn, reverse=True)
    assert drawn[0] == WIDTH


def test_every_category_has_room_for_its_name_beside_a_large_number() -> None:
    svg = fromstring(
        bars(ABOUT, [(category, 1_000_000) for category in Category], format_value=lambda value: f"{value:,.0f}")
    )

    ensure_sound(svg)
    assert {text.text for text in svg.iter("text")} == {*Category, "1,000,000"}


@table("name", [HOSTILE, WIDE, "🧡" * 500, "", "x" * 10_000])
def test_a_name_that_somebody_chose_is_text_and_is_cut_to_its_room(name: str) -> None:
    drawn = bars(ABOUT, [(name, 3), ("other", 0)], format_value=spelled)

    ensure_sound(fromstring(drawn))
    assert "<script" not in drawn


def test_what_is_nothing_has_a_groove_and_no_bar() -> None:
    svg = fromstring(bars(ABOUT, [("a", 0.0), ("b", 0.0)], format_value=spelled))

    assert [each.get("class") for each in svg.iter("rect")] == ["chart-groove", "chart-groove"]


def test_no_data_is_no_chart() -> None:
    assert bars(ABOUT, [], format_value=spelled) == ""
    assert line(ABOUT, [], until=FIRST, format_value=spelled, label=labelled) == ""
    assert columns(ABOUT, [], format_value=spelled, label=labelled) == ""


@table("values", [[0], [1], [1, 2], [5, 5, 0, 7], list(range(400)), [0, 0], [999_999]])
def test_a_line_goes_from_its_first_day_to_today(values: Sequence[int]) -> None:
    points = [(FIRST + timedelta(days=2 * number), value) for number, value in enumerate(values)]
    today = points[-1][0] + timedelta(days=3)

    svg = fromstring(line(ABOUT, points, until=today, format_value=spelled, label=labelled))

    ensure_sound(svg)
    [path] = [each.get("d", "") for each in svg.iter("path") if each.get("class") == "chart-line"]
    assert path.count("V") == len(values) - 1
    assert path.endswith(f"H{WIDTH - 4:g}")
    labels = [each.text for each in svg.iter("text")]
    assert labels[-2:] == [labelled(points[0][0]), labelled(today)]


def test_a_line_of_one_day_stands_in_the_middle_with_one_date() -> None:
    svg = fromstring(line(ABOUT, [(FIRST, 4)], until=FIRST, format_value=spelled, label=labelled))

    ensure_sound(svg)
    assert [each.text for each in svg.iter("text")][-1] == "17 Sep"
    assert [each.text for each in svg.iter("text")].count("17 Sep") == 1


@table("count", [1, 2, 7, 30, 90])
def test_columns_stand_beside_each_other_their_parts_on_top_of_each_other(count: int) -> None:
    days = [(FIRST + timedelta(days=number), (0.004 * number, 0.001, 0.0)) for number in range(count)]

    svg = fromstring(columns(ABOUT, days, format_value=lambda value: f"${value:.3f}", label=labelled, marked={FIRST}))

    ensure_sound(svg)
    drawn = [each for each in svg.iter("rect") if each.get("class") == "chart-bar chart-1"]
    edges = [(float(each.get("x", "")), float(each.get("x", "")) + float(each.get("width", ""))) for each in drawn]
    assert len(edges) == count
    assert all(right < left for (_, right), (left, _) in pairwise(edges))
    for one in svg.iter("rect"):
        for other in svg.iter("rect"):
            if one is not other and one.get("x") == other.get("x"):
                top, ground = sorted((one, other), key=lambda each: float(each.get("y", "")))
                assert float(top.get("y", "")) + float(top.get("height", "")) <= float(ground.get("y", "")) + 1.6
    assert len(list(svg.iter("circle"))) == 1


@given(some.floats(min_value=1e-6, max_value=1e9), some.booleans())
def test_lines_are_few_round_and_reach_the_highest(highest: float, whole: bool) -> None:
    found = ticks(highest, whole=whole)

    assert 2 <= len(found) <= 5
    assert found[0] == 0
    assert found[-1] >= highest * (1 - 1e-6)
    assert not whole or all(each == int(each) for each in found)


@given(some.text(max_size=60), some.integers(min_value=1, max_value=40))
def test_a_cut_text_is_a_beginning_and_fits(text: str, room: int) -> None:
    cut = truncate(text, room)

    assert width_of(cut) <= room
    assert cut == text or text.startswith(cut.removesuffix("…"))
