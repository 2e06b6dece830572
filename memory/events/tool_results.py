"""Normalises tool results for storage: an excerpt, its line range, and the full output for an artifact."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.cleaning import clean
from memory.privacy.redaction import redact

MAX_BYTES = 64 * 1024
LONGEST_WHOLE = 4_000_000  # bytes of an output, as many as an artifact may have
LONGEST_SECRET = 64 * 1024
LONGEST_FIELD = 2000
OUTPUTS = ("excerpt_text", "text", "output")


@dataclass(frozen=True, slots=True)
class NormalisedToolResult:
    """The content of the event and, if that is only an excerpt, the whole output for an artifact."""

    content: dict[str, Any]
    full_output: bytes | None = None


def limit_output(content: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Limit the output to what is scanned for secrets. Also returns the number of bytes cut off.

    The limit exceeds what is stored by the longest secret, because the cut may split a secret at the end.
    """
    name = next((name for name in OUTPUTS if content.get(name) is not None), None)
    if name is None:
        return dict(content), 0
    given = content[name] if isinstance(content[name], str) else json.dumps(content[name], ensure_ascii=False)
    data = given.encode(errors="replace")
    most = LONGEST_WHOLE + LONGEST_SECRET
    if len(data) <= most:
        return dict(content), 0
    return {**content, name: data[:most].decode(errors="ignore")}, len(data) - most


def normalise_tool_result(content: Mapping[str, Any], *, gone: int = 0) -> NormalisedToolResult:
    """Normalise a tool result.

    The output goes under `excerpt_text`, at most 64 KB of it. Small fields stay; large ones are only listed by name.
    Secrets are redacted before the cut, because half a secret cannot be recognised. If even the artifact would be too
    long, only its beginning is stored and the event says how much is missing; `gone` bytes were cut off before.
    """
    content, more = limit_output(content)
    given = next((content[name] for name in OUTPUTS if content.get(name) is not None), "")
    output = redact(clean(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))).text
    gone += more
    whole, lost = _limit_whole(output, is_cut=gone > 0)
    excerpt = cut_at_line(whole, MAX_BYTES)
    first = _first_line(content.get("line_range"))
    fields = {name: value for name, value in content.items() if name not in OUTPUTS}
    large = sorted(name for name, value in fields.items() if len(json.dumps(value, default=str)) > LONGEST_FIELD)
    normal = {
        **{name: value for name, value in fields.items() if name not in large},
        "excerpt_text": excerpt,
        "line_range": [first, first + max(count_lines(excerpt), 1) - 1],
        "truncated": len(excerpt) < len(output) or content.get("truncated") is True,
    }
    if large:
        normal["left_out"] = large
    if gone + lost:
        normal["not_kept_bytes"] = gone + lost
    return NormalisedToolResult(normal, whole.encode() if len(excerpt) < len(output) else None)


def _limit_whole(output: str, *, is_cut: bool) -> tuple[str, int]:
    """Limit the output to what may be stored. Also returns the number of bytes lost."""
    data = output.encode()
    most = min(LONGEST_WHOLE, len(data) - LONGEST_SECRET) if is_cut else LONGEST_WHOLE
    if len(data) <= most:
        return output, 0
    whole = data[: max(most, 0)].decode(errors="ignore")
    return whole, len(data) - len(whole.encode())


def cut_at_line(text: str, most: int) -> str:
    """Cut a text to at most `most` bytes, at the end of a line if there is one, and never within a character."""
    data = text.encode()
    if len(data) <= most:
        return text
    whole_lines = data.rfind(b"\n", 0, most) + 1
    return data[: whole_lines or most].decode(errors="ignore")


def count_lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and bool(text))


def _first_line(given: Any) -> int:
    named = isinstance(given, list | tuple) and len(given) == 2 and type(given[0]) is int
    return max(given[0], 1) if named else 1
