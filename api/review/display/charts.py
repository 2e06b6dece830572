"""Draws charts as SVG, with attributes and classes only, because the security policy forbids inline styles.

All are 320 units wide, about the width of a phone. For screen readers each is an image with a title and a summary; a
table with the same numbers follows it on the page.
"""

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor, log10
from xml.etree.ElementTree import Element, SubElement, tostring

from markupsafe import Markup

WIDTH = 320.0
LETTER = 7.7  # upper bound of the average letter width in common fonts
TOP, BOTTOM = 8.0, 22.0  # margins; the bottom one holds the dates
PLOT = 120.0
ROW, BAR = 34.0, 8.0
MAX_SERIES = 4


@dataclass(frozen=True, slots=True)
class ChartLabel:
    """The accessible title and summary of a chart. `name` is unique on the page."""

    name: str
    title: str
    summary: str


@dataclass(frozen=True, slots=True)
class Frame:
    """Maps days and values to coordinates."""

    left: float
    highest: float
    first: date
    last: date

    def y(self, value: float) -> float:
        return TOP + PLOT * (1 - value / self.highest)

    def x(self, day: date) -> float:
        days = (self.last - self.first).days
        share = (day - self.first).days / days if days else 0.5
        return self.left + (WIDTH - self.left - 4) * share


def line(
    about: ChartLabel,
    points: Sequence[tuple[date, int]],
    *,
    until: date,
    format_value: Callable[[float], str],
    label: Callable[[date], str],
) -> Markup:
    """Draw a step chart of a value that stays constant between changes. Empty without points."""
    if not points:
        return Markup()
    lines = ticks(max(value for _, value in points), whole=True)
    svg, frame = _axes(about, points[0][0], max(until, points[-1][0]), lines, format_value, label)
    path = f"M{_n(frame.x(points[0][0]))} {_n(frame.y(points[0][1]))}"
    for day, value in points[1:]:
        path += f"H{_n(frame.x(day))}V{_n(frame.y(value))}"
    path += f"H{_n(frame.x(frame.last))}"
    ground = _n(frame.y(0))
    area = f"{path}V{ground}H{_n(frame.x(points[0][0]))}Z"
    SubElement(svg, "path", {"class": "chart-area", "d": area})
    SubElement(svg, "path", {"class": "chart-line", "d": path})
    end = {"cx": _n(frame.x(frame.last)), "cy": _n(frame.y(points[-1][1]))}
    SubElement(svg, "circle", {"class": "chart-dot", **end, "r": "3.5"})
    return _markup(svg)


def columns(
    about: ChartLabel,
    days: Sequence[tuple[date, Sequence[float]]],
    *,
    format_value: Callable[[float], str],
    label: Callable[[date], str],
    marked: Collection[date] = (),
) -> Markup:
    """Draw a stacked column for each of these consecutive days. Marked days get a ring above their column."""
    if not days:
        return Markup()
    lines = ticks(max(sum(parts) for _, parts in days))
    svg, frame = _axes(about, days[0][0], days[-1][0], lines, format_value, label)
    width = (WIDTH - frame.left) / len(days)
    for number, (day, parts) in enumerate(days):
        left, below = frame.left + width * number, 0.0
        for series, part in enumerate(parts):
            if part <= 0:
                continue
            top, ground = frame.y(below + part), frame.y(below)
            height = max(ground - top, 1.5)  # keep small values visible
            place = {"x": _n(left + width * 0.12), "y": _n(ground - height), "width": _n(width * 0.76)}
            SubElement(svg, "rect", {"class": f"chart-bar chart-{series}", **place, "height": _n(height)})
            below += part
        if day in marked:
            ring = {"cx": _n(left + width / 2), "cy": _n(frame.y(below) - 5), "r": _n(min(width * 0.3, 3))}
            SubElement(svg, "circle", {"class": "chart-ring", **ring})
    return _markup(svg)


