"""Brings the result of a tool into the one form in which it is kept: an excerpt, its lines, and where the rest is."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.cleaning import clean
from memory.privacy.redaction import redact

MOST_BYTES = 64 * 1024
LONGEST_WHOLE = 4_000_000  # bytes of an output, as many as an artifact may have
LONGEST_SECRET = 64 * 1024
LONGEST_FIELD = 2000
OUTPUTS = ("excerpt_text", "text", "output")


@dataclass(frozen=True, slots=True)
class Normalised:
    """The content of the event; where it is an excerpt only, the whole output to be kept as an artifact."""

    content: dict[str, Any]
    whole: bytes | None = None


def bounded(content: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """The content with no more output than is worth looking through for secrets, and how many bytes are gone. It is
    longer than what is kept by a secret: half of one may stand at its end, and goes with it."""
    name = next((name for name in OUTPUTS if content.get(name) is not None), None)
    if name is None:
        return dict(content), 0
    given = content[name] if isinstance(content[name], str) else json.dumps(content[name], ensure_ascii=False)
    data = given.encode(errors="replace")
    most = LONGEST_WHOLE + LONGEST_SECRET
    if len(data) <= most:
        return dict(content), 0
    return {**content, name: data[:most].decode(errors="ignore")}, len(data) - most


def normalise_tool_result(content: Mapping[str, Any], *, gone: int = 0) -> Normalised:
    """The output goes under `excerpt_text`, at most 64 KB of it; small fields stay, the names of larger ones are told.
    Secrets are taken out before the cut: of half a secret nobody could tell any more what it is. Where even the whole
    is too long, its beginning is, and the event tells how much is not kept; `gone` bytes are gone already."""
    content, more = bounded(content)
    given = next((content[name] for name in OUTPUTS if content.get(name) is not None), "")
    output = redact(clean(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))).text
    gone += more
    whole, lost = _kept(output, is_torn=gone > 0)
    excerpt = cut(whole, MOST_BYTES)
    first = _first_line(content.get("line_range"))
    fields = {name: value for name, value in content.items() if name not in OUTPUTS}
    large = sorted(name for name, value in fields.items() if len(json.dumps(value, default=str)) > LONGEST_FIELD)
    normal = {
        **{name: value for name, value in fields.items() if name not in large},
        "excerpt_text": excerpt,
        "line_range": [first, first + max(lines_in(excerpt), 1) - 1],
        "truncated": len(excerpt) < len(output) or content.get("truncated") is True,
    }
    if large:
        normal["left_out"] = large
    if gone + lost:
        normal["not_kept_bytes"] = gone + lost
    return Normalised(normal, whole.encode() if len(excerpt) < len(output) else None)


def _kept(output: str, *, is_torn: bool) -> tuple[str, int]:
    """As much of an output as may be kept, and how many bytes are not."""
    data = output.encode()
    most = min(LONGEST_WHOLE, len(data) - LONGEST_SECRET) if is_torn else LONGEST_WHOLE
    if len(data) <= most:
        return output, 0
    whole = data[: max(most, 0)].decode(errors="ignore")
    return whole, len(data) - len(whole.encode())


def cut(text: str, most: int) -> str:
    """The beginning of a text in so many bytes, to the end of a line if there is one, never a part of a character."""
    data = text.encode()
    if len(data) <= most:
        return text
    whole_lines = data.rfind(b"\n", 0, most) + 1
    return data[: whole_lines or most].decode(errors="ignore")


def lines_in(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _first_line(given: Any) -> int:
    named = isinstance(given, list | tuple) and len(given) == 2 and type(given[0]) is int
    return max(given[0], 1) if named else 1
