"""A file that comes as an event of the kind `artifact`: its bytes are kept once, the event holds what can be read."""

from base64 import b64decode
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory import ArtifactKind
from memory.cleaning import clean
from memory.errors import Refused
from memory.events.record import EventDraft, PreparedEvent, prepare
from memory.events.tool_results import MOST_BYTES, cut
from memory.ledgers.artifacts import prepare_artifact
from memory.privacy.redaction import redact

BYTES, TEXT = "base64", "text"
LONGEST_FIELD = 500


def is_file(content: dict[str, Any]) -> bool:
    """Bytes, or more text than an event holds."""
    text = content.get(TEXT)
    return BYTES in content or (isinstance(text, str) and len(text) > MOST_BYTES)


def prepare_file(draft: EventDraft, now: datetime) -> PreparedEvent:
    """Secrets are taken out of the whole before an excerpt is cut, because of half a secret nobody could tell any more
    what it is; bytes that are no text and hold one are refused."""
    told = {name: value for name, value in draft.content.items() if name not in {BYTES, TEXT}}
    data, kinds = _bytes(draft.content), tuple[str, ...]()
    excerpt: dict[str, Any] = {}
    try:
        read = redact(clean(data.decode()))
    except UnicodeDecodeError:
        pass
    else:
        data, kinds = read.text.encode(), read.kinds
        shown = cut(read.text, MOST_BYTES)
        excerpt = {"excerpt_text": shown, "truncated": len(shown) < len(read.text)}
    whole = prepare_artifact(data, kind=ArtifactKind.BLOB, meta=_plain(told))
    prepared = prepare(replace(draft, content={**told, **excerpt, "size": len(whole.data)}), now)
    return replace(prepared, left_out=tuple(dict.fromkeys([*kinds, *prepared.left_out])), whole=whole)


def _bytes(content: dict[str, Any]) -> bytes:
    if BYTES not in content:
        return str(content[TEXT]).encode(errors="replace")
    try:
        return b64decode(content[BYTES], validate=True)
    except (ValueError, TypeError):
        raise Refused("Not kept: base64 is no base64.", field="base64") from None


def _plain(told: dict[str, Any]) -> dict[str, Any]:
    """Of what is told of it, what may stand beside its bytes; the rest stands in the event."""
    short = {name: value for name, value in told.items() if len(str(value)) < LONGEST_FIELD}
    return {name: value for name, value in short.items() if isinstance(value, str | int | float)}