def bars(
    about: ChartLabel,
    rows: Sequence[tuple[str, float]],
    *,
    format_value: Callable[[float], str],
    full: float | None = None,
) -> Markup:
    """Draw a horizontal bar per row, scaled to the largest value or to `full`, below its name and number."""
    if not rows:
        return Markup()
    svg = _svg(about, ROW * len(rows))
    largest = full or max(*(value for _, value in rows), 0) or 1
    for number, (name, value) in enumerate(rows):
        top, value_text = ROW * number, format_value(value)
        room = WIDTH - LETTER * (width_of(value_text) + 2)
        _text(svg, 0, top + 15, truncate(name, int(room / LETTER)), "chart-name")
        _text(svg, WIDTH, top + 15, value_text, "chart-number", "end")
        place = {"x": "0", "y": _n(top + 21), "height": _n(BAR), "rx": _n(BAR / 2)}
        SubElement(svg, "rect", {"class": "chart-groove", **place, "width": _n(WIDTH)})
        if value > 0:
            SubElement(
                svg, "rect", {"class": "chart-bar chart-0", **place, "width": _n(max(WIDTH * value / largest, BAR))}
            )
    return _markup(svg)


def ticks(highest: float, *, whole: bool = False) -> list[float]:
    """Return round axis values from 0 to at least `highest`: up to four steps of 1, 2 or 5 times a power of ten."""
    if highest <= 0:
        return [0, 1]
    power = 10.0 ** floor(log10(highest / 3))
    step = next(power * factor for factor in (1, 2, 5, 10) if ceil(highest / (power * factor) - 1e-9) <= 4)
    step = max(step, 1) if whole else step
    return [round(step * number, 12) for number in range(ceil(highest / step - 1e-9) + 1)]


def truncate(text: str, room: int) -> str:
    """Shorten a text to this many letter widths."""
    if width_of(text) <= room:
        return text
    kept = ""
    for sign in text:
        if width_of(kept + sign) > room - 1:
            break
        kept += sign
    return f"{kept.rstrip()}…"


def width_of(text: str) -> int:
    """Estimate the width in letters. East Asian characters and emoji count twice, combining marks not at all."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def _axes(
    about: ChartLabel,
    first: date,
    last: date,
    lines: Sequence[float],
    format_value: Callable[[float], str],
    label: Callable[[date], str],
) -> tuple[Element, Frame]:
    """Draw grid lines with their values, and the first and last day."""
    svg = _svg(about, TOP + PLOT + BOTTOM)
    left = LETTER * max(width_of(format_value(each)) for each in lines) + 6
    frame = Frame(left, lines[-1], first, last)
    for each in lines:
        height = _n(frame.y(each))
        SubElement(svg, "line", {"class": "chart-grid", "x1": _n(left), "x2": _n(WIDTH), "y1": height, "y2": height})
        _text(svg, left - 6, frame.y(each) + 4, format_value(each), "chart-label", "end")
    below = TOP + PLOT + BOTTOM - 5
    if first == last:
        _text(svg, (left + WIDTH) / 2, below, label(first), "chart-label", "middle")
    else:
        _text(svg, left, below, label(first), "chart-label")
        _text(svg, WIDTH, below, label(last), "chart-label", "end")
    return svg, frame


def _svg(about: ChartLabel, height: float) -> Element:
    title, summary = f"{about.name}-title", f"{about.name}-summary"
    svg = Element(
        "svg",
        {
            "class": "chart",
            "role": "img",
            "direction": "ltr",  # for coordinates; texts have their own direction
            "viewBox": f"0 0 {_n(WIDTH)} {_n(height)}",
            "aria-labelledby": title,
            "aria-describedby": summary,
        },
    )
    SubElement(svg, "title", {"id": title}).text = about.title
    SubElement(svg, "desc", {"id": summary}).text = about.summary
    return svg


def _text(svg: Element, x: float, y: float, words: str, kind: str, anchor: str = "start") -> None:
    SubElement(svg, "text", {"class": kind, "x": _n(x), "y": _n(y), "text-anchor": anchor}).text = words


def _n(number: float) -> str:
    return f"{round(number, 2):g}"


def _markup(svg: Element) -> Markup:
    """Serialise the SVG. ElementTree has escaped all texts."""
    return Markup(tostring(svg, encoding="unicode", short_empty_elements=False))  # noqa: S704
