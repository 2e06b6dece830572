"""Charts as SVG, drawn here: shapes by attributes and classes alone, so that no style and no script stands in a page.

All are drawn 320 wide, which is about a phone; a page may show them somewhat larger. Each is an image to those who hear
the page, with a title and a sentence, and stands above a table with the same numbers.
"""

import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor, log10
from xml.etree.ElementTree import Element, SubElement, tostring

from markupsafe import Markup

WIDTH = 320.0
LETTER = 7.7  # how wide a letter is at most, on the average of a word, in the widest of the usual fonts
TOP, BOTTOM = 8.0, 22.0  # room above the highest line, and below the lowest for the days
PLOT = 120.0
ROW, BAR = 34.0, 8.0
MOST_SERIES = 4


@dataclass(frozen=True, slots=True)
class About:
    """What a chart shows, for those who hear it. `name` is its own on the page."""

    name: str
    title: str
    summary: str


@dataclass(frozen=True, slots=True)
class Frame:
    """Where values and days stand: from nothing at the bottom to the highest line, from the first day to the last."""

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
    about: About,
    points: Sequence[tuple[date, int]],
    *,
    until: date,
    spell: Callable[[float], str],
    label: Callable[[date], str],
) -> Markup:
    """A number that stays as it is until it changes; nothing where there is none."""
    if not points:
        return Markup()
    lines = ticks(max(value for _, value in points), whole=True)
    svg, frame = _framed(about, points[0][0], max(until, points[-1][0]), lines, spell, label)
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
    return _drawn(svg)


def columns(
    about: About,
    days: Sequence[tuple[date, Sequence[float]]],
    *,
    spell: Callable[[float], str],
    label: Callable[[date], str],
    marked: Collection[date] = (),
) -> Markup:
    """A column for each day, its parts on top of each other; what is marked has a ring above it. The days follow each
    other without a gap."""
    if not days:
        return Markup()
    lines = ticks(max(sum(parts) for _, parts in days))
    svg, frame = _framed(about, days[0][0], days[-1][0], lines, spell, label)
    width = (WIDTH - frame.left) / len(days)
    for number, (day, parts) in enumerate(days):
        left, below = frame.left + width * number, 0.0
        for series, part in enumerate(parts):
            if part <= 0:
                continue
            top, ground = frame.y(below + part), frame.y(below)
            height = max(ground - top, 1.5)  # or nobody would see that there was something
            place = {"x": _n(left + width * 0.12), "y": _n(ground - height), "width": _n(width * 0.76)}
            SubElement(svg, "rect", {"class": f"chart-bar chart-{series}", **place, "height": _n(height)})
            below += part
        if day in marked:
            ring = {"cx": _n(left + width / 2), "cy": _n(frame.y(below) - 5), "r": _n(min(width * 0.3, 3))}
            SubElement(svg, "circle", {"class": "chart-ring", **ring})
    return _drawn(svg)


def bars(
    about: About, rows: Sequence[tuple[str, float]], *, spell: Callable[[float], str], full: float | None = None
) -> Markup:
    """A bar for each, as wide as its share of the largest, or of what is `full`, below its name and its number."""
    if not rows:
        return Markup()
    svg = _svg(about, ROW * len(rows))
    largest = full or max(*(value for _, value in rows), 0) or 1
    for number, (name, value) in enumerate(rows):
        top, told = ROW * number, spell(value)
        room = WIDTH - LETTER * (width_of(told) + 2)
        _text(svg, 0, top + 15, fitting(name, int(room / LETTER)), "chart-name")
        _text(svg, WIDTH, top + 15, told, "chart-number", "end")
        place = {"x": "0", "y": _n(top + 21), "height": _n(BAR), "rx": _n(BAR / 2)}
        SubElement(svg, "rect", {"class": "chart-groove", **place, "width": _n(WIDTH)})
        if value > 0:
            SubElement(
                svg, "rect", {"class": "chart-bar chart-0", **place, "width": _n(max(WIDTH * value / largest, BAR))}
            )
    return _drawn(svg)


def ticks(highest: float, *, whole: bool = False) -> list[float]:
    """Round numbers from nothing to at least the highest: up to four steps of 1, 2 or 5 times a power of ten."""
    if highest <= 0:
        return [0, 1]
    power = 10.0 ** floor(log10(highest / 3))
    step = next(power * factor for factor in (1, 2, 5, 10) if ceil(highest / (power * factor) - 1e-9) <= 4)
    step = max(step, 1) if whole else step
    return [round(step * number, 12) for number in range(ceil(highest / step - 1e-9) + 1)]


def fitting(text: str, room: int) -> str:
    """As much of a text as fits into so many letters."""
    if width_of(text) <= room:
        return text
    kept = ""
    for sign in text:
        if width_of(kept + sign) > room - 1:
            break
        kept += sign
    return f"{kept.rstrip()}…"


def width_of(text: str) -> int:
    """In letters: signs of East Asia and emoji are twice as wide, marks on a letter are none."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def _framed(
    about: About,
    first: date,
    last: date,
    lines: Sequence[float],
    spell: Callable[[float], str],
    label: Callable[[date], str],
) -> tuple[Element, Frame]:
    """The picture with its lines, their numbers, and the first and the last day."""
    svg = _svg(about, TOP + PLOT + BOTTOM)
    left = LETTER * max(width_of(spell(each)) for each in lines) + 6
    frame = Frame(left, lines[-1], first, last)
    for each in lines:
        height = _n(frame.y(each))
        SubElement(svg, "line", {"class": "chart-grid", "x1": _n(left), "x2": _n(WIDTH), "y1": height, "y2": height})
        _text(svg, left - 6, frame.y(each) + 4, spell(each), "chart-label", "end")
    below = TOP + PLOT + BOTTOM - 5
    if first == last:
        _text(svg, (left + WIDTH) / 2, below, label(first), "chart-label", "middle")
    else:
        _text(svg, left, below, label(first), "chart-label")
        _text(svg, WIDTH, below, label(last), "chart-label", "end")
    return svg, frame


def _svg(about: About, height: float) -> Element:
    title, summary = f"{about.name}-title", f"{about.name}-summary"
    svg = Element(
        "svg",
        {
            "class": "chart",
            "role": "img",
            "direction": "ltr",  # of places; words have their own
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


def _drawn(svg: Element) -> Markup:
    """Everything in it was escaped where it was written."""
    return Markup(tostring(svg, encoding="unicode", short_empty_elements=False))  # noqa: S704
